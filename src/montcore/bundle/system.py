# SPDX-License-Identifier: Apache-2.0
"""The bundle of an accelerator behind a bus: RTL, its own test, registers, driver, templates."""

import shutil
from pathlib import Path

from montcore.bundle import runner
from montcore.bundle.boundary import of_system
from montcore.bundle.driver import constants
from montcore.bundle.packaging import fast_clock_sdc, free_resets, write_bill, write_package
from montcore.bundle.parts import (
    DEFAULT_SEED,
    PREFER_VERILATOR,
    PRIMITIVES,
    SIMULATORS,
    BundleResult,
    Progress,
    bundle_name,
    check_output,
    common_values,
    facts_of_test,
    hex_lines,
    made_for,
    making,
    passed,
    seed_32,
    write_bench,
    write_flat,
    write_manifest,
    write_page,
    write_primitives,
    write_rendered,
    write_sources,
)
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.sources import needed_of
from montcore.bundle.system_script import measured_text, script_of
from montcore.bundle.target import DEFAULT_TARGET, find_target
from montcore.bundle.templates import render
from montcore.soc.design import AcceleratorDesign, Reset
from montcore.soc.generated import descriptions
from montcore.soc.registers import RDL, SOC_DIR
from montcore.soc.wrapper import (
    RANDOM_PORTS,
    Bus,
    bus_reset,
    core_reset,
    description,
    find_bus,
    top,
)
from montcore.support.commands import settings_words
from montcore.support.installing import module_exists
from montcore.support.paths import REPO_ROOT
from montcore.synth.target import get_target

DRIVER = REPO_ROOT / "sw" / "driver"
HEADER = "montcore_pka_registers.h"
DRIVER_FILES = (
    *("montcore_pka.h", "montcore_pka.c", "montcore_rsa.h", "montcore_rsa.c"),
    *("montcore_pka_mmio.h", "montcore_pka_verilated.hpp"),
    *("montcore_pka_uio.h", "montcore_pka_uio.c", "montcore_pka_inner.h"),
    *("montcore_ecc.h", "montcore_ecc_inner.h", "montcore_ecc.c", "montcore_ecc_curves.c"),
    *("montcore_x25519.c", "montcore_eddsa.h", "montcore_eddsa.c"),
)
#: Files for a multiplier alone.
MULTIPLIER_FILES = (
    *("montcore_driver.h", "montcore_driver.c", "montcore_multiplier.h", "montcore_multiplier.c"),
    *("montcore_pka.h", "montcore_pka.c", "montcore_pka_inner.h", "montcore_pka_mmio.h"),
    *("montcore_pka_uio.h", "montcore_pka_uio.c", "montcore_pka_verilated.hpp"),
)
#: Values of `--units`, by the number in the register `build`.
UNITS = {1: "exponentiator", 2: "curves", 3: "both", 4: "multiplier"}
#: Descriptions of the units.
WHAT = {
    1: "Powers and products modulo any odd number",
    2: "ECDSA, ECDH and X25519 on any curve",
    3: "Powers and products modulo any odd number, and ECDSA, ECDH and X25519 on any curve",
    4: "Montgomery products x y R^-1 modulo any odd number",
}
#: Features of the driver of an accelerator and of a multiplier alone.
_DRIVERS = (
    "powers, products, RSA with CRT, ECDSA, ECDH, X25519, Ed25519, a locked key",
    "products; `montcore_r_squared` for numbers in and out of the domain",
)
#: Cycles without progress after which the test is aborted.
_LIMIT = 60_000_000


