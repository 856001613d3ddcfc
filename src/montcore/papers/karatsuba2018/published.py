# SPDX-License-Identifier: Apache-2.0
"""Tables 2 to 5 of karatsuba-2018 (S. Khan, K. Javeed, Y. A. Shah).

FP is four-parts splitting (depth 1), DFP deep four-parts splitting (depth 2). Table 4 is the
Montgomery multiplier, Table 3 its integer multiplier; both from ISE 14.1. The sign
before 560 in the text of Table 3 is taken for a blemish of the copy.

Ours beside Table 4 is the whole core with the settings of a row; beside Table 3 its module
`INTEGER_MULTIPLIER`, without the registers of operands and product; beside Table 2 the DSP blocks
of that one (four parts, deep four parts; the other two splittings are not built).
"""

from dataclasses import dataclass

#: Operand sizes of all tables, in bits.
LENGTHS = (192, 224, 256, 384, 512)

#: Table 2: estimated DSP blocks of an integer multiplier, by kind of splitting and size.
TABLE_2 = {
    "four parts": (110, 120, 120, 300, 560),
    "three parts": (72, 144, 222, 336, 696),
    "two parts": (90, 132, 132, 348, 693),
    "deep four parts": (106, 112, 112, 260, 496),
}

#: Our integer multiplier: a module of `karatsuba`, and into how many parts (`Part` bits
#: each) it cuts its factors.
INTEGER_MULTIPLIER = "montcore_karatsuba_pass"
PARTS = 4


@dataclass(frozen=True)
class Row:
    """One row of Table 3 or 4.

    Attributes:
        target: xc5v, xc6v or xc7 (Virtex-5, 6, 7).
        depth: 1 for FP, 2 for DFP.
        bits: operand size.
        lut: look-up tables.
        ff: slice registers.
        mhz: clock in MHz.
        cycles: clock cycles.
        dsp: DSP blocks.
    """

    target: str
    depth: int
    bits: int
    lut: int
    ff: int
    mhz: float
    cycles: int
    dsp: int

    @property
    def settings(self) -> dict[str, str]:
        """Settings of our core for this row, as on the command line."""
        return {"schedule": "paper", "depth": str(self.depth)}


TABLE_3 = (
    Row("xc7", 1, 192, 4069, 2794, 130.94, 7, 110),
    Row("xc7", 1, 224, 5210, 2724, 127.59, 7, 120),
    Row("xc7", 1, 256, 5285, 3108, 124.42, 7, 120),
    Row("xc7", 1, 384, 11659, 4644, 103.72, 7, 300),
    Row("xc7", 1, 512, 20695, 6180, 99.68, 7, 560),
    Row("xc7", 2, 192, 4997, 2613, 86.51, 10, 130),
    Row("xc7", 2, 224, 5925, 3041, 84.86, 10, 136),
    Row("xc7", 2, 256, 6853, 3468, 83.27, 10, 136),
    Row("xc7", 2, 384, 15211, 5823, 95.43, 10, 260),
    Row("xc7", 2, 512, 23703, 8122, 86.39, 10, 492),
    Row("xc6v", 1, 192, 4069, 2974, 115.46, 7, 110),
    Row("xc6v", 1, 224, 5210, 2724, 112.35, 7, 120),
    Row("xc6v", 1, 256, 5285, 3108, 109.4, 7, 120),
    Row("xc6v", 1, 384, 11659, 4644, 92.3, 7, 300),
    Row("xc6v", 1, 512, 20695, 6180, 87.21, 7, 560),
    Row("xc6v", 2, 192, 4997, 2614, 79.66, 10, 130),
    Row("xc6v", 2, 224, 5925, 3041, 77.98, 10, 136),
    Row("xc6v", 2, 256, 6853, 3469, 76.37, 10, 136),
    Row("xc6v", 2, 384, 15211, 5817, 94.12, 10, 260),
    Row("xc6v", 2, 512, 23703, 8122, 83.75, 10, 492),
    Row("xc5v", 1, 192, 4165, 3071, 91.1, 7, 110),
    Row("xc5v", 1, 224, 4650, 2837, 88.17, 7, 120),
    Row("xc5v", 1, 256, 5413, 3237, 85.43, 7, 120),
    Row("xc5v", 1, 384, 11851, 4837, 70.22, 7, 300),
    Row("xc5v", 1, 512, 20951, 6437, 65.65, 7, 560),
    Row("xc5v", 2, 192, 5585, 2710, 61.33, 10, 110),
    Row("xc5v", 2, 224, 6609, 3153, 59.5, 10, 116),
    Row("xc5v", 2, 256, 7633, 3597, 57.78, 10, 116),
    Row("xc5v", 2, 384, 15399, 6008, 61.27, 10, 260),
    Row("xc5v", 2, 512, 23703, 8122, 54.8, 10, 492),
)

