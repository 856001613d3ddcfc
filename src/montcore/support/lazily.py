# SPDX-License-Identifier: Apache-2.0
"""Names of a package that are imported at their first use."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def importer(names: Mapping[str, tuple[str, ...]]) -> Callable[[str, str], Any]:
    """Return what the `__getattr__` of a package calls.

    Args:
        names: by module, the names that the package offers of it.

    Returns:
        a function of the package's name and of the name that is asked for; it raises
        `AttributeError` for a name that the package does not have.
    """
    modules = {name: module for module, offered in names.items() for name in offered}

    def find(package: str, name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        found = getattr(importlib.import_module(modules[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return find
