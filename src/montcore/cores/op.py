# SPDX-License-Identifier: Apache-2.0
"""`op`: Algorithm 2 of mmm-mx-2006, B + N precomputed, a cycle a bit."""

from typing import ClassVar

from montcore.cores.row import RowCore
from montcore.model import rows


class Op(RowCore):
    """Registration of `op`."""

    name: ClassVar[str] = "op"
    title: ClassVar[str] = "radix-2 carry-save row with B + N precomputed (Algorithm 2)"
    mark: ClassVar[int] = 5
    algorithm: ClassVar[rows.Algorithm] = rows.OP


CORE = Op()
