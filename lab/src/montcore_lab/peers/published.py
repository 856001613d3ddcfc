# SPDX-License-Identifier: Apache-2.0
"""Published figures that are not measured here.

OTBN, OpenTitan's programmable accelerator, is a processor, not a multiplier that `measure` could
synthesise and compare. The figures of FIOS on FPGAs are from a vendor's place and route.
"""

from dataclasses import dataclass

#: Where the cycles are from, and the commit and day at which the page was read.
SOURCE = "github.com/lowRISC/opentitan"
PAGE = "hw/ip/otbn/doc/otbn_intro.md"
COMMIT = "022eecb6b9"
READ = "2026-11-26"


@dataclass(frozen=True)
class Published:
    """An operation whose cycles are published.

    Attributes:
        operation: what is computed.
        cycles: cycles of the program, by the project's simulator.
        constant_time: whether the project states that the cycles do not depend on secrets.
        ours: page with the unit of ours that does the same, and the column or table there.
    """

    operation: str
    cycles: int
    constant_time: bool
    ours: str


_ECC = "[hw/ecc](../hw/ecc/README.md), prime256v1, "
_RSA = "[docs/papers.md](papers.md), powers of 2048 bits, modexp over `dsp`"
OTBN = (
    Published("P-256, k P", 670_089, True, f"{_ECC}k P"),
    Published("P-256, ECDSA signature", 704_126, True, f"{_ECC}sign"),
    Published("P-256, ECDSA verification", 420_220, False, f"{_ECC}verify"),
    Published("X25519", 114_488, True, "[hw/ecc](../hw/ecc/README.md), x25519, ladder"),
    Published("2048 bits, power with the exponent 65537", 132_028, False, _RSA),
    Published("2048 bits, power with a secret exponent", 18_889_021, True, _RSA),
)

#: Files with the figures of FIOS, their commit, and the day at which they were read.
FIOS_SOURCE = ("RESULTS", "19561c06cf", "2026-11-27")
#: FIOS at 256 bits: form and device, DSP blocks, look-up tables, flip-flops, cycles, cycles between
#: results, clock in MHz, and time of a product in us.
FIOS = (
    ("folded, Kintex UltraScale+, grade 3", 6, 638, 1308, 127, 127, 765, 0.166),
    ("folded, Zynq UltraScale+, grade 2", 6, 637, 1309, 127, 127, 625, 0.203),
    ("expanded, Zynq UltraScale+, grade 2", 16, 1510, 2949, 125, 35, 625, 0.200),
    ("folded, Virtex-7, grade 3", 7, 711, 1331, 191, 191, 520, 0.367),
)
