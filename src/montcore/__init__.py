# SPDX-License-Identifier: Apache-2.0
"""montcore: Montgomery-arithmetic hardware, chosen, built, proved and measured by one tool."""

TYPE_CHECKING = False  # typing takes long to load; see __main__

#: Version of the installed package.
__version__: str

if not TYPE_CHECKING:  # to a type checker every name would be one of the package

    def __getattr__(name: str) -> str:
        """Return the version; reading it takes time that few commands need."""
        if name == "__version__":
            from importlib.metadata import version

            return version("montcore")
        raise AttributeError(f"module 'montcore' has no attribute {name!r}")
