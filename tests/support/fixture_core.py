# SPDX-License-Identifier: Apache-2.0
"""The Core object of rtl/fixture_core.sv: a test core, correct or with a known fault."""

from collections.abc import Sequence
from pathlib import Path

from pydantic import Field

from montcore.cores.config import CoreConfig
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.model.result import ModelResult
from montcore.model.spec import montgomery_product
from montcore.support.paths import HW_DIR


class FixtureConfig(CoreConfig):
    """Parameters of the test core; `bug` selects its fault (0: none)."""

    bits: int = Field(ge=2, le=2048)
    bus: int = Field(default=8, ge=3, le=1024)
    bug: int = Field(default=0, ge=0, le=25)


class FixtureCore(Core[FixtureConfig]):
    """A bit-serial multiplier, one bit of x per cycle."""

    name = "fixture"
    title = "bit-serial test piece"
    paper = "none"
    config_type = FixtureConfig

    @property
    def top(self) -> str:
        return "fixture_core"

    def sources(self) -> list[Path]:
        rtl = Path(__file__).parent / "rtl" / "fixture_core.sv"
        return [HW_DIR / "common" / "rtl" / "montcore_pkg.sv", rtl]

    def sv_parameters(
        self, config: FixtureConfig, technology: Technology = SIMULATION
    ) -> dict[str, int]:
        del technology
        return {"Length": config.bits, "BusWidth": config.bus, "Bug": config.bug}

    def bus_width(self, config: FixtureConfig) -> int:
        return config.bus

    def beats(self, config: FixtureConfig, length: int) -> int:
        return -(-length // config.bus)

    def r_bits(self, config: FixtureConfig, length: int) -> int:
        return self.beats(config, length) * config.bus

    def core_cycles(self, config: FixtureConfig, length: int) -> int:
        return self.r_bits(config, length) + 1

    def interval(self, config: FixtureConfig, length: int) -> int:
        # Load operands, one cycle to detect them, one to check them, the datapath, output the
        # result.
        return 2 * self.beats(config, length) + self.core_cycles(config, length) + 2

    def multipliers(self, config: FixtureConfig) -> int:
        del config
        return 0

    def word_products(self, config: FixtureConfig, length: int) -> int:
        del config, length
        return 0

    def run_model(self, config: FixtureConfig, x: int, y: int, m: int, length: int) -> ModelResult:
        z = montgomery_product(x, y, m, self.r_bits(config, length))
        core_cycles = self.core_cycles(config, length)
        return ModelResult(z, core_cycles, core_cycles + 3)

    def sweep(self, bits: int, full: bool = False) -> Sequence[FixtureConfig]:
        del full
        return [FixtureConfig(bits=bits)]


CORE = FixtureCore()
