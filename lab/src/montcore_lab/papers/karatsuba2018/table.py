# SPDX-License-Identifier: Apache-2.0
"""Tables of karatsuba-2018 with our rows."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.cores.technology import Tech, Technology
from montcore.model.karatsuba import PAPER_MULTIPLIER_CYCLES
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.target import get_target
from montcore_lab.checkout.modules import needed_by
from montcore_lab.papers.base import Column, Paper, PaperText, Row, Table
from montcore_lab.papers.elaborated import Designs
from montcore_lab.papers.elements import read_elements
from montcore_lab.papers.karatsuba2018 import designs
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.karatsuba2018.chain import BITS as CHAIN_BITS
from montcore_lab.papers.karatsuba2018.chain import Chain
from montcore_lab.papers.karatsuba2018.designs import KINDS, core_row
from montcore_lab.papers.karatsuba2018.splitting import KINDS as SPLITTINGS
from montcore_lab.papers.karatsuba2018.splitting import TARGETS, Splitting
from montcore_lab.papers.subject import Figures, Subject, measured_by

_BUILT = {
    "two parts": "3, one of them N/2 + 1",
    "three parts": "6, three of them N/3 + 1",
    "four parts": "10, six of them N/4 + 1",
}

_COLUMNS = (
    Column("bits", "bits", "{:d}"),
    Column("LUT6", "lut6"),
    Column("LUT4", "lut4"),
    Column("FF", "ff"),
    Column("DSP", "dsp"),
    Column("kGE", "kge", "{:.1f}"),
    Column("MHz", "mhz", "{:.5g}"),
    Column("period ns", "period_ns", "{:.4g}"),
    Column("cycles", "core_cycles"),
    Column("interval", "interval"),
    Column("ns", "ns", "{:,.5g}"),
    Column("Mbit/s", "mbit_s"),
    Column("M products/s", "millions_per_s", "{:.2f}"),
    Column("kLUT6 x us", "klut6_us", "{:.2f}"),
)


class Style(IntEnum):
    """Implementation of partial products; the numbers are those of karatsuba_pkg.sv."""

    TILES = 0
    TREE = 1
    GRID = 2
    COLUMNS = 3


def paper_style(technology: Technology) -> Style:
    """Return the style of products in the paper's schedule, like `style_of` of karatsuba_pkg.sv."""
    styles = {Tech.ASIC: Style.TREE, Tech.DSP48E: Style.GRID, Tech.DSP48E1: Style.COLUMNS}
    return styles.get(technology.tech, Style.TILES)


@dataclass(frozen=True)
class IntegerMultiplier(Subject):
    """Only the integer multiplier of the paper's schedule, without the product's register.

    Attributes:
        depth: 1 (FP) or 2 (DFP).
        bits: operand size.
        target: a Xilinx family.
    """

    depth: int
    bits: int
    target: str

    @property
    def command(self) -> str:
        """The command that measures it again."""
        what = f"multiplier depth={self.depth} bits={self.bits} {self.target}"
        return measured_by("karatsuba-2018", what)

    def sources(self) -> Sequence[Path]:
        """Return the multiplier's RTL."""
        return needed_by(karatsuba2018.INTEGER_MULTIPLIER, Karatsuba.sources())

    def parameters(self) -> Mapping[str, object]:
        """Return the module's parameters and its flow's choices."""
        design = self.design()
        return {**dict(design.parameters), **dict(design.choices)}

    def design(self) -> Design:
        """Return the top module with its parameters."""
        config = Karatsuba(bits=self.bits, depth=self.depth, schedule=KaratsubaSchedule.PAPER)
        parameters = {
            "Part": config.computed_bits // karatsuba2018.PARTS,
            "Depth": self.depth,
            "Style": int(paper_style(get_target(self.target).technology)),
        }
        return Design.of(
            karatsuba2018.INTEGER_MULTIPLIER,
            self.sources(),
            parameters,
            choices=config.flow_choices(get_target(self.target).technology),
        )

    def designs(self) -> Designs:
        """Return the module for the target."""
        return [(self.design(), get_target(self.target))]

    def measure(self) -> Figures:
        """Map it.

        Raises:
            ToolError: a tool failed.
        """
        on = get_target(self.target)
        with tempfile.TemporaryDirectory() as folder:
            mapped = on.synthesise(self.design(), Path(folder), DEFAULT_OPTIONS, lambda _: None)
        return {name: getattr(mapped.result, name) for name in ("lut", "ff", "dsp")}


