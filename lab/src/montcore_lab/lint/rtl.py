# SPDX-License-Identifier: Apache-2.0
"""Checks of the SystemVerilog sources: Verible, slang, Verilator and Icarus Verilog."""

import json
import sys
import tempfile
from collections.abc import Iterable, Mapping
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from montcore.cores import all_cores
from montcore.cores.core import Core
from montcore.hdl.programs import find_program, package_folder
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import name, rtl_files, systemverilog_files
from montcore_lab.lint.check import Check
from montcore_lab.lint.complaints import complaints
from montcore_lab.lint.dialects import copies_for_icarus_11
from montcore_lab.lint.elaborations import Elaboration, all_elaborations, technologies_of

# Built widths to elaborate at: the first that a core accepts with all of its usual configurations
# for all technologies, the others with the first and last configuration for one technology. An odd
# word count (521 bits) is where public cores have faults, for any technology. All styles and
# branches are also elaborated, at small widths: see `all_elaborations`.
WIDTHS = (256, 521)

_VERIBLE_FORMAT = (
    "--column_limit=100",
    "--port_declarations_alignment=flush-left",
    "--failsafe_success=false",
)


def verible_lint(*paths: Path) -> list[str]:
    """Return Verible's findings in files, by the rules of .rules.verible_lint."""
    rules = REPO_ROOT / ".rules.verible_lint"
    program = find_program("verible-verilog-lint")
    return complaints([program, f"--rules_config={rules}", *paths], about=(*paths, rules))


def verible_format(*paths: Path) -> list[str]:
    """Return a finding if Verible would format one of the files differently."""
    program = find_program("verible-verilog-format")
    words = (*_VERIBLE_FORMAT, "--verify", "--inplace")  # several files, none of them changed
    found = complaints([program, *words, *paths], about=paths)
    return [f"{line}\n`make format` does it" for line in found]


def slang(sources: Iterable[Path]) -> list[str]:
    """Return slang's errors and warnings for all sources elaborated together.

    Modules that nothing instantiates are tops, with their default parameters.
    """
    package_folder("pyslang")
    files = tuple(sources)
    return complaints([sys.executable, "-m", "montcore_lab.lint.slang", *files], about=files)


def slang_designs(designs: Iterable[Elaboration]) -> list[str]:
    """Return slang's errors and warnings for designs, each elaborated separately."""
    package_folder("pyslang")
    words: list[list[str]] = []
    files: list[Path] = []
    for design in designs:
        words.append(design.slang_words())
        files += design.sources
    command = [sys.executable, "-m", "montcore_lab.lint.slang"]
    return complaints(command, about=dict.fromkeys(files), given=json.dumps(words))


def verilator(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int | str],
    defines: Iterable[str] = (),
) -> list[str]:
    """Return Verilator's output with all warnings enabled."""
    folder, files = package_folder("verilator"), tuple(sources)
    return complaints(
        [
            folder / "bin" / "verilator_bin",
            *("--lint-only", "-Wall", "--top-module", top),
            *(f"-G{key}={value}" for key, value in parameters.items()),
            *(f"-D{name}=1" for name in defines),
            *files,
        ],
        about=files,
        environment={"VERILATOR_ROOT": str(folder)},
    )


def icarus(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int | str],
    defines: Iterable[str] = (),
) -> list[str]:
    """Return Icarus Verilog's output if it cannot elaborate a top.

    It reads copies in which `for_icarus_11` has replaced what release 11 lacks, line by line; it
    must support everything else in the sources.
    """
    program = find_program("iverilog")
    with tempfile.TemporaryDirectory() as folder:
        copies = copies_for_icarus_11(sources, Path(folder))
        settings = [f"-P{top}.{key}={value}" for key, value in parameters.items()]
        settings += [f"-D{name}=1" for name in defines]
        command: list[str | Path] = [program, "-g2012", "-t", "null", "-s", top, *settings, *copies]
        found = complaints(command, about=copies)
        return [text.replace(f"{folder}/", "") for text in found]


def parameter_sets(core: type[Core]) -> list[dict[str, int]]:
    """Return the distinct parameter overrides of a core's usual configurations."""
    found: list[dict[str, int]] = []
    chosen = technologies_of(core)
    for bits in WIDTHS:
        try:
            points = core.points(bits)
        except RequestError:
            continue  # not a width of this core
        if found:
            points, chosen = [*points[:1], *points[-1:]], chosen[:1]
        for point in points:
            for technology in chosen:
                parameters = point.sv_parameters(technology)
                if parameters not in found:
                    found.append(parameters)
    return found


def core_checks(core: type[Core]) -> list[Check]:
    """Return the checks of one registered core."""
    found = []
    sets = parameter_sets(core)
    if not sets:
        problem = f"core {core.name} has no configuration at any of the widths {WIDTHS}"
        found.append(Check("verilator", core.main_top(), lambda: [problem]))
    for tool, chosen in ((verilator, sets), (icarus, [*sets[:1], *sets[1:][-1:]])):
        for parameters in chosen:
            values = " ".join(f"{key}={value}" for key, value in parameters.items())
            action = partial(tool, core.main_top(), core.sources(), parameters)
            found.append(Check(tool.__name__, f"{core.main_top()} {values}".strip(), action))
    return found


def checks() -> list[Check]:
    """Return the checks of all SystemVerilog sources, of each core and of each other top."""
    found = []
    folder_of = attrgetter("parent")
    for folder, files in groupby(sorted(systemverilog_files(), key=folder_of), folder_of):
        paths = tuple(files)
        found.append(Check("verible lint", name(folder), partial(verible_lint, *paths)))
        found.append(Check("verible format", name(folder), partial(verible_format, *paths)))
    packages_first = sorted(rtl_files(), key=lambda path: not path.stem.endswith("_pkg"))
    found.append(Check("slang", "all RTL together", partial(slang, packages_first)))
    cores = all_cores().values()
    for core in cores:
        found += core_checks(core)
    top_of = attrgetter("top")
    for top, designs in groupby(sorted(all_elaborations(), key=top_of), top_of):
        several = tuple(designs)
        what = f"{top}, {len(several)} designs"
        found.append(Check("slang", what, partial(slang_designs, several)))
    for design in all_elaborations():
        what = f"{design.label} ({design.origin})" if design.origin else design.label
        arguments = (design.top, design.sources, design.parameters, design.defines)
        found.append(Check("verilator", f"style: {what}", partial(verilator, *arguments)))
        found.append(Check("icarus", f"style: {what}", partial(icarus, *arguments)))
    return found


def fix() -> list[str]:
    """Format the SystemVerilog sources in place and return what Verible cannot format."""
    program = find_program("verible-verilog-format")
    files = systemverilog_files()
    return complaints([program, *_VERIBLE_FORMAT, "--inplace", *files]) if files else []
