# SPDX-License-Identifier: Apache-2.0
"""`dsp`: the quotient-pipelined radix-2^17 multiplier of dsp48-2007 in a row of DSP blocks."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field, field_validator
from typing_extensions import Self

from montcore.cores.config import TextEnum
from montcore.cores.contract import LazyUnit, Refusal, Verdict, port_verdicts
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import dsp as model
from montcore.model.spec import ModelResult
from montcore.support.paths import PREFIX, module_files

BUS_WIDTH = 32

#: Modules of hw/common/rtl and hw/dsp/rtl in compile order.
COMMON_MODULES = (
    *("pkg", "ram_macro", "ram", "block_ram"),
    *("sweep", "config", "loader", "front"),
)
ROW_MODULES = (
    *("mult18", "mul_registered", "mul_add_pkg", "mul_add", "dsp_pkg", "dsp_block", "dsp_row"),
    *("dsp_inverse", "dsp_sequencer", "dsp_control", "dsp_operand", "dsp_writer", "dsp_result"),
    *("dsp_engine", "dsp_reduce"),
)
PORT_MODULES = ("dsp_length", "dsp_feeder", "dsp_output", "dsp_core", "dsp", "dsp_double")


class Clocking(TextEnum):
    """Whether the blocks have their own clock."""

    SINGLE = "single"
    DOUBLE = "double"


class Dsp(Core):
    """The row of DSP blocks and its parameters."""

    name = "dsp"
    title = "radix-2^17 quotient pipelining in DSP blocks"
    mark = 2
    paper = "dsp48-2007"
    datasheet_points = ((1024, {}), (2048, {}))

    alpha: int = Field(default=17, le=128, description="number of DSP blocks in the row")
    clocking: Clocking = Field(
        default=Clocking.SINGLE, description="single, or double: blocks at twice the port's clock"
    )

    # Unsupported parameters; `montcore_dsp.sv` rejects them with the same messages.
    @field_validator("alpha")
    @classmethod
    def _blocks(cls, value: int) -> int:
        if value < 1:
            raise ValueError("alpha must be at least 1")
        return value

    @property
    def double(self) -> bool:
        """Whether there are two clocks."""
        return self.clocking is Clocking.DOUBLE

    def sizes(self, length: int) -> model.DspSizes:
        """Return n, r and the rest for a run-time length in bits."""
        words = -(-length // BUS_WIDTH)
        return model.sizes(min(self.bits, BUS_WIDTH * words), self.alpha)

    @property
    def top(self) -> str:
        """Return the top module with one clock or with two."""
        return f"{PREFIX}dsp_double" if self.double else self.main_top()

    @property
    def fast_clock(self) -> str:
        """Return the clock of the blocks, if they have their own."""
        return "clk2x_i" if self.double else ""

    def lazy_unit(self) -> LazyUnit:
        """Return the row without the port's reduction by 2^34, in beats of two digits."""
        rows = (name for name in ROW_MODULES if name != "dsp_reduce")
        ticks = 1 if self.double else 2
        return LazyUnit(
            top=f"{PREFIX}modexp_dsp",
            sources=tuple(module_files((*rows, "dsp_length", "modexp_dsp"))),
            width=2 * model.RADIX_BITS,
            beats=lambda length: self.sizes(length).pairs,
            arithmetic=lambda m, length: model.lazy_multiplier(m, self.sizes(length).digits),
            lazy_set_up=True,
            interval=lambda length: ticks * self.sizes(length).free_interval,
        )

    @classmethod
    def sources(cls) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return module_files(COMMON_MODULES) + module_files((*ROW_MODULES, *PORT_MODULES))

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        return {"Length": self.bits, "Alpha": self.alpha, "Tech": int(technology.tech)}

    @property
    def bus_width(self) -> int:
        """Return 32, so that run-time lengths of 512, 1024, ... are whole beats."""
        return BUS_WIDTH

    @property
    def port_phases(self) -> int:
        """Return 2: the engine steps every second cycle, and a modulus waits until it is idle."""
        return 2

    def beats(self, length: int) -> int:
        """Return the 32-bit words of an operand."""
        return -(-length // BUS_WIDTH)

    def r_bits(self, length: int) -> int:
        """Return 17 n + 34: the reduction below m divides by 2^34 once more."""
        return 17 * self.sizes(length).digits + 34

    def core_cycles(self, length: int) -> int:
        """Return n r - r / 2 + 4 cycles of clk1x (2 n + 7 for r = 2); with one clock, twice."""
        return (1 if self.double else 2) * self.sizes(length).row_cycles

    def interval(self, length: int) -> int:
        """Return (n + 2.5) r cycles of clk1x, more for r = 2 and for very many blocks."""
        return model.port_cycles(self.sizes(length), self.double).interval

    @property
    def multipliers(self) -> int:
        """Return the word products per cycle: one per block, or two with two clocks."""
        return (2 if self.double else 1) * self.alpha

    def word_products(self, length: int) -> int:
        """Return 2 n^2."""
        return 2 * self.sizes(length).digits ** 2

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the model."""
        return model.run(self.sizes(length), self.double, x, y, m)

    @property
    def verdicts(self) -> list[Verdict]:
        """Return the verdicts of the front end, which both tops share."""
        return port_verdicts("u_core.")

    @classmethod
    def refusals(cls) -> list[Refusal]:
        """Return the unsupported parameters, for both tops."""
        return [
            Refusal(bits, {"alpha": alpha, "clocking": clocking}, sentence)
            for clocking in Clocking
            for bits, alpha, sentence in (
                (1, 17, "the built width must be at least 2 bits"),
                (512, 0, "alpha must be at least 1"),
            )
        ]

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        """Return rows up to that of the paper, or more for a full sweep.

        Of rows with equal cycles, only the one with the fewest blocks is worth building.
        """
        counts = (1, 2, 3, 5, 9, 17, 34) if full else (5, 9, 17)
        chosen = sorted({cls._fewest_blocks(bits, alpha) for alpha in counts})
        return [cls(bits=bits, alpha=alpha) for alpha in chosen]

    @classmethod
    def _fewest_blocks(cls, bits: int, alpha: int) -> int:
        """Return the fewest blocks with which products are as fast as with alpha."""

        def cycles(blocks: int) -> tuple[int, int]:
            core = cls(bits=bits, alpha=blocks)
            return core.core_cycles(bits), core.interval(bits)

        wanted = cycles(alpha)
        return next(
            blocks
            for blocks in range(1, alpha + 1)
            if all(found <= limit for found, limit in zip(cycles(blocks), wanted, strict=True))
        )


CORE = Dsp