def _published(row: karatsuba2018.KaratsubaRow) -> Row:
    names = ("bits", "lut", "ff", "dsp", "mhz", "period_ns", "ns")
    figures = {name: getattr(row, name) for name in names}
    figures |= {"core_cycles": row.cycles, "interval": row.cycles}
    derived = frozenset({"interval"})
    return Row("paper", KINDS[row.depth], row.target, figures, derived=derived)


class _Loaded(Row):
    """A row of ours whose flip-flops include registers for the operands A and B."""

    def values(self, measured: Mapping[str, Figures]) -> dict[str, float | int | None] | None:
        """Return all figures; a flip-flop for each operand bit is added to the module's."""
        found = super().values(measured)
        if found is not None and (ff := found.get("ff")) and (bits := found.get("bits")):
            found["ff_loaded"] = ff + 2 * bits
        return found


def _multiplier(row: karatsuba2018.KaratsubaRow) -> Row:
    # The RTL is compared with the model under Icarus Verilog, product by product.
    cycles = PAPER_MULTIPLIER_CYCLES[row.depth]
    return _Loaded(
        "montcore",
        KINDS[row.depth],
        row.target,
        {"bits": row.bits, "core_cycles": cycles, "interval": cycles},
        IntegerMultiplier(row.depth, row.bits, row.target),
    )


_CHAINS = (
    Chain("karatsuba", (("schedule", "paper"),)),
    Chain("karatsuba", (("depth", "2"), ("schedule", "paper"))),
    Chain("karatsuba", (("schedule", "fast"),)),
    Chain("karatsuba", (("schedule", "lean"),)),
    Chain("smm", (("npe", "8"),)),
    *(Chain(core) for core in ("dsp", "hr", "cs4", "cs", "op", "rc", "mx")),
)


def _power(bits: int) -> Row:
    of_table_4 = karatsuba2018.row("xc6v", 1, bits)
    assert of_table_4 is not None
    watt, ns = karatsuba2018.POWER_W[bits], of_table_4.ns
    figures = {"bits": bits, "watt": watt, "ns": ns, "energy_nj": watt * ns}
    return Row("paper", "FP", "Virtex-6", figures, derived=frozenset({"energy_nj"}))


def _estimate(kind: str, counts: Sequence[int]) -> Row:
    sized = zip(karatsuba2018.LENGTHS, counts, strict=True)
    return Row("paper", kind, figures={f"dsp_{bits}": dsp for bits, dsp in sized})


