# SPDX-License-Identifier: Apache-2.0
"""Ways to map a design to standard cells.

A recipe is a choice for each step that Yosys leaves open: how carry look-ahead units are built, and
the ABC script. Which one wins depends on the netlist, so several are tried and the best by a stated
policy is kept, with the name of the recipe.
"""

from dataclasses import dataclass
from typing import Literal

Adder = Literal["brent-kung", "sklansky", "ripple"]
Objective = Literal["area", "delay", "area-delay"]


@dataclass(frozen=True)
class Recipe:
    """One way to map.

    Attributes:
        name: short name, recorded with every result.
        adder: prefix structure of the adders that the RTL leaves to the tool.
        abc: ABC commands, in order.
    """

    name: str
    adder: Adder
    abc: tuple[str, ...]


def _sized(*mapping: str, delay_ps: int, fanout: int = 8) -> tuple[str, ...]:
    """Return mapping commands followed by buffering and sizing towards a delay in ps."""
    return (
        "strash",
        *mapping,
        "topo",
        f"buffer -c -N {fanout}",
        f"upsize -D {delay_ps}",
        f"dnsize -D {delay_ps}",
        "stime -p",
    )


_SPEED = _sized("dch -f", "map -B 0.9 -D 1000", delay_ps=1000)

RECIPES: dict[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe("speed-bk", "brent-kung", _SPEED),
        Recipe("speed-sk", "sklansky", _SPEED),
        Recipe("speed-ripple", "ripple", _SPEED),
    )
}

DEFAULT_RECIPES = ("speed-bk",)
