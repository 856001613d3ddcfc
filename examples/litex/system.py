# SPDX-License-Identifier: Apache-2.0
"""A LiteX system: VexRiscv, memory, console, timer and the accelerator of a bundle.

``python system.py BUNDLE FOLDER`` writes its Verilog and its headers for C. The bundle, of
``montcore build pka --bus wishbone``, brings the LiteX module of the accelerator.
"""

import runpy
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from litex.build.generic_platform import Pins, Subsignal
from litex.build.sim import SimPlatform
from litex.soc.cores.gpio import GPIOIn
from litex.soc.integration import export
from litex.soc.integration.soc import SoCRegion
from litex.soc.integration.soc_core import SoCCore
from migen import ClockDomain
from migen.genlib.io import CRG

#: Name of the system's top module.
TOP = "montcore_chip"
#: Address of the accelerator, in the range that VexRiscv does not cache.
PKA_ADDRESS = 0x9000_0000
ROM_BYTES, RAM_BYTES = 0x4_0000, 0x2_0000
CLOCK_HZ = 100_000_000


def make_system(module: SimpleNamespace) -> tuple[Any, Any]:
    """Return the system and its platform, not yet finalised."""
    double = module.DOUBLE
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


def write(bundle: Path, folder: Path) -> list[str]:
    """Write the system around a bundle's accelerator; return the files that it needs besides."""
    module = runpy.run_path(str(bundle / "templates" / "litex_pka.py"))
    soc, platform = make_system(SimpleNamespace(**module))
    soc.finalize()
    verilog = platform.get_verilog(soc, name=TOP)
    (folder / "headers" / "generated").mkdir(parents=True, exist_ok=True)
    (folder / f"{TOP}.v").write_text(verilog.main_source, encoding="utf-8")
    for name, content in verilog.data_files.items():
        (folder / name).write_text(content, encoding="utf-8")
    csr = export.get_csr_header(soc.csr_regions, soc.constants, with_access_functions=True)
    memory, constants = export.get_mem_header(soc.mem_regions), export.get_soc_header(soc.constants)
    for name, text in (("csr.h", csr), ("mem.h", memory), ("soc.h", constants)):
        (folder / "headers" / "generated" / name).write_text(str(text), encoding="utf-8")
    return [source[0] for source in platform.sources]


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: python system.py BUNDLE FOLDER")
    print("\n".join(write(Path(sys.argv[1]), Path(sys.argv[2]))))
