# SPDX-License-Identifier: Apache-2.0
"""`rc`: a radix-2 row of words with ripple carries, one cycle per bit, for FPGA carry chains."""

from montcore.cores.core import OURS
from montcore.cores.row import COMMON_MODULES, RowCore
from montcore.model import rows


class Rc(RowCore):
    """The row of words with ripple carries."""

    name = "rc"
    title = "radix-2 row of words with ripple carries"
    paper = OURS
    mark = 6
    datasheet_points = ((64, {}), (1024, {}))
    common_modules = COMMON_MODULES[:-1]
    algorithm = rows.RC


CORE = Rc
