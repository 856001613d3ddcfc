# SPDX-License-Identifier: Apache-2.0
"""`op`: Algorithm 2 of mmm-mx-2006, B + N precomputed, one cycle per bit."""

from typing import ClassVar

from montcore.cores.row_array import ArrayCore
from montcore.model import rows


class Op(ArrayCore):
    """Registration of `op`."""

    name: ClassVar[str] = "op"
    title: ClassVar[str] = "radix-2 carry-save row or array with B + N precomputed (Algorithm 2)"
    mark: ClassVar[int] = 5
    datasheet_points = ((64, {}), (1024, {}))
    algorithm: ClassVar[rows.Algorithm] = rows.OP


CORE = Op()
