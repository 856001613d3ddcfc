# SPDX-License-Identifier: Apache-2.0
"""`rc`: a radix-2 row of words with ripple carries, one cycle per bit, for FPGA carry chains."""

from typing import ClassVar

from montcore.cores.core import OURS
from montcore.cores.row import COMMON_MODULES, RowConfig, RowCore
from montcore.model import row_ripple, rows
from montcore.model.result import ModelResult


class Rc(RowCore):
    """Registration of `rc`."""

    name: ClassVar[str] = "rc"
    title: ClassVar[str] = "radix-2 row of words with ripple carries"
    paper: ClassVar[str] = OURS
    mark: ClassVar[int] = 6
    datasheet_points = ((64, {}), (1024, {}))
    common_modules: ClassVar[tuple[str, ...]] = COMMON_MODULES[:-1]
    algorithm: ClassVar[rows.Algorithm] = row_ripple.RC

    def r_bits(self, config: RowConfig, length: int) -> int:
        """Return k + 1, k the bits of the words in use: the first cycle is not an iteration."""
        return config.w * config.words(length) + 1

    def run_model(self, config: RowConfig, x: int, y: int, m: int, length: int) -> ModelResult:
        """Run the cycle-exact model."""
        return row_ripple.run(config.w, config.bits, x, y, m, length)


CORE = Rc()
