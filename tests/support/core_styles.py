# SPDX-License-Identifier: Apache-2.0
"""Builds of every core in each of its styles, small enough for the slower simulators."""

from collections.abc import Iterator

from montcore.cores import all_cores
from montcore.cores.core import Core

#: Built width of most styles.
BITS = 40
#: Built width of an array, which grows with the square of its width.
ARRAY_BITS = 24


def port_styles(bits: int) -> Iterator[Core]:
    """Yield each core with each value of its named choices, and arrays with the narrowest words."""
    for core in all_cores().values():
        for style in core.styles(bits):
            array = style.settings().get("shape") == "2d"
            yield core.configure({"w": "8", "shape": "2d"}, ARRAY_BITS) if array else style


def small_styles() -> Iterator[Core]:
    """Yield each core with each value of its named choices."""
    for core in all_cores().values():
        for style in core.styles(BITS):
            settings = {name: str(value) for name, value in style.settings().items()}
            bits = ARRAY_BITS if settings.get("shape") == "2d" else BITS
            yield core.configure(settings, bits)
