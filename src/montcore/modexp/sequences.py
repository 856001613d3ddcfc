# SPDX-License-Identifier: Apache-2.0
"""What the packets of an exponentiator mean, and packets worth sending to one."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from montcore.modexp.design import MAX_LENGTH, ExponentiatorDesign
from montcore.modexp.exponentiator import KEPT_SHIFT, POLICY_SHIFT, PRODUCT, SECOND_SHIFT
from montcore.modexp.unit import UnitDesign
from montcore.sim.build import RtlBuild
from montcore.sim.types import Status
from montcore.verification.cases import modulus_statuses
from montcore.verification.multiplier_port import draw_modulus, draw_operand, joined, split
from montcore.verification.port import Answer, Packet

#: Bits of most exponents: a power of few products shows as much of the port as one of many.
_SHORT = 6


@dataclass
class Moduli:
    """The moduli that are loaded: one, or for a pair two, which take the requests in turn."""

    length: int
    m: tuple[int, ...]
    turn: int = 0


@dataclass(frozen=True)
class UnitPort:
    """A unit over a core behind the port.

    Attributes:
        rtl: its sources in the style of a technology.
        target: a target of that technology, empty for simulation.
    """

    design: UnitDesign
    rtl: RtlBuild
    target: str = ""

    @property
    def words(self) -> Sequence[str]:
        """Words of the command line that name the unit."""
        return self.design.words(self.target)

    @property
    def width(self) -> int:
        """Width of the streams in bits."""
        return self.design.width


@dataclass(frozen=True)
class ExponentiatorPort(UnitPort):
    """An exponentiator, slots of them or a pair, behind the port."""

    design: ExponentiatorDesign

    @cached_property
    def limit(self) -> int:
        """Most cycles to an answer: products of the longest power, in all slots in turn."""
        core, bits = self.design.core, self.design.length
        product = core.core_cycles(bits) + core.interval(bits) + 8 * self.design.beats(bits) + 40
        return (2 * bits + 64) * product * (self.design.slots + self.design.pair)

    def modulus(
        self, packet: Packet, before: Moduli | None
    ) -> tuple[frozenset[int], Moduli | None]:
        """Return the statuses that are right for a modulus, and what is loaded after it."""
        header, *beats = packet
        second = False
        if self.design.pair:
            second = bool(header >> SECOND_SHIFT & 1)
            header &= ~(1 << SECOND_SHIFT | 1 << KEPT_SHIFT)
        left = Moduli(before.length, before.m[:1]) if second and before is not None else None
        fits = not second or (left is not None and left.length == header)
        if not (fits and 2 <= header <= self.design.length):
            return frozenset({Status.MODULUS_LENGTH}), left
        m = joined(beats, self.width)
        statuses = set(modulus_statuses(m, header))
        if len(beats) != self.design.host_beats(header):
            statuses.add(Status.MODULUS_LENGTH)
        if statuses:
            return frozenset(statuses), left
        return frozenset({Status.OK}), Moduli(header, (*(left.m if left else ()), m))

    def answer(self, modulus: Moduli | None, x: Packet, y: Packet) -> Answer:
        """Return the power or product, or the status with which it is refused."""
        if modulus is None:
            return Answer(error=Status.NO_MODULUS)
        m = modulus.m[modulus.turn]
        modulus.turn = (modulus.turn + 1) % len(modulus.m)
        header, *beats = y
        length, policy = header & ((1 << POLICY_SHIFT) - 1), header >> POLICY_SHIFT
        factor, base, host = joined(beats, self.width), joined(x, self.width), len(x)
        wrong = not 1 <= length <= self.design.length or policy > PRODUCT or factor >> length
        wrong |= host != self.design.host_beats(modulus.length)
        wrong |= len(beats) != self.design.host_beats(max(1, length))
        wrong |= policy == PRODUCT and len(beats) != self.design.host_beats(modulus.length)
        if wrong:
            return Answer(error=Status.OPERAND_LENGTH)
        if base >= m or (factor >= m if policy == PRODUCT else factor == 0):
            return Answer(error=Status.OPERAND_RANGE)
        z = base * factor % m if policy == PRODUCT else pow(base, factor, m)
        return Answer(tuple(split(z, host, self.width)))

    def draw_modulus(self, rng: random.Random) -> Packet:
        """Return a modulus packet: usually valid, else refused for any reason."""
        bits, width = self.design.length, self.width
        beats = list(draw_modulus(rng, self.design.host_beats(bits), width, bits))
        least = max(2, (len(beats) - 1) * width + 1, joined(beats, width).bit_length())
        length = rng.randint(least, max(least, min(bits, len(beats) * width)))
        if rng.random() < 0.1:
            length = rng.choice((0, 1, 2, bits + 1, MAX_LENGTH, 1 << rng.randrange(width)))
        if rng.random() < 0.1:
            beats += [0] * rng.randint(0, 2)
            del beats[rng.randint(0, len(beats)) :]
        if self.design.pair:
            length |= rng.getrandbits(1) << SECOND_SHIFT | rng.getrandbits(1) << KEPT_SHIFT
        return [length % (1 << width), *beats]

    def draw_pair(self, rng: random.Random, modulus: Packet) -> tuple[Packet, Packet]:
        """Return operands of any kind for the last modulus packet sent."""
        width, most = self.width, self.design.host_beats(self.design.length) + 2
        number, plain = list(modulus[1:]) or [0], rng.random() < 0.4
        x = draw_operand(rng, number, width, most, plain=plain)
        policy = rng.choice((0, 1, 2, PRODUCT, PRODUCT))
        if policy == PRODUCT:
            beats = list(draw_operand(rng, number, width, most, plain=plain))
            length = min(len(beats) * width, self.design.length)
        else:
            length = rng.randint(1, rng.choice((_SHORT, _SHORT, _SHORT, self.design.length)))
            e = rng.getrandbits(length) | rng.getrandbits(1)
            beats = split(e, self.design.host_beats(length), width)
        if not plain and rng.random() < 0.2:
            length = rng.choice((0, length + 1, length - 1, length | 1 << rng.randrange(width)))
            length %= 1 << width
        if not plain and rng.random() < 0.1:
            beats += [0] * rng.randint(0, 2)
            del beats[rng.randint(0, len(beats)) :]
        return x, [policy << POLICY_SHIFT | length, *beats]
