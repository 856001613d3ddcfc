# SPDX-License-Identifier: Apache-2.0
"""Tables of karatsuba-2018 with our rows."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule, paper_style
from montcore.model.karatsuba import PAPER_MULTIPLIER_CYCLES
from montcore.papers.base import Column, Paper, Row, Table, Text
from montcore.papers.karatsuba2018 import published as karatsuba2018
from montcore.papers.karatsuba2018.elements import ELEMENTS
from montcore.papers.subject import Figures, PointSubject, Subject, measured_by
from montcore.support.digest import content_key
from montcore.synth import identity, options
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.store import ResultStore
from montcore.synth.target import get_target

KINDS = {1: "FP", 2: "DFP"}
_BUILT = {"four parts": "10 of N/4, six of them N/4 + 1"}

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
    Column("kLUT6 x us", "klut6_us", "{:.2f}"),
)


@dataclass(frozen=True)
class IntegerMultiplier(Subject):
    """The integer multiplier of the paper's schedule alone, without the product's register.

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
        """Return the core's RTL."""
        return CORE.sources()

    def parameters(self) -> Mapping[str, object]:
        """Return the module's parameters, and what its flow does otherwise."""
        design = self.design()
        return {**dict(design.parameters), **dict(design.choices)}

    def design(self) -> Design:
        """Return the top module with its parameters."""
        config = KaratsubaConfig(bits=self.bits, depth=self.depth, schedule=Schedule.PAPER)
        parameters = {
            "Part": config.computed_bits // karatsuba2018.PARTS,
            "Depth": self.depth,
            "Tech": int(paper_style(get_target(self.target).technology)),
        }
        return Design.of(
            karatsuba2018.INTEGER_MULTIPLIER,
            CORE.sources(),
            parameters,
            choices=CORE.flow_choices(config, get_target(self.target).technology),
        )

    def flow(self) -> Mapping[str, object]:
        """Return the target's flow."""
        return identity.flow_of(self.target)

    def measure(self) -> Figures:
        """Measure it, or take it from the result store."""
        store = ResultStore()
        key = content_key(
            {
                "what": self.command,
                "flow": options.FLOW_VERSION,
                "parameters": self.parameters(),
                "tools": get_target(self.target).versions(),
            },
            tuple(self.sources()),
        )
        kept = store.get(key)
        if kept is None:
            with tempfile.TemporaryDirectory() as folder:
                on, design = get_target(self.target), self.design()
                mapped = on.synthesise(design, Path(folder), DEFAULT_OPTIONS, lambda _: None)
            found = mapped.result
            kept = {"lut": found.lut, "ff": found.ff, "dsp": found.dsp}
            store.put(key, kept)
        return kept


def _published(row: karatsuba2018.Row) -> Row:
    figures = {
        "bits": row.bits,
        "lut": row.lut,
        "ff": row.ff,
        "dsp": row.dsp,
        "mhz": row.mhz,
        "period_ns": row.period_ns,
        "core_cycles": row.cycles,
        "ns": row.ns,
        "interval": row.cycles,
    }
    derived = frozenset({"interval"})
    return Row("paper", KINDS[row.depth], row.target, figures, derived=derived)


def _multiplier(row: karatsuba2018.Row) -> Row:
    # As the RTL is compared with the model under Icarus Verilog, product by product.
    cycles = PAPER_MULTIPLIER_CYCLES[row.depth]
    return Row(
        "montcore",
        KINDS[row.depth],
        row.target,
        {"bits": row.bits, "core_cycles": cycles, "interval": cycles},
        IntegerMultiplier(row.depth, row.bits, row.target),
    )


def _core(depth: int, bits: int, target: str, schedule: str) -> Row:
    settings = (("depth", str(depth)), ("schedule", schedule))
    return Row(
        "montcore",
        f"{KINDS[depth]} schedule={schedule}",
        target,
        {"bits": bits},
        PointSubject("karatsuba", settings, bits, target),
    )


def _estimates() -> tuple[Row, ...]:
    return tuple(
        Row("paper", kind, figures={f"dsp_{n}": dsp for n, dsp in _sized(counts)})
        for kind, counts in karatsuba2018.TABLE_2.items()
    )


