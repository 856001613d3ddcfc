# SPDX-License-Identifier: Apache-2.0
"""Tables I and II of mmm-mx-2006 (R. K. Satzoda, C.-H. Chang, C.-C. Jong), Virtex-II, XST.

A slice of Virtex-II holds two LUT4; half the LUT4 of a netlist is a lower bound of its slices.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class RowOfCells:
    """One row of a table.

    Attributes:
        name: the architecture, as the paper calls it.
        core: our core with that algorithm, None if there is none of that shape.
        slices: area in Virtex-II slices.
        mhz: clock in MHz.
        mbit_per_s: throughput in Mbit/s, None if not in the table.
        settings: parameters of our core for this row, as on the command line.
        cited: source of the figures if they are not the paper's own.
    """

    name: str
    core: str | None
    slices: int
    mhz: float
    mbit_per_s: float | None = None
    settings: tuple[tuple[str, str], ...] = ()
    cited: str = ""


#: Table I: one-dimensional multipliers of 1024 bits.
TABLE_1_BITS = 1024
TABLE_1 = (
    RowOfCells("Design 2", "mx", 2947, 386.84, 193.42),
    RowOfCells("Optimized", "op", 3611, 129.10, 129.00, cited="[5] Fournaris, Koufopavlou 2005"),
    RowOfCells("Daly", None, 5458, 54.61, 54.40, cited="[7] Daly, Marnane 2002"),
    RowOfCells("Ors", None, 5706, 95.62, 31.83, cited="[8] Ors et al. 2003"),
)

#: Table II: two-dimensional multipliers of 128 bits; its caption says "one-dimensional" by mistake.
TABLE_2_BITS = 128
_ARRAY = (("w", "16"), ("shape", "2d"))
TABLE_2 = (
    RowOfCells("Design 1", "mx", 44330, 358.17, settings=_ARRAY),
    RowOfCells("Optimized", "op", 48767, 168.70, None, _ARRAY, "[6] Fournaris, Koufopavlou 2003"),
    RowOfCells(
        "Conventional", "cs", 65473, 156.30, None, _ARRAY, "[6] Fournaris, Koufopavlou 2003"
    ),
)
