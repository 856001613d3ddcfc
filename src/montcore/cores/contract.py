# SPDX-License-Identifier: Apache-2.0
"""Properties that a core declares and that the tests of all cores check."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Refusal:
    """Parameters that a core cannot be built with.

    The tool refuses them, and so does each simulator at elaboration, with the same sentence.

    Attributes:
        bits: built width.
        settings: the other parameters where they are not the defaults.
        sentence: the end of what is said.
    """

    bits: int
    settings: Mapping[str, int | str] = field(default_factory=dict)
    sentence: str = ""


#: The streams whose packets a verdict is about.
MODULUS, OPERANDS = ("cfg",), ("x", "y")


@dataclass(frozen=True)
class Verdict:
    """One bit that tells control something about the data of a packet.

    Attributes:
        register: path of the register.
        bit: which bit of it.
        stages: when the bit is valid: the last one; the ones before are the stages of a pipeline
            from the last beat on, oldest first. Each is made of terms ``WIRE[HIGH:LOW]==VALUE``
            that all hold, joined by ``&``.
        streams: the streams of the packet; the last beats of all of them are taken together.
    """

    register: str
    bit: int
    stages: tuple[str, ...]
    streams: tuple[str, ...]


def modulus_verdicts(above: str = "") -> list[Verdict]:
    """Return the verdicts of `montcore_config` in the `u_front` below a path (with its dot)."""
    config = f"{above}u_front.u_config."
    valid = (f"{config}state_q==1",)
    names = ("odd_q", "above_one_q", "too_long_q")
    return [Verdict(f"{config}{name}", 0, valid, MODULUS) for name in names]


def port_verdicts(above: str = "") -> list[Verdict]:
    """Return the verdicts of `montcore_config` and `montcore_loader`: one for each bank."""
    loader = f"{above}u_front.u_loader."
    banks = [
        Verdict(f"{loader}range_q", bank, (f"{loader}bank_q{bits}==1",), OPERANDS)
        for bank, bits in enumerate(("[1:0]", "[3:2]"))
    ]
    return modulus_verdicts(above) + banks
