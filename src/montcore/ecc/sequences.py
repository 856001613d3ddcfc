# SPDX-License-Identifier: Apache-2.0
"""What the packets of a curve engine mean, and packets worth sending to one."""

import random
from dataclasses import dataclass, replace
from functools import cache, cached_property

from montcore.ecc.curves import Curve, Family
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest, curve_packet, operand_packets
from montcore.ecc.isa import EngineStatus
from montcore.ecc.program import PACKETS, Operation
from montcore.modexp.sequences import UnitPort
from montcore.sim.types import Status as Refusal
from montcore.verification.multiplier_port import joined, split
from montcore.verification.port import Answer, Packet

_LONG = Curve(
    "long",
    Family.MINUS_3,
    p=0xE6D692887,
    a=0xE6D692884,
    b=0x96F92A45C,
    x=0x2443B9E12,
    y=0x3E960F1C0,
    n=0xE6D6522DD,
)
#: Curves of every family and of one beat or two: p of 7 bits, and of 36.
CURVES = (
    Curve("any", Family.ANY_A, 127, 1, 7, 62, 48, 109),
    Curve("edwards", Family.EDWARDS, 127, 1, 5, 85, 111, 5),
    Curve("montgomery", Family.MONTGOMERY, 127, 2, 27, 2, 0, 37, 4),
    replace(_LONG, name="public", public=True),
    _LONG,
)
BITS = 40


