# SPDX-License-Identifier: Apache-2.0
"""Elements of smm-2021, with their counterparts."""

from montcore_lab.papers.elements import Element, ElementKind, ElementVerdict

_RTL = "hw/smm/rtl"
_TESTS = "tests/cores/smm/test_smm_paper.py"

ELEMENTS = (
    Element(
        ElementKind.ALGORITHM,
        "Montgomery's algorithm bit by bit",
        "II.1, Figure 1",
        ("src/montcore/model/spec.py", "hw/rows/rc"),
        ElementVerdict.DIFFERENT,
        "Background of the paper. Here it is the specification, in integers; the rows are radix 2.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "scalable word-based algorithm, sWMMMA",
        "II.2, Figure 2",
        (
            f"{_RTL}/montcore_smm_paper.sv",
            "src/montcore/model/smm_paper.py",
            f"pytest {_TESTS} -k every_register_is_as_in_the_model",
        ),
        ElementVerdict.SAME,
        "The order of operations is the paper's, PL_Q in advance included.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "precomputed n0* = -n0^-1 mod 2^w",
        "II.2, Figure 2",
        (f"{_RTL}/montcore_smm_fast_setup.sv", "hw/smm/README.md"),
        ElementVerdict.BETTER,
        "Computed in hardware, once per modulus.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "word sizes of 16, 32 and 64 bits",
        "II.2",
        ("montcore verify smm --set w=64 --bits 256",),
        ElementVerdict.BETTER,
        "4, 8, 16, 32 and 64 bits.",
    ),
    Element(
        ElementKind.FIGURE,
        "elements over clock cycles",
        "Figure 3",
        ("docs/images/smm-timing.svg", "montcore maintain diagrams"),
        ElementVerdict.DIFFERENT,
        "Drawn from a simulation of the fast schedule. The paper's schedule is not drawn.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "core: RAM, Reg_Mod, sALU, Cntl_FSM",
        "III, Figure 4",
        (
            f"{_RTL}/montcore_smm_paper_array.sv",
            f"{_RTL}/montcore_smm_paper_memory.sv",
            f"{_RTL}/montcore_smm_paper_sequencer.sv",
        ),
        ElementVerdict.DIFFERENT,
        "The same parts, with word streams, the check of operands and zeroize added.",
    ),
    Element(
        ElementKind.ARCHITECTURE,
        "processing element: multiplier, PP_reg, two adders",
        "III, Figure 5",
        (
            f"{_RTL}/montcore_smm_drawn_pe.sv",
            f"{_RTL}/montcore_smm_paper_pe.sv",
            "montcore synth smm --set schedule=paper --set element=paper --set npe=8 --bits 521 "
            "--target osu018 --wires none",
        ),
        ElementVerdict.SAME,
        "Both are built and stand in Table 1. element=paper: a register for the product as a "
        "number, and two adders of two 16-bit carry-select parts each, whose carries propagate "
        "along the row, as the paper states in its text but does not draw. element=ours: PP_reg "
        "in carry-save form, one "
        "tree with one adder for adder1 and adder2, carries kept beside the words.",
    ),
    Element(
        ElementKind.ALGORITHM,
        "final subtraction of N",
        "II.2, steps 28 to 30",
        (f"{_RTL}/montcore_smm_paper_output.sv", f"{_RTL}/montcore_smm_fast_output.sv"),
        ElementVerdict.SAME,
        "The fast schedule subtracts 0, N or 2 N while the result leaves.",
    ),
    Element(
        ElementKind.CLAIM,
        "eight builds times eight prime fields of SEC 2 are right",
        "III; IV.1",
        (f"pytest {_TESTS} -k eight_builds_times_eight_primes",),
        ElementVerdict.SAME,
        "Simulated here: npe 1, 3 and 8 in the ordinary run, all eight builds and both schedules "
        "in the nightly run.",
    ),
    Element(
        ElementKind.FIGURE,
        "FPGA board with a program on the host",
        "IV.1, Figure 6",
        ("montcore verify smm --set schedule=paper --set npe=4 --field P-256",),
        ElementVerdict.NOT_CHECKABLE,
        "No board here. Results are compared in simulation of the RTL and of the mapped netlist. "
        "Caption (N_PE = 5, P521R) and text (N_PE = 4, 256 bits) of Figure 6(b) differ.",
    ),
    Element(
        ElementKind.TABLE,
        "clock cycles, 5r + 2mr + 7",
        "Table 1",
        (f"pytest {_TESTS} -k table_1", "docs/papers.md"),
        ElementVerdict.SAME,
        "All 37 cells, by simulation of schedule=paper. The fast schedule takes fewer in each.",
    ),
    Element(
        ElementKind.TABLE,
        "area in kGE and memory in kbit",
        "Table 1",
        (
            "docs/papers.md",
            "montcore synth smm --set npe=8 --bits 521 --target osu018 --wires none",
        ),
        ElementVerdict.BETTER,
        "The fast schedule's logic is smaller at each npe, in another library of 180 nm and before "
        "placement. It has more memory: a second set of operands, and M'.",
    ),
    Element(
        ElementKind.TABLE,
        "area, memory, clock and rates of the paper's schedule in our flow",
        "Table 1",
        (
            f"{_RTL}/montcore_smm_paper.sv",
            "docs/papers.md",
            "montcore synth smm --set schedule=paper --set npe=8 --bits 521 --target osu018 "
            "--wires none",
        ),
        ElementVerdict.BETTER,
        "With the paper's element and schedule our flow takes 55 % of the paper's kGE for 8 "
        "elements and 37 % for 2, at nearly its 9 ns: the difference comes from library, "
        "synthesis and the logic around the elements. Our elements with the same schedule are as "
        "large and faster; the "
        "fast schedule then takes fewer cycles at a shorter period for more area, part of it the "
        "second set of operands.",
    ),
    Element(
        ElementKind.TABLE,
        "256-bit products a second at 100 MHz",
        "Table 1",
        ("docs/papers.md",),
        ElementVerdict.BETTER,
        "More at each npe, at 100 MHz as well as at our Tmin.",
    ),
    Element(
        ElementKind.CLAIM,
        "longest path of about 9 ns",
        "IV.2",
        (
            "docs/papers.md",
            "pytest tests/papers/test_papers_claims.py -k longest_path_as_drawn",
            "montcore synth smm --set schedule=paper --set element=paper --set npe=8 --bits 521 "
            "--target osu018 --wires none",
        ),
        ElementVerdict.BETTER,
        "With the paper's element Tmin of osu018 is within 4 % of that for 2 and for 8 elements, "
        "so that one figure for all sizes is plausible; ours is shorter. Without wires, which the "
        "paper does not mention.",
    ),
    Element(
        ElementKind.FIGURE,
        "area, memory, cycles and rate over N_PE; rate per gate",
        "Figures 7 and 8",
        (
            "docs/images/smm-npe.png",
            "montcore papers --figures out/figures.html",
            "pytest tests/papers/test_papers_charts.py -k data_of_the_page",
        ),
        ElementVerdict.SAME,
        "Redrawn with the paper's figures and ours, as a picture and as an HTML page with each "
        "figure, date and command.",
    ),
    Element(
        ElementKind.CLAIM,
        "4, 5 and 8 elements are the most efficient",
        "IV.2, Figure 8",
        (
            "pytest tests/papers/test_papers_claims.py -k exchanged",
            "pytest tests/papers/test_papers_claims.py -k most_efficient_of_ours",
        ),
        ElementVerdict.DIFFERENT,
        "True of Table 1 only with the areas of 5 and 6 elements exchanged, which are very likely "
        "misprinted. Of ours 2, 4 and 8 elements have the most products per second and GE, with "
        "either schedule.",
    ),
    Element(
        ElementKind.CLAIM,
        "cycles to a fifth and area times 3.6 from 1 to 8 elements",
        "IV.2",
        ("docs/papers.md",),
        ElementVerdict.DIFFERENT,
        "Our cycles fall by the same factor; our area grows more, since less of it lies outside "
        "the "
        "elements.",
    ),
    Element(
        ElementKind.TABLE,
        "DSP blocks and LUT on Virtex-5",
        "Table 2",
        ("montcore synth smm --set npe=8 --set schedule=paper --bits 256 --target xc5v",),
        ElementVerdict.DIFFERENT,
        "Mapped by Yosys and not placed; the paper's are of a placed design.",
    ),
    Element(
        ElementKind.TABLE,
        "44.1 MHz and 635 ns on Virtex-5",
        "Table 2",
        ("montcore synth smm --set npe=8 --set schedule=paper --bits 256 --target ecp5",),
        ElementVerdict.NOT_CHECKABLE,
        "No free tool places a Virtex-5. The clock on ECP5 stands in Table 2.",
    ),
    Element(
        ElementKind.CLAIM,
        "63 MHz with two elements",
        "IV.2",
        (
            "docs/papers.md",
            "montcore synth smm --set schedule=paper --set element=paper --set npe=2 --bits 521 "
            "--target osu018 --wires none",
        ),
        ElementVerdict.NOT_CHECKABLE,
        "A prediction for Virtex-5, 43 % above the clock of 8 elements; no free tool places that "
        "device. In osu018 without wires the paper's circuit has no shorter Tmin with 2 elements "
        "than with 8, so that its logic does not explain the difference; wires may.",
    ),
    Element(
        ElementKind.CLAIM,
        "28 % more time than [13], with 50 % fewer LUT and 65 % fewer DSP blocks",
        "IV.2",
        (
            "pytest tests/papers/test_papers_claims.py -k smm_paper_compares",
            "pytest tests/papers/test_papers_claims.py -k smm_of_ours_beside_karatsuba",
            "montcore synth smm --set npe=8 --set schedule=paper --set element=paper --bits 256 "
            "--target xc5v",
            "hw/karatsuba/README.md",
        ),
        ElementVerdict.SAME,
        "The percentages follow from Table 2. [13] is karatsuba-2018: of ours on xc5v, both with "
        "their paper's schedule and smm with the paper's element, smm takes 36 % fewer LUT (3,422 "
        "and 5,357) and 71 % fewer DSP blocks (35 and 120), and 28 cycles against 29. The time "
        "cannot be checked: no free tool places a Virtex-5.",
    ),
    Element(
        ElementKind.CLAIM,
        "half the time of [14]; [16] with 10 times the LUT and 1.4 times the time",
        "IV.2",
        ("pytest tests/papers/test_papers_claims.py -k smm_paper_compares",),
        ElementVerdict.SAME,
        "The factors follow from Table 2. The cited designs are not built here.",
    ),
    Element(
        ElementKind.CLAIM,
        "any size by choice of word size and number of elements",
        "IV.2; V",
        ("montcore verify smm --set npe=17 --bits 521",),
        ElementVerdict.BETTER,
        "Any odd modulus up to the built width at run time, instead of eight fields; npe up to "
        "the number of words.",
    ),
    Element(
        ElementKind.APPLICATION,
        "IP of an elliptic-curve processor",
        "Abstract; V",
        ("hw/ecc", "montcore ec mul smm --set npe=8 --curve P-256 --scalar 5"),
        ElementVerdict.BETTER,
        "The curve engine over smm is built and simulated.",
    ),
    Element(
        ElementKind.APPLICATION,
        "ECDSA and ECIES in vehicles (WAVE)",
        "I",
        ("montcore ecdsa sign --help", "montcore ecdh --help"),
        ElementVerdict.DIFFERENT,
        "ECDSA and the key agreement are implemented; ECIES, with its cipher, is not.",
    ),
)