def build_system(
    design: AcceleratorDesign,
    bus_name: str,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of an accelerator and run its own test.

    Args:
        design: the accelerator.
        bus_name: one of `montcore.soc.wrapper.BUSES`.
        output: folder to create; it must be empty or not exist.
        target: a synthesis target or ``asic``.
        seed: seed of the test's random numbers.
        progress: receives a short text at each step.

    Raises:
        RequestError: no such bus or target, or the folder cannot be written.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    say = progress or (lambda _: None)
    output, target, bus = output.absolute(), find_target(target), find_bus(bus_name)
    check_output(output)
    name = system_name(design, bus)
    with making(output, name) as folder:
        say("collecting sources")
        files = write_system_rtl(design, bus, name, target, folder)
        say("writing one file of Verilog-2005")
        flat = write_flat(folder, name, target)
        _write_test(design, bus, name, seed, folder)
        say("running the bundle's own test")
        work = folder.parent / "work"
        outcome = passed(runner.run_bundle_test(folder, "verilator", work=work))
        write_software(design, bus, name, folder)
        command = f"{_request(design)} --bus {bus.name} --target {target} -o DIR"
        _write_surroundings(design, bus, name, target, files, outcome, flat, command, folder)
        manifest = {
            "name": name,
            "core": "pka",
            "over": design.main.name,
            "bus": bus.name,
            "clocks": design.clocks,
            "bits": design.length,
            "params": design.main.settings(),
            "units": UNITS[design.units],
            "curves": {
                "over": design.curves.name,
                "bits": design.curves.bits,
                "params": design.curves.settings(),
            }
            if design.curves
            else None,
            "target": target,
            "cycles": outcome.cycles,
            "test": facts_of_test(outcome, seed),
            "command": command,
        }
        written = write_manifest(manifest, folder)
    return BundleResult(output, name, target, outcome, None, written)


def system_name(design: AcceleratorDesign, bus: Bus) -> str:
    """Return the name of the top module of an accelerator behind a bus."""
    parts = ["pka"] if design.multiplier is None else [bundle_name(design.multiplier, None)]
    if design.core is not None:
        parts.append(bundle_name(design.core, None))
    if design.curves is not None:
        parts += ["curves", bundle_name(design.curves, None)]
    if design.clocks == 2:
        parts.append("two_clocks")
    parts += design.reset.suffixes(bus.active_low)
    return "_".join([*parts, bus.top_suffix])


def _request(design: AcceleratorDesign) -> str:
    """Return the beginning of the command that builds an accelerator."""
    main, words = design.main, {"core": design.main.name, **design.main.settings()}
    what = "pka"
    if design.multiplier is not None:
        what = str(words.pop("core"))
    command = f"montcore build {what}{settings_words(words.items())} --bits {main.bits}"
    if design.clocks == 2:
        command += " --clocks two"
    command += reset_words(design.reset)
    if design.curves is None:
        return command
    if design.core is None:
        return f"{command} --units {UNITS[2]}"
    settings = ",".join(f"{key}={value}" for key, value in design.curves.settings().items())
    over = f"{design.curves.name}:{settings}" if settings else design.curves.name
    return f"{command} --units {UNITS[3]} --curves {over} --curve-bits {design.curves.bits}"


def reset_words(reset: Reset) -> str:
    """Return the options that select a style of reset, each with a leading space."""
    style = "" if reset.style == "sync" else f" --reset {reset.style}"
    return style + (f" --reset-level {reset.level}" if reset.level else "")


def write_system_rtl(
    design: AcceleratorDesign, bus: Bus, name: str, target: str, folder: Path
) -> list[str]:
    """Write the sources of an accelerator behind a bus, and the file list; return the list."""
    on = get_target(target)
    (folder / "rtl").mkdir(exist_ok=True)
    own = folder / "rtl" / f"{name}.sv"
    own.write_text(top(design, bus, name, on.technology), encoding="utf-8")
    sources = [*design.sources(on.technology, bus.shell), own]
    defines = design.defines
    # With curves all sources, as for an engine alone: see `write_engine_rtl`.
    if design.curves is None:
        sources = needed_of(name, sources, [{}], defines, on.headers)
    return write_sources(sources, defines, folder)


def _write_test(design: AcceleratorDesign, bus: Bus, name: str, seed: int, folder: Path) -> None:
    """Write the testbench, its tables, its clocks and the command that runs it."""
    script = script_of(design, seed)
    values: dict[str, object] = {
        "name": name,
        "lines": len(script.stimulus),
        "limit": _LIMIT,
        "seed": seed_32(seed),
        "reset_port": bus_reset(design, bus),
        "reset_logic": reset_logic(design.reset, bus.active_low),
        "random_ports": "",
        "random_logic": "",
        "random_line": "",
    }
    if design.curves is not None:
        connected = {"rnd_valid": "1'b1", "rnd_data": "random", "rnd_fail": "random_fail"}
        values["random_ports"] = "".join(
            f", .{port.name}({connected.get(port.name, port.name)})" for port in RANDOM_PORTS
        )
        values["random_logic"] = "  logic rnd_ready;\n  logic random_fail = 1'b0;\n"
        values["random_line"] = "      if (now[63:60] == 4'd5) random_fail <= now[0];\n"
    master = render(f"master_{bus.top_suffix}.sv", values)
    clock = "clock2" if design.double else "clock"
    inner = {"clk2x": "clk2x_i"} if design.double else {}
    values["reset"] = 4
    if design.clocks == 2:
        # The slowest of the core's clocks has some ten cycles in this time.
        clock, values["reset"] = "clocks", 48
        values |= _clock_words(design.double)
        inner |= {"core_clk": "core_clk_i", core_reset(design): "core_reset"}
        low = design.reset.active_low(True)
        core_logic = _CORE_RESET.format(edge=_edge(design.reset), value="" if low else "!")
        values["random_logic"] = f"{values['random_logic']}{core_logic}"
    ports = "".join(f" .{port}({name})," for port, name in inner.items())
    master = master.replace(f".{bus.clock}(clk_i),", f".{bus.clock}(clk_i),{ports}")
    inputs = [name for name in inner.values() if name.endswith("_i")]
    values["clock2"] = "".join(f"    input logic {name},\n" for name in inputs)
    values["master"] = master
    tables = hex_lines(script.stimulus, 64), hex_lines(script.expected, 36)
    write_bench(folder, values, "system_tb.sv", tables, simulators=PREFER_VERILATOR, clock=clock)
    write_primitives(folder, values)


#: The reset of an accelerator with its own clock, in the test.
_CORE_RESET = """  logic core_reset = {value}1'b0;
  always @({edge} core_clk_i) core_reset <= {value}rst_n;
"""


def _edge(reset: Reset) -> str:
    """Return the clock edge at which a reset changes in the test."""
    return "negedge" if reset.style == "async" else "posedge"


def reset_logic(reset: Reset, usual: bool, clock: str = "clk_i", source: str = "rst_n") -> str:
    """Return the test's logic that derives the port signal `reset` from an active-low reset.

    Args:
        reset: the style.
        usual: whether the port is active low by default.
        clock: name of the clock.
        source: the test's reset, synchronous and active low.
    """
    value = source if reset.active_low(usual) else f"!{source}"
    if reset.style == "sync":
        return f"  assign reset = {value};"
    return f"  always @(negedge {clock}) reset <= {value};  // not with the edges of the clock"


def _clock_words(double: bool) -> dict[str, object]:
    """Return the templates' values for two unrelated clocks: the edges of the core's clock."""
    if not double:
        plain = {"cpp_begin": "", "cpp_edge": "      tb->core_clk_i = !tb->core_clk_i;\n"}
        return {**plain, "sv_begin": "", "sv_port": "", "sv_edge": " core_clk = ~core_clk;"}
    return {
        "cpp_begin": "  tb->clk2x_i = 0;\n",
        "cpp_edge": "      tb->clk2x_i = !tb->clk2x_i;\n"
        "      if (tb->clk2x_i) tb->core_clk_i = !tb->core_clk_i;\n",
        "sv_begin": "  logic clk2x = 1'b0;\n",
        "sv_port": ", .clk2x_i(clk2x)",
        "sv_edge": ";\n        clk2x = ~clk2x;\n        if (clk2x) core_clk = ~core_clk;",
    }


def write_registers(folder: Path) -> str:
    """Write the register map; return what the bundle's page adds if files of it are missing."""
    (folder / "registers").mkdir()
    for path in (RDL, DRIVER / HEADER):
        shutil.copyfile(path, folder / "registers" / path.name)
    if not module_exists("peakrdl_ipxact"):
        return " (the last three left out: PeakRDL was not there to write them)"
    for name, text in descriptions().items():
        (folder / "registers" / name).write_text(text, encoding="utf-8")
    return ""


def write_software(design: AcceleratorDesign, bus: Bus, name: str, folder: Path) -> None:
    """Write driver and templates."""
    (folder / "driver").mkdir()
    if design.multiplier is not None:
        text = constants(design.multiplier, name, None)
        (folder / "driver" / f"{name}.h").write_text(text, encoding="utf-8")
    files = DRIVER_FILES if design.multiplier is None else MULTIPLIER_FILES
    for file in (*files, HEADER):
        shutil.copyfile(DRIVER / file, folder / "driver" / file)
    (folder / "templates").mkdir()
    if bus.name == "wishbone":
        curves = design.curves is not None
        two = design.clocks == 2
        values = {"name": name, "double": design.double, "curves": curves, "two": two}
        values["reset"] = bus_reset(design, bus)
        values["reset_value"] = "~" if design.reset.active_low(bus.active_low) else ""
        values["core_reset"] = core_reset(design)
        values["core_reset_value"] = "~" if design.reset.active_low(True) else ""
        text = render("litex.py", values)
        (folder / "templates" / "litex_pka.py").write_text(text, encoding="utf-8")


def _write_surroundings(
    design: AcceleratorDesign,
    bus: Bus,
    name: str,
    target: str,
    files: list[str],
    outcome: BenchOutcome,
    flat: str,
    command: str,
    folder: Path,
) -> None:
    """Write constraints, FuseSoC file, datasheet, register map and the accelerator's page."""
    core = design.main
    what = "Accelerator over" if design.multiplier is None else "Multiplier"
    title = f"{what} {core.name} behind {bus.title}"
    extra = PRIMITIVES if (folder / PRIMITIVES).is_file() else ""
    common = common_values(name, title, core.label(), files, clock=bus.clock, test_file=extra)
    boundary = of_system(design, bus, name)
    write_package(folder, boundary, files, title, target, common)
    values = {
        **common,
        "core_reset": core_reset(design),
        "what": WHAT[design.units],
        "bus": bus.title,
        "bits": design.length,
        "core": description(design),
        "driver": _DRIVERS[design.multiplier is not None],
        "crossing": ", `crossing.xdc`" if (folder / "crossing.xdc").is_file() else "",
        "litex": ", a LiteX module" if bus.name == "wishbone" else "",
        "measured": measured_text(design),
        "target": get_target(target).title,
        "flat": flat,
        "registers": write_registers(folder),
        **made_for(target),
        "summary": outcome.summary,
        "engine": SIMULATORS[outcome.engine],
        "cycles": f"{outcome.cycles:,}",
        "command": command,
    }
    if design.clocks == 2:
        fast = "create_clock -name clk2x -period [expr {$core_period / 2}] [get_ports clk2x]\n"
        values["clk2x"] = fast if design.double else ""
        values["core_clocks"] = "core_clk clk2x" if design.double else "core_clk"
        sdc = render("constraints_two.sdc", values)
    else:
        sdc = render("constraints.sdc", values)
    if design.double and design.clocks == 1:
        sdc += fast_clock_sdc()
    sdc += free_resets(boundary)
    (folder / "constraints.sdc").write_text(sdc, encoding="utf-8")
    write_rendered(folder, {f"{name}.core": "fusesoc.core", "README.md": "system.md"}, values)
    write_page((SOC_DIR / "README.md").read_text("utf-8"), folder / "PKA.md")
    write_bill(folder, name, title, command)
