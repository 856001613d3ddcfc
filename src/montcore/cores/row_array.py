# SPDX-License-Identifier: Apache-2.0
"""Rows of mmm-mx-2006 that can also be built as an array, with a row for each iteration."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field, model_validator
from typing_extensions import Self

from montcore.cores.config import TextEnum
from montcore.cores.contract import OPERANDS, Refusal, Verdict, modulus_verdicts, port_verdicts
from montcore.cores.row import RowCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import rows
from montcore.model.spec import ModelResult

#: Modules of hw/rows/common/rtl in every array, in compile order.
ARRAY_MODULES = ("row_array_skew", "row_array")
#: Modules of rows with one cycle per bit, and of their arrays.
CELLS_MODULES = ("row_cells", "row_block")
GRID_MODULES = ("row_grid_block", "row_grid")

MAX_ARRAY_BITS = 512
#: Widest array in a sweep and in a full one: its area grows with the square of the width.
MAX_SWEEP_ARRAY_BITS = (96, 128)


class Shape(TextEnum):
    """One row for all iterations, or a row for each."""

    ROW = "1d"
    ARRAY = "2d"


class ArrayCore(RowCore):
    """A core that can also be an array of rows, with all iterations in parallel."""

    #: Further modules of the array, used by its own and by `ARRAY_MODULES`.
    grid_modules: ClassVar[tuple[str, ...]] = GRID_MODULES
    #: Whether a sweep includes an array; otherwise it is only built on request.
    array_in_sweep: ClassVar[bool] = False

    shape: Shape = Field(default=Shape.ROW, description="1d: one row; 2d: an array of rows")

    # The top module rejects the same cases with the same message.
    @model_validator(mode="after")
    def _array_width(self) -> Self:
        if self.is_array and self.bits > MAX_ARRAY_BITS:
            raise ValueError(f"an array is built for at most {MAX_ARRAY_BITS} bits")
        return self

    @property
    def is_array(self) -> bool:
        """Whether there is a row for each iteration."""
        return self.shape is Shape.ARRAY

    @classmethod
    def own_modules(cls) -> tuple[str, ...]:
        """Return the modules in compile order: the row's, then the array's."""
        shared = GRID_MODULES[0] in cls.grid_modules
        cells = CELLS_MODULES if shared else (f"{cls.name}_block",)
        return (*cells, f"{cls.name}_row", *ARRAY_MODULES, *cls.grid_modules, cls.name)

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        return {**super().sv_parameters(technology), "Array": int(self.is_array)}

    @property
    def bus_width(self) -> int:
        """Return w, or for an array all words: a product begins every cycle or two."""
        return self.w * self.words(self.bits) if self.is_array else self.w

    @property
    def port_phases(self) -> int:
        """Return the cycles of a row for an array, which accepts operands in the last of them."""
        return self.algorithm.cycles_per_digit if self.is_array else 1

    def beats(self, length: int) -> int:
        """Return the words of the modulus, or 1 for an array."""
        return 1 if self.is_array else super().beats(length)

    def _effective(self, length: int) -> int:
        """Return the length that counts: an array always uses its built width."""
        return self.bits if self.is_array else length

    def r_bits(self, length: int) -> int:
        """Return k + 2, k the bits of the words in use; an array uses all."""
        return super().r_bits(self._effective(length))

    def interval(self, length: int) -> int:
        """Return the cycles of the iterations, or for an array those of one iteration."""
        if self.is_array:
            return self.algorithm.cycles_per_digit
        return super().interval(length)

    def core_cycles(self, length: int) -> int:
        """Return the iterations, a cycle for each word of the conversion, and the stages."""
        return super().core_cycles(self._effective(length))

    def setup_cycles(self, length: int) -> int:
        """Return those of a row; there is no formula for an array."""
        return 0 if self.is_array else super().setup_cycles(length)

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        if m >> length:
            raise ValueError(f"the modulus has more than {length} bits")
        if self.is_array:
            return rows.run_array(self.algorithm, self.w, self.bits, x, y, m)
        return super().run_model(x, y, m, length)

    @property
    def verdicts(self) -> list[Verdict]:
        """Return the row's verdicts, or the array's, which pass through a stage for each word.

        The array accepts an operand in one beat and keeps a verdict for each of the two operands.
        """
        if not self.is_array:
            return port_verdicts("g_row.u_shell.")
        front = "g_array.u_array."
        words = self.words(self.bits)
        stages = [f"{front}token_q==1&{front}code_q==0"]
        for word in range(words):
            valid = f"{front}valid_late_q[{word}:{word}]==1"
            stages.append(f"{valid}&{front}code_late_q[{3 * word + 2}:{3 * word}]==0")
        below = [Verdict(f"{front}{n}_below_q", words - 1, tuple(stages), OPERANDS) for n in "xy"]
        return modulus_verdicts(front) + below

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return the unsupported parameters of both shapes, and widths too large for an array."""
        found = [
            Refusal(item.bits, {**item.settings, "shape": shape}, item.sentence)
            for item in super().refusals()
            for shape in Shape
        ]
        wide = f"an array is built for at most {MAX_ARRAY_BITS} bits"
        return [*found, Refusal(MAX_ARRAY_BITS + 1, {"w": 64, "shape": Shape.ARRAY}, wide)]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return w = 32, or for a full sweep 16 to 128, and possibly a narrow array."""
        found = [*super().points(bits, full)]
        if cls.array_in_sweep and bits <= MAX_SWEEP_ARRAY_BITS[full]:
            found.append(cls(bits=bits, w=16, shape=Shape.ARRAY))
        return found
