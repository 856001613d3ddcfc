# SPDX-License-Identifier: Apache-2.0
"""`hr`: a carry-save row of radix 2^k with a scaled modulus, k bits per cycle."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator
from typing_extensions import Self

from montcore.cores.config import OneOf, word_size
from montcore.cores.contract import LazyUnit, Refusal, Verdict, port_verdicts
from montcore.cores.core import OURS
from montcore.cores.row import WORD_SIZES, WordRow
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import row_high
from montcore.model.spec import ModelResult
from montcore.support.paths import PREFIX, module_files

#: Modules of hw/common/rtl, hw/rows/common/rtl and hw/rows/hr/rtl in compile order.
COMMON_MODULES = (
    *("pkg", "ram_macro", "ram", "sweep", "config", "loader", "front"),
    *("csa", "csa_tree", "row_flags", "row_select", "row_output"),
)
ROW_MODULES = (
    *("hr_tree", "hr_digits", "hr_recode", "hr_block", "hr_lowest", "hr_row"),
    *("hr_quotient", "hr_feed", "hr_divide"),
)
PORT_MODULES = ("hr_front", "hr")
#: Common modules needed by the row and the final division.
LAZY_COMMON_MODULES = ("sweep", "ram_macro", "ram", "csa", "csa_tree", "row_flags", "row_select")

WORD_SIZE = word_size(*WORD_SIZES[1:])
RADICES = (2, 4, 6, 8)
RADIX = "radix must be 2, 4, 6 or 8 bits a cycle"
NARROW = "the word size w must be at least 4 times radix"


class Hr(WordRow):
    """The high-radix row and its parameters."""

    name = "hr"
    title = "high-radix carry-save row, 2 to 8 bits a cycle"
    paper = OURS
    mark = 8
    datasheet_points = ((256, {"radix": "6"}), (1024, {"radix": "8"}))

    w: Annotated[int, WORD_SIZE] = Field(default=32, description="word size in bits")
    radix: Annotated[int, OneOf(RADICES, RADIX)] = Field(default=8, description="bits a cycle")

    # `montcore_hr.sv` rejects the same cases with the same messages.
    @model_validator(mode="after")
    def _narrow(self) -> Self:
        if self.w < 4 * self.radix:
            raise ValueError(NARROW)
        return self

    @property
    def sizes(self) -> row_high.HighSizes:
        """The sizes of the row."""
        return row_high.HighSizes(self.radix, self.w, self.words(self.bits))

    @property
    def lazy_sizes(self) -> row_high.HighSizes:
        """The sizes of the row for lazy products: a block for each word of an operand."""
        return row_high.HighSizes(self.radix, self.w, row_high.beats(self.w, self.bits))

    def lazy_unit(self) -> LazyUnit:
        """Return the row with its final division, but without the port's comparison with zero."""
        sizes = self.lazy_sizes
        return LazyUnit(
            top=f"{PREFIX}modexp_hr",
            sources=tuple(module_files((*LAZY_COMMON_MODULES, *ROW_MODULES, "modexp_hr"))),
            width=self.w,
            beats=lambda length: row_high.beats(self.w, length),
            arithmetic=lambda m, length: row_high.lazy_multiplier(m, sizes, self.words(length)),
            interval=lambda length: sizes.iterations(self.words(length)),
        )

    @classmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return module_files((*COMMON_MODULES, *ROW_MODULES, *PORT_MODULES))

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        del technology
        return {"Length": self.bits, "Radix": self.radix, "WordBits": self.w}

    def r_bits(self, length: int) -> int:
        """Return k n, n the iterations."""
        return self.radix * self.sizes.iterations(self.words(length))

    def interval(self, length: int) -> int:
        """Return n, the iterations: the rest overlaps the next product, except with few words."""
        return self.sizes.interval(self.words(length))

    def core_cycles(self, length: int) -> int:
        """Return the cycles from accepted operands to the result."""
        return self.sizes.core_cycles(self.words(length))

    def setup_cycles(self, length: int) -> int:
        """Return the cycles of the inverse, of clearing the blocks, and of N's words."""
        del length
        return self.sizes.setup_cycles

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        return row_high.run(self.sizes, x, y, m, length)

    @property
    def verdicts(self) -> list[Verdict]:
        """Return the verdicts of the front end."""
        return port_verdicts("u_front.")

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return the unsupported parameters."""
        return [
            *(Refusal(64, {"w": w, "radix": 2}, WORD_SIZE.rule) for w in (8, 24, 512)),
            *(Refusal(64, {"radix": radix}, RADIX) for radix in (0, 3, 10)),
            *(Refusal(64, {"w": 16, "radix": radix}, NARROW) for radix in (6, 8)),
            Refusal(1, {}, "the built width must be at least 2 bits"),
        ]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return 4 and 8 bits per cycle, or for a full sweep all radices with several words."""
        if not full:
            return [cls(bits=bits, radix=radix) for radix in (4, 8)]
        return [
            cls(bits=bits, w=w, radix=radix)
            for w in (16, 32, 64)
            for radix in RADICES
            if w >= 4 * radix
        ]


CORE = Hr
