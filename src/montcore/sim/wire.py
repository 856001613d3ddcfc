# SPDX-License-Identifier: Apache-2.0
"""The binary stream of the simulation harness; its format is in harness/protocol.hpp."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, IntFlag

import numpy as np
import numpy.typing as npt

#: Sizes and bit positions are those of `Record` and `Timing` in harness/protocol.hpp.
RECORD = struct.Struct("<BBHIII10I")
TIMING_FIELDS = 10

NO_INTERVAL = 0xFFFFFFFF


class RecordKind(IntEnum):
    """The kind of command that a record answers."""

    CONFIG = 1
    PRODUCT = 2
    ABORT = 3
    SNAPSHOT = 4


class RunFlag(IntFlag):
    """The order and pauses of the products of a run."""

    STREAM = 1
    GAPS = 2
    NO_DRAIN = 4
    FORCE = 8


#: One product at a time, each from idle.
SINGLE = RunFlag(0)


@dataclass(frozen=True)
class BeatFormat:
    """Conversion of numbers to beats of the bus; `width` is the bus width in bits."""

    width: int

    @property
    def beat_bytes(self) -> int:
        """Bytes of one beat in the stream."""
        return (self.width + 7) // 8

    def pack(self, value: int, beats: int) -> bytes:
        """Return `value` as that many beats, least significant first.

        Raises:
            ValueError: the value does not fit.
        """
        if value < 0 or value.bit_length() > beats * self.width:
            raise ValueError(f"{value:#x} does not fit into {beats} beats of {self.width} bits")
        if self.width % 8 == 0:
            return value.to_bytes(beats * self.beat_bytes, "little")
        mask = (1 << self.width) - 1
        return b"".join(
            ((value >> (index * self.width)) & mask).to_bytes(self.beat_bytes, "little")
            for index in range(beats)
        )

    def unpack(self, data: bytes) -> int:
        """Return the number that the beats represent."""
        if self.width % 8 == 0:
            return int.from_bytes(data, "little")
        step = self.beat_bytes
        return sum(
            int.from_bytes(data[start : start + step], "little") << (index * self.width)
            for index, start in enumerate(range(0, len(data), step))
        )


@dataclass(frozen=True)
class Operands:
    """One product as packets; the beat counts may be intentionally wrong."""

    x: int
    y: int
    x_beats: int
    y_beats: int


@dataclass(frozen=True)
class Configure:
    """Send a modulus packet of `beats` beats; at most `limit` cycles may pass without progress.

    A `deferred` one is sent with the next run, whose first operands wait at the port during the
    set-up of the core.
    """

    m: int
    beats: int
    limit: int = 100_000
    deferred: bool = False

    def encode(self, beat: BeatFormat) -> bytes:
        """Return the command's bytes."""
        return struct.pack("<cBHI", b"C", int(self.deferred), self.beats, self.limit) + beat.pack(
            self.m, self.beats
        )


@dataclass(frozen=True)
class WireRun:
    """Run products of the current modulus; results have `beats` beats."""

    products: Sequence[Operands]
    beats: int
    flags: RunFlag = SINGLE
    limit: int = 100_000

    def encode(self, beat: BeatFormat) -> bytes:
        """Return the command's bytes."""
        parts = [run_header(self.flags, self.beats, len(self.products), self.limit)]
        for item in self.products:
            parts.append(struct.pack("<HH", item.x_beats, item.y_beats))
            parts.append(beat.pack(item.x, item.x_beats))
            parts.append(beat.pack(item.y, item.y_beats))
        return b"".join(parts)


@dataclass(frozen=True)
class Abort:
    """Pulse `zeroize_i`, or reset the core, `after` cycles from the start of the next command."""

    after: int
    reset: bool = False

    def encode(self, beat: BeatFormat) -> bytes:
        """Return the command's bytes."""
        del beat
        return struct.pack("<cBI", b"A", int(self.reset), self.after)


