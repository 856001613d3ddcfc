# SPDX-License-Identifier: Apache-2.0
"""The hook of a core whose products can follow each other without reduction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.model.modexp import Multiplier


@dataclass(frozen=True)
class LazyUnit:
    """What the exponentiator is built over instead of the core's port.

    Its results are not reduced: they are operands again, below the bound that the unit needs. Its
    module has the ports of `montcore_modexp_multiplier`, with `clk2x_i` where MONTCORE_CLK2X is
    defined, the parameters of the core's top module but those in `without`, and `BeatBits`
    and `LengthBits`, the bits of a beat count and of a length.

    Attributes:
        top: name of the module.
        sources: SystemVerilog files in compile order; memories and packages may be left out.
        width: bits of a beat of a number, as the modulus and the host's numbers come in.
        beats: from a run-time length in bits to the beats of an operand.
        arithmetic: from a modulus and its run-time length to what products are.
        number: from beats of a result to what they stand for; None: they are its digits.
        extra_width: bits that a beat of an operand or of a result has above those of a number.
            With zeros there a number is an operand, and a result that is reduced is a number.
        without: parameters of the core's top module that the unit does not have.
        interval: from a run-time length to the cycles in which it takes up products; None if it
            takes one up when the result of the one before it comes out.
    """

    top: str
    sources: tuple[Path, ...]
    width: int
    beats: Callable[[int], int]
    arithmetic: Callable[[int, int], Multiplier]
    number: Callable[[Sequence[int]], int] | None = None
    extra_width: int = 0
    without: frozenset[str] = frozenset()
    interval: Callable[[int], int] | None = None
