# SPDX-License-Identifier: Apache-2.0
"""What a core declares for the tests of all cores and for an exponentiator over it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from montcore.model.modexp import ModelMultiplier


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


@dataclass(frozen=True)
class LazyUnit:
    """The unit that the exponentiator is built over instead of the core's port.

    Its results are not reduced: they can be operands again and are below the bound that the unit
    needs. Its module has the ports of `montcore_modexp_multiplier`, with `clk2x_i` if
    MONTCORE_CLK2X is defined, the parameters of the core's top module except those in `without`,
    and `BeatBits` and `LengthBits`, the bits of a beat count and of a length.

    Attributes:
        sources: SystemVerilog files in compile order; memories and packages may be omitted.
        width: bits of a beat of a number, such as the modulus and the host's numbers.
        beats: maps a run-time length in bits to the beats of an operand.
        arithmetic: maps a modulus and its run-time length to the arithmetic of products.
        number: maps the beats of a result to its value; None: they are its digits.
        extra_width: additional bits of a beat of an operand or a result, above those of a number. A
            number with zeros there is an operand, and a reduced result is a number.
        without: parameters of the core's top module that the unit does not have.
        lazy_set_up: R^2 mod m is made with lazy products, and `power` of the arithmetic is e of
            R^2 = 2^(width e). Every number below 2^(width + 1) m must be an operand, the product of
            two such numbers another one, and an operand have a beat more than m.
        interval: maps a run-time length to the cycles between products that the unit can accept;
            None if it accepts a product when the previous result is output.
    """

    top: str
    sources: tuple[Path, ...]
    width: int
    beats: Callable[[int], int]
    arithmetic: Callable[[int, int], ModelMultiplier]
    number: Callable[[Sequence[int]], int] | None = None
    extra_width: int = 0
    without: frozenset[str] = frozenset()
    lazy_set_up: bool = False
    interval: Callable[[int], int] | None = None
