# SPDX-License-Identifier: Apache-2.0
"""The page of other people's multipliers beside ours; ``montcore maintain peers`` writes it.

``montcore peers NAME --source DIR --keep`` adds a figure of a peer; ours are measured here.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any

from montcore.cores import get_core
from montcore.cores.core import ConfiguredCore
from montcore.peers.known import all_peers
from montcore.peers.measure import AS_IS, PeerResult
from montcore.support.markdown import table
from montcore.support.paths import REPO_ROOT
from montcore.synth import SynthResult, synthesise
from montcore.synth.options import FLOPS, MACRO, NONE, PLACED, chosen_options

PAGE = REPO_ROOT / "docs" / "peers.md"
DATA = REPO_ROOT / "docs" / "peers.json"
TARGET = "osu018"

#: Ours that the page compares, at 256 bits.
OURS: tuple[tuple[str, Mapping[str, str]], ...] = (
    ("hr", {"radix": "8"}),
    ("cs4", {}),
    ("smm", {"npe": "8"}),
)
#: How they are measured: wires and memories.
WAYS = ((NONE, FLOPS), (PLACED, FLOPS), (NONE, MACRO), (PLACED, MACRO))

Row = dict[str, Any]

INTRODUCTION = """# Other people's multipliers in our flow

Written by `montcore maintain peers`. Each peer was measured from a checkout of its own repository
with the recipes, the tuner, the memories and the wires that montcore's cores are measured with, at
256 bits on osu018, after its products had been compared with Python's. Nothing of the peers is in
this repository; `montcore peers` lists them. Each row has the command that measures it again, where
DIR is a checkout of the commit.

