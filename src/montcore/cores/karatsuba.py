# SPDX-License-Identifier: Apache-2.0
"""`karatsuba`: the full-word multiplier of karatsuba-2018, and a pipelined one."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from pydantic import field_validator

from montcore.cores.base import Core, CoreConfig, ModelResult
from montcore.model import karatsuba
from montcore.paths import HW_DIR

MIN_BITS = 2
MAX_BITS = 1024

#: Modules of hw/common/rtl and hw/karatsuba/rtl in compile order.
COMMON_MODULES = (
    *("mont_pkg", "mont_csa", "mont_csa_tree", "mont_sum"),
    *("mont_ram_macro", "mont_ram", "mont_config", "mont_loader"),
)
OWN_MODULES = (
    *("karatsuba_pkg", "karatsuba_booth", "karatsuba_tiles", "karatsuba_leaf", "karatsuba_unit"),
    *("karatsuba_distance", "karatsuba_setup", "karatsuba_fast", "karatsuba_queue", "karatsuba"),
)


class KaratsubaConfig(CoreConfig):
    """Parameters of `karatsuba`."""

    # What the hardware cannot be built with; `karatsuba.sv` refuses the same in the same words.
    @field_validator("bits")
    @classmethod
    def _built_width(cls, value: int) -> int:
        if not MIN_BITS <= value <= MAX_BITS:
            raise ValueError(f"the built width must lie between {MIN_BITS} and {MAX_BITS} bits")
        return value

    @property
    def computed_bits(self) -> int:
        """Bits that are computed with: the built width rounded up; R = 2^this."""
        return max(8, -(-self.bits // 4) * 4)

    @property
    def half(self) -> int:
        """Bits of a beat, half a number."""
        return self.computed_bits // 2


class Karatsuba(Core[KaratsubaConfig]):
    """Registration of `karatsuba`."""

    name: ClassVar[str] = "karatsuba"
    title: ClassVar[str] = "full-word multiplier after Karatsuba"
    paper: ClassVar[str] = "karatsuba-2018"
    config_type = KaratsubaConfig

    @property
    def top(self) -> str:
        """Name of the top module."""
        return "karatsuba"

    def sources(self) -> list[Path]:
        """Return the SystemVerilog files, packages first."""
        return [HW_DIR / "common" / "rtl" / f"{name}.sv" for name in COMMON_MODULES] + [
            HW_DIR / "karatsuba" / "rtl" / f"{name}.sv" for name in OWN_MODULES
        ]

    def sv_parameters(self, config: KaratsubaConfig, target: str = "sim") -> dict[str, int]:
        """Return the parameters of the top module; explicit multiplier trees are for ASICs."""
        return {"Length": config.bits, "MulTree": int(target == "osu018")}

    def bus_width(self, config: KaratsubaConfig) -> int:
        """Return half the bits that are computed with: two operands in two cycles."""
        return config.half

    def beats(self, config: KaratsubaConfig, length: int) -> int:
        """Return 1 or 2."""
        return -(-length // config.half)

    def r_bits(self, config: KaratsubaConfig, length: int) -> int:
        """Return the bits that are computed with, whatever the length of the modulus."""
        del length
        return config.computed_bits

    def core_cycles(self, config: KaratsubaConfig, length: int) -> int:
        """Return 20, at every width."""
        del config, length
        return karatsuba.TIME_DONE

    def interval(self, config: KaratsubaConfig, length: int) -> int:
        """Return 2: the multipliers then never rest."""
        del config, length
        return karatsuba.INTERVAL

    def multipliers(self, config: KaratsubaConfig) -> int:
        """Return the number of multipliers of quarter-length numbers."""
        del config
        return 12

    def word_products(self, config: KaratsubaConfig, length: int) -> int:
        """Return the products of quarter-length numbers: eight of half length, three for each."""
        del config, length
        return 24

    def run_model(
        self, config: KaratsubaConfig, x: int, y: int, m: int, length: int
    ) -> ModelResult:
        """Run the cycle-exact model."""
        del length
        return karatsuba.run_fast(x, y, m, config.half)

    def sweep(self, bits: int, full: bool = False) -> Sequence[KaratsubaConfig]:
        """Return the configurations at a built width."""
        del full
        return [KaratsubaConfig(bits=bits)]


CORE = Karatsuba()
