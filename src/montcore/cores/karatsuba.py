# SPDX-License-Identifier: Apache-2.0
"""`karatsuba`: the full-word multiplier of karatsuba-2018, and a pipelined one."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, field_validator
from typing_extensions import Self

from montcore.cores.config import OneOf, TextEnum
from montcore.cores.contract import Refusal
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, DspBlock, Tech, Technology
from montcore.model import karatsuba
from montcore.model.spec import ModelResult
from montcore.support.paths import PREFIX, module_files

MIN_BITS = 2
MAX_BITS = 1024
DEPTH = OneOf((1, 2), "depth must be 1 (four-parts splitting) or 2 (deep)")


#: Modules of hw/common/rtl and hw/karatsuba/rtl in compile order.
COMMON_MODULES = (
    *("pkg", "csa", "csa_tree", "sum"),
    *("mult18", "mul_signed", "ram_macro", "ram", "sweep", "config", "loader", "front"),
)
OWN_MODULES = (
    *("karatsuba_pkg", "karatsuba_middle", "karatsuba_prefix", "karatsuba_adder"),
    *("karatsuba_sum", "karatsuba_difference", "karatsuba_tree", "karatsuba_recode"),
    *("karatsuba_booth", "karatsuba_combine", "karatsuba_digits", "karatsuba_coded"),
    *("karatsuba_tiles", "karatsuba_grid", "karatsuba_leaf", "karatsuba_accumulator"),
    *("karatsuba_columns", "karatsuba_factors", "karatsuba_product", "karatsuba_pass"),
    *("karatsuba_four", "karatsuba_unit", "karatsuba_distance"),
    *("karatsuba_total", "karatsuba_fast", "karatsuba_nine", "karatsuba_gather"),
    *("karatsuba_staged", "karatsuba_paper", "karatsuba_queue", "karatsuba"),
)


class KaratsubaSchedule(TextEnum):
    """The schedule of products.

    FAST: four multipliers of half-length numbers. LEAN: three of them. PAPER: one multiplier of
    full-length numbers, as in the paper.
    """

    FAST = "fast"
    LEAN = "lean"
    PAPER = "paper"


#: Smallest and largest internal width of the staged datapath for blocks of 18 x 18 bits.
STAGED_BITS = (32, 212)

#: Its ten products in three rows, by their numbers in montcore_karatsuba_factors.sv:
#: the products of equal parts in the middle, and products that are added close to each other.
_STAGED_ROWS = ((4, 8, 6), (0, 1, 2, 3), (5, 9, 7))
#: The nine blocks of a product by their digits, those of equal weight next to each other.
_DIGITS = ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0), (1, 2), (2, 1), (2, 2))

#: Factor widths of the DSP blocks that the paper's schedule is designed for.
BLOCK_BITS = (25, 18)


def _has_blocks(block: DspBlock | None) -> bool:
    return block is not None and (block.a_bits, block.b_bits) == BLOCK_BITS


#: From this width on an ASIC flow lowers the four multipliers once. At 64 bits that costs 1.7 % of
#: area and saves 0.8 % of clock (`maintain measure module --shared montcore_karatsuba_coded`).
_LARGE_BITS = 160

#: From this width on nextpnr does not use its default placer, after which routing hardly
#: progresses: at 192 bits 32,534 arcs were left after 54,000 steps.
_CROWDED_BITS = 128


class Karatsuba(Core):
    """The full-word multiplier and its parameters."""

    name = "karatsuba"
    title = "full-word multiplier after Karatsuba"
    mark = 3
    paper = "karatsuba-2018"
    datasheet_points = (
        (192, {}),
        (256, {"schedule": "lean"}),
        (192, {"schedule": "paper"}),
        (256, {"schedule": "paper"}),
    )

    bits: int
    depth: Annotated[int, DEPTH] = Field(default=1, description="1: four-parts splitting, 2: deep")
    schedule: KaratsubaSchedule = Field(
        default=KaratsubaSchedule.FAST, description="fast, lean, or as in the paper"
    )

    # Unsupported parameters; `montcore_karatsuba.sv` rejects them with the same messages.
    @field_validator("bits")
    @classmethod
    def _built_width(cls, value: int) -> int:
        if not MIN_BITS <= value <= MAX_BITS:
            raise ValueError(f"the built width must lie between {MIN_BITS} and {MAX_BITS} bits")
        return value

    @property
    def computed_bits(self) -> int:
        """Internal width: the built width rounded up; R is 2 to this power."""
        parts = 16 if self.depth == 2 else 4
        return max(2 * parts, -(-self.bits // parts) * parts)

    def staged(self, technology: Technology) -> bool:
        """Tell whether the datapath is `montcore_karatsuba_staged`, as in montcore_karatsuba.sv."""
        return (
            technology.tech is Tech.MULT18
            and self.schedule is KaratsubaSchedule.PAPER
            and self.depth == 1
            and STAGED_BITS[0] <= self.computed_bits <= STAGED_BITS[1]
        )

    @property
    def units(self) -> int:
        """Multipliers of half-length numbers in the fast and the lean schedule."""
        return 3 if self.schedule is KaratsubaSchedule.LEAN else 4

    @property
    def half(self) -> int:
        """Bits of a beat, half a number."""
        return self.computed_bits // 2

    @classmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return module_files(COMMON_MODULES) + module_files(OWN_MODULES)

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        return {
            "Length": self.bits,
            "Depth": self.depth,
            "PaperSchedule": int(self.schedule is KaratsubaSchedule.PAPER),
            "Units": self.units,
            "Tech": int(technology.tech),
        }

    def flow_choices(self, technology: Technology) -> dict[str, str]:
        """Return the placer for wide builds, and the use of adders in DSP blocks."""
        found = {}
        if technology.routed and self.bits >= _CROWDED_BITS:
            found["placer"] = "static"
            if self.staged(technology):
                found["blocks"] = ";".join(
                    " ".join(
                        f"g_product[{product}].u_nine.g_row[{i}].g_column[{j}]."
                        for product in row
                        for i, j in _DIGITS
                    )
                    for row in _STAGED_ROWS
                )
        if technology.dsp is not None and technology.dsp.pre_adder:
            found["dsp_adders"] = "after"
        elif _has_blocks(technology.dsp) and self.schedule is KaratsubaSchedule.PAPER:
            found["dsp_adders"] = "packed"
        return found

    @property
    def bus_width(self) -> int:
        """Return half the internal width: two operands in two cycles."""
        return self.half

    def beats(self, length: int) -> int:
        """Return 1 or 2."""
        return -(-length // self.half)

    def r_bits(self, length: int) -> int:
        """Return the internal width, for any length of the modulus."""
        del length
        return self.computed_bits

    def core_cycles(self, length: int) -> int:
        """Return 20 (lean: 21), or 29 and 38 for the paper's schedule, at every width."""
        del length
        if self.schedule is KaratsubaSchedule.PAPER:
            return karatsuba.PAPER_CYCLES[self.depth]
        return karatsuba.time_done(self.units)

    def interval(self, length: int) -> int:
        """Return 2, with the multipliers always busy; lean: 3; paper: the core cycles."""
        if self.schedule is KaratsubaSchedule.PAPER:
            return self.core_cycles(length)
        return karatsuba.INTERVALS[self.units]

    @property
    def multipliers(self) -> int:
        """Return the number of multipliers of quarter-length numbers."""
        return 10 if self.schedule is KaratsubaSchedule.PAPER else 3 * self.units

    @property
    def shared_modules(self) -> tuple[str, ...]:
        """Return the multiplier that the fast datapath has three or four times, if it is large."""
        if self.bits < _LARGE_BITS or self.schedule is KaratsubaSchedule.PAPER:
            return ()
        return (f"{PREFIX}karatsuba_{'coded' if self.depth == 1 else 'unit'}",)

    def word_products(self, length: int) -> int:
        """Return the products of quarter-length numbers.

        Three full-length products of ten each, or eight half-length products of three each.
        """
        del length
        return 30 if self.schedule is KaratsubaSchedule.PAPER else 24

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        del length
        if self.schedule is KaratsubaSchedule.PAPER:
            return karatsuba.run_paper(x, y, m, self.computed_bits, self.depth)
        return karatsuba.run_fast(x, y, m, self.half, self.units)

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return the unsupported parameters."""
        width = f"the built width must lie between {MIN_BITS} and {MAX_BITS} bits"
        return [
            Refusal(MIN_BITS - 1, {}, width),
            Refusal(MAX_BITS + 1, {}, width),
            Refusal(256, {"depth": 0}, DEPTH.rule),
            Refusal(256, {"depth": 3}, DEPTH.rule),
        ]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return the fast schedule, or, for a full sweep, the other two and depth 2 as well.

        The paper's schedule takes minutes to map at 256 bits and is not competitive.
        """
        points = [(1, KaratsubaSchedule.FAST)]
        if full:
            points += [(1, KaratsubaSchedule.LEAN), (1, KaratsubaSchedule.PAPER)]
            points += [(2, KaratsubaSchedule.FAST), (2, KaratsubaSchedule.PAPER)]
        return [cls(bits=bits, depth=depth, schedule=schedule) for depth, schedule in points]


CORE = Karatsuba
