# SPDX-License-Identifier: Apache-2.0
"""Cores with a fault injected into a copy of their RTL."""

from collections.abc import Sequence
from pathlib import Path

from montcore.cores.core import Core

#: The lowest bit of each beat of X passes through a register that the proof treats as a verdict,
#: and stalls the streams for a cycle. Products, statuses and the latency do not change.
STALL = (
    (
        "assign joint = open && !draining_q && x_valid_i && y_valid_i;",
        "logic stall;\n"
        "  assign stall = open && !draining_q && range_q[fill_q];\n"
        "  assign joint = open && !draining_q && x_valid_i && y_valid_i && !stall;",
    ),
    (
        "if (complete) range_q[fill_q] <= !(x_below && y_below);",
        "if (complete) range_q[fill_q] <= !(x_below && y_below);\n"
        "    else if (joint) range_q[fill_q] <= x_data_i[0];\n"
        "    else if (stall) range_q[fill_q] <= 1'b0;",
    ),
)


def mutated(
    core: type[Core], folder: Path, name: str, changes: Sequence[tuple[str, str]]
) -> type[Core]:
    """Return a core with each text replaced in file `name`; each must occur there exactly once."""
    sources = core.sources()
    place = next(i for i, path in enumerate(sources) if path.name == name)
    text = sources[place].read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    copy = folder / name
    copy.write_text(text)
    files = [*sources[:place], copy, *sources[place + 1 :]]

    class Mutated(core):  # type: ignore[misc,valid-type]
        @classmethod
        def sources(cls) -> list[Path]:
            return files

    return Mutated
