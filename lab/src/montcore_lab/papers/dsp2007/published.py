# SPDX-License-Identifier: Apache-2.0
"""Tables 1 to 4 of dsp48-2007, and the cycle counts in its text.

D. Suzuki, "How to Maximize the Potential of FPGA Resources for Modular Exponentiation", CHES 2007.
XC4VFX12-10, 17 blocks, window of 5 bits, blocks at 400 MHz and the rest (clk1x) at 200 MHz.
"""

from dataclasses import dataclass

LENGTHS = (512, 1024, 1536, 2048)
CLOCK_MHZ = 200.0

#: Table 3: resources of the exponentiator. A slice of Virtex-4 has two 4-input LUTs.
SLICES = 3937
BLOCK_RAMS = 7
BLOCKS = 17


#: Slices of an XC4VFX12.
DEVICE_SLICES = 5472
DEVICE_BLOCK_RAMS = 36
DEVICE_BLOCKS = 32

#: Critical paths of the circuits at 400 and at 200 MHz in ns (Table 3).
CRITICAL_NS = {400: 2.493, 200: 4.988}


#: Table 1, adders of carry logic in SLICEMs: by length and number of the operands, the look-up
#: tables and the delay in ns.
TABLE_1 = {
    (8, 2): (8, 2.201),
    (16, 2): (16, 2.734),
    (32, 2): (32, 3.564),
    (8, 3): (14, 4.044),
    (16, 3): (29, 4.407),
    (32, 3): (65, 5.188),
}


#: Operation, OPMODE and remark of a DSP block in a cycle of clk2x.
Block = tuple[str, str, str]
_RECEIVED = "Carry is received from leftmost DSP48"
_RESET = "Reset C"
_STORED = "p_0 is stored into C"


def _step(
    mode: int, count: int, first: str, second: str, remark: str = "", received: str = ""
) -> tuple[int, int, Block, Block]:
    """Return a row; a block begins a product with 35 or 55, and continues with 65."""
    leftmost = first, "7'h35" if remark else "7'h65", remark
    return mode, count, leftmost, (second, "7'h55" if received else "7'h65", received)


#: Table 2: bits of the modulus, number of the cycle, leftmost block and its neighbour.
TABLE_2 = (
    _step(512, 0, "b_i a_0", "q_(i-2) m_2 + carry", _RESET, _RECEIVED),
    _step(512, 1, "b_i a_1 + carry", "q_(i-2) m_3 + carry"),
    _step(512, 2, "q_(i-1) m_0 + p_0", "b_i a_2 + carry", _STORED, _RECEIVED),
    _step(512, 3, "q_(i-1) m_1 + carry", "b_i a_3 + carry"),
    _step(512, 4, "b_(i+1) a_0", "q_(i-1) m_2 + carry", _RESET, _RECEIVED),
    _step(2048, 0, "b_i a_0", "q_(i-2) m_8 + carry", _RESET, _RECEIVED),
    _step(2048, 1, "b_i a_1 + carry", "q_(i-2) m_9 + carry"),
    _step(2048, 6, "b_i a_6 + carry", "q_(i-2) m_14 + carry"),
    _step(2048, 7, "b_i a_7 + carry", "q_(i-2) m_15 + carry"),
    _step(2048, 8, "q_(i-1) m_0 + p_0", "b_i a_8 + carry", _STORED, _RECEIVED),
    _step(2048, 9, "q_(i-1) m_1 + carry", "b_i a_9 + carry"),
    _step(2048, 14, "q_(i-1) m_6 + carry", "b_i a_14 + carry"),
    _step(2048, 15, "q_(i-1) m_7 + carry", "b_i a_15 + carry"),
    _step(2048, 16, "b_(i+1) a_0", "q_(i-1) m_8 + carry", _RESET, _RECEIVED),
)


@dataclass(frozen=True)
class ExponentiatorRow:
    """The paper's figures for one length.

    Attributes:
        bits: length of modulus and exponent.
        milliseconds: longest time of an exponentiation (Table 3).
        digits: n, words of 17 bits.
        words_per_block: r.
    """

    bits: int
    milliseconds: float
    digits: int
    words_per_block: int

    @property
    def first_output(self) -> int:
        """Cycles of clk1x from the start of a product to its first output: (n + 1) r + 8."""
        return (self.digits + 1) * self.words_per_block + 8

    @property
    def interval(self) -> int:
        """Cycles of clk1x between the starts of two products: 3 r / 2 + 3 more."""
        return self.first_output + 3 * self.words_per_block // 2 + 3

    @property
    def products(self) -> int:
        """Maximum products of an exponentiation: t + ceil((t + 1) / 5) + 20, t = bits - 1."""
        top = self.bits - 1
        return top + -(-(top + 1) // 5) + 20

    @property
    def worst_case(self) -> int:
        """`milliseconds` in cycles of clk1x."""
        return round(self.milliseconds * 1000 * CLOCK_MHZ)


ROWS = (
    ExponentiatorRow(512, 0.261, 33, 2),
    ExponentiatorRow(1024, 1.71, 63, 4),
    ExponentiatorRow(1536, 5.45, 93, 6),
    ExponentiatorRow(2048, 12.6, 123, 8),
)


@dataclass(frozen=True)
class Other:
    """A column of Table 4: exponentiations of 512 and 1024 bits.

    Attributes:
        name: the cited design.
        device: its FPGA.
        process: process of the FPGA.
        functions: the FPGA functions used besides basic ones, or the basic ones.
        scalable: whether one circuit serves all lengths.
        kind: kind of time, longest or average.
        milliseconds: at 512 and 1024 bits.
        area: at 512 and 1024 bits.
    """

    name: str
    device: str
    process: str
    functions: str
    scalable: bool
    kind: str
    milliseconds: tuple[float, float]
    area: tuple[str, str]


#: The cited columns of Table 4.
OTHERS = (
    Other(
        "[8] Blum, Paar 2001",
        "XC40250XV",
        "0.35 um",
        "LUT, FF, carry logic, distributed RAM",
        False,
        "max.",
        (2.93, 11.95),
        ("3413 CLB", "6633 CLB"),
    ),
    Other(
        "[11] Tang et al. 2003",
        "XC2V3000-6",
        "0.12/0.15 um",
        "18 Kbit BRAM, 18 x 18 multiplier",
        False,
        "avr.",
        (0.59, 2.33),
        ("8235 slices, 32 mult", "14334 slices, 62 mult"),
    ),
)
#: The paper's own column of Table 4.
THIS = Other(
    "this paper",
    "XC4VFX12-10",
    "0.09 um",
    "18 Kbit BRAM, DSP48",
    True,
    "max.",
    (0.261, 1.71),
    ("3937 slices, 17 DSP48", "3937 slices, 17 DSP48"),
)
