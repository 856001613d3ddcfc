# SPDX-License-Identifier: Apache-2.0
"""Wires of a net before routing: a spanning tree of the pins in rectilinear distance.

The shortest spanning tree is at most 1.5 times the shortest Steiner tree and on average about a
tenth longer, which approximates the detours of a router; `docs/measuring.md` has the comparison
with routed blocks.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

Point = tuple[float, float]

#: Nets with more pins are joined strip by strip, which takes less time.
_MANY = 400


@dataclass(frozen=True)
class Tree:
    """A tree over pins; pin 0 is the root.

    Attributes:
        parents: for each pin the previous pin on the path from the root; -1 for the root.
        lengths: length of the branch to the parent in um; 0 for the root.
        order: the pins in topological order, each after its parent.
    """

    parents: tuple[int, ...]
    lengths: tuple[float, ...]
    order: tuple[int, ...]

    @property
    def length(self) -> float:
        """Length of all branches in um."""
        return sum(self.lengths)


def spanning_tree(points: Sequence[Point]) -> Tree:
    """Return a shortest spanning tree in rectilinear distance, by Prim's algorithm.

    Args:
        points: the pins in um, the driver first.
    """
    number = len(points)
    if number == 1:
        return Tree((-1,), (0.0,), (0,))
    (x0, y0), (x1, y1) = points[0], points[1]
    if number == 2:
        return Tree((-1, 0), (0.0, abs(x1 - x0) + abs(y1 - y0)), (0, 1))
    if number > _MANY:
        return _snake(points)
    parents, lengths = [0] * number, [0.0] * number
    parents[0] = -1
    far = [abs(x - x0) + abs(y - y0) for x, y in points]
    rest, order = list(range(1, number)), [0]
    while rest:
        best = min(rest, key=far.__getitem__)
        rest.remove(best)
        order.append(best)
        lengths[best] = far[best]
        x, y = points[best]
        for other in rest:
            to = points[other]
            distance = abs(to[0] - x) + abs(to[1] - y)
            if distance < far[other]:
                far[other], parents[other] = distance, best
    return Tree(tuple(parents), tuple(lengths), tuple(order))


def _snake(points: Sequence[Point]) -> Tree:
    """Join many pins strip by strip; only unbuffered nets have this many."""
    number = len(points)
    strips = max(1, round((number / 2) ** 0.5))
    by_y = sorted(range(1, number), key=lambda pin: points[pin][1])
    size = -(-len(by_y) // strips)
    order = [0]
    for strip in range(strips):
        part = by_y[strip * size : (strip + 1) * size]
        order += sorted(part, key=lambda pin: points[pin][0], reverse=bool(strip % 2))
    parents, lengths = [-1] * number, [0.0] * number
    for before, pin in pairwise(order):
        (xa, ya), (xb, yb) = points[before], points[pin]
        parents[pin], lengths[pin] = before, abs(xa - xb) + abs(ya - yb)
    return Tree(tuple(parents), tuple(lengths), tuple(order))


def length_of(points: Sequence[Point]) -> float:
    """Return the length of the tree over pins in um: exact for few, from their box for many.

    For more than 12 pins, the half perimeter times a factor for evenly distributed pins.
    """
    number = len(points)
    if number < 2:
        return 0.0
    if number <= 12:
        return spanning_tree(points).length
    xs, ys = [point[0] for point in points], [point[1] for point in points]
    width, height = max(xs) - min(xs), max(ys) - min(ys)
    even = 0.7 * math.sqrt(number * max(width, 1.0) * max(height, 1.0))
    return max(width + height, even)
