# SPDX-License-Identifier: Apache-2.0
"""The registry: every module of this package that defines ``CORE`` is a core, nothing else is.

This is the one place that knows which cores exist; it finds them, so that no list is kept by hand.
"""

import importlib
import pkgutil
from functools import cache

from montcore.cores.core import AnyCore
from montcore.support.errors import RequestError
from montcore.support.names import hint


@cache
def all_cores() -> dict[str, AnyCore]:
    """Return the registered cores by name, in alphabetical order."""
    found: dict[str, AnyCore] = {}
    for info in sorted(pkgutil.iter_modules(__path__), key=lambda item: item.name):
        core = getattr(importlib.import_module(f"{__name__}.{info.name}"), "CORE", None)
        if core is not None:
            found[core.name] = core
    return found


def get_core(name: str) -> AnyCore:
    """Return the core of that name.

    Raises:
        RequestError: no core has that name.
    """
    cores = all_cores()
    if name not in cores:
        raise RequestError(
            f"there is no core '{name}'{hint(name, cores)}; the cores are {', '.join(cores)}"
        )
    return cores[name]
