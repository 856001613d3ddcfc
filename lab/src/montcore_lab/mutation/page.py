# SPDX-License-Identifier: Apache-2.0
"""The page docs/mutation.md, and the record that it is written from."""

import json
from collections.abc import Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from montcore.support.files import write_whole
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.markdown import prose, table
from montcore_lab.mutation.campaign import Score
from montcore_lab.mutation.mutants import Mutant

PAGE = REPO_ROOT / "docs" / "mutation.md"
DATA = REPO_ROOT / "docs" / "mutants.json"

_INTRODUCTION = (
    "# Mutants of the RTL",
    """Written by `montcore mutate UNIT --keep`. A mutant is the RTL with one small change:
an operator, a constant, a condition, a register that keeps its value. The checks of the unit are to
find it. They are, from cheap to expensive: all products of the smallest width, random sequences of
packets in each style that reaches other branches of the sources, random products, the other rules
of the port (zeroize and reset in every cycle, what zeroize leaves, cycles of products and of
set-ups).""",
    """A mutant that nothing finds is equivalent if ABC proves that no output changes in any cycle
from a reset on, in the builds of the random sequences that have the branch: those of full words,
others only if no such one has it. What zeroize leaves in registers is judged by simulation alone,
and a build with two clocks is not proved.""",
    """A mutant that no proof reaches is argued if the record has an argument why nobody can observe
it: whoever examines it sets `unobservable` beside the reason in `docs/mutants.json`. No tool checks
such an argument, so that the argued ones count as not found: the score is the share of the mutants
found among those that are not equivalent. Both the argued ones and those that survived are listed
with their reasons. The tests of the unit may find more: they do not count here.""",
)
_KINDS = ("all products", "sequences", "random products", "port rules")
_HEADS = (
    *("unit", "date", "mutants", f"found by {_KINDS[0]}", *(f"by {kind}" for kind in _KINDS[1:])),
    *("equivalent", "argued", "survived", "score"),
)


def enter(score: Score, data: Path = DATA, page: Path = PAGE) -> None:
    """Enter a score into the record and write the page; reasons of survivors are kept."""
    record = json.loads(data.read_text(encoding="utf-8")) if data.is_file() else {}
    survivors = record.get(score.unit, {}).get("survivors", [])
    # The same change on another line is another mutant: it needs a reason of its own.
    before = {(one["key"], one["line"]): one for one in survivors}

    def survivor(mutant: Mutant, why: str) -> dict[str, Any]:
        where = {"key": mutant.key, "line": mutant.line, "change": mutant.name}
        told = before.get((mutant.key, mutant.line), {"why": "", "unobservable": False})
        return {**told, **where, **({"why": why, "unobservable": False} if why else {})}

    record[score.unit] = {
        "date": datetime.now(timezone.utc).date().isoformat(),
        "seed": score.seed,
        "mutants": score.mutants,
        "killed": score.killed,
        "equivalent": len(score.equivalent),
        "survivors": [survivor(*item) for item in score.survivors.items()],
    }
    write_whole(data, json.dumps(dict(sorted(record.items())), indent=1) + "\n")
    write_whole(page, text(record))


def text(record: Mapping[str, Any]) -> str:
    """Return the page."""
    rows = [_row(unit, one) for unit, one in record.items()]
    parts = [_INTRODUCTION[0], *map(prose, _INTRODUCTION[1:])]
    parts.append("\n".join(table(_HEADS, rows, len(_HEADS) - 2)))
    for title, unobservable in (("What survived", False), ("What nobody can observe", True)):
        parts.append(f"## {title}")
        for unit, one in record.items():
            listed = [item for item in one["survivors"] if item["unobservable"] == unobservable]
            if listed:
                parts.append(f"**{unit}**")
                parts.append("\n".join(map(_line, listed)))
    return "\n\n".join(parts) + "\n"


def _row(unit: str, one: Mapping[str, Any]) -> list[str]:
    killed, argued = one["killed"], sum(item["unobservable"] for item in one["survivors"])
    there = one["mutants"] - one["equivalent"]
    return [
        *(unit, one["date"], str(one["mutants"])),
        *(str(killed.get(kind, 0)) for kind in _KINDS),
        *(str(one["equivalent"]), str(argued), str(len(one["survivors"]) - argued)),
        f"{sum(killed.values()) / there if there else 1:.1%}",
    ]


def _line(survivor: Mapping[str, Any]) -> str:
    file, _, change = survivor["key"].partition(": ")
    old, _, new = change.partition(" -> ")
    why = survivor["why"] or "No reason is known yet."
    name = file.rpartition("/")[2]
    words = f"- {name}, line {survivor['line']}: {survivor['change']}, `{old}` to `{new}`. {why}"
    return prose(words, "  ")
