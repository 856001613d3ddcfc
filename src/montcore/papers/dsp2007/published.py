# SPDX-License-Identifier: Apache-2.0
"""Tables 3 and 4 of dsp48-2007, and the cycle counts in its text.

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


@dataclass(frozen=True)
class Row:
    """What the paper says of one length.

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
    def pitch(self) -> int:
        """Cycles of clk1x between the starts of two products: 3 r / 2 + 3 more."""
        return self.first_output + 3 * self.words_per_block // 2 + 3

    @property
    def products(self) -> int:
        """Most products of an exponentiation: t + ceil((t + 1) / 5) + 20, t = bits - 1."""
        top = self.bits - 1
        return top + -(-(top + 1) // 5) + 20

    @property
    def worst_case(self) -> int:
        """Cycles of clk1x that `milliseconds` are."""
        return round(self.milliseconds * 1000 * CLOCK_MHZ)


ROWS = (
    Row(512, 0.261, 33, 2),
    Row(1024, 1.71, 63, 4),
    Row(1536, 5.45, 93, 6),
    Row(2048, 12.6, 123, 8),
)


@dataclass(frozen=True)
class Build:
    """Our counterparts of the resources of Tables 3 and 4, built for 2048 bits.

    Attributes:
        design: `modexp`, the exponentiator over `dsp`, or `dsp`, the multiplier with its port.
        clocking: of the blocks: double, as in the paper, or single.
        target: synthesis target; xc4v is the paper's.
    """

    design: str
    clocking: str
    target: str


BUILT_BITS = 2048
BUILDS = (
    *(Build("modexp", "double", target) for target in ("xc4v", "xc6v", "xc7", "ecp5")),
    Build("modexp", "single", "osu018"),
    *(Build("dsp", "double", target) for target in ("xc4v", "xc6v", "xc7", "ecp5")),
    *(Build("dsp", "single", target) for target in ("ecp5", "osu018")),
)


@dataclass(frozen=True)
class Other:
    """A column of Table 4, as the paper cites it: exponentiations of 512 and 1024 bits."""

    device: str
    milliseconds: tuple[float, float]
    area: tuple[str, str]


#: References [8] (longest time) and [11] (average time) of the paper.
OTHERS = (
    Other("XC40250XV", (2.93, 11.95), ("3413 CLB", "6633 CLB")),
    Other("XC2V3000-6", (0.59, 2.33), ("8235 slices, 32 mult", "14334 slices, 62 mult")),
)
