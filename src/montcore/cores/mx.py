# SPDX-License-Identifier: Apache-2.0
"""`mx`: the radix-2 carry-save row or array of mmm-mx-2006, two cycles per bit."""

from typing import ClassVar

from montcore.cores.lazy import LazyUnit
from montcore.cores.row import RowConfig
from montcore.cores.row_array import ArrayCore, is_array
from montcore.model import row_lazy, rows
from montcore.support.paths import PREFIX, module_files

#: Modules of the unit for lazy products in compile order.
LAZY_MODULES = (
    *("pkg", "ram_macro", "ram", "sweep", "row_output", "row_back", "row_flags", "row_select"),
    *("mx_block", "mx_row", "modexp_mx"),
)


class Mx(ArrayCore):
    """Registration of `mx`."""

    name: ClassVar[str] = "mx"
    title: ClassVar[str] = "radix-2 carry-save row or array, two cycles a bit"
    mark: ClassVar[int] = 4
    datasheet_points = ((64, {}), (1024, {}))
    algorithm: ClassVar[rows.Algorithm] = rows.MX
    grid_modules: ClassVar[tuple[str, ...]] = ("mx_array_grid",)
    array_in_sweep: ClassVar[bool] = True

    def lazy_unit(self, config: RowConfig) -> LazyUnit | None:
        """Return the row with results fed back as two vectors; an array has no such unit."""
        if is_array(config):
            return None
        return LazyUnit(
            top=f"{PREFIX}modexp_mx",
            sources=tuple(module_files(LAZY_MODULES)),
            width=config.w,
            beats=config.words,
            arithmetic=lambda m, length: row_lazy.multiplier(m, self.r_bits(config, length)),
            number=lambda beats: row_lazy.number(config.w, beats),
            extra_width=row_lazy.extra_bits(config.w),
            without=frozenset({"Array"}),
        )


CORE = Mx()
