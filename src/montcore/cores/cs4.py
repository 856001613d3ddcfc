# SPDX-License-Identifier: Apache-2.0
"""`cs4`: a radix-4 row in carry-save form, two bits per cycle, after Algorithm 1 of mmm-mx-2006."""

from typing import ClassVar

from montcore.cores.core import OURS
from montcore.cores.row import COMMON_MODULES, WORD_SIZES, RowConfig, RowCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import rows


class Cs4Config(RowConfig):
    """Parameters of `cs4`; with 8-bit words the output stage could not keep up with the row."""

    word_sizes: ClassVar[tuple[int, ...]] = WORD_SIZES[1:]


class Cs4(RowCore):
    """Registration of `cs4`."""

    name: ClassVar[str] = "cs4"
    title: ClassVar[str] = "radix-4 carry-save row, two bits a cycle"
    paper: ClassVar[str] = OURS
    mark: ClassVar[int] = 1
    datasheet_points = (
        (64, {}),
        (1024, {}),
        (256, {"w": "16"}),
        (256, {"w": "64"}),
    )
    config_type = Cs4Config
    common_modules: ClassVar[tuple[str, ...]] = COMMON_MODULES[:-1]
    algorithm: ClassVar[rows.Algorithm] = rows.CS4

    @property
    def own_modules(self) -> tuple[str, ...]:
        """Modules of the core's own folder in compile order."""
        return ("cs4_block", "cs4_digit", "cs4_recode", "cs4_row", "cs4")

    def sv_parameters(
        self, config: RowConfig, technology: Technology = SIMULATION
    ) -> dict[str, int]:
        """Return the parameters of the top module."""
        return {**super().sv_parameters(config), "Tech": int(technology.tech)}


CORE = Cs4()
