# SPDX-License-Identifier: Apache-2.0
"""Common parts of all bundles: folder, sources, test, constraints and manifest."""

import hashlib
import importlib.metadata
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from montcore.bundle.runner import BenchOutcome
from montcore.bundle.target import resolve
from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.hdl.modules import instantiated
from montcore.model.fields import Field
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.installing import module_exists
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.result import SynthResult
from montcore.synth.target import all_targets, get_target
from montcore.synth.yosys import run_yosys

Progress = Callable[[str], None]
#: Models of the device's primitives, if a core instantiates any.
PRIMITIVES = "test/primitives.sv"
DEFAULT_SEED = 2021
#: The preferred simulator and the other. Icarus Verilog starts sooner, Verilator simulates faster.
PREFER_ICARUS = ("iverilog", "verilator")
PREFER_VERILATOR = ("verilator", "iverilog")
#: Width in bits from which the test of a multiplier prefers Verilator.
LONG_TEST_BITS = 128
#: Display names of the simulators, by their name in an outcome.
SIMULATORS = {"icarus": "Icarus Verilog", "verilator": "Verilator"}


@dataclass(frozen=True)
class BundleResult:
    """A finished bundle.

    Attributes:
        path: the folder.
        name: name of its top module.
        target: target that it is built for.
        test: outcome of its own test.
        synthesis: figures in its datasheet, None if there are none.
        files: the files, relative to the folder.
    """

    path: Path
    name: str
    target: str
    test: BenchOutcome
    synthesis: SynthResult | None
    files: tuple[str, ...]


def bundle_name(core: Core, field: Field | None) -> str:
    """Return the top module's name, e.g. ``smm_p256r1_npe4``.

    It contains the core, the field or width, the core's first parameter, and other parameters that
    differ from their defaults.
    """
    parts = [core.name, field.name if field else f"l{core.bits}"]
    fields = type(core).model_fields
    for index, (key, value) in enumerate(core.settings().items()):
        if index == 0 or value != fields[key].default:
            parts.append(str(value) if isinstance(value, str) else f"{key}{value}")
    return "_".join(parts)


def check_output(output: Path) -> None:
    """Reject a folder that exists and is not empty.

    Raises:
        RequestError: it is not empty, is a file, or cannot be read.
    """
    try:
        if output.exists() and not output.is_dir():
            raise RequestError(f"{output} exists and is not a folder")
        if output.is_dir() and any(output.iterdir()):
            raise RequestError(f"the folder {output} is not empty; name a new one")
    except OSError as error:
        raise RequestError(f"the folder {output} cannot be read: {error.strerror}") from None


@contextmanager
def making(output: Path, name: str) -> Iterator[Path]:
    """Yield an empty folder with the bundle's name; move it to `output` when it is finished.

    Its parent folder is temporary; both are removed if the block fails.

    Raises:
        RequestError: `output` cannot be written.
    """
    refusal = f"the folder {output} cannot be written: "
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent)
    except OSError as error:
        raise RequestError(f"{refusal}{error.strerror}") from None
    with scratch as temporary:
        folder = Path(temporary) / name
        folder.mkdir()
        yield folder
        try:
            if output.is_dir():
                output.rmdir()  # it is empty: this was checked, and rmdir would fail otherwise
            folder.rename(output)
        except OSError as error:
            raise RequestError(f"{refusal}{error.strerror}") from None


def check_one_clock(core: Core) -> None:
    """Check that a bundle without a bus can clock a core.

    Raises:
        RequestError: the core has two clocks.
    """
    if core.fast_clock:
        raise RequestError(f"a bundle without a bus has one clock, and {core.top} has two")


