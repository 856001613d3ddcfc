# SPDX-License-Identifier: Apache-2.0
"""`cs`: Algorithm 1 of mmm-mx-2006, two carry vectors, one cycle per bit."""

from typing import ClassVar

from montcore.cores.row_array import ArrayCore
from montcore.model import rows


class Cs(ArrayCore):
    """Registration of `cs`."""

    name: ClassVar[str] = "cs"
    title: ClassVar[str] = "radix-2 row or array with two carry vectors (Algorithm 1)"
    mark: ClassVar[int] = 0
    datasheet_points = ((64, {}), (1024, {}))
    algorithm: ClassVar[rows.Algorithm] = rows.CS


CORE = Cs()
