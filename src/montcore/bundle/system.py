# SPDX-License-Identifier: Apache-2.0
"""The bundle of an accelerator behind a bus: RTL, its own test, registers, driver, templates."""

import shutil
from pathlib import Path

from montcore.bundle import parts
from montcore.bundle.boundary import of_system
from montcore.bundle.driver import constants
from montcore.bundle.packaging import CROSSING
from montcore.bundle.pipeline import BundleKind, Made
from montcore.bundle.sources import DEFAULT_TARGET, needed_sources
from montcore.bundle.system_script import measured_text, script_of
from montcore.bundle.templates import render
from montcore.soc import wrapper
from montcore.soc.design import AcceleratorDesign, Reset
from montcore.soc.register_page import descriptions
from montcore.soc.registers import RDL, SOC_DIR
from montcore.support.needed import module_exists
from montcore.support.paths import REPO_ROOT
from montcore.support.words import settings_words
from montcore.synth.target import get_target

DRIVER = REPO_ROOT / "sw" / "driver"
HEADER = "montcore_pka_registers.h"
DRIVER_FILES = (
    *("montcore_pka.h", "montcore_pka.c", "montcore_rsa.h", "montcore_rsa.c"),
    *("montcore_pka_mmio.h", "montcore_pka_verilated.hpp", "montcore_pka_socket.h"),
    *("montcore_pka_uio.h", "montcore_pka_uio.c", "montcore_pka_inner.h"),
    *("montcore_ecc.h", "montcore_ecc_inner.h", "montcore_ecc.c", "montcore_ecc_curves.c"),
    *("montcore_x25519.c", "montcore_eddsa.h", "montcore_eddsa.c", "montcore_pka_socket.c"),
)
#: Files for a multiplier alone.
MULTIPLIER_FILES = (
    *("montcore_driver.h", "montcore_driver.c", "montcore_multiplier.h", "montcore_multiplier.c"),
    *("montcore_pka.h", "montcore_pka.c", "montcore_pka_inner.h", "montcore_pka_mmio.h"),
    *("montcore_pka_uio.h", "montcore_pka_uio.c", "montcore_pka_verilated.hpp"),
    *("montcore_pka_socket.h", "montcore_pka_socket.c"),
)
#: Values of `--units`, by the number in the register `build`.
UNITS = {1: "exponentiator", 2: "curves", 3: "both", 4: "multiplier"}
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


