# SPDX-License-Identifier: Apache-2.0
"""The LiteX system: VexRiscv, memory, console, timer and the accelerator of a bundle.

The accelerator is added by the LiteX module that `montcore build pka --bus wishbone` writes.
"""

import contextlib
import importlib.util
import io
import logging
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from montcore.bundle.system import SystemBundle
from montcore.hdl.programs import package_folder
from montcore.soc.design import AcceleratorDesign

#: Name of the system's top module.
TOP = "montcore_chip"
#: File with the program memory's contents, loaded at the start of the simulation.
ROM_FILE = f"{TOP}_rom.init"
#: Address of the accelerator, in the range that VexRiscv does not cache.
PKA_ADDRESS = 0x9000_0000
ROM_BYTES, RAM_BYTES = 0x4_0000, 0x2_0000
CLOCK_HZ = 100_000_000


@dataclass(frozen=True)
class Chip:
    """A generated system.

    Attributes:
        folder: folder of its files; simulations start there.
        sources: Verilog and SystemVerilog, in compile order.
        headers: folder of the headers for its software.
        double: whether it has a second clock.
    """

    folder: Path
    sources: tuple[Path, ...]
    headers: Path
    double: bool


def write_accelerator(design: AcceleratorDesign, folder: Path) -> Path:
    """Write RTL, driver and LiteX module of an accelerator; return the LiteX module's file."""
    folder.mkdir(parents=True)
    bundle = SystemBundle(design, "wishbone")
    bundle.write_rtl(folder)
    bundle.write_software(folder)
    return folder / "templates" / "litex_pka.py"


def make_chip(design: AcceleratorDesign, folder: Path) -> Chip:
    """Generate the system around an accelerator.

    Args:
        design: the accelerator.
        folder: a new folder for all files.

    Raises:
        RequestError: LiteX is not installed.
    """
    for package in ("litex", "pythondata_cpu_vexriscv"):
        package_folder(package)
    path = write_accelerator(design, folder / "pka")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    logging.getLogger().setLevel(logging.WARNING)
    with contextlib.redirect_stderr(io.StringIO()):
        soc, platform = _system(module, design.double)
        soc.finalize()
        verilog = platform.get_verilog(soc, name=TOP)
    # Without comments, which contain the date: equal systems then have equal files and share a
    # simulator.
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", verilog.main_source, flags=re.DOTALL)
    (folder / f"{TOP}.v").write_text(f"// SPDX-License-Identifier: Apache-2.0\n{text}\n")
    for name, content in verilog.data_files.items():
        (folder / name).write_text(content, encoding="utf-8")
    headers = folder / "headers" / "generated"
    headers.mkdir(parents=True)
    for name, text in _headers(soc).items():
        (headers / name).write_text(text, encoding="utf-8")
    # The accelerator's packages come before their users, LiteX's own top module last.
    own = [Path(source[0]) for source in platform.sources]
    return Chip(folder, (*own, folder / f"{TOP}.v"), headers.parent, design.double)


def _system(module: ModuleType, double: bool) -> tuple[Any, Any]:
    """Return the system and its platform, not yet finalised."""
    from litex.build.generic_platform import Pins, Subsignal
    from litex.build.sim import SimPlatform
    from litex.soc.cores.gpio import GPIOIn
    from litex.soc.integration.soc import SoCRegion
    from litex.soc.integration.soc_core import SoCCore
    from migen import ClockDomain
    from migen.genlib.io import CRG

    pins: list[Any] = [("sys_clk", 0, Pins(1)), ("entropy", 0, Pins(32))]
    if double:
        pins.append(("sys2x_clk", 0, Pins(1)))
    serial = {"source_valid": 1, "source_ready": 1, "source_data": 8}
    serial |= {"sink_valid": 1, "sink_ready": 1, "sink_data": 8}
    pins.append(("serial", 0, *(Subsignal(name, Pins(bits)) for name, bits in serial.items())))
    platform = SimPlatform("SIM", pins, name=TOP)
    soc = SoCCore(
        platform,
        clk_freq=CLOCK_HZ,
        cpu_type="vexriscv",
        cpu_variant="standard",
        integrated_rom_size=ROM_BYTES,
        integrated_rom_init=[0],
        integrated_sram_size=RAM_BYTES,
        uart_name="sim",
        timer_uptime=True,
        bus_interconnect="crossbar",
        ident="montcore",
    )
    soc.crg = CRG(platform.request("sys_clk"))
    if double:
        soc.cd_sys2x = ClockDomain(reset_less=True)
        soc.comb += soc.cd_sys2x.clk.eq(platform.request("sys2x_clk"))
    soc.pka = module.Pka(platform)
    region = SoCRegion(origin=PKA_ADDRESS, size=0x1_0000, cached=False)
    soc.bus.add_slave("pka", soc.pka.bus, region)
    soc.irq.add("pka", use_loc_if_exists=True)
    # The board's noise source, which the simulation provides.
    noise = platform.request("entropy")
    soc.entropy = GPIOIn(noise)
    soc.add_csr("entropy")
    if module.CURVES:
        soc.comb += [soc.pka.rnd_valid.eq(1), soc.pka.rnd_data.eq(noise)]
    return soc, platform


def _headers(soc: Any) -> dict[str, str]:
    """Return LiteX's headers for C: registers, memories and constants."""
    from litex.soc.integration import export

    registers = export.get_csr_header(soc.csr_regions, soc.constants, with_access_functions=True)
    return {
        "csr.h": str(registers),
        "mem.h": str(export.get_mem_header(soc.mem_regions)),
        "soc.h": str(export.get_soc_header(soc.constants)),
    }
