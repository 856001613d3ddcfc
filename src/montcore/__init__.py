# SPDX-License-Identifier: Apache-2.0
"""montcore: Montgomery-arithmetic hardware, chosen, built, proved and measured by one tool."""

from typing import TYPE_CHECKING

#: Version of the installed package.
__version__: str

if not TYPE_CHECKING:  # to a type checker every name would be one of the package

    def __getattr__(name: str) -> str:
        """Return the version; reading it takes time that few commands need."""
        if name == "__version__":
            from importlib.metadata import version

            return version("montcore")
        raise AttributeError(f"module 'montcore' has no attribute {name!r}")