def write_sources(
    sources: Iterable[Path], defines: Sequence[str], folder: Path, top: str = ""
) -> list[str]:
    """Write sources with their switches resolved, and the file list; return the list.

    Args:
        sources: the files, packages first.
        defines: switches that count as defined.
        folder: the bundle.
        top: name of a top module that is written separately and comes last.

    Raises:
        CheckFailedError: two files have the same name.
    """
    (folder / "rtl").mkdir(exist_ok=True)
    names = []
    for path in sources:
        text = resolve(path.read_text(encoding="utf-8"), defines)
        (folder / "rtl" / path.name).write_text(text, encoding="utf-8")
        names.append(f"rtl/{path.name}")
    if top:
        names.append(f"rtl/{top}.sv")
    if len(set(names)) != len(names):
        raise CheckFailedError(f"two source files of {folder.name} have the same name")
    (folder / "files.f").write_text("\n".join(names) + "\n", encoding="utf-8")
    return names


def write_flat(folder: Path, name: str, target: str) -> str:
    """Write the bundle's RTL as one Verilog-2005 file, for tools without SystemVerilog.

    Return what the bundle's page adds to its row: that it is missing, if Yosys is. The file
    instantiates the device's primitives, like the RTL.

    Raises:
        CheckFailedError: Yosys failed.
    """
    if not module_exists("pyosys"):
        return " (left out: Yosys was not there to write it)"
    on = get_target(target)
    sources = [folder / file for file in (folder / "files.f").read_text().split()]
    with tempfile.TemporaryDirectory() as work:
        commands = [
            *on.reading(Design.of(name, sources), Path(work)),
            "hierarchy" if on.primitives else "hierarchy -check",
            "proc",
            "opt -fast",
            "bwmuxmap",
            "memory_collect",
            "write_verilog -noattr flat.v",
        ]
        run_yosys(commands, Path(work), "flat", DEFAULT_OPTIONS)
        text = (Path(work) / "flat.v").read_text(encoding="utf-8")
    header = "// SPDX-License-Identifier: Apache-2.0\n"
    (folder / f"{name}.v").write_text(header + text, encoding="utf-8")
    return ""


def constraint_files(target: str) -> list[str]:
    """Return the files of constraints for a target: SDC, and that of the vendor's tools."""
    own = get_target(target).constraints
    return ["constraints.sdc", *([own] if own else [])]


def made_for(target: str) -> dict[str, str]:
    """Return the placeholder values of a bundle's page on files that depend on the target."""
    vivado = ", `vivado/package_ip.tcl`" if get_target(target).constraints.endswith("xdc") else ""
    files = ", ".join(f"`{file}`" for file in constraint_files(target))
    return {
        "constraints": files,
        "vivado": vivado,
        "vivado_text": "; makes an IP for Vivado's catalogue" if vivado else "",
    }


def write_page(text: str, page: Path) -> None:
    """Write one of our pages into a bundle, without the links that end outside of it."""
    text = re.sub(
        r"\[([^]\[]+)\]\(([^)#]*)[^)]*\)",
        lambda link: link[0] if not link[2] or (page.parent / link[2]).is_file() else link[1],
        text,
    )
    page.write_text(text, encoding="utf-8")


def write_port_page(folder: Path) -> None:
    """Write the description of the common port."""
    write_page((HW_DIR / "common" / "README.md").read_text("utf-8"), folder / "PORT.md")


def seed_32(seed: int) -> str:
    """Return a nonzero 32-bit seed for the test bench's random numbers."""
    return f"{(seed * 2654435761 + 1) % 2**32 or 1:08x}"


def hex_lines(numbers: Iterable[int], bits: int) -> str:
    """Return a table of the test bench: one number of `bits` bits per line."""
    return "".join(f"{number:0{-(-bits // 4)}x}\n" for number in numbers)


