# SPDX-License-Identifier: Apache-2.0
"""The bundle of a multiplier by itself behind AXI4-Stream: RTL, its own test, datasheet.

The test is that of the common port: a module in `test/port.sv` makes that port of the streams.
"""

import importlib.metadata
import shutil
import tempfile
from pathlib import Path

from montcore.bundle import runner, vectors
from montcore.bundle.assemble import (
    DEFAULT_SEED,
    BundleResult,
    Progress,
    bundle_name,
    check_output,
    passed,
    release,
    write_manifest,
)
from montcore.bundle.sources import needed_of
from montcore.bundle.system import write_flat
from montcore.bundle.target import DEFAULT_TARGET, find_target, resolve
from montcore.bundle.templates import render
from montcore.cores.core import ConfiguredCore
from montcore.soc.wrapper import stream_top
from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR, REPO_ROOT, module_files
from montcore.synth.target import get_target


def build_stream(
    core: ConfiguredCore,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of a multiplier with AXI4-Stream ports and run its own test.

    Args:
        core: the multiplier.
        output: folder to make; it must not exist or be empty.
        target: what it is built for, a synthesis target or ``asic``.
        seed: seed of the test's random numbers.
        progress: receives a short text at each step.

    Raises:
        RequestError: no such target, two clocks, or the folder cannot be written.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    say = progress or (lambda _: None)
    output, target = output.absolute(), find_target(target)
    check_output(output)
    if core.fast_clock:
        raise RequestError(f"a bundle has one clock, and {core.top} has two")
    name = f"{bundle_name(core, None)}_axi4_stream"
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent)
    except OSError as error:
        raise RequestError(f"the folder {output} cannot be written: {error.strerror}") from None
    with scratch as temporary:
        folder = Path(temporary) / name
        say("collecting sources")
        files = _write_rtl(core, name, target, folder)
        flat = write_flat(folder, name)
        _write_test(core, name, seed, folder)
        say("running the bundle's own test")
        outcome = passed(runner.run_bundle_test(folder, work=Path(temporary) / "work"))
        words = "".join(f" --set {key}={value}" for key, value in core.settings().items())
        command = (
            f"montcore build {core.name}{words} --bits {core.bits} --bus axi4-stream "
            f"--target {target} -o DIR"
        )
        values: dict[str, object] = {
            "name": name,
            "title": f"{core.title.capitalize()} behind AXI4-Stream",
            "label": core.label(),
            "version": importlib.metadata.version("montcore"),
            "period": "10.00",
            "period_note": "a period of 10 ns to begin with",
            "rtl_files": "\n".join(f"      - {file}" for file in files),
            "test_files": "\n      - test/port.sv: {file_type: systemVerilogSource}",
            "bits": core.bits,
            "r_bits": core.r_bits(core.bits),
            "bytes": (core.bus_width + 7) // 8,
            "width": core.bus_width,
            "target": get_target(target).title,
            "flat": "" if flat else " (left out: Yosys was not there to write it)",
            "summary": outcome.summary,
            "cycles": outcome.cycles,
            "command": command,
        }
        sdc = render("constraints.sdc", values).replace("clk_i", "aclk")
        (folder / "constraints.sdc").write_text(sdc, encoding="utf-8")
        package = render("fusesoc.core", values).replace(f"{name}_tb", f"{name}_port_tb")
        (folder / f"{name}.core").write_text(package, encoding="utf-8")
        (folder / "README.md").write_text(render("stream.md", values), encoding="utf-8")
        shutil.copyfile(HW_DIR / "common" / "README.md", folder / "PORT.md")
        shutil.copyfile(REPO_ROOT / "LICENSE", folder / "LICENSE")
        manifest = {
            "name": name,
            "core": core.name,
            "bus": "axi4-stream",
            "bits": core.bits,
            "params": core.settings(),
            "target": target,
            "cycles": outcome.cycles,
            "command": command,
            "montcore": importlib.metadata.version("montcore"),
        }
        written = write_manifest(manifest, folder)
        release(folder, output)
    return BundleResult(output, name, target, outcome, None, written)


def _write_rtl(core: ConfiguredCore, name: str, target: str, folder: Path) -> list[str]:
    """Write the sources that are needed and the file list; return the list."""
    (folder / "rtl").mkdir(parents=True)
    on = get_target(target)
    own = folder / "rtl" / f"{name}.sv"
    own.write_text(stream_top(core, name, on.technology), encoding="utf-8")
    sources = [*core.sources(), *module_files(["soc_axi4_stream"]), own]
    names = []
    for path in needed_of(name, sources, [{}], on.defines, on.headers):
        text = resolve(path.read_text(encoding="utf-8"), on.defines)
        (folder / "rtl" / path.name).write_text(text, encoding="utf-8")
        names.append(f"rtl/{path.name}")
    (folder / "files.f").write_text("\n".join(names) + "\n", encoding="utf-8")
    return names


def _write_test(core: ConfiguredCore, name: str, seed: int, folder: Path) -> None:
    """Write the testbench of the common port, what makes that port of streams, and its tables."""
    tables = vectors.make_tables(core, None, seed).light()
    (folder / "test").mkdir()
    padding = -core.bus_width % 8
    values: dict[str, object] = {
        "name": f"{name}_port",
        "padding": f"{{{{{padding}{{1'b1}}}}, " if padding else "",
        "end": "}" if padding else "",
        "top": name,
        "width": core.bus_width,
        "high": core.bus_width - 1,
        "last": (core.bus_width + 7) // 8 * 8 - 1,
        "beats": core.beats(core.bits),
        "op_bits": tables.op_bits,
        "cases": len(tables.cases),
        "limit": 4096 + 64 * (core.core_cycles(core.bits) + 64),
        "seed": f"{(seed * 2654435761 + 1) % 2**32 or 1:08x}",
        "header": "",
        "style": "",
        "first": "iverilog",
        "second": "verilator",
    }
    for file, template in (
        (f"test/{name}_port_tb.sv", "tb.sv"),
        ("test/port.sv", "stream_port.sv"),
        ("test/clock.sv", "clock.sv"),
        ("test/clock.cpp", "clock.cpp"),
        ("run_test.sh", "run_test.sh"),
        ("Makefile", "Makefile"),
    ):
        (folder / file).write_text(render(template, values), encoding="utf-8")
    script = folder / "run_test.sh"
    text = script.read_text(encoding="utf-8")
    before = "\ncase $sim in\n"
    script.write_text(text.replace(before, f'\nsources="$sources test/port.sv"\n{before}', 1))
    script.chmod(0o755)
    (folder / "test" / "stimulus.hex").write_text(tables.stimulus(), encoding="ascii")
    (folder / "test" / "expected.hex").write_text(tables.expected(), encoding="ascii")