TABLE_4 = (
    Row("xc7", 1, 192, 5157, 4901, 104.43, 29, 110),
    Row("xc7", 1, 224, 6566, 4745, 102.8, 29, 120),
    Row("xc7", 1, 256, 6688, 5163, 86.79, 29, 120),
    Row("xc7", 1, 384, 13784, 8489, 74.0, 29, 300),
    Row("xc7", 1, 512, 23511, 11307, 61.3, 29, 560),
    Row("xc7", 2, 192, 6085, 4540, 86.51, 38, 130),
    Row("xc7", 2, 224, 7186, 5288, 84.86, 38, 136),
    Row("xc7", 2, 256, 8287, 6035, 83.27, 38, 136),
    Row("xc7", 2, 384, 17336, 9659, 85.49, 38, 260),
    Row("xc7", 2, 512, 26519, 13249, 72.02, 38, 492),
    Row("xc6v", 1, 192, 4869, 4267, 94.47, 29, 110),
    Row("xc6v", 1, 224, 7462, 4521, 92.74, 29, 120),
    Row("xc6v", 1, 256, 6688, 5163, 81.98, 29, 120),
    Row("xc6v", 1, 384, 13784, 8489, 67.47, 29, 300),
    Row("xc6v", 1, 512, 23511, 11307, 55.0, 29, 560),
    Row("xc6v", 2, 192, 6085, 4541, 79.66, 38, 130),
    Row("xc6v", 2, 224, 7186, 5288, 77.98, 38, 136),
    Row("xc6v", 2, 256, 8287, 6036, 76.37, 38, 136),
    Row("xc6v", 2, 384, 17336, 9659, 77.62, 38, 260),
    Row("xc6v", 2, 512, 26519, 13249, 60.88, 38, 492),
    Row("xc5v", 1, 192, 5602, 4998, 72.66, 29, 110),
    Row("xc5v", 1, 224, 5557, 4858, 63.05, 29, 120),
    Row("xc5v", 1, 256, 7324, 5804, 58.37, 29, 120),
    Row("xc5v", 1, 384, 14708, 8489, 44.98, 29, 300),
    Row("xc5v", 1, 512, 23511, 11307, 36.59, 29, 560),
    Row("xc5v", 2, 192, 7022, 4637, 61.33, 38, 110),
    Row("xc5v", 2, 224, 8282, 5400, 59.5, 38, 116),
    Row("xc5v", 2, 256, 9544, 6164, 57.78, 38, 116),
    Row("xc5v", 2, 384, 18256, 9852, 52.61, 38, 260),
    Row("xc5v", 2, 512, 27768, 13574, 40.27, 38, 492),
)


@dataclass(frozen=True)
class Design:
    """One row of Table 5.

    Attributes:
        name: whose it is.
        device: FPGA family.
        bits: operand size.
        dsp: DSP blocks.
        mhz: clock in MHz.
        cycles: latency.
        ns: time of a product.
        mbit_s: throughput in Mbit/s.
        klut: look-up tables in thousands.
        klut_us: area times delay.

    None stands for a cell that the table leaves empty.
    """

    name: str
    device: str
    bits: int
    dsp: int | None
    mhz: float | None
    cycles: int | None = None
    ns: int | None = None
    mbit_s: int | None = None
    klut: float | None = None
    klut_us: float | None = None

    def figures(self) -> dict[str, float | int | None]:
        """Return the figures by name."""
        return {
            "bits": self.bits,
            "dsp": self.dsp,
            "mhz": self.mhz,
            "core_cycles": self.cycles,
            "ns": self.ns,
            "mbit_s": self.mbit_s,
            "lut": None if self.klut is None else 1e3 * self.klut,
            "klut_us": self.klut_us,
        }


#: Table 5: its rows of 256 bits (and 258), as the paper cites them.
TABLE_5 = (
    Design("FP, this paper", "Virtex-6", 256, 120, 81.98, 29, 353, 725, 6.7, 2.36),
    Design("[14]", "Virtex-6", 256, 256, 102.67),
    Design("[15]", "Virtex-6", 258, 176, 208),
    Design("[18]", "Virtex-6", 256, 256, 188),
    Design("[19]", "Virtex-6", 256, 256, 40.06, 50, 1248, 205, 24, 29.9),
    Design("[20]", "Virtex-II Pro", 256, 256, 45.68, 32, 700, 316, 1.42),
    Design("[24]", "Virtex-6", 256, 108, 336, 50, 160, None, 17.0, 2.72),
    Design("[26]", "Virtex-6", 256, 108, 205.76, 29, 142, None, 22.5, 3.19),
    Design("[10]", "Virtex-6", 256, None, 96, None, 1300, 196, 3.9, 5.07),
    Design("[27]", "Virtex-6", 256, None, None, 130, 1360, 188, 3.9, 5.30),
    Design("[28]", "Virtex-6", 256, None, 166, None, 790, 324, 6.3, 4.97),
)


def row(target: str, depth: int, bits: int) -> Row | None:
    """Return the row of Table 4 for a target, a depth and a size, or None."""
    for item in TABLE_4:
        if (item.target, item.depth, item.bits) == (target, depth, bits):
            return item
    return None
