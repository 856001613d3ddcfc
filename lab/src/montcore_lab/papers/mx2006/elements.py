# SPDX-License-Identifier: Apache-2.0
"""Elements of mmm-mx-2006, with their counterparts."""

from montcore_lab.papers.elements import Element, ElementKind, ElementVerdict

_RTL = "hw/rows/mx/rtl"
_TESTS = "tests/cores/rows/test_rows.py"
_CLAIMS = "tests/papers/test_papers_claims.py"
_PAGE = "docs/papers.md"

ELEMENTS = (
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 1, MMM_CS: two carry vectors",
        "2",
        ("hw/rows/cs", "montcore verify cs --bits 1024 --random 100"),
        ElementVerdict.SAME,
        "With k + 2 iterations, which keep the result below 2N.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 2, MMM_OP: B + N computed before",
        "2",
        ("hw/rows/op", "montcore verify op --bits 1024 --random 100"),
        ElementVerdict.SAME,
        "With k + 2 iterations. Its step 3 names a vector Cin1 that it does not have; it is Cin.",
    ),
    Element(
        ElementKind.CLAIM,
        "B + N takes cycles between products",
        "3; 4",
        (_PAGE, f"pytest {_TESTS} -k rows_never_rest"),
        ElementVerdict.DIFFERENT,
        "Not here: B + N is computed during the previous product, and op has the interval of cs.",
    ),
    Element(
        ElementKind.CLAIM,
        "B + N takes a buffer",
        "1; 3",
        (_PAGE,),
        ElementVerdict.SAME,
        "op has 1,024 bits of memory more than mx at 1024 bits (Table I).",
    ),
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 3, MMM_MX: two cycles a bit with one adder",
        "4",
        ("hw/rows/mx", f"pytest {_TESTS} -k keeps_below_2m"),
        ElementVerdict.SAME,
        "Corrected: as printed it has a_k for a_i, lacks the shift, and does not bound its result.",
    ),
    Element(
        ElementKind.CLAIM,
        "no precomputation, no final subtraction, one carry vector",
        "1; 3; 4",
        (f"{_RTL}/montcore_mx_row.sv", "tests/cores/rows/test_rows_cocotb.py"),
        ElementVerdict.SAME,
        "The row keeps its numbers below 2N. The port's results are canonical; the subtraction "
        "for this overlaps the next product.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "basic cell: four multiplexers and a gated full adder",
        "5, Figure 1",
        (f"{_RTL}/montcore_mx_block.sv",),
        ElementVerdict.SAME,
        "The top cell of each block has a second adder.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "Design 1: k^2 cells in two dimensions",
        "5, Figure 2",
        (f"{_RTL}/montcore_mx_array_grid.sv", "montcore verify mx --set shape=2d --bits 128"),
        ElementVerdict.SAME,
        "k + 2 rows instead of k.",
    ),
    Element(
        ElementKind.FIGURE,
        "destinations of the sum and carry bits of a row",
        "Figure 3(a)",
        (
            f"{_RTL}/montcore_mx_block.sv",
            "pytest tests/cores/rows/test_rows_cocotb.py -k every_register",
        ),
        ElementVerdict.SAME,
        "Every register of every iteration is compared with the model.",
    ),
    Element(
        ElementKind.FIGURE,
        "reservation table of the pipeline",
        "Figure 3(b)",
        ("docs/images/mx-reservation.png", f"pytest {_TESTS} -k reservation_table"),
        ElementVerdict.SAME,
        "Drawn from a simulation.",
    ),
    Element(
        ElementKind.CLAIM,
        "a product every two cycles in two dimensions",
        "5",
        (f"pytest {_TESTS} -k every_one_or_two_cycles",),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "Design 2: one row, a_i and q to all cells",
        "5, Figure 4",
        (f"{_RTL}/montcore_mx_row.sv",),
        ElementVerdict.DIFFERENT,
        "Divided into blocks of one word, each one cycle behind the one before it, so that a_i "
        "and q drive one word of cells instead of all k.",
    ),
    Element(
        ElementKind.CLAIM,
        "2k cycles for a product",
        "5",
        (f"pytest {_TESTS} -k two_cycles_a_bit",),
        ElementVerdict.DIFFERENT,
        "2 (k + 2): with k iterations operands below 2N are not possible.",
    ),
    Element(
        ElementKind.TABLE,
        "slices of one-dimensional designs",
        "Table I",
        (_PAGE, "montcore synth mx --bits 1024 --target xc2v"),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool places a Virtex-II. LUT4 of ours are mapped, of the whole core with its "
        "port. That the paper counts its row alone is an inference.",
    ),
    Element(
        ElementKind.CLAIM,
        "the fewest slices of all designs",
        "6, Table I",
        ("hw/rows/mx/README.md", "hw/rows/rc/README.md"),
        ElementVerdict.DIFFERENT,
        "In our flow op and rc take fewer LUT4 than mx, before placement.",
    ),
    Element(
        ElementKind.TABLE,
        "clock and throughput of Design 2 and of its rivals",
        "Table I",
        (_PAGE, "montcore synth mx --bits 1024 --target ecp5"),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool gives a clock for Virtex-II. Clocks of ECP5 and osu018 are given instead.",
    ),
    Element(
        ElementKind.CLAIM,
        "three times the clock of Optimized",
        "6; 7",
        (
            _PAGE,
            "lab/src/montcore_lab/papers/mx2006/broadcast.py",
            "hw/rows/mx/README.md",
            f"pytest {_CLAIMS} -k one_block",
        ),
        ElementVerdict.DIFFERENT,
        "Not confirmed. The row alone of mx has 1.42 times the clock of op's in blocks of 32 bits, "
        "and as one block, with a broadcast as in the paper, 1.75 times at 256 bits and 1.91 "
        "times at 1024, at 180 nm with trees of buffers of at most eight loads and without wires. "
        "The broadcast makes op's period 38 % longer at 256 bits, mx's 8 %.",
    ),
    Element(
        ElementKind.CLAIM,
        "1.5 times the throughput of Optimized, less total latency",
        "6",
        (_PAGE,),
        ElementVerdict.DIFFERENT,
        "Not confirmed: cs and op take half the cycles of mx and have more throughput on every "
        "target with a clock, op also as one block of 1024 bits, by 5 %. See the claim of three "
        "times the clock.",
    ),
    Element(
        ElementKind.CLAIM,
        "carry-save designs are faster than carry-propagate ones",
        "1; 6",
        ("hw/rows/rc", _PAGE),
        ElementVerdict.DIFFERENT,
        "True at 180 nm. On ECP5 the words with ripple carries of rc have the highest clock of the "
        "four.",
    ),
    Element(
        ElementKind.TABLE,
        "Daly [7] and Ors [8]",
        "Table I",
        ("hw/rows/rc",),
        ElementVerdict.NOT_CHECKABLE,
        "The paper says of them only that they are one-dimensional with carry-propagate adders, "
        "which is not enough to build them. Our row of that kind is rc.",
    ),
    Element(
        ElementKind.TABLE,
        "slices and clock of Design 1",
        "Table II",
        (_PAGE, "montcore synth mx --set shape=2d --set w=16 --bits 128 --target xc2v"),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool places a Virtex-II. LUT4 before placement are given instead.",
    ),
    Element(
        ElementKind.TABLE,
        "arrays of Optimized and Conventional; 2.1 times the clock",
        "Table II",
        (
            "hw/rows/common/rtl/montcore_row_grid.sv",
            "hw/rows/op/README.md",
            "hw/rows/cs/README.md",
            _PAGE,
            f"pytest {_TESTS} -k every_one_or_two_cycles",
            f"pytest {_CLAIMS} -k arrays_alone",
        ),
        ElementVerdict.DIFFERENT,
        "Both are built, Algorithms 2 and 1 in the shape of Figure 2: a product every cycle, not "
        "every second. Not confirmed: without port, at 180 nm and without wires, the array of mx "
        "has 1.14 times the clock of op's as one block of 64 bits, and op's is 12 % smaller. The "
        "cells are the paper's; the rows of Optimized and Conventional are from another "
        "publication. At 128 bits, with port, the array of op needs 0.80 times as many look-up "
        "tables as that of mx on Virtex-II, and 0.75 times on Virtex-6. At 180 nm only that of mx "
        "is measured.",
    ),
    Element(
        ElementKind.CLAIM,
        "lengths from 128 to 1024 bits",
        "1",
        ("montcore verify mx --bits 4096",),
        ElementVerdict.BETTER,
        "2 to 4096 bits, as an array to 512; shorter moduli at run time.",
    ),
    Element(
        ElementKind.APPLICATION,
        "encryption and decryption with RSA",
        "1",
        ("montcore modexp mx --modulus fffffffb --base 3 --exponent 5", "montcore rsa sign --help"),
        ElementVerdict.BETTER,
        "The exponentiator works over mx; RSA with padding and blinding is implemented.",
    ),
    Element(
        ElementKind.APPLICATION,
        "results go back into the next product as they are, in carry-save form",
        "1; 7",
        (
            "hw/modexp",
            "hw/modexp/rtl/montcore_modexp_mx.sv",
            "lab/src/montcore_lab/papers/mx2006/powers.py",
            "pytest tests/cores/modexp/test_modexp_mx.py -k of_the_unit",
            "pytest tests/cores/rows/test_rows_cocotb.py -k go_back_in",
            f"pytest {_CLAIMS} -k results_that_go_back",
        ),
        ElementVerdict.SAME,
        "The exponentiator over the row of mx does this: the two vectors are multiplied, stored "
        "and selected without conversion, and a product begins during the output of the previous "
        "one. One factor is converted to a number bit by bit as the row reads it, the other word "
        "by word as the blocks read it, because the paper's cell has one bit of B. In a power of "
        "1024 bits a product takes 2056 "
        "cycles where the row needs 2052; through its port, with canonical results, 2121, 3.4 % "
        "more than the row needs (op and cs 6.8 %, cs4 13.4 %). The array of mx is used through "
        "its port. Over dsp, whose unreduced results are fed back, a product takes 512 cycles "
        "instead of 638. Through the ports, at the clocks of 180 nm, such a power takes 5.8 ms "
        "over mx, "
        "3.4 over op and 3.0 over cs.",
    ),
)
