# SPDX-License-Identifier: Apache-2.0
"""Tables of a bundle's page: measured figures."""

from collections.abc import Iterable, Iterator

from montcore.synth.options import NONE
from montcore.synth.result import SynthResult

#: What it is, its value, how it was measured.
Row = tuple[str, str, str]


def rows(cells: Iterable[tuple[str, ...]]) -> str:
    """Return rows of a table in Markdown."""
    return "\n".join(f"| {' | '.join(row)} |" for row in cells)


def synthesis_rows(found: SynthResult | None, area: str, command: str) -> Iterator[Row]:
    """Yield area and shortest period, or that they were not measured."""
    if found is None:
        yield "area and clock", "not measured", f"`{command}` measures them"
        return
    how = f"`{found.command}`"
    if found.ge is not None:
        yield area, f"{found.ge:,.0f} GE", how
        memory = f"{found.ge_memory or 0.0:,.0f} GE"
        yield f"area of memory macros, {found.memory_bits} bits", memory, how
    for count, unit in (
        (found.lut, "look-up tables"),
        (found.ff if found.ge is None else None, "flip-flops"),
        (found.dsp, "DSP blocks"),
        (found.bram, "block memories"),
    ):
        if count is not None:
            yield unit, f"{count:,}", how
    if found.period_ns is None:
        yield "clock", "not measured", "no free tool places and routes this family"
        return
    if found.tmin_ns is None:
        what = "placed and routed"
    else:
        what = "no wires" if found.wires == NONE else "with wires and clock tree of a placement"
    yield f"shortest period, {what}", f"{found.period_ns:.2f} ns", how
