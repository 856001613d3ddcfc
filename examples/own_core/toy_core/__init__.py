# SPDX-License-Identifier: Apache-2.0
"""`toy`: a bit-serial core that is no part of montcore, in one folder, with one registration."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import Field, field_validator

from montcore.cores.config import MAX_BITS, Allowed, CoreConfig
from montcore.cores.contract import Refusal
from montcore.cores.core import OURS, Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.result import ModelResult
from montcore.model.spec import montgomery_product
from montcore.support.paths import module_files

WORD_SIZES = (4, 8, 16, 32)
COMMON_MODULES = ("pkg", "sweep", "config", "loader", "front")


class ToyConfig(CoreConfig):
    """Parameters of `toy`."""

    bits: int = Field(le=MAX_BITS)
    w: int = Field(default=8, description="word size in bits")

    @classmethod
    def allowed(cls) -> dict[str, Allowed]:
        """Return what each parameter but the width may be."""
        return {"w": Allowed("w", "8", tuple(str(size) for size in WORD_SIZES))}

    @field_validator("bits")
    @classmethod
    def _built_width(cls, value: int) -> int:
        if value < 2:
            raise ValueError("the built width must be at least 2 bits")
        return value

    @field_validator("w")
    @classmethod
    def _word_size(cls, value: int) -> int:
        if value not in WORD_SIZES:
            raise ValueError("the word size w must be 4, 8, 16 or 32")
        return value


class Toy(Core[ToyConfig]):
    """Registration of `toy`."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "bit-serial multiplier"
    mark: ClassVar[int] = 50
    paper: ClassVar[str] = OURS
    config_type = ToyConfig

    @property
    def top(self) -> str:
        """Name of the top module."""
        return "montcore_toy"

    def sources(self) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        own = Path(__file__).parent / "rtl"
        return [
            *module_files(COMMON_MODULES),
            own / "montcore_toy_number.sv",
            own / "montcore_toy.sv",
        ]

    def sv_parameters(
        self, config: ToyConfig, technology: Technology = SIMULATION
    ) -> dict[str, int]:
        """Return the parameters of the top module."""
        del technology
        return {"Length": config.bits, "WordBits": config.w}

    def bus_width(self, config: ToyConfig) -> int:
        """Return w."""
        return config.w

    def beats(self, config: ToyConfig, length: int) -> int:
        """Return the words of the modulus."""
        return -(-length // config.w)

    def r_bits(self, config: ToyConfig, length: int) -> int:
        """Return k, the bits of the words in use."""
        return config.w * self.beats(config, length)

    def core_cycles(self, config: ToyConfig, length: int) -> int:
        """Return k + 1: a bit a cycle, and a subtraction."""
        return self.r_bits(config, length) + 1

    def interval(self, config: ToyConfig, length: int) -> int:
        """Return k + words + 3: one product after the other."""
        return self.core_cycles(config, length) + self.beats(config, length) + 2

    def multipliers(self, config: ToyConfig) -> int:
        """Return 0: there are no word multipliers."""
        del config
        return 0

    def word_products(self, config: ToyConfig, length: int) -> int:
        """Return 0."""
        del config, length
        return 0

    def run_model(self, config: ToyConfig, x: int, y: int, m: int, length: int) -> ModelResult:
        """Return the product; two cycles of the port are before and behind the datapath."""
        cycles = self.core_cycles(config, length)
        z = montgomery_product(x, y, m, self.r_bits(config, length))
        return ModelResult(z, cycles, cycles + 2)

    def refusals(self) -> list[Refusal]:
        """Return what it cannot be built with."""
        return [
            Refusal(1, {}, "the built width must be at least 2 bits"),
            Refusal(16, {"w": 5}, "the word size w must be 4, 8, 16 or 32"),
            Refusal(16, {"w": 64}, "the word size w must be 4, 8, 16 or 32"),
        ]

    def sweep(self, bits: int, full: bool = False) -> Sequence[ToyConfig]:
        """Return w = 8, or for a full sweep every word size."""
        return [ToyConfig(bits=bits, w=w) for w in (WORD_SIZES if full else (8,))]


CORE = Toy()
