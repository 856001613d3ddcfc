# SPDX-License-Identifier: Apache-2.0
"""Versions of the tools that are Python packages."""

import importlib.metadata

from montcore.support.errors import RequestError
from montcore.support.needed import missing_package


def package_version(package: str) -> str:
    """Return the version of an installed Python package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise RequestError(missing_package(package)) from None
