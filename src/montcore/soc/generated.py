# SPDX-License-Identifier: Apache-2.0
"""Committed files generated from the register description and the curves."""

from pathlib import Path

from montcore.soc import curves
from montcore.soc.register_page import page
from montcore.soc.registers import REGISTERS, SOC_DIR, c_header, compiled, ip_xact, rtl, svd


def generated() -> dict[Path, str]:
    """Return the files kept in the repository; the RTL is not yet formatted."""
    root = compiled()
    folder = SOC_DIR / "registers"
    return {
        SOC_DIR / "rtl" / f"{REGISTERS}.sv": rtl(root),
        folder / "montcore_pka_registers.h": c_header(root),
        folder / "montcore_pka.xml": ip_xact(root),
        folder / "montcore_pka.svd": svd(root),
        folder / "montcore_pka.html": page(root),
        curves.PATH: curves.c_curves(),
    }
