# SPDX-License-Identifier: Apache-2.0
"""Known figures of points before any measurement: from the atlas, or from the result store."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from montcore.compare import atlas
from montcore.compare.entry import Entry
from montcore.compare.measure import stored
from montcore.compare.point import Point
from montcore.support.errors import RequestError
from montcore.synth.store import ResultStore
from montcore.synth.target import check_target


@dataclass
class Known:
    """Known entries of points.

    Attributes:
        entries: entries of the atlas or the result store, by point.
        missing: points without an entry in either.
    """

    entries: dict[Point, Entry] = field(default_factory=dict)
    missing: list[Point] = field(default_factory=list)


def recall(points: Iterable[Point], *, from_atlas: bool = True, earlier: bool = True) -> Known:
    """Return known entries of points; the atlas is queried first because it is faster.

    The result store has no entries for a target whose tools are not installed. Figures of the atlas
    that are of earlier sources or an earlier flow are taken where there are no others, and marked.

    Args:
        from_atlas: whether to look in the atlas too.
        earlier: whether figures of earlier sources count.

    Raises:
        RequestError: the atlas or the result store cannot be read.
    """
    known = Known()
    there = atlas.current() if from_atlas else None
    store = ResultStore()
    for point in dict.fromkeys(points):
        entry = there.entry(point) if there else None
        if entry is None and _has_tools(point.target):
            entry = stored(point, store)
        if entry is None and earlier and there and point in there.records:
            entry = replace(there.records[point].entry, earlier=True)
        if entry is not None:
            known.entries[point] = entry
        else:
            known.missing.append(point)
    return known


@cache
def _has_tools(target: str) -> bool:
    """Tell whether a target's tools are installed; the store's keys contain their versions."""
    try:
        check_target(target)
    except RequestError:
        return False
    return True


def origins(entries: Sequence[Entry], missing: int = 0) -> str:
    """Return in a sentence where points come from."""
    count = Counter(entry.origin for entry in entries)
    old = [entry.date[:10] for entry in entries if entry.earlier]
    words = f" ({len(old)} of earlier sources, {min(old)} to {max(old)})" if old else ""
    parts = [f"{count[atlas.ORIGIN]} from the atlas{words}", f"{count['measured']} measured here"]
    if missing:
        parts.append(f"{missing} missing")
    total = len(entries) + missing
    return f"{total} points: {'; '.join(parts)}"
