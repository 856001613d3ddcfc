# SPDX-License-Identifier: Apache-2.0
"""The core of rtl/fixture_core.sv: a test core, correct or with a known fault."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field
from typing_extensions import Self

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.spec import ModelResult, montgomery_product
from montcore.support.paths import HW_DIR


class FixtureCore(Core):
    """A bit-serial multiplier, one bit of x per cycle; `bug` selects its fault (0: none)."""

    name = "fixture"
    title = "bit-serial test piece"
    paper = "none"

    bits: int = Field(ge=2, le=2048)
    bus: int = Field(default=8, ge=3, le=1024)
    bug: int = Field(default=0, ge=0, le=26)

    @classmethod
    def main_top(cls) -> str:
        return "fixture_core"

    @classmethod
    def sources(cls) -> list[Path]:
        rtl = Path(__file__).parent / "rtl" / "fixture_core.sv"
        return [HW_DIR / "common" / "rtl" / "montcore_pkg.sv", rtl]

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        del technology
        return {"Length": self.bits, "BusWidth": self.bus, "Bug": self.bug}

    @property
    def bus_width(self) -> int:
        return self.bus

    def beats(self, length: int) -> int:
        return -(-length // self.bus)

    def r_bits(self, length: int) -> int:
        return self.beats(length) * self.bus

    def core_cycles(self, length: int) -> int:
        return self.r_bits(length) + 1

    def interval(self, length: int) -> int:
        # Load operands, one cycle to detect them, one to check them, the datapath, output the
        # result.
        return 2 * self.beats(length) + self.core_cycles(length) + 2

    def run_model(self, x: int, y: int, m: int, length: int) -> ModelResult:
        z = montgomery_product(x, y, m, self.r_bits(length))
        core_cycles = self.core_cycles(length)
        return ModelResult(z, core_cycles, core_cycles + 3)

    @classmethod
    def points(cls, bits: int, full: bool = False) -> Sequence[Self]:
        del full
        return [cls(bits=bits)]
