# SPDX-License-Identifier: Apache-2.0
"""The bundle of a multiplier alone behind AXI4-Stream: RTL, its own test, datasheet.

The test is that of the common port: a module in `test/port.sv` converts the streams to that port.
"""

from pathlib import Path

from montcore.bundle import runner, vectors
from montcore.bundle.assemble import bench_values
from montcore.bundle.boundary import of_stream
from montcore.bundle.packaging import fast_clock_sdc, free_resets, write_bill, write_package
from montcore.bundle.parts import (
    DEFAULT_SEED,
    BundleResult,
    Progress,
    bundle_name,
    check_output,
    common_values,
    made_for,
    making,
    passed,
    write_bench,
    write_flat,
    write_manifest,
    write_port_page,
    write_primitives,
    write_rendered,
    write_sources,
)
from montcore.bundle.sources import needed_of
from montcore.bundle.system import reset_logic, reset_words
from montcore.bundle.target import DEFAULT_TARGET, find_target
from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.soc.design import RESET_MODULES, Reset
from montcore.soc.wrapper import STREAM_RESETS, stream_top
from montcore.support.commands import settings_words
from montcore.support.paths import module_files
from montcore.synth.target import get_target

#: Module that converts the streams to the common port, which the test bench drives.
_PORT = "test/port.sv"
_NO_RESET = Reset()


def build_stream(
    core: Core,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    reset: Reset = _NO_RESET,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of a multiplier with AXI4-Stream ports and run its own test.

    Args:
        core: the multiplier.
        output: folder to create; it must be empty or not exist.
        target: a synthesis target or ``asic``.
        reset: the style of its reset.
        seed: seed of the test's random numbers.
        progress: receives a short text at each step.

    Raises:
        RequestError: no such target, or the folder cannot be written.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    say = progress or (lambda _: None)
    output, target = output.absolute(), find_target(target)
    check_output(output)
    name = "_".join([bundle_name(core, None), *reset.suffixes(True), "axi4_stream"])
    with making(output, name) as folder:
        say("collecting sources")
        files = _write_rtl(core, name, target, reset, folder)
        flat = write_flat(folder, name, target)
        primitives = _write_test(core, name, reset, seed, folder)
        say("running the bundle's own test")
        outcome = passed(runner.run_bundle_test(folder, work=folder.parent / "work"))
        words = settings_words(core.settings().items())
        command = (
            f"montcore build {core.name}{words} --bits {core.bits} --bus axi4-stream"
            f"{reset_words(reset)} --target {target} -o DIR"
        )
        title = f"{core.title.capitalize()} behind AXI4-Stream"
        values = {
            **common_values(name, title, core.label(), files, clock="aclk", test_file=_PORT),
            "bits": core.bits,
            "r_bits": core.r_bits(core.bits),
            "bytes": (core.bus_width + 7) // 8,
            "width": core.bus_width,
            "target": get_target(target).title,
            "flat": flat,
            **made_for(target),
            "summary": outcome.summary,
            "cycles": outcome.cycles,
            "command": command,
        }
        boundary = of_stream(core, name, reset)
        write_package(folder, boundary, files, title, target, values)
        write_rendered(folder, {"README.md": "stream.md"}, values)
        sdc = render("constraints.sdc", values)
        sdc += fast_clock_sdc() if core.fast_clock else ""
        sdc += free_resets(boundary)
        (folder / "constraints.sdc").write_text(sdc, encoding="utf-8")
        if primitives:
            listed = f"\n      - {primitives}: {{file_type: systemVerilogSource}}"
            values["test_files"] = f"{values['test_files']}{listed}"
        package = render("fusesoc.core", values).replace(f"{name}_tb", f"{name}_port_tb")
        (folder / f"{name}.core").write_text(package, encoding="utf-8")
        write_port_page(folder)
        write_bill(folder, name, title, command)
        manifest = {
            "name": name,
            "core": core.name,
            "bus": "axi4-stream",
            "bits": core.bits,
            "params": core.settings(),
            "target": target,
            "cycles": outcome.cycles,
            "command": command,
        }
        written = write_manifest(manifest, folder)
    return BundleResult(output, name, target, outcome, None, written)


def _write_rtl(core: Core, name: str, target: str, reset: Reset, folder: Path) -> list[str]:
    """Write the sources that are needed and the file list; return the list."""
    on = get_target(target)
    (folder / "rtl").mkdir()
    own = folder / "rtl" / f"{name}.sv"
    own.write_text(stream_top(core, name, on.technology, reset), encoding="utf-8")
    sources = [*core.sources(), *module_files(["soc_axi4_stream", *RESET_MODULES]), own]
    return write_sources(needed_of(name, sources, [{}], (), on.headers), (), folder)


def _write_test(core: Core, name: str, reset: Reset, seed: int, folder: Path) -> str:
    """Write the testbench of the common port, the conversion from streams, and its tables.

    Returns:
        the file with models of the device's primitives, or empty.
    """
    tables = vectors.make_tables(core, None, seed).light()
    values: dict[str, object] = {
        **bench_values(core, tables, seed),
        **port_values(core, name, reset),
        "settle": 12,  # cycles that the internal reset lasts longer
    }
    clock = "clock2" if core.fast_clock else "clock"
    write_bench(folder, values, "tb.sv", (tables.stimulus(), tables.expected()), clock=clock)
    write_rendered(folder, {_PORT: "stream_port.sv"}, values)
    return write_primitives(folder, values)


def port_values(core: Core, name: str, reset: Reset = _NO_RESET) -> dict[str, object]:
    """Return what the module consists of that converts the streams of a top to the common port."""
    padding = -core.bus_width % 8
    double = core.fast_clock != ""
    return {
        "name": f"{name}_port",
        "padding": f"{{{{{padding}{{1'b1}}}}, " if padding else "",
        "end": "}" if padding else "",
        "top": name,
        "reset_port": STREAM_RESETS[not reset.active_low(True)],
        "reset_logic": reset_logic(reset, True, source="rst_ni"),
        "clock2": "    /// Clock of the blocks.\n    input logic clk2x_i,\n" if double else "",
        "clock2_port": " .clk2x(clk2x_i)," if double else "",
        "clock2_connect": "      .clk2x_i     (clk2x_i),\n" if double else "",
        "high": core.bus_width - 1,
        "last": (core.bus_width + 7) // 8 * 8 - 1,
    }
