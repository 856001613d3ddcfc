# SPDX-License-Identifier: Apache-2.0
"""Tables 1 and 2 of smm-2021 (J.-B. Choi, K.-W. Shin, "A Scalable Montgomery Modular Multiplier").

w = 32, built for 521 bits, 180 nm CMOS; its clock is stated as "about 9 ns" for the longest path.
The text copy of the paper lacks one cell in each row of cycles. Its position follows from the
paper's own formula, 5r + 2mr + 7, which all cells satisfy. Cells with a dash are None.

Errors in print: the areas of 5 and 6 elements are very likely swapped (only then are 4, 5 and 8 the
most efficient, as the text says, and only then does the area grow with every element). Abstract and
conclusion state 139,390 GE for 8 elements, the text 139,320. Figure 6(b) is captioned N_PE = 5,
P521R; the text calls it N_PE = 4, 256 bits.
"""

from dataclasses import dataclass

#: Run-time lengths of the table's rows, in bits.
LENGTHS = (192, 224, 256, 384, 521)

#: Built width and word size of all columns.
BUILT_BITS = 521
WORD_BITS = 32

#: Longest path of the synthesised core, as stated in the text, in ns.
TMIN_NS = 9.0


@dataclass(frozen=True)
class PublishedColumn:
    """One column of Table 1.

    Attributes:
        npe: number of processing elements.
        cycles: clock cycles of a product for each of `LENGTHS`; None if not in the table.
        kge: area in thousands of gate equivalents, excluding memory.
        ram_kbits: memory in kbit.
        millions_per_second: millions of 256-bit products per second at 100 MHz.
    """

    npe: int
    cycles: tuple[int | None, ...]
    kge: float
    ram_kbits: float
    millions_per_second: float

    def cycles_at(self, length: int) -> int | None:
        """Return the clock cycles of a product of that many bits."""
        return self.cycles[LENGTHS.index(length)]


COLUMNS = (
    PublishedColumn(1, (109, 140, 175, 355, 670), 38.3, 2.2, 0.57),
    PublishedColumn(2, (58, 83, 91, 181, 358), 65.8, 2.4, 1.09),
    PublishedColumn(3, (41, 64, 70, 123, 241), 79.4, 2.5, 1.42),
    PublishedColumn(4, (41, 45, 49, 94, 202), 91.0, 2.8, 2.04),
    PublishedColumn(5, (41, 45, 49, 94, 163), 113.6, 2.9, 2.04),
    PublishedColumn(6, (24, 45, 49, 65, 124), 105.0, 3.3, 2.04),
    PublishedColumn(7, (None, 26, 49, 65, 124), 137.5, 3.8, 2.04),
    PublishedColumn(8, (None, None, 28, 65, 124), 139.3, 4.4, 3.57),
)


def column(npe: int) -> PublishedColumn:
    """Return the column of Table 1 for a number of processing elements, 1 to 8."""
    return COLUMNS[npe - 1]


@dataclass(frozen=True)
class SmmDesign:
    """One column of Table 2.

    Attributes:
        name: the design.
        device: FPGA family.
        bits: size of the modulus.
        dsp: DSP blocks, None if not in the table.
        lut: figure in the row "LUT [slice]".
        mhz: clock in MHz.
        ns: time of a product.
    """

    name: str
    device: str
    bits: int
    dsp: int | None
    lut: int
    mhz: float
    ns: float

    def figures(self) -> dict[str, float | int | None]:
        """Return the figures by name."""
        return {name: getattr(self, name) for name in ("bits", "dsp", "lut", "mhz", "ns")}


TABLE_2 = (
    SmmDesign("this paper, npe = 8", "Virtex-5", 256, 41, 3760, 44.1, 635),
    SmmDesign("[13] Khan et al. 2018 (karatsuba-2018)", "Virtex-5", 256, 120, 7320, 58.37, 497),
    SmmDesign("[14] Javeed et al. 2015", "Virtex-6", 256, None, 3900, 96, 1300),
    SmmDesign("[15] Hossain, Kong 2015", "Virtex-7", 256, None, 605, 152.7, 1683),
    SmmDesign("[16] Zhang et al. 2021", "Virtex-7", 1024, None, 39900, 181, 910),
)

#: Clock in MHz that the text predicts for 2 elements on Virtex-5.
MHZ_OF_TWO = 63.0
