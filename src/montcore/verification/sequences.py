# SPDX-License-Identifier: Apache-2.0
"""Random sequences of packets against the reference model of the port; failing ones are shrunk."""

import random
import shlex
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

from montcore.sim.build import RtlBuild
from montcore.sim.sequence import SequenceOp, play, text_of
from montcore.sim.wire import BeatFormat
from montcore.verification.checker import Failure, VerifyResult
from montcore.verification.port import BrokenContractError, Contents, Packet, PortModel
from montcore.verification.run import Progress

#: Packets of one simulation: each begins with fresh registers, so that a failure does not depend
#: on the simulations before it.
PACKETS = 200
#: Most further simulations by which a failing sequence is shrunk.
SHRINKING = 400
#: Simulations of a seed before their own seeds are those of the next one.
_SEEDS = 1_000_000
#: Binary logarithm of the longest wait: a wipe, or the set-up of a modulus.
_LONGEST = 12


class SequenceUnit(Contents, Protocol):
    """A unit with the common port, and what is worth sending to it."""

    @property
    def words(self) -> Sequence[str]:
        """Words of the command line that name the unit: ``mx --set w=16 --bits 37``."""

    @property
    def rtl(self) -> RtlBuild:
        """What the simulator is compiled from."""

    @property
    def width(self) -> int:
        """Width of the streams in bits."""

    @property
    def limit(self) -> int:
        """Most cycles to an answer, once nothing is before it."""

    def draw_modulus(self, rng: random.Random) -> Packet:
        """Return a modulus packet, valid or not."""

    def draw_pair(self, rng: random.Random, modulus: Packet) -> tuple[Packet, Packet]:
        """Return operand packets, valid or not, for the last modulus packet sent."""


@dataclass(frozen=True)
class SequenceRun:
    """One simulation: answers, refusals among them, and what is wrong, if anything."""

    checked: int
    rejected: int
    fault: str


def run(unit: SequenceUnit, ops: Sequence[SequenceOp], seed: int) -> SequenceRun:
    """Play a sequence and compare every event with the model."""
    model = PortModel(unit, unit.limit)
    beat = BeatFormat(unit.width)
    events, fault = play(unit.rtl.executable(), ops, beat, seed, unit.limit)
    try:
        for event in events:
            model.take(event)
    except BrokenContractError as error:
        fault = str(error)
    return SequenceRun(model.moduli + model.answers, model.refused, fault)


def sequences(
    unit: SequenceUnit,
    count: int,
    *,
    seed: int = 0,
    processes: int = 2,
    progress: Progress | None = None,
) -> VerifyResult:
    """Play random sequences until `count` packets were answered, or one failed.

    A failing one is shrunk: its command plays what is left of it. The result counts answers to
    moduli and pairs of operands; it has no cycles.
    """
    unit.rtl.executable()  # in this thread, where an interrupt stops it
    result = VerifyResult(seed)
    with ThreadPoolExecutor(max_workers=processes) as pool:

        def started() -> Iterator[tuple[int, list[SequenceOp], Future[SequenceRun]]]:
            number = seed * _SEEDS
            while True:
                ops = sequence(unit, random.Random(number), PACKETS)
                yield number, ops, pool.submit(run, unit, ops, number)
                number += 1

        source = started()
        waiting = [next(source) for _ in range(2 * processes)]
        while result.checked < count and not result.failed:
            number, ops, future = waiting.pop(0)
            waiting.append(next(source))
            found = future.result()
            result.checked += found.checked
            result.rejected += found.rejected
            if found.fault:
                result.failed = 1
                what, shrunk = shrink(unit, ops, number)
                result.failures = [Failure(what or found.fault, replay(unit, shrunk, number))]
            if progress is not None:
                progress(min(result.checked, count), count)
        for _, _, future in waiting:
            future.cancel()
    return result


def replay(unit: SequenceUnit, ops: Sequence[SequenceOp], seed: int) -> str:
    """Return the command line that plays a sequence again."""
    words = ["montcore", "verify", *unit.words, "--seed", str(seed), "--replay", text_of(ops)]
    return shlex.join(words)


