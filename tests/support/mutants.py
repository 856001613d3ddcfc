# SPDX-License-Identifier: Apache-2.0
"""Cores and builds with a fault injected into a copy of their RTL."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from montcore.cores.core import Core
from montcore.sim.build import RtlBuild

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


def replaced(
    folder: Path, sources: Sequence[Path], module: str, *changes: tuple[str, str]
) -> list[Path]:
    """Return sources with texts replaced in a copy of a module's file; each occurs there once."""
    (source,) = (path for path in sources if path.stem == module)
    text = source.read_text()
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    (folder / "fault").mkdir()
    copy = folder / "fault" / source.name
    copy.write_text(text)
    return [copy if path == source else path for path in sources]


def mutated(core: type[Core], folder: Path, module: str, *changes: tuple[str, str]) -> type[Core]:
    """Return a core with texts replaced in a module."""
    files = replaced(folder, core.sources(), module, *changes)

    class Mutated(core):  # type: ignore[misc,valid-type]
        @classmethod
        def sources(cls) -> list[Path]:
            return files

    return Mutated


def faulty(folder: Path, build: RtlBuild, module: str, old: str, new: str) -> RtlBuild:
    """Return a build with a text replaced in a module."""
    return replace(build, sources=tuple(replaced(folder, build.sources, module, (old, new))))