def _sized(counts: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(karatsuba2018.LENGTHS, counts, strict=True))


PAPER = Paper(
    "karatsuba-2018",
    "S. Khan, K. Javeed, Y. A. Shah, High-Speed FPGA Implementation of Full-Word Montgomery "
    "Multiplier for ECC Applications (2018)",
    (
        Table(
            "Table 2: DSP blocks of an integer multiplier, as the paper estimates them",
            tuple(Column(f"{n} bits", f"dsp_{n}") for n in karatsuba2018.LENGTHS),
            _estimates(),
            "Estimates of the paper. Ours of four parts and deep four parts are measured: see the "
            "next table. Two and three parts are not built here: not measured, 10 cells.",
        ),
        Table(
            "Table 3: the integer multiplier",
            tuple(column for column in _COLUMNS if column.title not in ("kGE", "LUT4")),
            tuple(
                made
                for row in karatsuba2018.TABLE_3
                for made in (_published(row), _multiplier(row))
            ),
            "Mapped by Yosys, not placed: ours have no clock. The paper's are placed and routed. "
            "The paper loads its operand registers A and B in one of its seven cycles and counts "
            "them; ours here is the module without the registers of operands and product. The "
            "sign before 560 in the text of the paper is taken for a blemish. 111.50 ns of its "
            "first row of DFP is a slip: ten periods of 11.55 ns are 115.50.",
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
                        _core(row.depth, row.bits, row.target, "paper"),
                    )
                ),
                *(
                    _core(1, bits, target, schedule)
                    for target in ("ecp5", "osu018")
                    for bits in (192, 256)
                    for schedule in ("paper", "fast")
                ),
                *(_core(1, 256, target, "lean") for target in ("osu018", "xc6v")),
                _core(1, 256, "xc6v", "fast"),
            ),
            "Ours has the word streams, n0' in hardware and the check of operands in it. Xilinx "
            "families are mapped by Yosys and not placed (no clock); ECP5 is placed and routed by "
            "nextpnr; the clock of osu018 is without wires. The paper does one product after the "
            "other, so its interval is its cycles.",
        ),
        Table(
            "Table 5 and Figures 7, 8: comparison of designs on Virtex-6",
            _COLUMNS,
            (
                *(
                    Row("paper", item.name, item.device, item.figures())
                    for item in karatsuba2018.TABLE_5
                ),
                *(_core(1, 256, "xc6v", schedule) for schedule in ("paper", "fast", "lean")),
            ),
            "The last column is what the paper calls A_L x T. [20] is on a device with tables of "
            "four inputs. The latency of [24] is an estimate of this paper's authors, more than 50 "
            "cycles. Figure 7 is the column Mbit/s, Figure 8 the last one, of the rows of 256 "
            "bits. The schedule fast takes a product every second cycle, lean every third; ns is "
            "one product from start to done.",
        ),
    ),
    ELEMENTS,
    (
        Text(
            "Table 1: length and number of the multipliers",
            ("splitting", "schoolbook, length", "number", "Karatsuba, length", "number", "ours"),
            tuple(
                (kind, *(str(cell) for cell in cells), _BUILT.get(kind, "not built"))
                for kind, cells in karatsuba2018.TABLE_1.items()
            ),
            "Ours of four parts has the paper's ten products, six of them one bit longer for the "
            "sign of a difference. Its fast schedule splits in two, and each half in two again: "
            "eight products of halves, three of quarters each.",
        ),
        Text(
            "Power, as the text states it",
            ("bits", "paper, W on Virtex-6"),
            tuple((str(bits), f"{watt}") for bits, watt in karatsuba2018.POWER_W.items()),
            "No figure of ours compares. The paper's are estimates of XPower Analyzer for a placed "
            "design at a clock and an activity that it does not state; no free tool places a "
            "Virtex-6 or has a power model of it. What montcore has is energy at 180 nm, of a "
            "netlist with simulated activity (`montcore synth karatsuba --set schedule=paper "
            "--bits 256 --target osu018`); it is not measured for this page.",
        ),
    ),
)
