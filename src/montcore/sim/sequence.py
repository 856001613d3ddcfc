# SPDX-License-Identifier: Apache-2.0
"""Sequences of packets at the common port, as text and for the simulator, and their events.

A sequence is a line of words, for instance ``c:2,0 x:1,1 y:1,1 idle c:d1c3@5 zeroize``:

``c:A,B`` ``x:A,B`` ``y:A,B``: queue a packet of a stream, beats in hexadecimal, first one first;
``@N`` waits N cycles before its first beat, ``~N`` before each of the others.
``ready:N``: the consumer is ready in N of 8 cycles, on average. ``wait:N``: N cycles pass.
``idle``: until every packet is taken and the unit is at rest.
``zeroize:N`` ``reset:N``: for N cycles; what is offered stays on offer, with ``!`` it is withdrawn.
``break:N``: the host breaks the rules of the streams for N cycles, and then zeroizes.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from montcore.sim.process import SimulatorProcess
from montcore.sim.wire import BeatFormat
from montcore.support.errors import CheckFailedError, RequestError, TransientError

#: In the order of `Sequence::Operation` in harness/sequence.hpp; the first three are the streams.
OPERATIONS = ("c", "x", "y", "ready", "wait", "idle", "zeroize", "reset", "break")
_WORD = re.compile(
    r"(?P<kind>[cxy]):(?P<beats>[0-9a-f]+(?:,[0-9a-f]+)*)(?:@(?P<delay>\d+))?(?:~(?P<gap>\d+))?"
    r"|(?P<name>ready|wait|idle|zeroize|reset|break)(?::(?P<number>\d+))?(?P<drop>!?)"
)
_MOST = 0xFFFF


class EventKind(IntEnum):
    """What happened at the port in a cycle, in the order within the cycle."""

    CFG = 0
    X = 1
    Y = 2
    VALID = 3
    RESULT = 4
    DONE = 5
    CLEAR = 6
    REST = 7


class Event(NamedTuple):
    """An event: a beat taken, a result on offer for the first time, a modulus answered, ...

    Attributes:
        flags: last (and for a result error, in bit 1) of a beat; `cfg_error_o`; for `REST` the
            streams on offer (bits 2:0), whether nothing moved for too long (3), `busy_o` (4).
    """

    kind: int
    flags: int
    cycle: int
    beat: int


@dataclass(frozen=True)
class SequenceOp:
    """One word of a sequence.

    Attributes:
        number: cycles, or eighths for ``ready``.
        delay: cycles before the first beat of a packet.
        gap: cycles before each of its other beats.
    """

    kind: str
    beats: tuple[int, ...] = ()
    number: int = 1
    delay: int = 0
    gap: int = 0
    drop: bool = False

    def __str__(self) -> str:
        if self.beats:
            text = f"{self.kind}:{','.join(f'{beat:x}' for beat in self.beats)}"
            return text + f"@{self.delay}" * bool(self.delay) + f"~{self.gap}" * bool(self.gap)
        return self.kind + f":{self.number}" * (self.number != 1) + "!" * self.drop

    def encode(self, beat: BeatFormat) -> bytes:
        """Return the operation for the simulator."""
        kind = OPERATIONS.index(self.kind)
        head = (kind, self.drop, self.number, len(self.beats), self.delay, self.gap)
        data = (value.to_bytes(beat.beat_bytes, "little") for value in self.beats)
        return struct.pack("<BBHHHH", *head) + b"".join(data)


def text_of(ops: Sequence[SequenceOp]) -> str:
    """Return a sequence as one line."""
    return " ".join(map(str, ops))


def parse(text: str, beat: BeatFormat) -> list[SequenceOp]:
    """Return the operations of a line."""
    ops = [_parsed(word, beat) for word in text.split()]
    if not ops:
        raise RequestError("a sequence has at least one operation")
    return ops


def _parsed(word: str, beat: BeatFormat) -> SequenceOp:
    found = _WORD.fullmatch(word)
    if found is None:
        raise RequestError(f"'{word}' is no operation of a sequence")
    beats = tuple(int(item, 16) for item in (found["beats"] or "").split(",") if item)
    number, delay, gap = (int(found[name] or default) for name, default in _NUMBERS)
    if max(number, delay, gap) > _MOST or any(value >> beat.width for value in beats):
        raise RequestError(f"a number in '{word}' is too large for a sequence")
    return SequenceOp(
        found["kind"] or found["name"], beats, number, delay, gap, bool(found["drop"])
    )


_NUMBERS = (("number", 1), ("delay", 0), ("gap", 0))


def play(
    executable: Path, ops: Sequence[SequenceOp], beat: BeatFormat, seed: int, limit: int
) -> tuple[Iterator[Event], str]:
    """Play a sequence from a reset on; return its events, and what ended the simulation early.

    Args:
        ops: the sequence; after it the simulator waits for rest.
        limit: cycles without any movement after which the port counts as hung.
    """
    fault = ""
    commands = [op.encode(beat) for op in ops]
    with SimulatorProcess(executable, beat.beat_bytes, seed, commands, limit=limit) as process:
        data = process.rest()
        try:
            process.finish()
        except TransientError:
            raise
        except CheckFailedError as error:
            fault = str(error)
    record = struct.Struct(f"<BBI{beat.beat_bytes}s")
    whole = len(data) - len(data) % record.size
    return (
        Event(kind, flags, cycle, int.from_bytes(value, "little"))
        for kind, flags, cycle, value in record.iter_unpack(data[:whole])
    ), fault
