# SPDX-License-Identifier: Apache-2.0
"""Inputs and outputs of a simulation."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple


class Status(IntEnum):
    """How a product or a configuration ended: the core's own statuses, then the harness's.

    The first group is `montcore_error_e` of hw/common/rtl/montcore_pkg.sv, the second `Status` of
    harness/protocol.hpp.
    """

    OK = 0
    MODULUS_EVEN = 1
    MODULUS_ONE = 2
    MODULUS_LENGTH = 3
    OPERAND_RANGE = 4
    OPERAND_LENGTH = 5
    NO_MODULUS = 6

    HANG = 16
    SKIPPED = 17
    ABORTED = 18
    UNASKED = 19
    BAD_LAST = 20
    UNSTABLE = 21
    BAD_ERROR = 22
    BAD_CONFIG = 23
    NOT_BUSY = 24
    STUCK_BUSY = 25
    CFG_ACCEPTED = 26
    BAD_COUNT = 27
    PULSE = 28


_TEXT = {
    Status.OK: "done",
    Status.MODULUS_EVEN: "the modulus is even",
    Status.MODULUS_ONE: "the modulus is one",
    Status.MODULUS_LENGTH: "the modulus is longer than the core was built for",
    Status.OPERAND_RANGE: "an operand is not below the modulus",
    Status.OPERAND_LENGTH: "an operand packet has the wrong number of beats",
    Status.NO_MODULUS: "no modulus is loaded",
    Status.HANG: "no answer before the watchdog's limit",
    Status.SKIPPED: "not run, because of the faults before it",
    Status.ABORTED: "abandoned by a zeroize or reset",
    Status.UNASKED: "a beat came out that no product accounts for",
    Status.BAD_LAST: "z_last_o is on the wrong beat",
    Status.UNSTABLE: "a result beat changed or vanished before it was taken",
    Status.BAD_ERROR: "an error answer has status 0 or more than one beat",
    Status.BAD_CONFIG: "cfg_done_o or cfg_error_o is wrong",
    Status.NOT_BUSY: "busy_o is low with work under way",
    Status.STUCK_BUSY: "busy_o stays high with nothing to do",
    Status.CFG_ACCEPTED: "a modulus was taken with a product under way",
    Status.BAD_COUNT: "core_start_o and core_done_o do not pair up",
    Status.PULSE: "core_start_o or core_done_o after a zeroize or reset",
}


def describe(status: int) -> str:
    """Return a status in words."""
    return _TEXT[Status(status)] if status in _TEXT else f"unknown status {status}"


@dataclass(frozen=True, slots=True)
class Product:
    """One modular product to compute; `length` is the run-time length of the modulus in bits."""

    x: int
    y: int
    m: int
    length: int


class PortTiming(NamedTuple):
    """Times of events at the port, in cycles since a packet was first offered without gaps.

    In a stream, cycles count from the offer of the first product or modulus. All values are zero in
    a run with random gaps.

    Attributes:
        x_first, x_last, y_first, y_last: first and last operand beats accepted; for a modulus
            packet, its beats are in `x_first` and `x_last`.
        z_first, z_last: first result beat valid, last one accepted; for a modulus `z_first` is
            `cfg_done_o`.
        idle: `busy_o` is low again (0 in a stream).
        load: digest of every control output in every cycle up to the last operand beat.
        trace: the same up to `idle`, in a stream up to the last result beat.
        origin: the first offer, in cycles since reset.
    """

    x_first: int
    x_last: int
    y_first: int
    y_last: int
    z_first: int
    z_last: int
    idle: int
    load: int
    trace: int
    origin: int

    @property
    def whole(self) -> tuple[int, ...]:
        """Return all values that must not depend on data."""
        return self[:-1]

    @property
    def loading(self) -> tuple[int, ...]:
        """Return the values up to the last operand beat, before any verdict on the data."""
        return (self.x_first, self.x_last, self.y_first, self.y_last, self.load)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The hardware's answer to one product.

    Attributes:
        z: the result, or None if there is none.
        error: a `Status`; 0 if there is a result.
        cycles: from the clock edge that accepts the last operand beat to the one with the result
            valid.
        core_cycles: from `core_start_o` to `core_done_o` (0 if it could not be determined).
        interval: cycles since the first beat of the preceding result of the same modulus; None for
            the first one and when products are run singly.
        timing: times of the port's events; None from a model.
        setup: the same for the modulus packet before it.
    """

    z: int | None
    error: int
    cycles: int
    core_cycles: int
    interval: int | None
    timing: PortTiming | None = None
    setup: PortTiming | None = None