def shrink(
    unit: SequenceUnit, ops: Sequence[SequenceOp], seed: int
) -> tuple[str, list[SequenceOp]]:
    """Return what is wrong in a failing sequence, and the fewest and plainest operations found."""
    tries = 0

    def fault(some: Sequence[SequenceOp]) -> str:
        nonlocal tries
        tries += 1
        return run(unit, some, seed).fault

    # The shortest beginning that fails, and of it the shortest end: most faults need a few packets.
    good, bad = 0, len(ops)
    while bad - good > 1:
        middle = (good + bad) // 2
        good, bad = (good, middle) if fault(ops[:middle]) else (middle, bad)
    kept, size = list(ops[:bad]), 1
    while size < bad and not fault(kept[-size:]):
        size *= 2
    kept, size = kept[-size:], len(kept[-size:]) // 2
    what = fault(kept)
    while size and tries < SHRINKING:
        start, before = 0, len(kept)
        while start < len(kept) and tries < SHRINKING:
            fewer = kept[:start] + kept[start + size :]
            if said := fault(fewer):
                kept, what = fewer, said
            else:
                # Steps of half the size find what lies across two pieces: x and y of a pair.
                start += max(1, size // 2)
        if size > 2 or len(kept) == before:
            size //= 2
    for place in range(len(kept)):
        for plainer in _plainer(kept[place]):
            if tries < SHRINKING:
                changed = [*kept[:place], plainer, *kept[place + 1 :]]
                if said := fault(changed):
                    kept, what = changed, said
                    break
    return what, kept


def _plainer(op: SequenceOp) -> Iterator[SequenceOp]:
    if op.delay or op.gap:
        yield SequenceOp(op.kind, op.beats)
    if op.number > 1:
        yield SequenceOp(op.kind, number=1, drop=True) if op.kind in _CLEARS else SequenceOp("idle")
    if op.kind in _CLEARS and not op.drop:
        yield SequenceOp(op.kind, number=op.number, drop=True)


_CLEARS = ("zeroize", "reset")


def sequence(unit: SequenceUnit, rng: random.Random, packets: int) -> list[SequenceOp]:
    """Return a random sequence with that many moduli and pairs of operands."""
    ops: list[SequenceOp] = []
    modulus = unit.draw_modulus(rng)
    hurry = rng.choice((0.3, 0.6, 0.9))  # how often the next operation does not wait
    sent = 0
    while sent < packets:
        what = rng.random()
        if what < 0.25:
            modulus = unit.draw_modulus(rng)
            ops.append(_packet("c", modulus, rng))
            sent += 1
        elif what < 0.80:
            for _ in range(rng.choice((1, 1, 2, 4))):
                both = _pair(unit, rng, modulus)
                rng.shuffle(both)
                ops += both
                sent += 1
        elif what < 0.84:
            ops.append(SequenceOp("ready", number=rng.choice((1, 4, 8, 8))))
        else:
            ops += _abandon(unit, rng, modulus)
        if rng.random() > hurry:
            ops.append(_pause(unit, rng))
    return ops


def _pause(unit: SequenceUnit, rng: random.Random) -> SequenceOp:
    """Return a wait for rest, or for a time of any order of magnitude up to that of an answer."""
    if rng.random() < 0.3:
        return SequenceOp("idle")
    longest = min(unit.limit.bit_length() - 1, _LONGEST)
    return SequenceOp("wait", number=rng.randint(1, 2 ** rng.randint(0, longest)))


def _abandon(unit: SequenceUnit, rng: random.Random, modulus: Packet) -> Iterator[SequenceOp]:
    """Yield a zeroize or a reset with work under way, and packets that wait through it."""
    if rng.random() < 0.2:
        yield SequenceOp("break", number=rng.randint(1, 40))
        return
    again = [_packet("c", modulus, rng), *_pair(unit, rng, modulus)][: rng.choice((1, 3))]
    kind = rng.choice((*_CLEARS, "zeroize"))
    cycles = rng.choice((1, 1, 1, 2, 5))
    if rng.random() < 0.7:
        yield from _pair(unit, rng, modulus)
    yield _pause(unit, rng)
    way = rng.random()
    if way < 0.4:  # what is offered is withdrawn, and the next packets wait through the clear
        yield SequenceOp(kind, number=cycles, drop=True)
        yield from again
    elif way < 0.7:  # they are on offer in the cycle of the pulse already
        yield SequenceOp("idle")
        yield from again
        yield SequenceOp(kind, number=cycles)
    else:  # the rest of a packet becomes a packet, and pairs no longer belong together
        yield SequenceOp(kind, number=cycles)
        yield from again
        yield _pause(unit, rng)
        yield SequenceOp("zeroize", drop=True)


def _pair(unit: SequenceUnit, rng: random.Random, modulus: Packet) -> list[SequenceOp]:
    x, y = unit.draw_pair(rng, modulus)
    return [_packet("x", x, rng), _packet("y", y, rng)]


def _packet(kind: str, beats: Packet, rng: random.Random) -> SequenceOp:
    pauses = (0, 0, 0, 1, 2, rng.randint(3, 30))
    return SequenceOp(kind, tuple(beats), delay=rng.choice(pauses), gap=rng.choice(pauses))
