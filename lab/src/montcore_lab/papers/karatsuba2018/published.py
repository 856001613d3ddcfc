# SPDX-License-Identifier: Apache-2.0
"""Tables 1 to 5 of karatsuba-2018 (S. Khan, K. Javeed, Y. A. Shah).

FP is four-parts splitting (depth 1), DFP deep four-parts splitting (depth 2). Table 4 is the
Montgomery multiplier, Table 3 its integer multiplier; both from ISE 14.1. The sign before 560 in
the text of Table 3 is assumed to be an artefact of the copy. Errors in print: 111.50 ns in Table 3
(DFP, 192 bits, Virtex-7), where ten periods of 11.55 ns are 115.5; Table 2 estimates 106 DSP blocks
for deep four parts of 192 bits and 496 of 512, Tables 3 and 4 have 110 or 130, and 492.

Our counterpart of Table 4 is the complete core with the settings of a row; of Table 3 its module
`INTEGER_MULTIPLIER`, without the registers of operands and product; of Table 2 the DSP blocks of a
multiplier in two, three and four parts (`splitting.sv`).
"""

from dataclasses import dataclass

#: Operand sizes of all tables, in bits.
LENGTHS = (192, 224, 256, 384, 512)

#: Table 1: by kind of splitting, length and number of the multipliers of the schoolbook method, and
#: of Karatsuba's. N is the operands' length.
TABLE_1 = {
    "two parts": ("N/2", 4, "N/2", 3),
    "three parts": ("N/3", 9, "N/3", 6),
    "four parts": ("N/4", 16, "N/4", 10),
}

#: Table 2: estimated DSP blocks of an integer multiplier, by kind of splitting and size.
TABLE_2 = {
    "four parts": (110, 120, 120, 300, 560),
    "three parts": (72, 144, 222, 336, 696),
    "two parts": (90, 132, 132, 348, 693),
    "deep four parts": (106, 112, 112, 260, 496),
}

#: Our integer multiplier: a module of `karatsuba`, and the number of parts (`Part` bits each) into
#: which it splits its factors.
INTEGER_MULTIPLIER = "montcore_karatsuba_pass"
PARTS = 4


