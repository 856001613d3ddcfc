# SPDX-License-Identifier: Apache-2.0
"""Tables of dsp48-2007 with our rows."""

import random
from dataclasses import dataclass
from pathlib import Path

from montcore.cores.dsp import Clocking, Dsp
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, Policy, Power
from montcore.support.errors import CheckFailedError
from montcore_lab.papers.base import Column, Paper, PaperText, Row, Table
from montcore_lab.papers.dsp2007 import published as dsp2007
from montcore_lab.papers.elements import read_elements
from montcore_lab.papers.exponentiator import ExponentiatorArea, OfExponentiator
from montcore_lab.papers.subject import Figures, PointSubject, Subject, measured_by

#: Built width of the paper's circuit.
_BUILT_BITS = 2048
#: Our counterparts of the resources of Tables 3 and 4: the exponentiator over `dsp`, or `dsp`, the
#: multiplier with its port; the clocking of the blocks, double as in the paper; the target.
_BUILDS = (
    *(("modexp", "double", target) for target in ("xc4v", "xc7", "ecp5")),
    ("modexp", "single", "osu018"),
    *(("dsp", "double", target) for target in ("xc4v", "xc5v", "xc6v", "xc7", "ecp5")),
    ("dsp", "single", "osu018"),
)


@dataclass(frozen=True)
class WorstCase(OfExponentiator):
    """Cycles of the longest exponentiation: an exponent of ones, which fills every window.

    Attributes:
        bits: length of modulus and exponent.
        policy: order of the products.
    """

    bits: int
    policy: Policy

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("dsp48-2007", f"{self.policy.name.lower()} bits={self.bits}")

    def design(self) -> ExponentiatorDesign:
        """Return the exponentiator in the paper's size."""
        return ExponentiatorDesign(Dsp(bits=_BUILT_BITS, clocking=Clocking.DOUBLE))

    def measure(self) -> Figures:
        """Simulate it."""
        rng = random.Random(self.bits)
        m = rng.getrandbits(self.bits) | 1 << (self.bits - 1) | 1
        power = Power(rng.randrange(m), (1 << self.bits) - 1, m)
        found = Exponentiator(self.design()).power(power, self.policy)
        if found.result != pow(power.base, power.exponent, m):
            raise CheckFailedError(f"the power of {self.bits} bits is wrong")
        return {
            "core_cycles": found.cycles,
            "setup_cycles": found.setup_cycles,
            "products": found.multiplications,
            "ms": found.cycles / dsp2007.CLOCK_MHZ / 1e3,
        }


def _published(row: dsp2007.ExponentiatorRow) -> Row:
    figures = {
        "bits": row.bits,
        "core_cycles": row.worst_case,
        "products": row.products,
        "ms": row.milliseconds,
    }
    derived = frozenset({"core_cycles", "products"})
    return Row("paper", "sliding window", figures=figures, derived=derived)


def _measured(bits: int, policy: Policy) -> Row:
    return Row(
        "montcore",
        f"modexp over dsp, {policy.name.lower()}",
        figures={"bits": bits},
        subject=WorstCase(bits, policy),
    )


def exponentiator(clocking: str, target: str) -> ExponentiatorArea:
    """Return the exponentiator in the paper's size."""
    return ExponentiatorArea("dsp", (("clocking", clocking),), _BUILT_BITS, target)


def _area(design: str, clocking: str, target: str) -> Row:
    subject: Subject
    if design == "modexp":
        subject = exponentiator(clocking, target)
    else:
        settings = (("alpha", "17"), ("clocking", clocking))
        subject = PointSubject("dsp", settings, _BUILT_BITS, target)
    what = f"{design} alpha=17 clocking={clocking}"
    return Row("montcore", what, target, {"bits": _BUILT_BITS}, subject)


def _adder(bits: int, inputs: int) -> str:
    if inputs > 2:
        return "nowhere"
    return "34 bits at clk1x" if bits > 16 else "none so short at clk2x"


def _modes(of_block: dsp2007.Block) -> tuple[str, str, str]:
    """Return operation and OPMODE of a block, and our OPMODE in that position."""
    operation, opmode, _ = of_block
    return operation, opmode, "7'h55" if opmode == "7'h35" else opmode


