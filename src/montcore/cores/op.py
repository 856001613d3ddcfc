# SPDX-License-Identifier: Apache-2.0
"""`op`: Algorithm 2 of mmm-mx-2006, B + N precomputed, one cycle per bit."""

from montcore.cores.row_array import ArrayCore
from montcore.model import rows


class Op(ArrayCore):
    """The row or the array of Algorithm 2."""

    name = "op"
    title = "radix-2 carry-save row or array with B + N precomputed (Algorithm 2)"
    mark = 5
    datasheet_points = ((64, {}), (1024, {}))
    algorithm = rows.OP


CORE = Op
