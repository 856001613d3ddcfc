# SPDX-License-Identifier: Apache-2.0
"""Measurements of points that are made up, and sweeps that take no time."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from montcore.compare import sweep
from montcore.compare.entry import Entry
from montcore.compare.point import Point


def made_up(point: Point, **figures: Any) -> Entry:
    """Return an entry of a point with these figures."""
    return Entry(point.core, dict(point.settings), point.bits, point.target, **figures)


def measured_by(measure: Callable[[Point], Entry], patch: pytest.MonkeyPatch) -> list[Point]:
    """Let sweeps on this machine call a function, and return the list of the points it had."""
    found: list[Point] = []

    def here(points: Sequence[Point], _: int) -> Iterator[tuple[Point, Entry, int]]:
        for point in points:
            found.append(point)
            yield point, measure(point), 1

    patch.setattr(sweep, "_here", here)
    return found