class SystemBundle(BundleKind):
    """An accelerator behind a bus."""

    page = "system.md"
    simulator = "verilator"

    def __init__(
        self, design: AcceleratorDesign, bus_name: str, target: str = DEFAULT_TARGET
    ) -> None:
        bus = wrapper.find_bus(bus_name)
        self.design, self.bus = design, bus
        main, curves = design.main, design.curves
        what = "Accelerator over" if design.multiplier is None else "Multiplier"
        name = _name(design, bus)
        super().__init__(
            target,
            name=name,
            title=f"{what} {main.name} behind {bus.title}",
            label=main.label(),
            request=f"{_request(design)} --bus {bus.name}",
            facts={
                "core": "pka",
                "over": main.name,
                "bus": bus.name,
                "clocks": design.clocks,
                "bits": design.length,
                "params": main.settings(),
                "units": UNITS[design.units],
                "curves": {"over": curves.name, "bits": curves.bits, "params": curves.settings()}
                if curves
                else None,
            },
            boundary=of_system(design, bus, name),
        )

    def write_rtl(self, folder: Path) -> list[str]:
        """Write the sources of the accelerator, its top module and the file list."""
        on, design = get_target(self.target), self.design
        (folder / "rtl").mkdir(exist_ok=True)
        own = folder / "rtl" / f"{self.name}.sv"
        own.write_text(wrapper.top(design, self.bus, self.name, on.technology), encoding="utf-8")
        sources = [*design.sources(on.technology, self.bus.shell), own]
        # With curves all sources, as for an engine alone: see `EngineBundle`.
        if design.curves is None:
            defines, headers = design.defines, on.headers
            sources = needed_sources(self.name, sources, defines=defines, headers=headers)
        return parts.write_sources(sources, design.defines, folder)

    def write_test(self, folder: Path) -> None:
        """Write a test that accesses the accelerator over the bus."""
        design, bus = self.design, self.bus
        script = script_of(design, self.seed)
        values: dict[str, object] = {
            "name": self.name,
            "lines": len(script.stimulus),
            "limit": _LIMIT,
            "reset": 4,
            "seed": parts.seed_32(self.seed),
            "reset_port": wrapper.bus_reset(design, bus),
            "reset_logic": reset_logic(design.reset, bus.active_low),
            "random_ports": "",
            "random_logic": "",
            "random_line": "",
        }
        if design.curves is not None:
            connected = {"rnd_valid": "1'b1", "rnd_data": "random", "rnd_fail": "random_fail"}
            values["random_ports"] = "".join(
                f", .{port.name}({connected.get(port.name, port.name)})"
                for port in wrapper.RANDOM_PORTS
            )
            values["random_logic"] = "  logic rnd_ready;\n  logic random_fail = 1'b0;\n"
            values["random_line"] = "      if (now[63:60] == 4'd5) random_fail <= now[0];\n"
        inner = {"clk2x": "clk2x_i"} if design.double else {}
        if design.clocks == 2:
            # The slowest of the core's clocks has some ten cycles in this time.
            values["reset"] = 48
            inner |= {"core_clk": "core_clk_i", wrapper.core_reset(design): "core_reset"}
            low, asynchronous = design.reset.active_low(True), design.reset.style == "async"
            edge = "negedge" if asynchronous else "posedge"
            core_logic = _CORE_RESET.format(edge=edge, value="" if low else "!")
            values["random_logic"] = f"{values['random_logic']}{core_logic}"
        ports = "".join(f" .{port}({name})," for port, name in inner.items())
        master = render(f"master_{bus.top_suffix}.sv", values)
        clock = f".{bus.clock}(clk_i),"
        values["master"] = master.replace(clock, f"{clock}{ports}")
        inputs = [name for name in inner.values() if name.endswith("_i")]
        values["clock2"] = "".join(f"    input logic {name},\n" for name in inputs)
        parts.write_bench(
            folder,
            values,
            "system_tb.sv",
            (parts.hex_lines(script.stimulus, 64), parts.hex_lines(script.expected, 36)),
            simulators=parts.PREFER_VERILATOR,
            clock="core_clk" if design.clocks == 2 else "clk",
            double=design.double,
        )

    def write_rest(self, made: Made) -> parts.PageValues:
        """Write driver, register map and the accelerator's page."""
        design, folder = self.design, made.folder
        self.write_software(folder)
        parts.write_page((SOC_DIR / "README.md").read_text("utf-8"), folder / "PKA.md")
        return {
            "what": WHAT[design.units],
            "bus": self.bus.title,
            "bits": design.length,
            "core": wrapper.description(design),
            "driver": _DRIVERS[design.multiplier is not None],
            "crossing": f", `{CROSSING}`" if (folder / CROSSING).is_file() else "",
            "litex": ", a LiteX module" if self.bus.name == "wishbone" else "",
            "measured": measured_text(design),
            "ratio": " (the test varies the ratio of the clocks)" if design.clocks == 2 else "",
            "registers": write_registers(folder),
        }

    def write_software(self, folder: Path) -> None:
        """Write the driver, and behind Wishbone the module for LiteX."""
        design, driver = self.design, folder / "driver"
        driver.mkdir()
        if design.multiplier is not None:
            text = constants(design.multiplier, self.name, None)
            (driver / f"{self.name}.h").write_text(text, encoding="utf-8")
        files = DRIVER_FILES if design.multiplier is None else MULTIPLIER_FILES
        for file in (*files, HEADER):
            shutil.copyfile(DRIVER / file, driver / file)
        if self.bus.name != "wishbone":
            return
        (folder / "templates").mkdir(exist_ok=True)
        values = {
            "name": self.name,
            "double": design.double,
            "curves": design.curves is not None,
            "two": design.clocks == 2,
            "reset": wrapper.bus_reset(design, self.bus),
            "reset_value": "~" if design.reset.active_low(self.bus.active_low) else "",
            "core_reset": wrapper.core_reset(design),
            "core_reset_value": "~" if design.reset.active_low(True) else "",
        }
        parts.write_rendered(folder, {"templates/litex_pka.py": "litex.py"}, values)


def _name(design: AcceleratorDesign, bus: wrapper.Bus) -> str:
    words = ["pka"] if design.multiplier is None else [parts.bundle_name(design.multiplier, None)]
    if design.core is not None:
        words.append(parts.bundle_name(design.core, None))
    if design.curves is not None:
        words += ["curves", parts.bundle_name(design.curves, None)]
    if design.clocks == 2:
        words.append("two_clocks")
    words += design.reset.suffixes(bus.active_low)
    return "_".join([*words, bus.top_suffix])


def _request(design: AcceleratorDesign) -> str:
    """Return the command that builds an accelerator, without its bus."""
    main, curves = design.main, design.curves
    words = {"core": main.name, **main.settings()}
    what = "pka" if design.multiplier is None else str(words.pop("core"))
    command = f"montcore build {what}{settings_words(words.items())} --bits {main.bits}"
    if design.clocks == 2:
        command += " --clocks two"
    command += reset_words(design.reset)
    if curves is None:
        return command
    if design.core is None:
        return f"{command} --units {UNITS[2]}"
    settings = ",".join(f"{key}={value}" for key, value in curves.settings().items())
    over = f"{curves.name}:{settings}" if settings else curves.name
    return f"{command} --units {UNITS[3]} --curves {over} --curve-bits {curves.bits}"


def reset_words(reset: Reset) -> str:
    """Return the options that select a style of reset, each with a leading space."""
    style = "" if reset.style == "sync" else f" --reset {reset.style}"
    return style + (f" --reset-level {reset.level}" if reset.level else "")


#: The reset of an accelerator with its own clock, in the test.
_CORE_RESET = """  logic core_reset = {value}1'b0;
  always @({edge} core_clk_i) core_reset <= {value}rst_n;
"""


def reset_logic(reset: Reset, usual: bool, source: str = "rst_n") -> str:
    """Return the test's logic that derives the port signal `reset` from an active-low reset.

    Args:
        usual: whether the port is active low by default.
        source: the test's reset, synchronous and active low.
    """
    value = source if reset.active_low(usual) else f"!{source}"
    if reset.style == "sync":
        return f"  assign reset = {value};"
    return f"  always @(negedge clk_i) reset <= {value};  // not with the edges of the clock"


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