PAPER = Paper(
    "dsp48-2007",
    "D. Suzuki, How to Maximize the Potential of FPGA Resources for Modular Exponentiation "
    "(CHES 2007)",
    (
        Table(
            "Tables 3 and 4, times: the longest exponentiation",
            (
                Column("bits", "bits", "{:d}"),
                Column("products", "products"),
                Column("cycles at clk1x", "core_cycles"),
                Column("ms", "ms", "{:.3f}"),
                Column("set-up cycles", "setup_cycles"),
            ),
            (
                *(
                    made
                    for row in dsp2007.ROWS
                    for made in (
                        _published(row),
                        _measured(row.bits, Policy.SLIDING),
                        _measured(row.bits, Policy.CONSTANT),
                    )
                ),
                *(
                    Row(
                        "paper",
                        f"{item.name}, {item.device}: {area}, {item.kind}",
                        "",
                        {"bits": bits, "ms": time},
                    )
                    for item in dsp2007.OTHERS
                    for bits, time, area in zip(
                        (512, 1024), item.milliseconds, item.area, strict=True
                    )
                ),
            ),
            "The paper's cycles are computed from its milliseconds at 200 MHz; its products are "
            "the upper bound in its text. Ours are simulated with an exponent of all ones, which "
            "fills every window; the policy constant takes the same number of cycles for every "
            "exponent. Our milliseconds assume the paper's 200 MHz, not a measured clock; the "
            "cited designs have their own clocks, and [11] gives averages. Set-up computes R^2 "
            "mod M in hardware, once per modulus.",
            headline=frozenset({("sliding window", ""), ("modexp over dsp, constant", "")}),
        ),
        Table(
            "Tables 3 and 4, resources",
            (
                Column("bits", "bits", "{:d}"),
                Column("slices", "slices"),
                Column("LUT4", "lut4"),
                Column("LUT6", "lut6"),
                Column("FF", "ff"),
                Column("DSP", "dsp"),
                Column("BRAM", "bram"),
                Column("kGE", "kge", "{:.1f}"),
                Column("memory kGE", "kge_memory", "{:.1f}"),
                Column("MHz", "mhz", "{:.1f}"),
            ),
            (
                Row(
                    "paper",
                    "exponentiator",
                    "Virtex-4",
                    {
                        "bits": _BUILT_BITS,
                        "slices": dsp2007.SLICES,
                        "dsp": dsp2007.BLOCKS,
                        "bram": dsp2007.BLOCK_RAMS,
                        "mhz": dsp2007.CLOCK_MHZ,
                    },
                ),
                *(_area(*build) for build in _BUILDS),
            ),
            "The paper's row is the exponentiator after place and route. Its counterpart is "
            "modexp, with R^2 and the final subtraction in hardware and with four policies; dsp is "
            "the multiplier alone with the common stream port. Our slices are half the LUT4, a "
            "lower bound before placement, so the two columns do not show which design is smaller. "
            "The paper's text says approximately 4,000. kGE excludes the memories, which are "
            "macros on osu018 and have their own column; in the exponentiator they are the larger "
            "part. The clock is that of the port; with clocking=double the blocks have twice that.",
            headline=frozenset(
                {("exponentiator", "Virtex-4"), ("modexp alpha=17 clocking=double", "xc4v")}
            ),
        ),
    ),
    read_elements(Path(__file__).with_name("elements.ini")),
    (
        PaperText(
            "Table 1: adders of carry logic in SLICEMs",
            ("bits", "inputs", "LUT4, paper", "ns, paper", "where ours has it"),
            tuple(
                (str(bits), str(inputs), str(luts), f"{ns:.3f}", _adder(bits, inputs))
                for (bits, inputs), (luts, ns) in dsp2007.TABLE_1.items()
            ),
            "Delays cannot be checked here: no free tool places a Virtex-4. Our RTL follows the "
            "conclusions from them: the blocks run at twice the adders' clock, an adder has two "
            "inputs and 34 bits, and three numbers are never added in one step. Each block of "
            "ours has one adder, used in both half-iterations, instead of the paper's two.",
        ),
        PaperText(
            "Table 2: operations of the first two DSP blocks",
            ("mode", "count", "leftmost", "OPMODE", "ours", "second", "OPMODE", "ours"),
            tuple(
                (str(mode), str(count), *_modes(first), *_modes(second))
                for mode, count, first, second in dsp2007.TABLE_2
            ),
            "h35 adds the C input to the product, h55 the sum of the block to the left, shifted by "
            "17 bits, and h65 the block's own sum, shifted. Ours uses only h55 and h65 "
            "(hw/tech/rtl/montcore_mul_add.sv): the leftmost block begins with h55 and zeros at "
            "its cascade input. The C input, with which the paper adds the lowest word of b_i A "
            "to the next product, is not needed, because one adder adds both products to S.",
        ),
        PaperText(
            "Table 4: the three designs",
            ("design", "device", "process", "functions", "scalable", "512 bits", "1024 bits"),
            tuple(
                (
                    item.name,
                    item.device,
                    item.process,
                    item.functions,
                    "yes" if item.scalable else "no",
                    *(
                        f"{item.kind} {ms} ms, {area}"
                        for ms, area in zip(item.milliseconds, item.area, strict=True)
                    ),
                )
                for item in (*dsp2007.OTHERS, dsp2007.THIS)
            ),
            "Table 3 also lists: critical paths of "
            f"{dsp2007.CRITICAL_NS[400]} ns at 400 MHz and {dsp2007.CRITICAL_NS[200]} ns at 200 "
            f"MHz, {dsp2007.SLICES} of {dsp2007.DEVICE_SLICES} slices, {dsp2007.BLOCK_RAMS} of "
            f"{dsp2007.DEVICE_BLOCK_RAMS} block RAMs and {dsp2007.BLOCKS} of "
            f"{dsp2007.DEVICE_BLOCKS} DSP48 of an XC4VFX12.",
        ),
    ),
)
