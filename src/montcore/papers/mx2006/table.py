# SPDX-License-Identifier: Apache-2.0
"""Tables of mmm-mx-2006 with our rows."""

from montcore.papers.base import Column, Paper, Row, Table
from montcore.papers.mx2006 import published as mx2006
from montcore.papers.mx2006.broadcast import TARGET, RowAlone
from montcore.papers.mx2006.elements import ELEMENTS
from montcore.papers.mx2006.powers import BITS, PowerOver
from montcore.papers.subject import PointSubject

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
_TARGETS = ("xc2v", "xc6v", "ecp5", "osu018")
#: Width at which rows of one block are compared with rows of blocks, and the blocks of both.
_BROADCAST_BITS = 256
_BLOCKS = (32, _BROADCAST_BITS)


def _published(row: mx2006.Row, bits: int) -> Row:
    figures = {
        "bits": bits,
        "slices": row.slices,
        "mhz": row.mhz,
        "mbit_s": row.mbit_per_s,
    }
    name = f"{row.name}, {row.cited}" if row.cited else row.name
    return Row("paper", name, "Virtex-II", figures)


def _power(core: str, lazy: bool) -> Row:
    subject = PowerOver(core, lazy)
    return Row("montcore", subject.name, figures={"bits": BITS}, subject=subject)


def _row_alone(core: str, block: int) -> Row:
    what = "one block" if block == _BROADCAST_BITS else f"blocks of {block} bits"
    subject = RowAlone(core, _BROADCAST_BITS, block)
    return Row("montcore", f"row of {core}, {what}", TARGET, {"bits": _BROADCAST_BITS}, subject)


def _measured(core: str, settings: tuple[tuple[str, str], ...], bits: int, target: str) -> Row:
    text = " ".join([core, *(f"{key}={value}" for key, value in settings)])
    return Row("montcore", text, target, {"bits": bits}, PointSubject(core, settings, bits, target))


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
            "operand memories. Ours has the word streams, two sets of operands and canonical "
            "results as well; memories on osu018 excluded. Slices are half the LUT4, a lower bound "
            "before placement; the paper's come from XST, and it does not say whether after "
            "placement. So they do not show which is smaller. Virtex families are mapped by Yosys "
            "and not placed (no clock); ECP5 is placed and routed by nextpnr; the clock of osu018 "
            "is without wires. "
            "`rc` is not of the paper: its cells are words with ripple carries, made for carry "
            "chains.",
        ),
        Table(
            f"Section 6: one block of the whole width, {_BROADCAST_BITS} bits",
            tuple(column for column in _COLUMNS if column.title in ("bits", "kGE", "MHz")),
            tuple(_row_alone(core, block) for core in ("mx", "op", "cs") for block in _BLOCKS),
            "Rows alone, without port, memories and output stage. The paper broadcasts a_i and q "
            "to all cells of one block as wide as the modulus. In blocks of 32 bits each hands "
            "them to the next a cycle later. ABC makes trees of buffers with at most eight loads "
            "each; the clock is between registers, without wires. Memories of op, from which it "
            "makes B + N, count in its clock.",
        ),
        Table(
            "Table II: two-dimensional multipliers, 128 bits",
            _COLUMNS,
            (
                *(_published(row, mx2006.TABLE_2_BITS) for row in mx2006.TABLE_2),
                *(
                    _measured(row.core, row.settings, mx2006.TABLE_2_BITS, target)
                    for target in ("xc2v", "xc6v", "osu018")
                    for row in mx2006.TABLE_2
                    if row.core is not None
                ),
            ),
            "As above. The paper gives no throughput; both arrays take a product every second "
            "cycle. Ours makes canonical results and takes operands through its port. The paper's "
            "caption says one-dimensional by mistake. Not measured: its two rivals as arrays (2 "
            "rows), which are not built here.",
        ),
        Table(
            f"Application: RSA-{BITS}, a power with the policy constant",
            (
                Column("bits", "bits", "{:d}"),
                Column("products", "products"),
                Column("cycles", "core_cycles"),
                Column("cycles a product", "pitch", "{:,.1f}"),
                Column("interval of the core", "interval"),
                Column("% above it", "above", "{:.1f}"),
            ),
            (
                *(_power(core, False) for core in ("mx", "op", "cs", "cs4", "dsp")),
                _power("dsp", True),
            ),
            "Of the exponentiator (hw/modexp) with an exponent as long as the modulus: simulated "
            "with exponents of 20, 70 and 120 bits, whose cycles grow evenly with their products, "
            "and continued to the whole length. By its port a core reduces each result, and hands "
            "it out and back in word by word. With lazy operands a result goes back in as it is, "
            "which is what the paper proposes; only dsp has it. Area and clock of the cores are in "
            "Table I and in their datasheets.",
        ),
    ),
    ELEMENTS,
)