@dataclass(frozen=True)
class EnginePort(UnitPort):
    """A curve engine with one context or several, and a source of randomness, behind the port.

    A packet of a curve that is none of `CURVES` must be malformed, or differ from one of them in
    its constants or base point so that it must be refused.
    """

    design: EngineDesign

    @cached_property
    def limit(self) -> int:
        """Most cycles to an answer: the products of an operation, for each context."""
        timing = self.design.timing
        products = 40 * self.design.length + 4000
        return self.design.contexts * products * (timing.latency + 2 * timing.beats)

    def modulus(self, packet: Packet, before: object) -> tuple[frozenset[int], Curve | None]:
        """Return the statuses that are right for a curve, and the curve if it is valid."""
        del before
        wrong = self._wrong_curve(packet)
        for curve, known in self._known.items():
            same = list(known)
            same[1:2] = packet[1:2]  # the counts, of which more than one is right
            if not wrong and list(packet) == same:
                return frozenset({Refusal.OK}), curve
        return frozenset(wrong or {Refusal.OPERAND_RANGE}), None

    def _wrong_curve(self, packet: Packet) -> set[int]:
        length, p_bits, n_bits = self.design.length, packet[0] & 1023, packet[0] >> 10 & 1023
        family, public = packet[0] >> 20 & 7, packet[0] >> 23 & 1
        bad = not 3 <= p_bits <= length or not 2 <= n_bits <= length or family > 4
        if bad or packet[0] >> 24 or len(packet) < 2:
            return {Refusal.MODULUS_LENGTH}
        columns, windows = packet[1] & 255, packet[1] >> 8 & 255
        bad = 5 * columns < n_bits + (1 if public else 64) or 5 * windows <= n_bits
        bad |= 5 * (windows - 1) < columns or max(columns, windows) > -(-(length + 64) // 5)
        beats = self.design.beats(max(p_bits, n_bits))
        if bad or packet[1] >> 16 or len(packet) != 2 + 6 * beats:
            return {Refusal.MODULUS_LENGTH}
        p, n = (joined(packet[2 + at : 2 + at + beats], self.width) for at in (0, beats))
        wrong = set[int]()
        if p >> p_bits or n >> n_bits:
            wrong.add(Refusal.MODULUS_LENGTH)
        if not p & 1 or (family != Family.MONTGOMERY and not n & 1):
            wrong.add(Refusal.MODULUS_EVEN)
        return wrong

    def answer(self, modulus: Curve | None, x: Packet, y: Packet) -> Answer:
        """Return an operation's status and its two numbers."""
        if modulus is None:
            return Answer((EngineStatus.CURVE,))
        beats = self.design.beats(modulus.bits)
        operation = Operation(y[0]) if y[0] in list(PACKETS) else None
        if not self._allowed(modulus, operation, len(x), len(y) - 1):
            return Answer((EngineStatus.LENGTH, *[0] * 2 * beats))
        assert operation is not None
        xs, ys = (
            tuple(joined(part[at : at + beats], self.width) for at in range(0, len(part), beats))
            for part in (x, y[1:])
        )
        status, *numbers = _result(self.design, modulus, operation, xs, ys)
        found = (beat for number in numbers for beat in split(number, beats, self.width))
        return Answer((status, *found))

    def _allowed(self, curve: Curve, operation: Operation | None, *beats: int) -> bool:
        if operation is None:
            return False
        wanted = [count * self.design.beats(curve.bits) for count in PACKETS[operation]]
        montgomery = curve.family is Family.MONTGOMERY
        ecdsa = operation in (Operation.SIGN, Operation.VERIFY)
        return (
            list(beats) == wanted
            and montgomery == (operation is Operation.LADDER)
            and not (curve.public and operation not in (Operation.VERIFY, Operation.JOINT))
            and not (curve.family is Family.EDWARDS and ecdsa)
        )

    @cached_property
    def _known(self) -> dict[Curve, list[int]]:
        """The packet of each curve."""
        return {curve: self._packet(curve) for curve in CURVES}

    def _packet(self, curve: Curve) -> list[int]:
        return split(*curve_packet(self.design, curve), self.width)

    def draw_modulus(self, rng: random.Random) -> Packet:
        """Return a curve's packet: usually valid, else refused for any reason."""
        curve = rng.choice(CURVES)
        packet, kind = self._packet(curve), rng.random()
        if kind < 0.1:
            packet = self._packet(replace(curve, y=curve.y ^ 1 if curve.y else curve.p))
        elif kind < 0.2:
            packet = self._packet(replace(curve, a=curve.p))
        elif kind < 0.3:
            packet = self._packet(replace(curve, p=curve.p - 1))
        elif kind < 0.4:
            packet[0] = rng.choice((packet[0], packet[0] & ~0xFFC00, packet[0] & ~0x3FF))
            packet[rng.randrange(2)] |= rng.choice((0x700000, 1 << 24))
        elif kind < 0.5:
            del packet[rng.randrange(1, len(packet)) :]
        elif kind < 0.55:
            packet += [rng.choice(packet)] * rng.randint(1, 3)
        return packet

    def draw_pair(self, rng: random.Random, modulus: Packet) -> tuple[Packet, Packet]:
        """Return an operation of any kind for the last curve sent: one in three is carried out."""
        known = [curve for curve, packet in self._known.items() if packet == list(modulus)]
        curve = known[0] if known else rng.choice(CURVES)
        if rng.random() < 0.25:  # an operation of any curve
            curve = rng.choice(CURVES)
        item = rng.choice(_requests(curve))
        (x, x_beats), (y, y_beats) = operand_packets(self.design, curve, item)
        packets = split(x, x_beats, self.width), split(y, y_beats, self.width)
        if rng.random() < 0.5:  # refused at once, so that most sequences are short
            wrong = rng.choice(packets)
            wrong += [rng.getrandbits(3)] * rng.randint(1, 2 * len(wrong))
        elif rng.random() < 0.1:
            packets[1][0] = rng.choice((7, 8 | packets[1][0], rng.getrandbits(self.width)))
        return packets


@cache
def _requests(curve: Curve) -> list[EngineRequest]:
    rng, n, p = random.Random(curve.name), curve.n, curve.p
    if curve.family is Family.MONTGOMERY:
        asked = ((3, 2, 0), (n - 1, 9, 1), (5, p, 0), (3, 2, 1), (3, 9, 2))
        return [EngineRequest(Operation.LADDER, (k,), (u, t)) for k, u, t in asked]
    point = curve.multiply(2, curve.base)
    assert point is not None
    e, k, d = (rng.randrange(1, n) for _ in range(3))
    return [
        EngineRequest(Operation.MULTIPLY, (k,), point),
        EngineRequest(Operation.MULTIPLY, (n,), point),
        EngineRequest(Operation.MULTIPLY, (k,), (point[0], point[1] ^ 1)),
        EngineRequest(Operation.MULTIPLY, (2 * n,), point),
        EngineRequest(Operation.BASE, (d,)),
        EngineRequest(Operation.SIGN, (k, d), (e,)),
        EngineRequest(Operation.SIGN, (0, d), (e,)),
        EngineRequest(Operation.VERIFY, (k, d), (e, *point)),
        EngineRequest(Operation.VERIFY, (n, d), (e, *point)),
        EngineRequest(Operation.JOINT, (k, d), point),
        EngineRequest(Operation.JOINT, (n, d), point),
        EngineRequest(Operation.MULTIPLY_ADD, (k, d), (e,)),
        EngineRequest(Operation.MULTIPLY_ADD, (k, 2 * n), (e,)),
    ]


@cache
def _result(
    design: EngineDesign, curve: Curve, operation: Operation, x: tuple[int, ...], y: tuple[int, ...]
) -> tuple[int, int, int]:
    found = Engine(design).model(curve).run(operation, x, y)
    return found.status, found.x, found.y
