# SPDX-License-Identifier: Apache-2.0
"""`rc`: a radix-2 row of words with ripple carries, one cycle per bit, for FPGA carry chains."""

from typing import ClassVar

from montcore.cores.core import OURS
from montcore.cores.row import COMMON_MODULES, RowCore
from montcore.model import rows


class Rc(RowCore):
    """Registration of `rc`."""

    name: ClassVar[str] = "rc"
    title: ClassVar[str] = "radix-2 row of words with ripple carries"
    paper: ClassVar[str] = OURS
    mark: ClassVar[int] = 6
    datasheet_points = ((64, {}), (1024, {}))
    common_modules: ClassVar[tuple[str, ...]] = COMMON_MODULES[:-1]
    algorithm: ClassVar[rows.Algorithm] = rows.RC


CORE = Rc()
