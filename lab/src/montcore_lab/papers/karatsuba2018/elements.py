# SPDX-License-Identifier: Apache-2.0
"""Elements of karatsuba-2018, with their counterparts."""

from montcore_lab.papers.elements import Element, ElementKind, ElementVerdict

_RTL = "hw/karatsuba/rtl"
_TESTS = "tests/cores/karatsuba"
_CLAIMS = "tests/papers/test_papers_claims.py"
_PAGE = "docs/papers.md"
_SPLITTING = "lab/src/montcore_lab/papers/karatsuba2018/splitting.sv"

ELEMENTS = (
    Element(
        ElementKind.FIGURE,
        "layers of elliptic-curve cryptography",
        "1, Figure 1",
        ("hw/ecc",),
        ElementVerdict.SAME,
        "Field operations, point formulas, scalar products, protocols; in projective coordinates.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 1: Montgomery's product of whole numbers",
        "2.1",
        (f"{_RTL}/montcore_karatsuba_paper.sv", "src/montcore/model/karatsuba.py"),
        ElementVerdict.SAME,
        "Corrected: the final test is >=, and the sum before it has 2n + 1 bits where the modulus "
        "has its top bit set. The paper's RNS domain is the Montgomery domain.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "precomputed M1 = -M^-1 mod R",
        "2.1",
        (f"{_RTL}/montcore_karatsuba_setup.sv",),
        ElementVerdict.BETTER,
        "Computed in hardware, once per modulus.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "Karatsuba in two parts",
        "2.2; 2.3.1, equations 1 and 2",
        (f"{_RTL}/montcore_karatsuba_fast.sv",),
        ElementVerdict.SAME,
        "Used for x y in the fast and the lean schedule.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "Karatsuba in four parts",
        "2.3.2, equations 3 and 4; Algorithm 2",
        (f"{_RTL}/montcore_karatsuba_four.sv", f"{_RTL}/montcore_karatsuba_pass.sv"),
        ElementVerdict.SAME,
        "The differences are signed: factors of n / 4 + 1 bits, as the paper states for its "
        "multipliers 5 to 10.",
    ),
    Element(
        ElementKind.TABLE,
        "length and number of multipliers in 2, 3 and 4 parts",
        "Table 1",
        (_SPLITTING, "pytest tests/papers/test_splitting.py -k proved"),
        ElementVerdict.SAME,
        "Built in two, three and four parts beside the core, and proved at small sizes: 3, 6 and "
        "10 products. Products of differences are one bit longer, which the table omits.",
    ),
    Element(
        ElementKind.TABLE,
        "DSP blocks in 2, 3 and 4 parts; four parts are optimal",
        "2.3.2, Table 2",
        (_PAGE, _SPLITTING, "pytest tests/papers/test_splitting.py -k fewest"),
        ElementVerdict.DIFFERENT,
        "By its own estimates three parts are the least at 192 bits. Measured here, four parts "
        "take the fewest blocks at all sizes but 224 bits on Virtex-5, where two parts do (105 "
        "against 120). The estimates for deep four parts differ from its own Tables 3 and 4.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "integer multiplier in four parts, FP",
        "3.1, Figure 2",
        (f"{_RTL}/montcore_karatsuba_pass.sv", f"{_RTL}/montcore_karatsuba_accumulator.sv"),
        ElementVerdict.SAME,
        "One accumulator adds what the paper adds in a pipelined tree, in the same four cycles.",
    ),
    Element(
        ElementKind.FIGURE,
        "its seven cycles",
        "3.1, Figure 3",
        (f"pytest {_TESTS}/test_karatsuba_cocotb.py -k every_number",),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "deep four parts, DFP",
        "3.2, Algorithm 3, Figure 4",
        (f"{_RTL}/montcore_karatsuba_quartet.sv", f"{_RTL}/montcore_karatsuba_columns.sv"),
        ElementVerdict.SAME,
        "Ten cycles. On Virtex-6 and 7 up to 256 bits the products are made by columns of blocks.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "Montgomery multiplier with one integer multiplier",
        "4, Figures 5 and 6",
        (
            f"{_RTL}/montcore_karatsuba_paper.sv",
            f"pytest {_TESTS}/test_karatsuba.py -k cycles_of_the_paper",
        ),
        ElementVerdict.SAME,
        "29 and 38 cycles. The fast schedule takes 20, and a product every second cycle.",
    ),
    Element(
        ElementKind.TABLE,
        "LUT, registers and DSP blocks of the integer multiplier",
        "Table 3",
        (_PAGE,),
        ElementVerdict.DIFFERENT,
        "The same cycles; mapped and not placed, so without clocks. FP takes 30 to 47 % fewer "
        "tables than the paper, DFP from 21 % fewer to 5 % more; no row has more DSP blocks. The "
        "paper counts the operand registers A and B: with them ours has 1.1 to 2.3 times the "
        "paper's registers with FP, 1.9 to 3.9 times with DFP.",
    ),
    Element(
        ElementKind.TABLE,
        "LUT, registers and DSP blocks of the Montgomery multiplier",
        "Table 4",
        (_PAGE,),
        ElementVerdict.DIFFERENT,
        "The same cycles; on the Virtex families mapped and not placed, so without clocks. FP "
        "takes 16 to 38 % fewer tables than the paper, DFP from 20 % fewer to 3 % more; no row has "
        "more DSP blocks. Registers are 1.04 to 1.68 times the paper's with FP, 1.5 to 2.6 times "
        "with DFP. The datasheet has placed figures, on ECP5.",
    ),
    Element(
        ElementKind.TABLE,
        "registers of DFP on Virtex-6",
        "Table 4",
        (
            f"{_RTL}/montcore_karatsuba_columns.sv",
            "hw/karatsuba/README.md",
            "montcore synth karatsuba --set schedule=paper --set depth=2 --bits 256 --target xc6v",
            f"pytest {_CLAIMS} -k registers_of_dfp",
        ),
        ElementVerdict.DIFFERENT,
        "At 256 bits ours takes 2.6 times the paper's registers, with fewer LUT and DSP blocks: "
        "15,619 instead of 6,036. By group: ten columns of blocks (parts, differences, sums) "
        "10,950, the "
        "additions around them 1,806, operands, constant, product and result 1,793, streams and "
        "queue 1,070. A factor of 1.5 is not reached: it would leave no registers for the sums of "
        "products. With sums in tables, as on Virtex-5, the factor is 1.53, with 13 % more tables "
        "than the paper. The datasheet describes the registers of a column.",
    ),
    Element(
        ElementKind.TABLE,
        "clock, minimum period and time",
        "Tables 3 and 4",
        (_PAGE, "montcore synth karatsuba --set schedule=paper --bits 192 --target ecp5"),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool places Virtex-5, 6 or 7. ECP5 and osu018 are given instead. The 111.50 ns "
        "of DFP at 192 bits on Virtex-7 are an error for 115.50.",
    ),
    Element(
        ElementKind.CLAIM,
        "deep splitting saves DSP blocks for long operands only",
        "2.3.2; 5",
        (_PAGE,),
        ElementVerdict.SAME,
        "On Virtex-5 from 224 bits on; at 192 bits it takes more (Table 4).",
    ),
    Element(
        ElementKind.TABLE,
        "figures of cited designs",
        "Table 5",
        (_PAGE,),
        ElementVerdict.NOT_CHECKABLE,
        "Figures of other authors; most of the designs have no public RTL, and three have no time.",
    ),
    Element(
        ElementKind.FIGURE,
        "bars of throughput and of area times delay",
        "Figures 7 and 8",
        (
            "docs/images/karatsuba-designs.png",
            "montcore papers --figures out/figures.html",
            "pytest tests/papers/test_papers_charts.py -k data_of_the_page",
            "pytest tests/papers/test_papers.py -k designs",
        ),
        ElementVerdict.SAME,
        "Redrawn, with ours where it has a clock: ECP5 and 180 nm, not Virtex-6; as a picture and "
        "as an HTML page with each figure, date and command.",
    ),
    Element(
        ElementKind.CLAIM,
        "about 4 times faster than [19], [10] and [27], 2.5 times than [28], 2 times than [20]",
        "5",
        (f"pytest {_CLAIMS} -k karatsuba_paper_compares",),
        ElementVerdict.SAME,
        "From Table 5: 3.5, 3.7, 3.9, 2.2 and 2.0 times, so that the first four are rounded up.",
    ),
    Element(
        ElementKind.CLAIM,
        "[14] and [18] take twice the DSP blocks, [15] 50 % more",
        "5",
        (f"pytest {_CLAIMS} -k karatsuba_paper_compares",),
        ElementVerdict.SAME,
        "From Table 5: 2.1 and 1.5 times.",
    ),
    Element(
        ElementKind.CLAIM,
        "the least hardware, the best throughput and the best area times delay known",
        "Abstract; 5",
        (f"pytest {_CLAIMS} -k least_hardware",),
        ElementVerdict.DIFFERENT,
        "In the paper's own Table 5, [24] and [26] take fewer DSP blocks and less time, and [10], "
        "[27] and [28] fewer LUT. Its area times delay counts LUT only, not DSP blocks; in this "
        "measure it is the least of the rows that state one.",
    ),
    Element(
        ElementKind.CLAIM,
        "scalar multiplication: 1,280 dependent products, 37,120 cycles against 64,000",
        "5",
        (
            "lab/src/montcore_lab/papers/karatsuba2018/chain.py",
            f"pytest {_CLAIMS} -k scalar_multiplication",
            f"pytest {_CLAIMS} -k chain_of_products",
            "hw/ecc/README.md",
        ),
        ElementVerdict.BETTER,
        "Simulated: the paper's schedule takes exactly its 37,120 cycles, the fast one 25,600; "
        "with 12 chains in flight it takes 2,564 per chain. The 50 cycles of [24] are an estimate. "
        "Whole scalar products, with additions and with several engines at one multiplier, are "
        "in the datasheet of the curve engine.",
    ),
    Element(
        ElementKind.CLAIM,
        "power of 6.402 W and 4.447 W on Virtex-6",
        "5",
        (_PAGE,),
        ElementVerdict.NOT_CHECKABLE,
        "Estimates of XPower Analyzer at a clock and an activity that are not stated; no free tool "
        "has a power model of a Virtex-6.",
    ),
    Element(
        ElementKind.CLAIM,
        "energy, beside the paper's power",
        "5",
        (
            _PAGE,
            "montcore synth karatsuba --set schedule=fast --bits 224 --target osu018 --wires none",
        ),
        ElementVerdict.DIFFERENT,
        "The paper has none; its power times the time of a product is 1,390 nJ at 224 bits on "
        "Virtex-6. Ours takes 42.6 nJ at 180 nm, of cells alone. The two technologies are not "
        "comparable.",
    ),
    Element(
        ElementKind.CLAIM,
        "field sizes of 192 to 512 bits, any prime",
        "Abstract; 6",
        (f"pytest {_TESTS}/test_karatsuba_vectors.py -k 25_curves",),
        ElementVerdict.BETTER,
        "Built for 2 to 1024 bits, any odd modulus up to that at run time.",
    ),
    Element(
        ElementKind.APPLICATION,
        "elliptic-curve cryptography",
        "Title; 6",
        ("hw/ecc", "montcore ec mul karatsuba --curve P-256 --scalar 5"),
        ElementVerdict.BETTER,
        "The curve engine over karatsuba is built and simulated.",
    ),
    Element(
        ElementKind.APPLICATION,
        "RSA",
        "6",
        ("hw/modexp", "montcore modexp karatsuba --modulus fffffffb --base 3 --exponent 5"),
        ElementVerdict.SAME,
        "Up to 1024 bits, so that a key of 2048 bits takes two powers.",
    ),
    Element(
        ElementKind.APPLICATION,
        "pairings",
        "2; 6",
        ("hw/karatsuba",),
        ElementVerdict.DIFFERENT,
        "Products for their primes are supported; pairings are not implemented.",
    ),
)
