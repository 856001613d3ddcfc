# SPDX-License-Identifier: Apache-2.0
"""`cs4`: a radix-4 row in carry-save form, two bits per cycle, after Algorithm 1 of mmm-mx-2006."""

from typing import Annotated

from pydantic import Field

from montcore.cores.config import word_size
from montcore.cores.core import OURS
from montcore.cores.row import COMMON_MODULES, WORD_SIZES, RowCore
from montcore.cores.technology import SIMULATION, Technology
from montcore.model import rows


class Cs4(RowCore):
    """The radix-4 row; with 8-bit words the output stage could not keep up with it."""

    name = "cs4"
    title = "radix-4 carry-save row, two bits a cycle"
    paper = OURS
    mark = 1
    datasheet_points = ((64, {}), (1024, {}), (256, {"w": "16"}), (256, {"w": "64"}))
    common_modules = COMMON_MODULES[:-1]
    algorithm = rows.CS4

    w: Annotated[int, word_size(*WORD_SIZES[1:])] = Field(
        default=32, description="word size in bits"
    )

    @classmethod
    def own_modules(cls) -> tuple[str, ...]:
        """Return the modules of the core's own folder in compile order."""
        return ("cs4_block", "cs4_digit", "cs4_recode", "cs4_row", "cs4")

    def sv_parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the parameters of the top module."""
        return {**super().sv_parameters(), "Tech": int(technology.tech)}


CORE = Cs4