Not everything compared is alike, and what a row leaves out is stated. The cycles of a peer begin
with its operands at its ports or in a memory outside, which are not counted. Those of montcore's
cores begin with the last word of the operands on a word-wide port and end with the first word of
the result; their area has the port, the check of modulus and operands, the operand memories and
zeroize in it."""

ALIKE = """Memories of montcore's cores are flip-flops here, as all state of the peers is, but for
the memory of intermediate results of secworks (behind the plus sign). Resets are synchronous."""


def load() -> dict[str, list[Row]]:
    """Return what was measured: rows of peers and of ours."""
    if not DATA.is_file():
        return {"peers": [], "ours": []}
    found: dict[str, list[Row]] = json.loads(DATA.read_text(encoding="utf-8"))
    return found


def _save(data: dict[str, list[Row]]) -> None:
    for rows in data.values():
        rows.sort(key=lambda row: row["command"])
    DATA.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text("\n".join(page(data)) + "\n", encoding="utf-8")


def _today() -> str:
    return datetime.now(UTC).date().isoformat()


def command(result: PeerResult) -> str:
    """Return the command that measured a peer."""
    return (
        f"montcore peers {result.peer} --source DIR --bits {result.bits} --reset {result.reset} "
        f"--wires {result.wires} --memory {result.memory} --keep"
    )


def keep(result: PeerResult) -> None:
    """Add a figure of a peer to the page, in the place of an older one."""
    data = load()
    row = {"command": command(result), "date": _today(), **asdict(result)}
    data["peers"] = [old for old in data["peers"] if old["command"] != row["command"]] + [row]
    _save(data)


def _own_row(core: ConfiguredCore, found: SynthResult) -> Row:
    memory = found.ge_memory or 0.0
    kge_us = None
    if found.ge is not None and found.tmin_ns is not None and found.cycles is not None:
        kge_us = round((found.ge + memory) / 1000 * found.tmin_ns * found.cycles / 1000, 2)
    return {
        "command": f"{found.command} --wires {found.wires} --memory {found.memory}",
        "date": _today(),
        "core": core.name,
        "params": core.params(),
        "cycles": found.cycles,
        "interval": found.interval,
        "ff": found.ff,
        "ge": found.ge,
        "ge_memory": memory,
        "tmin_ns": found.tmin_ns,
        "tmin_ns_no_wires": found.tmin_ns_no_wires,
        "kge_us": kge_us,
        "wires": found.wires,
        "memory": found.memory,
    }


def renew(
    progress: Callable[[str], None] = lambda _: None,
    ways: Sequence[tuple[str, str]] = WAYS,
) -> None:
    """Measure ours and write the page; what the result store has is not measured again."""
    data = load()
    for name, settings in OURS:
        core = get_core(name).configure(dict(settings), 256)
        for wires, memory in ways:
            progress(f"{name}, wires {wires}, memories as {memory}")
            row = _own_row(core, synthesise(core, TARGET, opts=chosen_options(wires, memory)))
            data["ours"] = [old for old in data["ours"] if old["command"] != row["command"]]
            data["ours"].append(row)
            _save(data)
    _save(data)


def _cells(row: Row) -> list[str]:
    memory = row["ge_memory"] / 1000
    return [
        str(row["ff"]),
        f"{row['ge'] / 1000:.1f}" + (f" + {memory:.1f}" if memory else ""),
        f"{row['tmin_ns']:.2f}" if row["tmin_ns"] else "",
        "varies" if row["cycles"] is None else str(row["cycles"]),
        f"{row['kge_us']:.1f}" if row["kge_us"] is not None else "",
    ]


_HEADINGS = ("flip-flops", "kGE", "Tmin ns", "cycles", "kGE x us")


def _compared(data: dict[str, list[Row]], wires: str) -> list[str]:
    """Return the table of peers with synchronous resets and of ours, memories as flip-flops."""
    peers = all_peers()
    rows = [
        (
            row["kge_us"],
            [f"`montcore` {row['core']} {_params(row['params'])}", *_cells(row)],
        )
        for row in data["ours"]
        if (row["wires"], row["memory"]) == (wires, FLOPS)
    ]
    rows += [
        (row["kge_us"], [f"{row['peer']} ({peers[row['peer']].title})", *_cells(row)])
        for row in data["peers"]
        if row["wires"] == wires and row["reset"] != AS_IS
    ]
    rows.sort(key=lambda item: (item[0] is None, item[0]))
    return table(("multiplier", *_HEADINGS), [cells for _, cells in rows], len(_HEADINGS))


def _params(params: Mapping[str, Any]) -> str:
    return " ".join(f"{key}={value}" for key, value in params.items() if key != "bits")


def page(data: dict[str, list[Row]]) -> list[str]:
    """Return the lines of the page."""
    lines = [INTRODUCTION, ""]
    for wires, title in ((NONE, "Cells alone"), (PLACED, "Placed, with wires and clock tree")):
        lines += [f"## {title}", ""]
        if wires == NONE:
            lines += [ALIKE, ""]
        lines += [*_compared(data, wires), ""]
    lines += ["## Resets as their authors wrote them", ""]
    kept = [row for row in data["peers"] if row["reset"] == AS_IS]
    lines += table(
        ("multiplier", *_HEADINGS), [[row["peer"], *_cells(row)] for row in kept], len(_HEADINGS)
    )
    lines += ["", "## What they are, and what they leave to their users", ""]
    described = {row["peer"]: row for row in data["peers"]}
    for name, peer in all_peers().items():
        row = described.get(name)
        lines += [f"- **{name}**: {peer.title}, {peer.home}, licence: {peer.licence}. {peer.lacks}"]
        if row:
            right = "all of them right" if not row["wrong"] else f"{row['wrong']} of them wrong"
            lines[-1] += (
                f" Cycles count {row['span']}. {row['products']} products compared, {right}; "
                f"commit {str(row['commit'] or 'unknown')[:10]}, files {row['digest']}."
            )
        if (refusal := peer.refuses(64)) is not None:
            lines[-1] += f" At 64 bits {refusal}, so montcore refuses that."
    lines += ["", "## Commands", ""]
    every = [*data["ours"], *data["peers"]]
    lines += table(("measured", "command"), [[row["date"], f"`{row['command']}`"] for row in every])
    return lines
