# SPDX-License-Identifier: Apache-2.0
"""`mx`: the radix-2 carry-save row or array of mmm-mx-2006, two cycles a bit, no precomputation."""

from typing import ClassVar

from montcore.cores.row_array import ArrayCore
from montcore.model import rows


class Mx(ArrayCore):
    """Registration of `mx`."""

    name: ClassVar[str] = "mx"
    title: ClassVar[str] = "radix-2 carry-save row or array, two cycles a bit"
    mark: ClassVar[int] = 4
    algorithm: ClassVar[rows.Algorithm] = rows.MX
    grid_modules: ClassVar[tuple[str, ...]] = ("mx_array_grid",)
    array_in_sweep: ClassVar[bool] = True


CORE = Mx()
