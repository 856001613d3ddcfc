# SPDX-License-Identifier: Apache-2.0
"""Common base of the digit-serial rows: one shell, one front end, one output stage."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import Field, field_validator

from montcore.cores.config import MAX_BITS, Allowed, CoreConfig
from montcore.cores.contract import Refusal, Verdict, port_verdicts
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import rows
from montcore.model.result import ModelResult
from montcore.support.paths import PREFIX, module_files

WORD_SIZES = (8, 16, 32, 64, 128, 256)

#: Modules of hw/common/rtl and hw/rows/common/rtl in compile order.
COMMON_MODULES = (
    *("pkg", "ram_macro", "ram", "sweep", "config", "loader", "front"),
    *("row_front", "row_output", "row_back", "row_shell", "row_flags", "row_select", "row_pending"),
)


class RowConfig(CoreConfig):
    """Parameters of a digit-serial row."""

    word_sizes: ClassVar[tuple[int, ...]] = WORD_SIZES

    bits: int = Field(le=MAX_BITS)
    w: int = Field(default=32, description="word size in bits")

    @classmethod
    def allowed(cls) -> dict[str, Allowed]:
        """Return the allowed values of each parameter except the width."""
        sizes = tuple(str(size) for size in cls.word_sizes)
        return {**super().allowed(), "w": Allowed("w", str(cls.model_fields["w"].default), sizes)}

    # Unsupported parameters; the top module rejects them with the same messages.
    @field_validator("bits")
    @classmethod
    def _built_width(cls, value: int) -> int:
        if value < 2:
            raise ValueError("the built width must be at least 2 bits")
        return value

    @field_validator("w")
    @classmethod
    def _word_size(cls, value: int) -> int:
        if value not in cls.word_sizes:
            *others, last = cls.word_sizes
            raise ValueError(f"the word size w must be {', '.join(map(str, others))} or {last}")
        return value

    def words(self, length: int) -> int:
        """Return the words of a modulus of `length` bits."""
        return -(-length // self.w)


class RowCore(Core[RowConfig]):
    """A row of cells that processes X digit by digit; `rows` describes the differences."""

    paper: ClassVar[str] = "mmm-mx-2006"
    config_type = RowConfig
    algorithm: ClassVar[rows.Algorithm]
    common_modules: ClassVar[tuple[str, ...]] = COMMON_MODULES

    @property
    def word_sizes(self) -> tuple[int, ...]:
        """Supported word sizes."""
        return self.config_type.word_sizes

    @property
    def own_modules(self) -> tuple[str, ...]:
        """Modules of the core's own folder in compile order."""
        return (f"{self.name}_block", f"{self.name}_row", self.name)

    @property
    def top(self) -> str:
        """Name of the top module."""
        return f"{PREFIX}{self.name}"

    def sources(self) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return module_files(self.common_modules) + module_files(self.own_modules)

    def sv_parameters(
        self, config: RowConfig, technology: Technology = SIMULATION
    ) -> dict[str, int]:
        """Return the parameters of the top module."""
        del technology
        return {"Length": config.bits, "WordBits": config.w}

    def bus_width(self, config: RowConfig) -> int:
        """Return w: the streams carry one word per beat."""
        return config.w

    def beats(self, config: RowConfig, length: int) -> int:
        """Return the words of the modulus."""
        return config.words(length)

    def r_bits(self, config: RowConfig, length: int) -> int:
        """Return the bits of the words in use and the algorithm's margin, 2 or for `rc` 1."""
        return config.w * config.words(length) + self.algorithm.margin

    def interval(self, config: RowConfig, length: int) -> int:
        """Return the cycles of the iterations: the output stage overlaps the next product."""
        return self.algorithm.row_cycles(config.w * config.words(length))

    def core_cycles(self, config: RowConfig, length: int) -> int:
        """Return the iterations, a cycle for each word of the conversion, and the stages."""
        words = config.words(length)
        return self.interval(config, length) + words + self.algorithm.stages

    def multipliers(self, config: RowConfig) -> int:
        """Return 0: there are no word multipliers."""
        del config
        return 0

    def word_products(self, config: RowConfig, length: int) -> int:
        """Return 0."""
        del config, length
        return 0

    def run_model(self, config: RowConfig, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        return rows.run(self.algorithm, config.w, x, y, m, length)

    def verdicts(self, config: RowConfig) -> list[Verdict]:
        """Return the verdicts of the front end in the rows' shell."""
        del config
        return port_verdicts("u_shell.u_front.")

    def refusals(self) -> list[Refusal]:
        """Return the unsupported parameters."""
        *others, last = self.word_sizes
        size = f"the word size w must be {', '.join(map(str, others))} or {last}"
        wrong = (self.word_sizes[0] // 2, 24, 2 * last)
        return [
            *(Refusal(64, {"w": w}, size) for w in wrong),
            Refusal(1, {}, "the built width must be at least 2 bits"),
        ]

    def sweep(self, bits: int, full: bool = False) -> Sequence[RowConfig]:
        """Return w = 32, or for a full sweep 16 to 128."""
        return [self.config_type(bits=bits, w=w) for w in ((16, 32, 64, 128) if full else (32,))]
