# SPDX-License-Identifier: Apache-2.0
"""Lazy import of a package's names."""

import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any


def importer(names: Mapping[str, tuple[str, ...]]) -> Callable[[str, str], Any]:
    """Return the function that a package's `__getattr__` calls.

    Args:
        names: exported names of the package, by module.

    Returns:
        a function of the package's name and the requested name; it raises `AttributeError` for an
        unknown name.
    """
    modules = {name: module for module, offered in names.items() for name in offered}

    def find(package: str, name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        found = getattr(importlib.import_module(modules[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return find
