# SPDX-License-Identifier: Apache-2.0
"""`mx`: the radix-2 carry-save row or array of mmm-mx-2006, two cycles per bit."""

from montcore.cores.contract import LazyUnit
from montcore.cores.row_array import ArrayCore
from montcore.model import row_lazy, rows
from montcore.support.paths import PREFIX, module_files

#: Modules of the unit for lazy products in compile order.
LAZY_MODULES = (
    *("pkg", "ram_macro", "ram", "sweep", "row_output", "row_back", "row_flags", "row_select"),
    *("mx_block", "mx_row", "modexp_mx"),
)


class Mx(ArrayCore):
    """The row or the array of MMM_MX."""

    name = "mx"
    title = "radix-2 carry-save row or array, two cycles a bit"
    mark = 4
    datasheet_points = ((64, {}), (1024, {}))
    algorithm = rows.MX
    grid_modules = ("mx_array_grid",)
    array_in_sweep = True

    def lazy_unit(self) -> LazyUnit | None:
        """Return the row with results fed back as two vectors; an array has no such unit."""
        if self.is_array:
            return None
        return LazyUnit(
            top=f"{PREFIX}modexp_mx",
            sources=tuple(module_files(LAZY_MODULES)),
            width=self.w,
            beats=self.words,
            arithmetic=lambda m, length: row_lazy.multiplier(m, self.r_bits(length)),
            number=lambda beats: row_lazy.number(self.w, beats),
            extra_width=self.w + 1,  # the second vector, and the bit above the words
            without=frozenset({"Array"}),
        )


CORE = Mx
