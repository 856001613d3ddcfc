# SPDX-License-Identifier: Apache-2.0
"""Files generated from the register description and the curves."""

from pathlib import Path

from montcore.soc import curves
from montcore.soc.register_page import page
from montcore.soc.registers import REGISTERS, SOC_DIR, c_header, compiled, ip_xact, rtl, svd


def generated() -> dict[Path, str]:
    """Return the files kept in the repository; the RTL is not yet formatted."""
    root = compiled()
    return {
        SOC_DIR / "rtl" / f"{REGISTERS}.sv": rtl(root),
        curves.PATH.with_name("montcore_pka_registers.h"): c_header(root),
        curves.PATH: curves.c_curves(),
    }


def descriptions() -> dict[str, str]:
    """Return the register map for other tools, by name of the file: IP-XACT, CMSIS-SVD, HTML.

    Bundles and releases have them.

    Raises:
        RequestError: PeakRDL is not installed.
    """
    root = compiled()
    found = {"xml": ip_xact(root), "svd": svd(root), "html": page(root)}
    return {f"montcore_pka.{kind}": text for kind, text in found.items()}
