# SPDX-License-Identifier: Apache-2.0
"""The LiteX system of examples/litex, around any accelerator."""

import contextlib
import io
import logging
import re
import runpy
from dataclasses import dataclass
from pathlib import Path

from montcore.bundle.system import SystemBundle
from montcore.hdl.programs import package_folder
from montcore.soc.design import AcceleratorDesign
from montcore.support.paths import REPO_ROOT

#: The example, whose system this is.
SYSTEM = REPO_ROOT / "examples" / "litex" / "system.py"
#: Name of the system's top module.
TOP = "montcore_chip"
#: File with the program memory's contents, loaded at the start of the simulation.
ROM_FILE = f"{TOP}_rom.init"
ROM_BYTES = 0x4_0000


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


def write_accelerator(design: AcceleratorDesign, folder: Path) -> None:
    """Write RTL, driver and LiteX module of an accelerator."""
    folder.mkdir(parents=True)
    bundle = SystemBundle(design, "wishbone")
    bundle.write_rtl(folder)
    bundle.write_software(folder)


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
    write_accelerator(design, folder / "pka")
    write = runpy.run_path(str(SYSTEM))["write"]
    logging.getLogger().setLevel(logging.WARNING)
    with contextlib.redirect_stderr(io.StringIO()):
        own = [Path(source) for source in write(folder / "pka", folder)]
    # Without comments, which contain the date: equal systems then have equal files and share a
    # simulator.
    top = folder / f"{TOP}.v"
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", top.read_text(), flags=re.DOTALL)
    top.write_text(f"// SPDX-License-Identifier: Apache-2.0\n{text}\n")
    # The accelerator's packages come before their users, LiteX's own top module last.
    return Chip(folder, (*own, top), folder / "headers", design.double)
