# SPDX-License-Identifier: Apache-2.0
"""Tables of mmm-mx-2006 with our rows."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from montcore_lab.papers.base import Column, Paper, Row, Table, point_row
from montcore_lab.papers.elements import read_elements
from montcore_lab.papers.mx2006 import published as mx2006
from montcore_lab.papers.mx2006.broadcast import TARGET, ArrayAlone, RowAlone
from montcore_lab.papers.mx2006.powers import BITS, PowerOver
from montcore_lab.papers.subject import Figures, PointSubject

_COLUMNS = (
    Column("bits", "bits", "{:d}"),
    Column("slices", "slices"),
    Column("LUT4", "lut4"),
    Column("LUT6", "lut6"),
    Column("FF", "ff"),
    Column("kGE", "kge", "{:.1f}"),
    Column("memory bits", "memory_bits"),
    Column("MHz", "mhz", "{:.5g}"),
    Column("cycles", "core_cycles"),
    Column("interval", "interval"),
    Column("Mbit/s", "mbit_s", "{:,.5g}"),
)
_TARGETS = ("xc2v", "xc6v", "osu018")
#: Rows that are measured alone: widths, and the blocks of each.
_ROWS_ALONE = ((256, 32), (256, 256), (1024, 1024))
#: Arrays that are measured alone, likewise.
_ARRAYS_ALONE = ((32, 16), (32, 32), (64, 64))


def _published(row: mx2006.RowOfCells, bits: int) -> Row:
    figures = {"bits": bits, "slices": row.slices, "mhz": row.mhz, "mbit_s": row.mbit_per_s}
    name = f"{row.name}, {row.cited}" if row.cited else row.name
    return Row("paper", name, "Virtex-II", figures)


@dataclass(frozen=True)
class _OfPower(Row):
    """A row with the area and clock of a core, and the cycles of a power over it.

    Attributes:
        power: the power; the row's subject is the core.
    """

    power: PowerOver | None = None

    def values(self, measured: Mapping[str, Figures]) -> dict[str, float | int | None] | None:
        """Return the figures of core and power, or None if one of them is not measured."""
        core = super().values(measured)
        if core is None or self.power is None or self.power.command not in measured:
            return None
        mhz, cycles = core["mhz"], measured[self.power.command]["core_cycles"]
        area = (core["kge"] or 0) + (core["kge_memory"] or 0)
        if mhz is None or cycles is None:
            return None
        ms = cycles / mhz / 1e3
        return {**core, "core_cycles": cycles, "ms": ms, "kge_us": area * ms * 1e3}


def _power(core: str, lazy: bool) -> Row:
    subject = PowerOver(core, lazy)
    return Row("montcore", subject.name, figures={"bits": BITS}, subject=subject)


def _alone(subject: RowAlone) -> Row:
    block, bits = subject.block, subject.bits
    what = "one block" if block == bits else f"blocks of {block} bits"
    figures = {"bits": bits}
    return Row("montcore", f"{subject.shape} of {subject.core}, {what}", TARGET, figures, subject)


def _measured(core: str, settings: tuple[tuple[str, str], ...], bits: int, target: str) -> Row:
    text = " ".join([core, *(f"{key}={value}" for key, value in settings)])
    return point_row(core, settings, bits, target, text)


PAPER = Paper(
    "mmm-mx-2006",
    "R. K. Satzoda, C.-H. Chang, C.-C. Jong, High Speed Systolic Montgomery Modular Multipliers "
    "for RSA Cryptosystems (2006)",
    (
        Table(
            "Table I: one-dimensional multipliers, 1024 bits",
            _COLUMNS,
            (
                *(_published(row, mx2006.TABLE_1_BITS) for row in mx2006.TABLE_1),
                *(
                    _measured(core, (), mx2006.TABLE_1_BITS, target)
                    for target in _TARGETS
                    for core in ("mx", "op", "cs", "rc")
                ),
            ),
            "That the paper counts its row alone is an inference: it describes neither a bus nor "
            "operand memories. Ours also includes the word streams, two sets of operands and "
            "canonical results; on osu018 memories are excluded. Our slices are half the LUT4, a "
            "lower bound before placement; the paper's come from XST, perhaps before placement. "
            "They do not show which design is smaller. `rc` is not from the paper: its cells are "
            "words with ripple carries, designed for carry chains.",
            headline=frozenset(
                {("Design 2", "Virtex-II"), ("mx", "xc2v"), ("rc", "xc2v"), ("mx", "osu018")}
            ),
        ),
        Table(
            "Section 6: one block of the whole width",
            tuple(column for column in _COLUMNS if column.title in ("bits", "kGE", "MHz")),
            tuple(
                _alone(RowAlone(core, bits, block))
                for bits, block in _ROWS_ALONE
                for core in ("mx", "op", "cs")
            ),
            "Rows alone, without port, memories and output stage. The paper broadcasts a_i and q "
            "to all cells of one block as wide as the modulus. With blocks of 32 bits, each block "
            "passes them to the next one cycle later. ABC builds buffer trees with at most eight "
            "loads per buffer; the clock is from register to register. The clock "
            "of op includes the access to the memories from which it computes B + N.",
        ),
        Table(
            "Table II: two-dimensional multipliers, 128 bits",
            _COLUMNS,
            (
                *(_published(row, mx2006.TABLE_2_BITS) for row in mx2006.TABLE_2),
                *(
                    _measured(row.core, row.settings, mx2006.TABLE_2_BITS, target)
                    for row in mx2006.TABLE_2
                    if row.core is not None
                    for target in (("xc2v", "osu018") if row.core == "mx" else ("osu018",))
                ),
            ),
            "Slices and clocks as in Table I. The paper gives no throughput. A row of mx takes two "
            "cycles per product, a row of op or cs one cycle, so these arrays have an interval of "
            "one cycle. Ours produce canonical results and load operands through their port. "
            "Optimized and Conventional are figures of a publication that the paper cites; ours "
            "are its Algorithms 2 and 1 in the shape of its Figure 2, in blocks of 16 bits. The "
            "paper's caption says one-dimensional by mistake.",
            headline=frozenset({("Design 1", "Virtex-II"), ("mx w=16 shape=2d", "xc2v")}),
        ),
        Table(
            "Table II: the arrays alone",
            tuple(column for column in _COLUMNS if column.title in ("bits", "kGE", "MHz")),
            tuple(
                _alone(ArrayAlone(core, bits, block))
                for bits, block in _ARRAYS_ALONE
                for core in ("mx", "op", "cs")
            ),
            "Without port, comparison, output stage and queue, at a quarter and half of the "
            "paper's length; the clock is that of a row of cells. With one block, a_i and q drive "
            "all cells of a row, as in the paper.",
        ),
        Table(
            f"Application: RSA-{BITS}, a power with the policy constant",
            (
                Column("bits", "bits", "{:d}"),
                Column("products", "products"),
                Column("cycles", "core_cycles"),
                Column("cycles a product", "per_product", "{:,.1f}"),
                Column("interval of the core", "interval"),
                Column("% above it", "above", "{:.1f}"),
            ),
            (
                *(_power(core, False) for core in ("mx", "op", "cs", "cs4", "hr", "dsp")),
                *(_power(core, True) for core in ("mx", "hr", "dsp")),
            ),
            "Figures of the exponentiator (hw/modexp) with an exponent as long as the modulus: "
            "simulated with exponents of 20, 70 and 120 bits, whose cycles are linear in their "
            "products, and extrapolated to the full length. Through its port a core reduces each "
            "result and transfers it out and back in word by word. With lazy operands a result is "
            "fed back unreduced, as the paper proposes: over mx in carry-save form, as two "
            "vectors, over dsp and hr as an unreduced number.",
        ),
        Table(
            f"Application: RSA-{BITS}, area and time of such a power in 180 nm",
            (
                Column("bits", "bits", "{:d}"),
                Column("kGE", "kge", "{:.1f}"),
                Column("memory kGE", "kge_memory", "{:.1f}"),
                Column("MHz", "mhz", "{:.1f}"),
                Column("cycles", "core_cycles"),
                Column("ms", "ms", "{:.2f}"),
                Column("kGE x us", "kge_us"),
            ),
            tuple(
                _OfPower(
                    "montcore",
                    PowerOver(core, core == "dsp").name,
                    "osu018",
                    {"bits": BITS},
                    PointSubject(core, (), BITS, "osu018"),
                    power=PowerOver(core, core == "dsp"),
                )
                for core in ("mx", "op", "cs", "cs4", "dsp")
            ),
            "Area and clock are those of the multiplier with its port, without wires. The "
            "exponentiator adds its engine and a memory for table and operands; these are the same "
            "for all cores used through their ports, and the memory has twice the width for "
            "carry-save operands (`montcore synth modexp --set core=NAME`). Cycles are those of "
            "the table above; the last column includes the core's memory. The paper argues that a "
            "power consists of many products, so that the clock matters more than the cycles of "
            "one product: this would require the clock of mx to be twice that of op and cs.",
        ),
    ),
    read_elements(Path(__file__).with_name("elements.ini")),
)
