# SPDX-License-Identifier: Apache-2.0
"""Chosen requests at the exponentiator's port; random ones are in montcore.modexp.sequences."""

from dataclasses import dataclass

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import POLICY_SHIFT, PRODUCT, Policy
from montcore.sim import wire
from montcore.sim.process import script
from montcore.sim.types import Status

#: Upper bound on the cycles of any request to the small builds.
LIMIT = 400_000


@dataclass(frozen=True)
class PortRequest:
    """One pair of packets, their numbers of beats, and the expected answer.

    `x` is the base, `y` the header and, above it, the exponent or factor.
    """

    x: int
    y: int
    x_beats: int
    y_beats: int
    answer: int | Status


@dataclass(frozen=True)
class Step:
    """One command and the expected answer."""

    command: wire.Configure | wire.WireRun | wire.Abort
    requests: tuple[PortRequest, ...] = ()
    status: Status = Status.OK


class Port:
    """Creates requests for a build, runs them and checks every answer."""

    def __init__(self, design: ExponentiatorDesign) -> None:
        self.design = design
        self.beat = wire.BeatFormat(design.width)
        self.set_ups: list[int] = []  # cycles of each, of the moduli that were to be accepted

    def configure(self, m: int, length: int, *, marks: int = 0, status: Status = Status.OK) -> Step:
        """Return the step that loads a modulus; `marks`: further bits of the header."""
        packet = length | marks | m << self.design.width
        beats = self.design.host_beats(length) + 1
        return Step(wire.Configure(packet, beats, LIMIT), status=status)

    def power(self, m: int, length: int, policy: Policy, x: int, e: int, bits: int) -> PortRequest:
        """Return a power."""
        width = self.design.width
        y = policy << POLICY_SHIFT | bits | e << width
        beats = self.design.host_beats(length)
        return PortRequest(x, y, beats, -(-bits // width) + 1, pow(x, e, m))

    def product(self, m: int, length: int, x: int, y: int) -> PortRequest:
        """Return a product."""
        beats = self.design.host_beats(length)
        packet = PRODUCT << POLICY_SHIFT | length | y << self.design.width
        return PortRequest(x, packet, beats, beats + 1, x * y % m)

    def run(
        self, requests: list[PortRequest], length: int, flags: wire.RunFlag = wire.SINGLE
    ) -> Step:
        """Return a step of consecutive requests, whether or not a modulus is loaded."""
        operands = [wire.Operands(r.x, r.y, r.x_beats, r.y_beats) for r in requests]
        flags |= wire.RunFlag.FORCE
        command = wire.WireRun(operands, self.design.host_beats(length), flags, LIMIT)
        return Step(command, tuple(requests))

    def play(self, steps: list[Step], seed: int = 0) -> None:
        """Run the steps in one simulation.

        Raises:
            AssertionError: an answer is wrong.
            CheckFailedError: the simulator ended early.
        """
        executable = self.design.build().executable()
        commands = [step.command for step in steps]
        answers = script(executable, self.beat, commands, seed)
        aborted = False
        for number, step in enumerate(steps):
            if isinstance(step.command, wire.Abort):
                aborted = True
                continue
            what = f"step {number}"
            if isinstance(step.command, wire.Configure):
                self._configured(next(answers), step, aborted, what)
            for request in step.requests:
                _check(next(answers), request, aborted, what)
            if aborted:
                answer = next(answers)
                assert (answer.kind, answer.status) == (wire.RecordKind.ABORT, Status.OK), what
            aborted = False
        assert not list(answers)

    def _configured(self, answer: wire.WireAnswer, step: Step, aborted: bool, what: str) -> None:
        wanted = {step.status, Status.ABORTED} if aborted else {step.status}
        status = Status(answer.status)
        assert status in wanted, f"{what}: modulus {status!r}, not {wanted}"
        if step.status == Status.OK and not aborted:
            self.set_ups.append(answer.cycles)


def _check(answer: wire.WireAnswer, request: PortRequest, aborted: bool, what: str) -> None:
    if aborted and answer.status == Status.ABORTED:
        return
    if isinstance(request.answer, Status):
        assert answer.status == request.answer, f"{what}: {request}"
    else:
        assert (answer.status, answer.z) == (Status.OK, request.answer), f"{what}: {request}"
