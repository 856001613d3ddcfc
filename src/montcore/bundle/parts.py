# SPDX-License-Identifier: Apache-2.0
"""Common parts of all bundles: folder, sources, test, constraints and manifest."""

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from montcore.bundle.runner import BenchOutcome
from montcore.bundle.sources import resolve
from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.hdl.modules import instantiated
from montcore.model.fields import Field
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.needed import module_exists, package_version
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.result import SynthResult
from montcore.synth.target import all_targets, get_target
from montcore.synth.yosys import run_yosys

Progress = Callable[[str], None]
PageValues = Mapping[str, object]
#: Models of the device's primitives, if a core instantiates any.
PRIMITIVES = "test/primitives.sv"
DEFAULT_SEED = 2021
#: The preferred simulator and the other. Icarus Verilog starts sooner, Verilator simulates faster.
PREFER_ICARUS = ("iverilog", "verilator")
PREFER_VERILATOR = ("verilator", "iverilog")
#: Display names of the simulators, by their name in an outcome.
SIMULATORS = {"icarus": "Icarus Verilog", "verilator": "Verilator"}


@dataclass(frozen=True)
class BundleResult:
    """A finished bundle.

    Attributes:
        name: name of its top module.
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
    """Reject a folder that exists and is not empty, or whose name the tools cannot be told."""
    try:
        os.fspath(output.absolute()).encode("utf-8")
        if output.exists() and not output.is_dir():
            raise RequestError(f"{output} exists and is not a folder")
        if output.is_dir() and any(output.iterdir()):
            raise RequestError(f"the folder {output} is not empty; name a new one")
    except OSError as error:
        raise RequestError(f"the folder {output} cannot be read: {error.strerror}") from None
    except UnicodeEncodeError:
        raise RequestError(f"the name of the folder {str(output)!a} is not UTF-8") from None


@contextmanager
def making(output: Path, name: str) -> Iterator[Path]:
    """Yield an empty folder with the bundle's name; move it to `output` when it is finished.

    Its parent folder is temporary; both are removed if the block fails.
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
    """Check that a bundle without a bus can clock a core."""
    if core.fast_clock:
        raise RequestError(f"a bundle without a bus has one clock, and {core.top} has two")


def write_sources(
    sources: Iterable[Path], defines: Sequence[str], folder: Path, top: str = ""
) -> list[str]:
    """Write sources with their switches resolved, and the file list; return the list.

    Args:
        sources: the files, packages first.
        defines: switches that count as defined.
        top: name of a top module that is written separately and comes last.
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


_FROM_REPOSITORY = (
    "This page is from montcore's repository: `make`, `pytest` and `montcore maintain` run in a\n"
    "checkout of it, and names in *italics* are its other pages. [README.md](README.md) lists\n"
    "what this bundle has."
)


def write_page(text: str, page: Path) -> None:
    """Write a page of the repository into a bundle, without the links that end outside of it."""
    text = re.sub(
        r"\[([^]\[]+)\]\(([^)#]*)[^)]*\)",
        lambda link: (
            link[0] if not link[2] or (page.parent / link[2]).is_file() else f"*{link[1]}*"
        ),
        text,
    )
    text = text.replace("\n", f"\n\n{_FROM_REPOSITORY}\n", 1)
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
    values: PageValues,
    bench: str,
    tables: tuple[str, str],
    *,
    simulators: tuple[str, str] = PREFER_ICARUS,
    clock: str = "clk",
    double: bool = False,
) -> None:
    """Write the test bench, its tables, its clocks and the command that runs it.

    Args:
        values: placeholder values of the templates; `name` is the bench's name without ``_tb``.
        simulators: the preferred one, and the other.
        clock: the multiplier's clock; ``clk``: that of the port.
        double: whether a clock of twice its speed is beside it.
    """
    first, second = simulators
    chosen = {"header": "", "style": "", "clock2": "", "settle": 0, **values}
    places = {**chosen, **_clock_values(clock, double), "first": first, "second": second}
    clocks = "clock" if clock == "clk" else "clocks"
    (folder / "test").mkdir(exist_ok=True)
    templates = {
        f"test/{values['name']}_tb.sv": bench,
        "test/clock.sv": f"{clocks}.sv",
        "test/clock.cpp": f"{clocks}.cpp",
        "run_test.sh": "run_test.sh",
        "Makefile": "Makefile",
    }
    write_rendered(folder, templates, places)
    (folder / "run_test.sh").chmod(0o755)
    for file, text in zip(("stimulus.hex", "expected.hex"), tables, strict=True):
        (folder / "test" / file).write_text(text, encoding="ascii")


def _clock_values(clock: str, double: bool) -> dict[str, object]:
    """Return what the templates of the clocks do at an edge, and declare at the beginning."""
    if not double:
        return {
            "cpp_begin": "",
            "cpp_edge": f"tb->{clock}_i = !tb->{clock}_i;",
            "sv_begin": "",
            "sv_port": "",
            "sv_edge": f"{clock} = ~{clock};",
        }
    return {
        "cpp_begin": "  tb->clk2x_i = 0;\n",
        "cpp_edge": "tb->clk2x_i = !tb->clk2x_i;\n"
        f"    if (tb->clk2x_i) tb->{clock}_i = !tb->{clock}_i;",
        "sv_begin": "  logic clk2x = 1'b0;\n",
        "sv_port": ", .clk2x_i(clk2x)",
        "sv_edge": f"clk2x = ~clk2x; if (clk2x) {clock} = ~{clock};",
    }


def primitives() -> str:
    """Return models of the devices' primitives; each begins with the text in a target's headers."""
    headers = {path for on in all_targets().values() for path in on.headers}
    texts = [path.read_text(encoding="utf-8") for path in sorted(headers)]
    found = re.findall(r"^(module (\w+) .*?)\nendmodule", "\n".join(texts), re.M | re.S)
    return render("primitives.sv", {name: text for text, name in found})


def write_primitives(folder: Path) -> None:
    """Write models of the device's primitives for the test, if the RTL instantiates any."""
    written = (path.read_text(encoding="utf-8") for path in (folder / "rtl").iterdir())
    names = [name for on in all_targets().values() for name in on.primitives]
    if any(instantiated(text, names) for text in written):
        (folder / PRIMITIVES).write_text(primitives(), encoding="utf-8")


def write_rendered(folder: Path, files: Mapping[str, str], values: PageValues) -> None:
    """Write files from their templates."""
    for file, template in files.items():
        (folder / file).write_text(render(template, values), encoding="utf-8")


def digests_of(folder: Path) -> dict[str, str]:
    """Return the SHA-256 of each file below a folder, by its name, sorted."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def write_manifest(content: Mapping[str, object], folder: Path) -> tuple[str, ...]:
    """Write the licence, and manifest.json with the hashes of all other files; return all names."""
    shutil.copyfile(REPO_ROOT / "LICENSE", folder / "LICENSE")
    hashes = digests_of(folder)
    version = package_version("montcore")
    text = json.dumps({**content, "montcore": version, "files": hashes}, indent=2)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return (*hashes, "manifest.json")