@dataclass(frozen=True)
class KaratsubaRow:
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
        period_ns: "min period" in ns.
        ns: time of a product.
    """

    target: str
    depth: int
    bits: int
    lut: int
    ff: int
    mhz: float
    cycles: int
    dsp: int
    period_ns: float
    ns: float


TABLE_3 = (
    KaratsubaRow("xc7", 1, 192, 4069, 2794, 130.94, 7, 110, 7.63, 53.41),
    KaratsubaRow("xc7", 1, 224, 5210, 2724, 127.59, 7, 120, 7.83, 54.81),
    KaratsubaRow("xc7", 1, 256, 5285, 3108, 124.42, 7, 120, 8.03, 56.21),
    KaratsubaRow("xc7", 1, 384, 11659, 4644, 103.72, 7, 300, 9.64, 67.48),
    KaratsubaRow("xc7", 1, 512, 20695, 6180, 99.68, 7, 560, 10.03, 70.21),
    KaratsubaRow("xc7", 2, 192, 4997, 2613, 86.51, 10, 130, 11.55, 111.5),
    KaratsubaRow("xc7", 2, 224, 5925, 3041, 84.86, 10, 136, 11.78, 117.8),
    KaratsubaRow("xc7", 2, 256, 6853, 3468, 83.27, 10, 136, 12.0, 120.0),
    KaratsubaRow("xc7", 2, 384, 15211, 5823, 95.43, 10, 260, 10.47, 104.7),
    KaratsubaRow("xc7", 2, 512, 23703, 8122, 86.39, 10, 492, 11.57, 115.7),
    KaratsubaRow("xc6v", 1, 192, 4069, 2974, 115.46, 7, 110, 8.66, 60.62),
    KaratsubaRow("xc6v", 1, 224, 5210, 2724, 112.35, 7, 120, 8.9, 62.3),
    KaratsubaRow("xc6v", 1, 256, 5285, 3108, 109.4, 7, 120, 9.14, 63.98),
    KaratsubaRow("xc6v", 1, 384, 11659, 4644, 92.3, 7, 300, 10.83, 75.81),
    KaratsubaRow("xc6v", 1, 512, 20695, 6180, 87.21, 7, 560, 11.46, 80.22),
    KaratsubaRow("xc6v", 2, 192, 4997, 2614, 79.66, 10, 130, 12.55, 125.5),
    KaratsubaRow("xc6v", 2, 224, 5925, 3041, 77.98, 10, 136, 12.82, 128.2),
    KaratsubaRow("xc6v", 2, 256, 6853, 3469, 76.37, 10, 136, 13.09, 130.9),
    KaratsubaRow("xc6v", 2, 384, 15211, 5817, 94.12, 10, 260, 10.62, 106.2),
    KaratsubaRow("xc6v", 2, 512, 23703, 8122, 83.75, 10, 492, 11.94, 119.4),
    KaratsubaRow("xc5v", 1, 192, 4165, 3071, 91.1, 7, 110, 10.97, 76.79),
    KaratsubaRow("xc5v", 1, 224, 4650, 2837, 88.17, 7, 120, 11.34, 79.38),
    KaratsubaRow("xc5v", 1, 256, 5413, 3237, 85.43, 7, 120, 11.7, 81.9),
    KaratsubaRow("xc5v", 1, 384, 11851, 4837, 70.22, 7, 300, 14.24, 99.68),
    KaratsubaRow("xc5v", 1, 512, 20951, 6437, 65.65, 7, 560, 15.23, 106.61),
    KaratsubaRow("xc5v", 2, 192, 5585, 2710, 61.33, 10, 110, 16.3, 163.0),
    KaratsubaRow("xc5v", 2, 224, 6609, 3153, 59.5, 10, 116, 16.8, 168.0),
    KaratsubaRow("xc5v", 2, 256, 7633, 3597, 57.78, 10, 116, 17.3, 173.0),
    KaratsubaRow("xc5v", 2, 384, 15399, 6008, 61.27, 10, 260, 16.32, 163.2),
    KaratsubaRow("xc5v", 2, 512, 23703, 8122, 54.8, 10, 492, 18.24, 182.4),
)

TABLE_4 = (
    KaratsubaRow("xc7", 1, 192, 5157, 4901, 104.43, 29, 110, 9.57, 277.53),
    KaratsubaRow("xc7", 1, 224, 6566, 4745, 102.8, 29, 120, 9.73, 282.17),
    KaratsubaRow("xc7", 1, 256, 6688, 5163, 86.79, 29, 120, 11.52, 334.08),
    KaratsubaRow("xc7", 1, 384, 13784, 8489, 74.0, 29, 300, 13.51, 391.79),
    KaratsubaRow("xc7", 1, 512, 23511, 11307, 61.3, 29, 560, 16.31, 472.99),
    KaratsubaRow("xc7", 2, 192, 6085, 4540, 86.51, 38, 130, 11.56, 439.28),
    KaratsubaRow("xc7", 2, 224, 7186, 5288, 84.86, 38, 136, 11.78, 447.64),
    KaratsubaRow("xc7", 2, 256, 8287, 6035, 83.27, 38, 136, 12.0, 456.0),
    KaratsubaRow("xc7", 2, 384, 17336, 9659, 85.49, 38, 260, 11.69, 444.22),
    KaratsubaRow("xc7", 2, 512, 26519, 13249, 72.02, 38, 492, 13.88, 527.44),
    KaratsubaRow("xc6v", 1, 192, 4869, 4267, 94.47, 29, 110, 10.58, 306.82),
    KaratsubaRow("xc6v", 1, 224, 7462, 4521, 92.74, 29, 120, 10.78, 312.62),
    KaratsubaRow("xc6v", 1, 256, 6688, 5163, 81.98, 29, 120, 12.19, 353.51),
    KaratsubaRow("xc6v", 1, 384, 13784, 8489, 67.47, 29, 300, 14.82, 429.78),
    KaratsubaRow("xc6v", 1, 512, 23511, 11307, 55.0, 29, 560, 18.18, 527.22),
    KaratsubaRow("xc6v", 2, 192, 6085, 4541, 79.66, 38, 130, 12.55, 476.9),
    KaratsubaRow("xc6v", 2, 224, 7186, 5288, 77.98, 38, 136, 12.84, 487.92),
    KaratsubaRow("xc6v", 2, 256, 8287, 6036, 76.37, 38, 136, 13.09, 497.42),
    KaratsubaRow("xc6v", 2, 384, 17336, 9659, 77.62, 38, 260, 12.88, 489.44),
    KaratsubaRow("xc6v", 2, 512, 26519, 13249, 60.88, 38, 492, 16.42, 623.96),
    KaratsubaRow("xc5v", 1, 192, 5602, 4998, 72.66, 29, 110, 13.76, 399.04),
    KaratsubaRow("xc5v", 1, 224, 5557, 4858, 63.05, 29, 120, 15.85, 459.65),
    KaratsubaRow("xc5v", 1, 256, 7324, 5804, 58.37, 29, 120, 17.13, 496.77),
    KaratsubaRow("xc5v", 1, 384, 14708, 8489, 44.98, 29, 300, 22.22, 644.38),
    KaratsubaRow("xc5v", 1, 512, 23511, 11307, 36.59, 29, 560, 27.32, 792.28),
    KaratsubaRow("xc5v", 2, 192, 7022, 4637, 61.33, 38, 110, 16.3, 619.4),
    KaratsubaRow("xc5v", 2, 224, 8282, 5400, 59.5, 38, 116, 16.8, 638.4),
    KaratsubaRow("xc5v", 2, 256, 9544, 6164, 57.78, 38, 116, 17.3, 657.4),
    KaratsubaRow("xc5v", 2, 384, 18256, 9852, 52.61, 38, 260, 19.0, 722.0),
    KaratsubaRow("xc5v", 2, 512, 27768, 13574, 40.27, 38, 492, 24.82, 943.16),
)


@dataclass(frozen=True)
class KaratsubaDesign:
    """One row of Table 5.

    Attributes:
        name: the cited design.
        device: FPGA family.
        bits: operand size.
        dsp: DSP blocks.
        mhz: clock in MHz.
        core_cycles: latency.
        ns: time of a product.
        mbit_s: throughput in Mbit/s.
        klut: look-up tables in thousands.
        klut_us: area times delay.

    None represents an empty cell of the table.
    """

    name: str
    device: str
    bits: int
    dsp: int | None
    mhz: float | None
    core_cycles: int | None = None
    ns: int | None = None
    mbit_s: int | None = None
    klut: float | None = None
    klut_us: float | None = None

    def figures(self) -> dict[str, float | int | None]:
        """Return the figures by name."""
        names = ("bits", "dsp", "mhz", "core_cycles", "ns", "mbit_s")
        lut = None if self.klut is None else 1e3 * self.klut
        own = {name: getattr(self, name) for name in names}
        return {**own, "lut": lut, "klut6_us": self.klut_us}


#: Table 5, as cited by the paper.
TABLE_5 = (
    KaratsubaDesign("FP, this paper", "Virtex-6", 192, 110, 94.47, 29, 306, 627, 4.9, 1.50),
    KaratsubaDesign("FP, this paper", "Virtex-6", 224, 120, 92.74, 29, 312, 717, 7.5, 2.34),
    KaratsubaDesign("FP, this paper", "Virtex-6", 256, 120, 81.98, 29, 353, 725, 6.7, 2.36),
    KaratsubaDesign("[14] Mondal et al. 2012", "Virtex-6", 256, 256, 102.67),
    KaratsubaDesign("[15] Brinci et al. 2013", "Virtex-6", 258, 176, 208),
    KaratsubaDesign("[18] Javeed, Wang 2014", "Virtex-6", 256, 256, 188),
    KaratsubaDesign("[19] Yang et al. 2016", "Virtex-6", 256, 256, 40.06, 50, 1248, 205, 24, 29.9),
    KaratsubaDesign(
        "[20] McIvor et al. 2006", "Virtex-II Pro", 256, 256, 45.68, 32, 700, 316, 1.42
    ),
    KaratsubaDesign("[24] Chow et al. 2010", "Virtex-6", 256, 108, 336, 50, 160, None, 17.0, 2.72),
    KaratsubaDesign(
        "[26] Yan et al. 2013", "Virtex-6", 256, 108, 205.76, 29, 142, None, 22.5, 3.19
    ),
    KaratsubaDesign(
        "[10] Javeed et al. 2015", "Virtex-6", 224, None, 99, None, 1130, 198, 3.4, 3.84
    ),
    KaratsubaDesign(
        "[10] Javeed et al. 2015", "Virtex-6", 256, None, 96, None, 1300, 196, 3.9, 5.07
    ),
    KaratsubaDesign(
        "[27] Javeed et al. 2017", "Virtex-6", 192, None, None, 98, 967, 198, 3.0, 2.90
    ),
    KaratsubaDesign(
        "[27] Javeed et al. 2017", "Virtex-6", 224, None, None, 114, 1160, 193, 3.4, 3.94
    ),
    KaratsubaDesign(
        "[27] Javeed et al. 2017", "Virtex-6", 256, None, None, 130, 1360, 188, 3.9, 5.30
    ),
    KaratsubaDesign(
        "[28] Javeed, Wang 2017", "Virtex-6", 256, None, 166, None, 790, 324, 6.3, 4.97
    ),
)

#: Power of the Montgomery multiplier on Virtex-6 in W, estimated by XPower Analyzer, by bits.
POWER_W = {256: 6.402, 224: 4.447}

#: Dependent products of a scalar multiplication, and their cycles with the paper's multiplier and
#: with that of its reference [24].
SCALAR_PRODUCTS = 1280
SCALAR_CYCLES = 37_120
SCALAR_CYCLES_CITED = 64_000


def row(target: str, depth: int, bits: int) -> KaratsubaRow | None:
    """Return the row of Table 4 for a target, a depth and a size, or None."""
    for item in TABLE_4:
        if (item.target, item.depth, item.bits) == (target, depth, bits):
            return item
    return None
