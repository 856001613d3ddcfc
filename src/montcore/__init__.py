# SPDX-License-Identifier: Apache-2.0
"""montcore: Montgomery-arithmetic hardware, chosen, built, proved and measured by one tool."""


def __getattr__(name: str) -> str:
    """Return the version of the installed package; reading it takes time that few commands need."""
    if name == "__version__":
        from importlib.metadata import version

        return version("montcore")
    raise AttributeError(f"module 'montcore' has no attribute {name!r}")
