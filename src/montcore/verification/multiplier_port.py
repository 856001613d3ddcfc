# SPDX-License-Identifier: Apache-2.0
"""What the packets of a multiplier core mean, and packets worth sending to one."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from montcore.cores.core import Core
from montcore.model.spec import montgomery_product
from montcore.sim.build import RtlBuild
from montcore.sim.types import Status
from montcore.support.words import settings_list
from montcore.verification.cases import modulus_statuses
from montcore.verification.port import Answer, Packet


def joined(packet: Packet, width: int) -> int:
    """Return the number in a packet."""
    return sum(beat << width * place for place, beat in enumerate(packet))


def split(value: int, beats: int, width: int) -> list[int]:
    """Return that many beats of a number; what lies above them is cut off."""
    return [value >> width * place & ((1 << width) - 1) for place in range(beats)]


@dataclass(frozen=True)
class Modulus:
    """A modulus that was accepted, and the beats of its packet."""

    m: int
    beats: int


@dataclass(frozen=True)
class MultiplierPort:
    """A multiplier core behind its port.

    Attributes:
        rtl: its sources in the style of a technology.
        target: a target of that technology, empty for simulation.
        bus: the streams that it is behind, if it is.
    """

    core: Core
    rtl: RtlBuild
    target: str = ""
    bus: str = ""

    @property
    def words(self) -> Sequence[str]:
        """Words of the command line that name the unit."""
        settings = settings_list(self.core.settings().items())
        words = [self.core.name, *settings, "--bits", str(self.core.bits)]
        words += ["--target", self.target] if self.target else []
        return [*words, "--bus", self.bus] if self.bus else words

    @property
    def width(self) -> int:
        """Width of the streams in bits."""
        return self.core.bus_width

    @cached_property
    def limit(self) -> int:
        """Most cycles to an answer: above those of any set-up, product or clear."""
        bits = self.core.bits
        return 256 + 8 * self.core.beats(bits) + 2 * self.core.core_cycles(bits)

    def modulus(self, packet: Packet, before: Any) -> tuple[frozenset[int], Modulus | None]:
        """Return the statuses that are right for a modulus, and the modulus if it is valid."""
        del before
        m = joined(packet, self.width)
        statuses = set(modulus_statuses(m, self.core.bits))
        if len(packet) > self.core.beats(self.core.bits):
            statuses.add(Status.MODULUS_LENGTH)
        return frozenset(statuses or {Status.OK}), None if statuses else Modulus(m, len(packet))

    def answer(self, modulus: Modulus | None, x: Packet, y: Packet) -> Answer:
        """Return the product, or the status with which it is refused."""
        if modulus is None:
            return Answer(error=Status.NO_MODULUS)
        if {len(x), len(y)} != {modulus.beats}:
            return Answer(error=Status.OPERAND_LENGTH)
        numbers = joined(x, self.width), joined(y, self.width)
        if max(numbers) >= modulus.m:
            return Answer(error=Status.OPERAND_RANGE)
        r_bits = self.core.r_bits(modulus.beats * self.width)
        z = montgomery_product(*numbers, modulus.m, r_bits)
        return Answer(tuple(split(z, modulus.beats, self.width)))

    def draw_modulus(self, rng: random.Random) -> Packet:
        """Return a modulus packet: usually valid, else refused for any reason."""
        return draw_modulus(rng, self.core.beats(self.core.bits), self.width, self.core.bits)

    def draw_pair(self, rng: random.Random, modulus: Packet) -> tuple[Packet, Packet]:
        """Return operands of any kind for the last modulus packet sent."""
        most = self.core.beats(self.core.bits) + 2
        plain = rng.random() < 0.4
        x, y = (draw_operand(rng, modulus, self.width, most, plain=plain) for _ in range(2))
        return x, y


def draw_modulus(rng: random.Random, built: int, width: int, bits: int) -> Packet:
    """Return a modulus packet of a unit of `built` beats and `bits` bits."""
    beats = rng.choice((built, built, rng.randint(1, built)))
    room = min(bits, beats * width)
    length = rng.choice((room, room, rng.randint(2, room)))
    dense = rng.getrandbits(length) | 1 << (length - 1)
    m = rng.choice((dense, dense, (1 << length) - 1, 1 << (length - 1))) | 1
    if rng.random() < 0.2:  # a word of zeros or ones
        ones = ((1 << width) - 1) << width * rng.randrange(beats)
        m = (m | ones) & ((1 << room) - 1) if rng.random() < 0.5 else m & ~ones | 1
    if rng.random() < 0.3:
        m = rng.choice((0, 1, m & ~1, m & ~1, m | 1 << bits))
        if rng.random() < 0.3:
            beats = built + rng.randint(1, 3)
            m |= rng.choice((0, rng.getrandbits(beats * width)))
    return split(m, beats, width)


def draw_operand(
    rng: random.Random, modulus: Packet, width: int, most: int, *, plain: bool
) -> Packet:
    """Return an operand for a modulus packet: next to it, or of a wrong length, unless plain."""
    beats, m = len(modulus), joined(modulus, width)
    if plain:
        return split(rng.choice((rng.randrange(max(1, m)), m - 1)), beats, width)
    value = rng.choice((rng.randrange(max(1, m)), rng.randrange(max(1, m)), m - 1, m, m + 1, 0, 1))
    if rng.random() < 0.3:  # the modulus in all words but one
        place = rng.randrange(beats)
        word = m >> width * place & ((1 << width) - 1)
        other = rng.choice((word - 1, word + 1, rng.getrandbits(width))) % (1 << width)
        value = m + (other - word << width * place)
    if rng.random() < 0.15:
        beats = rng.randint(1, most)
    return split(value, beats, width)
