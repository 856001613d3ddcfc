# SPDX-License-Identifier: Apache-2.0
"""Reference model of the common port: what a host may conclude from the contract, and no more.

It is told each event at the port and knows which answers are owed. The contract is
hw/common/README.md; what the packets of a unit mean is the unit's own (`Contents`).
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from montcore.sim.sequence import Event, EventKind
from montcore.sim.types import describe
from montcore.support.errors import CheckFailedError

#: A packet as its beats, the first one first.
Packet = Sequence[int]


@dataclass(frozen=True)
class Answer:
    """An answer packet: its beats, or the status of its one error beat."""

    beats: tuple[int, ...] = ()
    error: int = 0

    def __str__(self) -> str:
        if self.error:
            return f"error {self.error} ({describe(self.error)})"
        return f"z:{','.join(f'{beat:x}' for beat in self.beats)}"


class Contents(Protocol):
    """What the packets of a unit mean. What is loaded is anything, and None at first."""

    def modulus(self, packet: Packet, before: Any) -> tuple[frozenset[int], Any]:
        """Return the statuses that are right for a modulus, and what is loaded after it."""

    def answer(self, modulus: Any, x: Packet, y: Packet) -> Answer:
        """Return the answer to a pair of operands, with what is loaded."""


class BrokenContractError(CheckFailedError):
    """The port did what the contract does not allow, in the cycle that the message names."""


class PortModel:
    """The contract of the port, from a reset on.

    Args:
        limit: most cycles from the moment in which an answer is owed and nothing is before it.
    """

    def __init__(self, contents: Contents, limit: int) -> None:
        self._contents = contents
        self._limit = limit
        self.moduli = self.answers = self.refused = 0  # since the start, not since a clear
        self._clear()

    def _clear(self) -> None:
        """Abandon all work: after it no modulus is loaded and nothing is owed."""
        self._modulus: Any = None
        self._cfg: list[int] = []
        self._due: frozenset[int] | None = None  # statuses that answer the modulus that was taken
        self._open: dict[int, list[int]] = {EventKind.X: [], EventKind.Y: []}
        self._whole: dict[int, deque[list[int]]] = {EventKind.X: deque(), EventKind.Y: deque()}
        self._owed: deque[tuple[Answer, int]] = deque()  # with the cycle of the last operand beat
        self._z: list[int] = []
        self._since = 0  # cycle of the last answer

    def take(self, event: Event) -> None:
        """Judge an event."""
        match event.kind:
            case EventKind.CFG:
                self._modulus_beat(event)
            case EventKind.X | EventKind.Y:
                self._operand_beat(event)
            case EventKind.VALID:
                self._valid(event)
            case EventKind.RESULT:
                self._result_beat(event)
            case EventKind.DONE:
                self._done(event)
            case EventKind.CLEAR:
                self._clear()
            case EventKind.REST:
                self._rest(event)

    @property
    def _under_way(self) -> bool:
        """Whether a beat of operands was taken whose answer has not left."""
        return bool(self._owed) or any(self._open.values()) or any(self._whole.values())

    def _modulus_beat(self, event: Event) -> None:
        _check(not self._under_way, event, "a beat of a modulus was taken with a product under way")
        _check(self._due is None, event, "a beat of a modulus was taken during a set-up")
        self._cfg.append(event.beat)
        if event.flags:
            # What is taken from now on belongs to this modulus, set up or not.
            self._due, self._modulus = self._contents.modulus(self._cfg, self._modulus)
            self._cfg = []
            self._since = event.cycle

    def _operand_beat(self, event: Event) -> None:
        _check(not self._cfg, event, "an operand was taken in the middle of a modulus")
        self._open[event.kind].append(event.beat)
        if not event.flags:
            return
        self._whole[event.kind].append(self._open[event.kind])
        self._open[event.kind] = []
        if all(self._whole.values()):
            x, y = (self._whole[kind].popleft() for kind in (EventKind.X, EventKind.Y))
            self._owed.append((self._contents.answer(self._modulus, x, y), event.cycle))

    def _done(self, event: Event) -> None:
        _check(self._due is not None, event, "cfg_done_o with no modulus to answer for")
        said = describe(event.flags)
        wanted = " or ".join(f"'{describe(item)}'" for item in sorted(self._due or ()))
        _check(event.flags in (self._due or ()), event, f"cfg_error_o: '{said}', not {wanted}")
        self._in_time(event, self._since, "cfg_done_o")
        self._due = None
        self._since = event.cycle
        self.moduli += 1
        self.refused += event.flags != 0

    def _valid(self, event: Event) -> None:
        _check(bool(self._owed), event, "a result with no pair of operands to answer for")
        self._in_time(event, max(self._owed[0][1], self._since), "the answer")

    def _result_beat(self, event: Event) -> None:
        last, error = event.flags & 1, event.flags >> 1
        if error:
            _check(bool(last) and not self._z, event, "an error answer has more than one beat")
            found = Answer(error=event.beat & 7)
        else:
            self._z.append(event.beat)
            if not last:
                return
            found = Answer(tuple(self._z))
        wanted = self._owed.popleft()[0]
        _check(found == wanted, event, f"answered {found}, expected {wanted}")
        self._z = []
        self._since = event.cycle
        self.answers += 1
        self.refused += wanted.error != 0

    def _rest(self, event: Event) -> None:
        cfg, x, y, hung, busy = (event.flags >> bit & 1 for bit in range(5))
        limit = f"within {self._limit} cycles"
        for wanted, _ in self._owed:
            _check(False, event, f"no answer {limit}; expected {wanted}")
        _check(self._due is None, event, f"no cfg_done_o {limit}")
        _check(not cfg or self._under_way, event, f"an offered modulus is not taken {limit}")
        _check(not (x and y), event, f"offered operands are not taken {limit}")
        free = not (self._under_way or self._cfg)
        _check(not (hung and busy and free), event, f"busy_o stays high {limit} with nothing to do")

    def _in_time(self, event: Event, since: int, what: str) -> None:
        spent = event.cycle - since
        _check(spent <= self._limit, event, f"{what} comes after {spent} cycles, not {self._limit}")


def _check(holds: bool, event: Event, what: str) -> None:
    if not holds:
        raise BrokenContractError(f"cycle {event.cycle}: {what}")
