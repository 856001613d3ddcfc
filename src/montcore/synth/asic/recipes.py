# SPDX-License-Identifier: Apache-2.0
"""Ways to map a design to standard cells.

A recipe chooses the structure of carry look-ahead units and the ABC script. Which recipe is best
depends on the netlist, so several are tried. The best by a stated policy is kept, with the name of
the recipe.
"""

from dataclasses import dataclass
from typing import Literal

Adder = Literal["brent-kung", "sklansky", "ripple"]


@dataclass(frozen=True)
class Recipe:
    """One way to map.

    Attributes:
        name: short name, recorded with every result.
        adder: prefix structure of the adders that the RTL leaves to the tool.
        abc: ABC commands, in order.
        tune: afterwards buffer and size by the timing of complete paths (`tune`).
    """

    name: str
    adder: Adder
    abc: tuple[str, ...]
    tune: bool


_MAP = ("strash", "dch -f", "map -B 0.9 -D 1000", "topo")
_NF = ("strash", "&get -n", "&dch -f", "&nf", "&put", "topo")
_AREA = ("strash", "dch", "amap -m", "topo")
_SIZE = ("buffer -c -N 8", "upsize -D 1000", "dnsize -D 1000", "stime -p")

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("speed-bk", "brent-kung", (*_MAP, *_SIZE), False),
        Recipe("map-bk", "brent-kung", _MAP, True),
        Recipe("map-sk", "sklansky", _MAP, True),
        Recipe("map-ripple", "ripple", _MAP, True),
        Recipe("nf-bk", "brent-kung", _NF, True),
        Recipe("nf-sk", "sklansky", _NF, True),
        Recipe("area-bk", "brent-kung", _AREA, True),
        Recipe("area-ripple", "ripple", _AREA, True),
    )
}

#: The recipes used for a target's figures; the others are for `montcore.synth.quick`.
DEFAULT_RECIPES = ("nf-sk",)
