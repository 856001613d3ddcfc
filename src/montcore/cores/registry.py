# SPDX-License-Identifier: Apache-2.0
"""The registry of cores.

A core is registered by a module of this package that defines ``CORE``, by an installed distribution
with an entry point in the group `GROUP` that names a subclass of `Core`, or by `register`.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from montcore.cores.core import Core
from montcore.support.errors import RequestError
from montcore.support.requests import checked
from montcore.support.words import hint

#: Group of the entry points with which other distributions provide cores, for instance ``toy =
#: toy_core:Toy``.
GROUP = "montcore.cores"

_added: dict[str, type[Core]] = {}


@cache
def _found() -> dict[str, type[Core]]:
    found: dict[str, type[Core]] = {}
    here = Path(__file__).parent
    for info in pkgutil.iter_modules([str(here)]):
        core = getattr(importlib.import_module(f"{__package__}.{info.name}"), "CORE", None)
        if core is not None:
            found[core.name] = core
    from importlib.metadata import entry_points  # as long to load as all of this package's cores

    for entry in entry_points(group=GROUP):
        core = entry.load()
        if not (isinstance(core, type) and issubclass(core, Core)):
            raise RequestError(f"the entry point {entry.name} = {entry.value} is not a core")
        _refuse_taken(core, found)
        found[core.name] = core
    return found


def _refuse_taken(core: type[Core], known: dict[str, type[Core]]) -> None:
    if core.name in known:
        raise RequestError(f"there is already a core '{core.name}'")


def all_cores() -> dict[str, type[Core]]:
    """Return the registered cores by name, in alphabetical order."""
    return dict(sorted({**_found(), **_added}.items()))


@checked
def get_core(name: str) -> type[Core]:
    """Return the core of that name.

    Raises:
        RequestError: no core has that name.
    """
    cores = all_cores()
    if name not in cores:
        raise RequestError(
            f"there is no core '{name}'{hint(name, cores)}; cores: {', '.join(cores)}"
        )
    return cores[name]


def forget() -> None:
    """Search for cores again at the next query, for instance after the path has changed."""
    _found.cache_clear()


@checked
def register(core: type[Core]) -> None:
    """Register a core in this process.

    Raises:
        RequestError: another core has its name.
    """
    _refuse_taken(core, all_cores())
    _added[core.name] = core


@contextmanager
def registered(core: type[Core]) -> Iterator[None]:
    """Register a core until the block ends.

    Raises:
        RequestError: another core has its name.
    """
    register(core)
    try:
        yield
    finally:
        del _added[core.name]
