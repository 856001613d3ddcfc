# SPDX-License-Identifier: Apache-2.0
"""Common base of the digit-serial rows: one shell, one front end, one output stage."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import Field
from typing_extensions import Self

from montcore.cores.config import word_size
from montcore.cores.contract import Refusal, Verdict, port_verdicts
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import rows
from montcore.model.spec import ModelResult
from montcore.support.paths import module_files

WORD_SIZES = (8, 16, 32, 64, 128, 256)

#: Modules of hw/common/rtl and hw/rows/common/rtl in compile order.
COMMON_MODULES = (
    *("pkg", "ram_macro", "ram", "sweep", "config", "loader", "front"),
    *("row_output", "row_back", "row_shell", "row_flags", "row_select", "row_pending"),
)


class WordRow(Core):
    """A row whose operands are words of w bits, one per beat."""

    w: Annotated[int, word_size(*WORD_SIZES)] = Field(default=32, description="word size in bits")

    def words(self, length: int) -> int:
        """Return the words of a modulus of `length` bits."""
        return -(-length // self.w)

    @property
    def bus_width(self) -> int:
        """Width w: the streams carry one word per beat."""
        return self.w

    def beats(self, length: int) -> int:
        """Return the words of the modulus."""
        return self.words(length)


class RowCore(WordRow):
    """A row of cells that processes X digit by digit; `rows` describes the differences."""

    paper = "mmm-mx-2006"
    algorithm: ClassVar[rows.Algorithm]
    common_modules: ClassVar[tuple[str, ...]] = COMMON_MODULES

    @classmethod
    def own_modules(cls) -> tuple[str, ...]:
        """Return the modules of the core's own folder in compile order."""
        return (f"{cls.name}_block", f"{cls.name}_row", cls.name)

    @classmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return module_files(cls.common_modules) + module_files(cls.own_modules())

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        del technology
        return {"Length": self.bits, "WordBits": self.w}

    def r_bits(self, length: int) -> int:
        """Return the bits of the words in use and the algorithm's margin, 2 or for `rc` 1."""
        return self.w * self.words(length) + self.algorithm.margin

    def interval(self, length: int) -> int:
        """Return the cycles of the iterations: the output stage overlaps the next product."""
        return self.algorithm.row_cycles(self.w * self.words(length))

    def core_cycles(self, length: int) -> int:
        """Return the iterations, a cycle for each word of the conversion, and the stages."""
        words = self.words(length)
        return self.algorithm.row_cycles(self.w * words) + words + self.algorithm.stages

    def setup_cycles(self, length: int) -> int:
        """Return a cycle for each block, in which it is loaded or cleared, and the stages."""
        del length
        return self.words(self.bits) + rows.SETUP_STAGES

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        return rows.run(self.algorithm, self.w, x, y, m, length)

    @property
    def verdicts(self) -> list[Verdict]:
        """Verdicts of the front end in the rows' shell."""
        return port_verdicts("u_shell.")

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return the unsupported parameters."""
        sizes = [int(size) for size in cls.allowed()["w"].values]
        wrong = (sizes[0] // 2, 24, 2 * sizes[-1])
        return [
            *(Refusal(64, {"w": w}, word_size(*sizes).rule) for w in wrong),
            Refusal(1, {}, "the built width must be at least 2 bits"),
        ]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return w = 32, or for a full sweep 16 to 128."""
        return [cls(bits=bits, w=w) for w in ((16, 32, 64, 128) if full else (32,))]
