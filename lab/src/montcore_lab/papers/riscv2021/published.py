# SPDX-License-Identifier: Apache-2.0
"""Table 8 of riscv-2021 (H. Seo et al., scalable multi-precision multiplication on RISC-V).

Cycles of an n x n product on a SiFive E31 (HiFive1 Rev B, RV32IMAC), read with the counter
routine of its Table 7; a single routine of 640 bytes serves all lengths. The column for the earlier
work is rounded.
"""

from montcore_riscv.bench import PAPER_CODE_BYTES, PAPER_CYCLES

#: Cycles by bits of an operand.
CYCLES = PAPER_CYCLES

#: Cycles of the work that it compares with (its [4], K. Stoffelen 2019: unrolled operand scanning),
#: quoted there as approximate.
EARLIER_CYCLES = {256: 1_800, 512: 6_100}

#: Code bytes of its routine.
CODE_BYTES = PAPER_CODE_BYTES

#: Exponents of 2 and 3 of SIKE's primes 2^e * 3^f - 1, by the name of the parameter set.
SIKE = {
    "SIKEp434": (216, 137),
    "SIKEp503": (250, 159),
    "SIKEp610": (305, 192),
    "SIKEp751": (372, 239),
}

#: The largest of CSIDH-512's 74 odd prime factors of p + 1; the others are the least 73.
CSIDH_512_LAST = 587
CSIDH_512_LEAST = 73
