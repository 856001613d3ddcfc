# SPDX-License-Identifier: Apache-2.0
"""Elements of dsp48-2007, with their counterparts."""

from montcore_lab.papers.elements import Element, ElementKind, ElementVerdict

_RTL = "hw/dsp/rtl"
_BLOCK = "hw/tech/rtl/montcore_mul_add.sv"
_PAGE = "docs/papers.md"

ELEMENTS = (
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 1: quotient pipelining",
        "3.2",
        ("src/montcore/model/dsp.py", "pytest tests/cores/dsp/test_dsp_rtl.py -k lazy_results"),
        ElementVerdict.SAME,
    ),
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 2: radix 2^17 on 17 DSP blocks, d = 1",
        "3.2",
        (
            f"{_RTL}/montcore_dsp_engine.sv",
            "pytest tests/cores/dsp/test_dsp_cocotb.py -k every_digit",
        ),
        ElementVerdict.DIFFERENT,
        "One adder in each block instead of ADD_PU and ADD_VS; no ADD_V0S1 with the C input; n and "
        "r are corrected for lengths other than the paper's four.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "single word multiplication at 400 MHz, double word addition at 200 MHz (SMDA)",
        "3.2",
        (
            f"{_RTL}/montcore_dsp_double.sv",
            "pytest tests/cores/dsp/test_dsp_rtl.py -k two_clocks",
        ),
        ElementVerdict.SAME,
        "clocking=double.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "Algorithm 3: sliding window of 5 bits",
        "3.2",
        ("hw/modexp", "src/montcore/model/modexp.py"),
        ElementVerdict.BETTER,
        "The sliding window, and additionally a fixed window and a ladder, whose cycles and "
        "addresses do not depend on the exponent.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "R^2 mod M supplied from outside",
        "3.2, Algorithm 3",
        ("hw/modexp/rtl/montcore_modexp_adder.sv",),
        ElementVerdict.BETTER,
        "Computed in hardware.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "exponent encoded while the table is made",
        "3.3",
        ("hw/modexp/rtl/montcore_modexp_window.sv",),
        ElementVerdict.DIFFERENT,
        "Windows are determined during the exponentiation, without a memory of encoded digits.",
    ),
    Element(
        ElementKind.FIGURE,
        "Virtex-4 and its DSP48",
        "2, Figures 1 and 2",
        (_BLOCK,),
        ElementVerdict.SAME,
        "The vendor's. A DSP48 is instantiated on Virtex-4, a DSP48E on Virtex-5.",
    ),
    Element(
        ElementKind.FIGURE,
        "clock of a DSP48 by its registers: 400, 253, 226 MHz",
        "2.2, Figure 3",
        (_BLOCK,),
        ElementVerdict.NOT_CHECKABLE,
        "The vendor's figures. Ours has registers at both factors, at the product and at the sum, "
        "as the fastest of the three.",
    ),
    Element(
        ElementKind.TABLE,
        "delay of adders",
        "2.2, Table 1",
        (f"{_RTL}/montcore_dsp_block.sv", _PAGE),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool gives a delay on Virtex-4. The RTL follows the paper's conclusion: adders "
        "of two "
        "inputs and 34 bits at half the blocks' clock.",
    ),
    Element(
        ElementKind.TABLE,
        "OPMODE of the first two blocks",
        "3.3, Table 2",
        (_BLOCK, _PAGE),
        ElementVerdict.DIFFERENT,
        "h55 and h65 as in the paper; h35, the C input of the leftmost block, is not needed.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "multiplier: row of DSP48, operand memories, adders, latency adjusters",
        "3.3, Figure 4",
        (f"{_RTL}/montcore_dsp_row.sv", f"{_RTL}/montcore_dsp_block.sv"),
        ElementVerdict.DIFFERENT,
        "Operand memories and row as in the paper. With one adder in a block the first product "
        "needs no delay line, and S lies in small memories instead of LA2.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "latency adjuster of SRL16 and a flip-flop, at relative positions (RLOC)",
        "3.3, Figure 5",
        ("hw/dsp/README.md",),
        ElementVerdict.NOT_CHECKABLE,
        "Described in the datasheet. Ours has no latency adjuster, and no free tool places a "
        "Virtex-4.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "exponentiator",
        "3.3, Figure 6",
        ("hw/modexp/rtl/montcore_modexp.sv", "hw/modexp/rtl/montcore_modexp_store.sv"),
        ElementVerdict.SAME,
        "Streams replace the interface memory, whose two ports cross between clock domains.",
    ),
    Element(
        ElementKind.CLAIM,
        "cycles of a product, (n + 1) r + 8, and 3r/2 + 3 to the next",
        "3.3",
        ("pytest tests/cores/dsp/test_dsp_rtl.py -k not_above_those_of_the_paper",),
        ElementVerdict.BETTER,
        "n r - r/2 + 4 (2 n + 7 for r = 2); then 2, or up to the next half-iteration.",
    ),
    Element(
        ElementKind.CLAIM,
        "at most t + ceil((t + 1) / 5) + 20 products",
        "3.3",
        (_PAGE,),
        ElementVerdict.BETTER,
        "Seven fewer in the sliding window's longest power.",
    ),
    Element(
        ElementKind.TABLE,
        "longest exponentiations, 512 to 2048 bits",
        "Tables 3 and 4",
        (
            _PAGE,
            "pytest tests/cores/modexp/test_modexp.py -k not_above_those_of_the_paper",
            "montcore maintain measure modexp",
        ),
        ElementVerdict.BETTER,
        "Fewer cycles at each length. Milliseconds are at the paper's 200 MHz, not at a clock of "
        "ours.",
    ),
    Element(
        ElementKind.TABLE,
        "17 DSP48 and 7 block RAMs",
        "Table 3",
        (_PAGE,),
        ElementVerdict.BETTER,
        "17 blocks, one block RAM fewer. Placement does not change these.",
    ),
    Element(
        ElementKind.TABLE,
        "3937 slices",
        "Tables 3 and 4",
        (_PAGE, "montcore synth modexp --set clocking=double --bits 2048 --target xc4v"),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool places a Virtex-4. Half the LUT4 of a netlist is a lower bound of its "
        "slices, so that it does not show which is smaller.",
    ),
    Element(
        ElementKind.CLAIM,
        "fits the XC4VFX12, the least of Virtex-4",
        "3.1; 4",
        ("pytest tests/papers/test_papers_claims.py -k least_virtex_4",),
        ElementVerdict.SAME,
        "Tables, flip-flops, DSP blocks and block RAMs are within the capacity of the device. "
        "Whether it can be placed is not checkable.",
    ),
    Element(
        ElementKind.TABLE,
        "critical paths of 2.493 and 4.988 ns",
        "Table 3",
        (_PAGE,),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool gives a clock for Virtex-4. Both clocks on ECP5 are in the datasheet.",
    ),
    Element(
        ElementKind.CLAIM,
        "fan-out of the select signal below 4",
        "4",
        ("hw/dsp/README.md",),
        ElementVerdict.DIFFERENT,
        "Described in the datasheet, not used: one select signal serves all blocks, with a "
        "register between selection and block.",
    ),
    Element(
        ElementKind.CLAIM,
        "DSP48 never stall within a product",
        "3.1",
        ("montcore maintain measure pitch --alpha 17 --bits 2048",),
        ElementVerdict.SAME,
        "Utilisation between dependent products is in the datasheet, above the paper's.",
    ),
    Element(
        ElementKind.CLAIM,
        "one circuit for 512 to 2048 bits",
        "3.1; 4",
        ("pytest tests/cores/dsp/test_dsp_rtl.py -k each_length_of_the_paper",),
        ElementVerdict.BETTER,
        "Every length up to the built length.",
    ),
    Element(
        ElementKind.CLAIM,
        "buses of at most 36 bits",
        "3.1",
        ("hw/modexp/README.md",),
        ElementVerdict.SAME,
        "34 bits inside, 32 on the multiplier's port.",
    ),
    Element(
        ElementKind.TABLE,
        "cited designs of Virtex-II and XC4000",
        "Table 4",
        (_PAGE,),
        ElementVerdict.NOT_CHECKABLE,
        "Other authors' figures.",
    ),
    Element(
        ElementKind.CLAIM,
        "the fastest exponentiator in an FPGA",
        "4; 5",
        (_PAGE,),
        ElementVerdict.NOT_CHECKABLE,
        "A statement of 2007 about a clock on Virtex-4.",
    ),
    Element(
        ElementKind.APPLICATION,
        "one exponentiation at a time",
        "3.3",
        (
            "hw/modexp/README.md",
            "montcore maintain measure slots --core karatsuba --bits 64",
            "pytest tests/cores/modexp/test_modexp_slots.py -k formula",
        ),
        ElementVerdict.BETTER,
        "slots=2 to 4: concurrent powers of one modulus, a product every max(P / slots, I) "
        "cycles, where P is the pitch of one power and I the core's interval. On the paper's row "
        "I equals P, so that only the clearing between powers is hidden. Over karatsuba four "
        "slots give almost four times as many powers.",
    ),
    Element(
        ElementKind.FUTURE,
        "Virtex-5 and Spartan-3A",
        "5",
        (
            _BLOCK,
            _PAGE,
            "montcore synth dsp --set alpha=17 --set clocking=double --bits 2048 --target xc5v",
        ),
        ElementVerdict.SAME,
        "The RTL has a DSP48E, and the table rows of dsp and of the exponentiator on Virtex-5, "
        "mapped and not placed. Spartan-3A is no target: its DSP48A does not shift the "
        "cascade by 17 bits, as Yosys's model of it shows, and the row depends on that shift.",
    ),
    Element(
        ElementKind.FUTURE,
        "elliptic curves on this multiplier",
        "5",
        (
            "hw/ecc",
            "montcore ec mul dsp --curve P-256 --scalar 5",
            "pytest tests/cores/ecc/test_ecc.py -k every_core_makes_scalar_products",
        ),
        ElementVerdict.SAME,
        "The curve engine works over dsp with one clock and with two. It then uses the port's "
        "canonical products, one at a time; their cycles over dsp are not in a table.",
    ),
    Element(
        ElementKind.FUTURE,
        "exponentiator with a processor",
        "5",
        (
            "docs/soc.md",
            "lab/src/montcore_lab/litex/chip.py",
            "hw/soc",
            "sw/driver",
            "pytest tests/cores/soc/test_litex.py -k firmware",
        ),
        ElementVerdict.SAME,
        "A LiteX system with VexRiscv and an accelerator over dsp with 17 blocks and two clocks, "
        "built and simulated with its firmware by `make soc`: a private power of RSA-2048 through "
        "mbedTLS takes 800,317 cycles, of the processor alone 120,769,807.",
    ),
)
