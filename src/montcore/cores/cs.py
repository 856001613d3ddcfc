# SPDX-License-Identifier: Apache-2.0
"""`cs`: Algorithm 1 of mmm-mx-2006, two carry vectors, one cycle per bit."""

from montcore.cores.row_array import ArrayCore
from montcore.model import rows


class Cs(ArrayCore):
    """The row or the array of Algorithm 1."""

    name = "cs"
    title = "radix-2 row or array with two carry vectors (Algorithm 1)"
    mark = 0
    datasheet_points = ((64, {}), (1024, {}))
    algorithm = rows.CS


CORE = Cs