def write_bench(
    folder: Path,
    values: Mapping[str, object],
    bench: str,
    tables: tuple[str, str],
    *,
    simulators: tuple[str, str] = PREFER_ICARUS,
    clock: str = "clock",
) -> None:
    """Write the test bench, its tables, its clocks and the command that runs it.

    Args:
        folder: the bundle.
        values: placeholder values of the templates; `name` is the bench's name without ``_tb``.
        bench: template of the test bench.
        tables: stimulus and expected answers.
        simulators: the preferred one, and the other.
        clock: template of the clocks, without its extension.
    """
    first, second = simulators
    places = {
        "header": "",
        "style": "",
        "clock2": "",
        "clock2_connect": "",
        "settle": 0,
        **values,
        "first": first,
        "second": second,
    }
    (folder / "test").mkdir(exist_ok=True)
    templates = {
        f"test/{values['name']}_tb.sv": bench,
        "test/clock.sv": f"{clock}.sv",
        "test/clock.cpp": f"{clock}.cpp",
        "run_test.sh": "run_test.sh",
        "Makefile": "Makefile",
    }
    write_rendered(folder, templates, places)
    (folder / "run_test.sh").chmod(0o755)
    for file, text in zip(("stimulus.hex", "expected.hex"), tables, strict=True):
        (folder / "test" / file).write_text(text, encoding="ascii")


def write_primitives(folder: Path, values: Mapping[str, object]) -> str:
    """Write models of the device's primitives for the test, if the RTL instantiates any.

    Returns:
        the file's name in the bundle, or empty.
    """
    written = (path.read_text(encoding="utf-8") for path in (folder / "rtl").iterdir())
    primitives = [name for on in all_targets().values() for name in on.primitives]
    if not any(instantiated(text, primitives) for text in written):
        return ""
    write_rendered(folder, {PRIMITIVES: "primitives.sv"}, values)
    return PRIMITIVES


def passed(outcome: BenchOutcome) -> BenchOutcome:
    """Return an outcome without failures.

    Raises:
        CheckFailedError: it has failures.
    """
    if outcome.failed or not outcome.passed:
        raise CheckFailedError(
            f"the bundle's own test failed: {outcome.passed} passed, {outcome.failed} failed: "
            + " | ".join(outcome.output.splitlines()[:4])
        )
    return outcome


def facts_of_test(outcome: BenchOutcome, seed: int) -> dict[str, object]:
    """Return the manifest's entries on the test."""
    return {
        "simulator": outcome.engine,
        "passed": outcome.passed,
        "failed": outcome.failed,
        "seed": seed,
    }


def common_values(
    name: str,
    title: str,
    label: str,
    rtl: Sequence[str],
    *,
    period_ns: float | None = None,
    target: str = "",
    clock: str = "clk_i",
    test_file: str = "",
) -> dict[str, object]:
    """Return the placeholder values of the constraints and of the FuseSoC file.

    Args:
        name: name of the bundle and of its top module.
        title: description of the bundle.
        label: its parameters.
        rtl: the list of files.
        period_ns: shortest measured period, if any.
        target: target of the measurement, in words.
        clock: name of the clock port.
        test_file: an additional file of the test.
    """
    period = period_ns * 1.3 if period_ns else 10.0
    return {
        "name": name,
        "title": title,
        "label": label,
        "version": importlib.metadata.version("montcore"),
        "clock": clock,
        "period": f"{period:.2f}",
        "mhz": f"{1000 / period:.1f}",
        "period_note": (
            f"1.3 times the shortest period that was measured for {target}, {period_ns:.2f} ns"
            if period_ns
            else "a period of 10 ns to begin with"
        ),
        "rtl_files": "\n".join(f"      - {file}" for file in rtl),
        "test_files": f"\n      - {test_file}: {{file_type: systemVerilogSource}}"
        if test_file
        else "",
    }


def write_rendered(folder: Path, files: Mapping[str, str], values: Mapping[str, object]) -> None:
    """Write files from their templates."""
    for file, template in files.items():
        (folder / file).write_text(render(template, values), encoding="utf-8")


def write_manifest(content: Mapping[str, object], folder: Path) -> tuple[str, ...]:
    """Write the licence, and manifest.json with the hashes of all other files; return all names."""
    shutil.copyfile(REPO_ROOT / "LICENSE", folder / "LICENSE")
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    hashes = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    version = importlib.metadata.version("montcore")
    text = json.dumps({**content, "montcore": version, "files": hashes}, indent=2)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return (*hashes, "manifest.json")