@dataclass(frozen=True)
class Snapshot:
    """Request the whole state of the model (needs a simulator built with snapshot support)."""

    def encode(self, beat: BeatFormat) -> bytes:
        """Return the command's bytes."""
        del beat
        return b"S"


Command = Configure | WireRun | Abort | Snapshot


@dataclass(frozen=True)
class WireAnswer:
    """One record of the harness; `z` and `state` are None where they do not apply.

    `timing` is a `montcore.sim.types.PortTiming` of the packet as plain numbers.
    """

    kind: RecordKind
    status: int
    cycles: int
    core_cycles: int
    interval: int | None
    z: int | None = None
    state: bytes | None = field(default=None, repr=False)
    timing: tuple[int, ...] = ()


def run_header(flags: int, beats: int, count: int, limit: int) -> bytes:
    """Return the fixed part of a run command."""
    return struct.pack("<cBHII", b"R", flags, beats, count, limit)


def encode_products(operands: Sequence[tuple[int, int]], beats: int, beat: BeatFormat) -> bytes:
    """Return well-formed operand packets; the fast path of `WireRun.encode`."""
    prefix = struct.pack("<HH", beats, beats)
    if beat.width % 8 == 0:
        size = beats * beat.beat_bytes
        return b"".join(
            [prefix + x.to_bytes(size, "little") + y.to_bytes(size, "little") for x, y in operands]
        )
    return b"".join(prefix + beat.pack(x, beats) + beat.pack(y, beats) for x, y in operands)


def encode_arrays(
    x: npt.NDArray[np.uint64], y: npt.NDArray[np.uint64], beats: int, beat: BeatFormat
) -> bytes:
    """Return operand packets of numbers below 2^64 that fit into the beats, from arrays."""
    size = beats * beat.beat_bytes
    block = np.zeros((len(x), 4 + 2 * size), dtype=np.uint8)
    block[:, :4] = np.frombuffer(struct.pack("<HH", beats, beats), dtype=np.uint8)
    for start, values in ((4, x), (4 + size, y)):
        block[:, start : start + size] = _to_beats(values, beats, beat)
    return block.tobytes()


def _to_beats(
    values: npt.NDArray[np.uint64], beats: int, beat: BeatFormat
) -> npt.NDArray[np.uint8]:
    step = beat.beat_bytes
    out = np.zeros((len(values), beats * step), dtype=np.uint8)
    for index in range(beats):
        shift = index * beat.width
        if shift >= 64:
            break
        part = values >> np.uint64(shift)
        if beat.width < 64:
            part = part & np.uint64((1 << beat.width) - 1)
        raw = np.ascontiguousarray(part, dtype="<u8").view(np.uint8).reshape(len(values), 8)
        count = min(step, 8)
        out[:, index * step : index * step + count] = raw[:, :count]
    return out


def decode_arrays(
    data: npt.NDArray[np.uint8], beats: int, beat: BeatFormat
) -> npt.NDArray[np.uint64]:
    """Return results (rows of bytes of all beats) as numbers; bits above 63 are dropped."""
    step = beat.beat_bytes
    total = np.zeros(len(data), dtype=np.uint64)
    for index in range(beats):
        shift = index * beat.width
        if shift >= 64:
            break
        part = np.zeros((len(data), 8), dtype=np.uint8)
        count = min(step, 8)
        part[:, :count] = data[:, index * step : index * step + count]
        total |= part.view("<u8").reshape(len(data)).astype(np.uint64) << np.uint64(shift)
    return total


def product_record(beats: int, beat: BeatFormat) -> np.dtype[np.void]:
    """Return the layout of product records with results of that many beats."""
    return np.dtype(
        [
            ("kind", "u1"),
            ("status", "u1"),
            ("beats", "<u2"),
            ("cycles", "<u4"),
            ("core_cycles", "<u4"),
            ("interval", "<u4"),
            ("timing", "<u4", (TIMING_FIELDS,)),
            ("z", "u1", (beats * beat.beat_bytes,)),
        ]
    )