PAPER = Paper(
    "karatsuba-2018",
    "S. Khan, K. Javeed, Y. A. Shah, High-Speed FPGA Implementation of Full-Word Montgomery "
    "Multiplier for ECC Applications (2018)",
    (
        Table(
            "Table 2: DSP blocks of an integer multiplier, as the paper estimates them",
            tuple(Column(f"{n} bits", f"dsp_{n}") for n in karatsuba2018.LENGTHS),
            (
                *(_estimate(kind, counts) for kind, counts in karatsuba2018.TABLE_2.items()),
                *(
                    Row("montcore", kind, target, subject=Splitting(parts, target))
                    for target in TARGETS
                    for parts, kind in SPLITTINGS.items()
                ),
            ),
            "The paper's figures are estimates; at 192 bits four parts are not the minimum in "
            "them. Ours are mapped by Yosys: one multiplier in two to four parts (splitting.sv), "
            "all products implemented in the same way; Virtex-6 uses the map of series 7. LUT of "
            "the additions are not counted. The next table has four parts and deep four parts as "
            "implemented in the core.",
        ),
        Table(
            "Table 3: the integer multiplier",
            tuple(
                item
                for column in _COLUMNS
                if column.title not in ("kGE", "LUT4")
                for item in (
                    (column, Column("FF with A, B", "ff_loaded"))
                    if column.figure == "ff"
                    else (column,)
                )
            ),
            tuple(
                made
                for row in karatsuba2018.TABLE_3
                for made in (_published(row), _multiplier(row))
            ),
            "The paper's are placed and routed. The paper loads its operand registers A and B in "
            "one of its seven cycles and counts them in FF. Our FF is that of the module without "
            "registers for operands and product; FF with A, B adds one flip-flop per bit of the "
            "two operands. The sign before 560 in the paper's text is read as a printing defect. "
            "111.50 ns in its first row of DFP is an error: ten periods of 11.55 ns are 115.50.",
        ),
        Table(
            "Table 4: the Montgomery multiplier",
            _COLUMNS,
            (
                *(
                    made
                    for row in karatsuba2018.TABLE_4
                    for made in (
                        _published(row),
                        core_row(row.depth, row.bits, row.target, "paper"),
                    )
                ),
                *(
                    core_row(1, bits, target, schedule)
                    for target in ("ecp5", "osu018")
                    for bits in (192, 256)
                    for schedule in ("paper", "fast")
                ),
                *(core_row(1, 256, target, "lean") for target in ("osu018", "xc6v")),
                core_row(1, 256, "xc6v", "fast"),
            ),
            "Ours includes the word streams, n0' in hardware and the check of operands. The paper "
            "computes one product at a time, so its interval equals its cycles.",
        ),
        Table(
            "Table 5 and Figures 7, 8: comparison of designs on Virtex-6",
            _COLUMNS,
            (
                *designs.published_rows(),
                *(core_row(1, 256, "xc6v", schedule) for schedule in ("paper", "fast", "lean")),
            ),
            "The last column is the paper's A_L x T. [20] is on a device with tables of four "
            "inputs. The latency of [24] is an estimate of this paper's authors, more than 50 "
            "cycles. Figure 7 plots the column Mbit/s, Figure 8 the last column, for the rows of "
            "256 bits. The schedule fast has an interval of two cycles, lean of three; ns is "
            "one product from start to done.",
            headline=frozenset(
                {
                    ("FP, this paper", "Virtex-6"),
                    ("FP schedule=paper", "xc6v"),
                    ("FP schedule=fast", "xc6v"),
                }
            ),
        ),
        Table(
            "Section 5: scalar multiplication, "
            f"{karatsuba2018.SCALAR_PRODUCTS:,} dependent products of {CHAIN_BITS} bits",
            (
                Column("cycles, start to done", "chain_cycles"),
                Column("cycles with the port", "chain_port_cycles"),
                Column("chains in flight", "chains"),
                Column("cycles of all", "together_cycles"),
                Column("cycles a chain", "cycles_a_chain"),
            ),
            (
                Row(
                    "paper", "FP, this paper", figures={"chain_cycles": karatsuba2018.SCALAR_CYCLES}
                ),
                Row(
                    "paper",
                    "[24] Chow et al. 2010",
                    figures={"chain_cycles": karatsuba2018.SCALAR_CYCLES_CITED},
                ),
                *(Row("montcore", chain.name, subject=chain) for chain in _CHAINS),
            ),
            "Simulated: each operand is the previous result, and every product is checked. The "
            "paper counts 29 cycles per product, from start to done, and no additions. Chains in "
            "flight is the number of independent scalars that the core needs to accept operands "
            "without a pause when each operand is available only after the result on which it "
            "depends has left. Whole scalar products, "
            "with additions, are in the datasheet of the curve engine (hw/ecc/README.md).",
            headline=frozenset(
                {
                    ("FP, this paper", ""),
                    ("karatsuba schedule=paper", ""),
                    ("karatsuba schedule=fast", ""),
                }
            ),
        ),
        Table(
            "Section 5: power, and energy of a product",
            (
                Column("bits", "bits", "{:d}"),
                Column("W", "watt", "{:.3f}"),
                Column("ns", "ns", "{:,.5g}"),
                Column("nJ a product", "energy_nj", "{:,.4g}"),
            ),
            (
                *(_power(bits) for bits in karatsuba2018.POWER_W),
                *(
                    core_row(1, bits, "osu018", schedule)
                    for bits, schedule in (
                        (192, "paper"),
                        (192, "fast"),
                        (224, "fast"),
                        (256, "paper"),
                        (256, "fast"),
                    )
                ),
            ),
            "Power figures are not comparable: the paper's are estimates of XPower Analyzer for a "
            "placed design at a clock and an activity that it does not state; no free tool places "
            "a Virtex-6 or has a power model of it. Its energy is computed here as power times the "
            "time of a product in its Table 4. Ours is the energy per product for back-to-back "
            "products in a 180 nm netlist, from the switching activity in simulation of that "
            "netlist (docs/measuring.md), without wires.",
        ),
    ),
    read_elements(Path(__file__).with_name("elements.ini")),
    (
        PaperText(
            "Table 1: length and number of the multipliers",
            ("splitting", "schoolbook, length", "number", "Karatsuba, length", "number", "ours"),
            tuple(
                (kind, *(str(cell) for cell in cells), _BUILT[kind])
                for kind, cells in karatsuba2018.TABLE_1.items()
            ),
            "Ours has the paper's numbers of products; products of differences are one bit longer "
            "for the sign. The core splits into four parts. Its fast schedule splits into two "
            "halves, and each half in two again: eight products of halves, each computed as three "
            "products of quarters.",
        ),
    ),
    (designs.THROUGHPUT, designs.AREA_TIME),
)
