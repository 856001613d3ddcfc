# SPDX-License-Identifier: Apache-2.0
"""Properties that a core declares and that the tests of all cores check."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Refusal:
    """Parameters that a core cannot be built with.

    Both the tool and each simulator at elaboration reject them, with the same message.

    Attributes:
        settings: the other non-default parameters.
        sentence: the end of the message.
    """

    bits: int
    settings: Mapping[str, int | str] = field(default_factory=dict)
    sentence: str = ""


#: The streams whose packets a verdict concerns.
MODULUS, OPERANDS = ("cfg",), ("x", "y")


@dataclass(frozen=True)
class Verdict:
    """One bit by which control depends on the data of a packet.

    Attributes:
        register: path of the register.
        bit: index of the bit in the register.
        stages: conditions; the bit is valid while the last one holds. The others are the stages of
            a pipeline from the last beat on, oldest first. Each is a conjunction of terms
            ``WIRE[HIGH:LOW]==VALUE``, joined by ``&``.
        streams: the streams of the packet; their last beats are accepted together.
    """

    register: str
    bit: int
    stages: tuple[str, ...]
    streams: tuple[str, ...]


def modulus_verdicts(above: str = "") -> list[Verdict]:
    """Return the verdicts of the `montcore_config` below a path (with its dot)."""
    config = f"{above}u_config."
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
    return modulus_verdicts(f"{above}u_front.") + banks
