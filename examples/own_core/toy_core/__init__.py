# SPDX-License-Identifier: Apache-2.0
"""`toy`: a bit-serial core that is no part of montcore, in one folder, with one registration."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field
from typing_extensions import Self

from montcore.cores.config import OneOf
from montcore.cores.contract import Refusal
from montcore.cores.core import OURS, Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.spec import ModelResult, montgomery_product
from montcore.support.paths import module_files

WORD_SIZES = (4, 8, 16, 32)
#: The top module refuses other word sizes with the same message.
WORD_SIZE = OneOf(WORD_SIZES, "the word size w must be 4, 8, 16 or 32")
COMMON_MODULES = ("pkg", "sweep", "config", "loader", "front")


class Toy(Core):
    """The multiplier; its fields are its parameters, besides the built width `bits`."""

    name = "toy"
    title = "bit-serial multiplier"
    mark = 50
    paper = OURS

    w: Annotated[int, WORD_SIZE] = Field(default=8, description="word size in bits")

    @classmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        own = Path(__file__).parent / "rtl" / "montcore_toy.sv"
        return [*module_files(COMMON_MODULES), own]

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        del technology
        return {"Length": self.bits, "WordBits": self.w}

    @property
    def bus_width(self) -> int:
        """Return w."""
        return self.w

    def beats(self, length: int) -> int:
        """Return the words of the modulus."""
        return -(-length // self.w)

    def r_bits(self, length: int) -> int:
        """Return k, the bits of the words in use."""
        return self.w * self.beats(length)

    def core_cycles(self, length: int) -> int:
        """Return k + 1: a bit a cycle, and a subtraction."""
        return self.r_bits(length) + 1

    def interval(self, length: int) -> int:
        """Return k + words + 3: one product after the other."""
        return self.core_cycles(length) + self.beats(length) + 2

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Return the product; two cycles of the port are before and behind the datapath."""
        cycles = self.core_cycles(length)
        z = montgomery_product(x, y, m, self.r_bits(length))
        return ModelResult(z, cycles, cycles + 2)

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return what it cannot be built with."""
        return [
            Refusal(1, {}, "the built width must be at least 2 bits"),
            Refusal(16, {"w": 5}, WORD_SIZE.rule),
            Refusal(16, {"w": 64}, WORD_SIZE.rule),
        ]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return w = 8, or for a full sweep every word size."""
        return [cls(bits=bits, w=w) for w in (WORD_SIZES if full else (8,))]
