# SPDX-License-Identifier: Apache-2.0
"""`mx`: the radix-2 carry-save row of mmm-mx-2006, two cycles a bit, no precomputation."""

from typing import ClassVar

from montcore.cores._rows import RowCore
from montcore.model import rows


class Mx(RowCore):
    """Registration of `mx`."""

    name: ClassVar[str] = "mx"
    title: ClassVar[str] = "radix-2 carry-save row, two cycles a bit"
    algorithm: ClassVar[rows.Algorithm] = rows.MX


CORE = Mx()
