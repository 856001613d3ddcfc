# SPDX-License-Identifier: Apache-2.0
"""Elements of riscv-2021, with their counterparts."""

from montcore_lab.papers.elements import Element, ElementKind, ElementVerdict

_SOURCES = "riscv/src"
_PAPER = f"{_SOURCES}/mul_paper.S"
_COMPARED = f"{_SOURCES}/compare"

ELEMENTS = (
    Element(
        ElementKind.TABLE,
        "registers and instructions of RV32IM",
        "Tables 1 and 2",
        ("riscv/README.md",),
        ElementVerdict.SAME,
        "Given by the instruction set.",
    ),
    Element(
        ElementKind.TABLE,
        "macro_mul_32, a 32-bit product",
        "Table 3",
        (_PAPER,),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.TABLE,
        "contents of the 26 registers",
        "Table 4",
        (_PAPER,),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.TABLE,
        "macro_mul_64_init, the first block of a column",
        "3.1, Table 5",
        (_PAPER,),
        ElementVerdict.SAME,
        "Instruction by instruction.",
    ),
    Element(
        ElementKind.TABLE,
        "macro_mul_64_mid, every other block",
        "3.2, Table 6",
        (_PAPER, f"{_SOURCES}/mul.S"),
        ElementVerdict.BETTER,
        "Instruction by instruction in mul_paper.S. Ours in mul.S counts carries in a register and "
        "has 24 instructions besides the multiplications, the paper's 30.",
    ),
    Element(
        ElementKind.FIGURE,
        "columns of 64-bit blocks",
        "3.2, Figure 1",
        (_PAPER, f"{_SOURCES}/mul.S"),
        ElementVerdict.SAME,
        "In mul.S columns alternate in direction.",
    ),
    Element(
        ElementKind.CLAIM,
        "sums of carries never overflow",
        "3.1",
        ("pytest riscv/tests/test_riscv_mul.py -k all_ones",),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.ALGORITHM,
        "inner and outer loop for any length",
        "3.3",
        (_PAPER, "pytest riscv/tests/test_riscv_mul.py -k products_of_all_lengths"),
        ElementVerdict.SAME,
        "The paper does not print its loops; ours are written independently.",
    ),
    Element(
        ElementKind.TABLE,
        "routine that reads the cycle counter",
        "4, Table 7",
        ("riscv/test/machine.S",),
        ElementVerdict.DIFFERENT,
        "The core's own counter is read around the call; its lower word is enough there.",
    ),
    Element(
        ElementKind.TABLE,
        "cycles at 256, 512 and 1024 bits on an E31",
        "4.1, Table 8",
        (
            "docs/papers.md",
            "pytest riscv/tests/test_riscv_cores.py -k the_papers_schedule_takes",
            "montcore riscv bench --cpu rocket-e31",
        ),
        ElementVerdict.BETTER,
        "The paper's schedule takes the paper's cycles within 1.6 % on a Rocket in the shape of an "
        "E31; mc_mul takes fewer.",
    ),
    Element(
        ElementKind.CLAIM,
        "silicon: HiFive1 Rev B at 320 MHz",
        "4",
        ("riscv/README.md",),
        ElementVerdict.NOT_CHECKABLE,
        "No board here. The core comes from the same generator and is simulated cycle by cycle.",
    ),
    Element(
        ElementKind.CLAIM,
        "19 and 8 % fewer cycles than [4]",
        "Abstract; 4.1",
        ("pytest tests/papers/test_papers_claims.py -k riscv",),
        ElementVerdict.SAME,
        "The percentages follow from Table 8, whose figures of [4] are rounded.",
    ),
    Element(
        ElementKind.CLAIM,
        "columns are more efficient than rows on RISC-V",
        "2.2; 3.1; 4.1",
        (
            f"{_COMPARED}/mul_rows.S",
            f"{_COMPARED}/mul_products.S",
            "pytest tests/papers/test_papers_claims.py -k rows_against_columns",
            "montcore riscv bench --bits 256 --bits 512 --bits 1024 --cpu rocket-e31",
        ),
        ElementVerdict.DIFFERENT,
        "Not confirmed under equal conditions. With eight words of one operand and of the sum in "
        "registers, rows take fewer cycles than the columns of mc_mul on four of five cores, 11 "
        "to 21 %; on "
        "rocket-e31, where the multiplier is the limit, 2 % fewer at 256 bits, 1 and 3 % more at "
        "512 and 1024. Columns of single words are slower than both.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "redundant representation, for comparison",
        "2.2",
        (
            f"{_COMPARED}/mul_reduced.S",
            "pytest tests/papers/test_papers_claims.py -k redundant",
        ),
        ElementVerdict.SAME,
        "The paper does not use it, so that one routine serves all schemes. It would not be "
        "faster: columns of words of 28 bits take more cycles than columns of full words on each "
        "core and at each length, 10 to 50 %.",
    ),
    Element(
        ElementKind.CLAIM,
        "constant time",
        "4.1",
        (
            "pytest riscv/tests/test_riscv_secrets.py -k no_branch_and_no_address",
            "pytest riscv/tests/test_riscv_cores.py -k cycles_do_not_depend",
        ),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.CLAIM,
        "640 bytes of code for all lengths",
        "4.1",
        ("docs/papers.md",),
        ElementVerdict.BETTER,
        "Fewer, of the paper's schedule as well as of mc_mul (Table 8).",
    ),
    Element(
        ElementKind.FUTURE,
        "instruction for a 32 x 32 -> 64 bit product",
        "4.2",
        ("riscv/rtl/montcore_rvx_mul64.sv", "montcore maintain measure rvx"),
        ElementVerdict.DIFFERENT,
        "Built. It saves no cycles where mulhu is pipelined and results need two instructions.",
    ),
    Element(
        ElementKind.FUTURE,
        "64-bit multiplier",
        "4.2",
        ("riscv/rtl/montcore_rvx_block.sv", "montcore maintain measure rvx"),
        ElementVerdict.SAME,
        "Built, and faster (Table 8). Ours that accumulates, montcore_rvx_mac, is faster still.",
    ),
    Element(
        ElementKind.FUTURE,
        "addition with carry, or add and sltu in one",
        "4.2",
        ("riscv/rtl/montcore_rvx_adc.sv", "montcore maintain measure rvx"),
        ElementVerdict.SAME,
        "Built; it saves the most cycles per gate.",
    ),
    Element(
        ElementKind.FUTURE,
        "a chip with these instructions",
        "5",
        ("riscv",),
        ElementVerdict.DIFFERENT,
        "Coprocessors for VexRiscv and picorv32 in simulation; no chip.",
    ),
    Element(
        ElementKind.APPLICATION,
        "RSA and elliptic curves",
        "4.1; 5",
        (f"{_SOURCES}/montgomery.c", "pytest riscv/tests/test_riscv_arithmetic.py -k openssl"),
        ElementVerdict.BETTER,
        "Montgomery products and powers are in the library; the paper has the product alone. "
        "Curves are in hardware only (hw/ecc).",
    ),
    Element(
        ElementKind.APPLICATION,
        "post-quantum cryptography, in the title",
        "Title; 2.2; 4.1",
        ("riscv/README.md",),
        ElementVerdict.DIFFERENT,
        "The paper measures integer products of 256, 512 and 1024 bits and no post-quantum scheme; "
        "so does montcore, which has none. Of the two that it names, SIKE was broken in 2022, and "
        "Kyber multiplies polynomials with coefficients of 12 bits, where a long integer product "
        "serves only by packing coefficients ([7] of the paper). Long integer products remain "
        "useful for isogenies over large primes, such as CSIDH.",
    ),
    Element(
        ElementKind.APPLICATION,
        "field products of SIKE, and of CSIDH-512",
        "2.2; 4.1",
        (
            f"{_SOURCES}/redc.S",
            "docs/papers.md",
            "pytest riscv/tests/test_riscv_arithmetic.py -k isogenies",
        ),
        ElementVerdict.SAME,
        "Measured with the routines for any odd modulus. The paper names SIKE and has no such "
        "figures.",
    ),
)
