# SPDX-License-Identifier: Apache-2.0
"""Chosen requests at the exponentiator's port; random ones are in montcore.modexp.sequences."""

from dataclasses import dataclass

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import POLICY_SHIFT, PRODUCT, Policy
from montcore.sim import wire
from montcore.sim.process import SimulatorProcess
from montcore.sim.types import Status

#: Upper bound on the cycles of any request to the small builds.
LIMIT = 400_000


@dataclass(frozen=True)
class Request:
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
    requests: tuple[Request, ...] = ()
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

    def power(self, m: int, length: int, policy: Policy, x: int, e: int, bits: int) -> Request:
        """Return a power."""
        width = self.design.width
        y = policy << POLICY_SHIFT | bits | e << width
        beats = self.design.host_beats(length)
        return Request(x, y, beats, -(-bits // width) + 1, pow(x, e, m))

    def product(self, m: int, length: int, x: int, y: int) -> Request:
        """Return a product."""
        beats = self.design.host_beats(length)
        packet = PRODUCT << POLICY_SHIFT | length | y << self.design.width
        return Request(x, packet, beats, beats + 1, x * y % m)

    def run(self, requests: list[Request], length: int, flags: wire.RunFlag = wire.SINGLE) -> Step:
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
        commands = [step.command.encode(self.beat) for step in steps]
        executable = self.design.build().executable()
        with SimulatorProcess(executable, self.beat.beat_bytes, seed, commands) as process:
            aborted = False
            for number, step in enumerate(steps):
                if isinstance(step.command, wire.Abort):
                    aborted = True
                    continue
                what = f"step {number}"
                if isinstance(step.command, wire.Configure):
                    self._configured(process, step, aborted, what)
                else:
                    self._answered(process, step, aborted, what)
                if aborted:
                    record = wire.RECORD.unpack(process.read(wire.RECORD.size))
                    assert record[:2] == (wire.RecordKind.ABORT, Status.OK), what
                aborted = False
            process.finish()

    def _configured(self, process: SimulatorProcess, step: Step, aborted: bool, what: str) -> None:
        record = wire.RECORD.unpack(process.read(wire.RECORD.size))
        wanted = {step.status, Status.ABORTED} if aborted else {step.status}
        assert record[1] in wanted, f"{what}: modulus {Status(record[1])!r}, not {wanted}"
        if step.status == Status.OK and not aborted:
            self.set_ups.append(record[3])

    def _answered(self, process: SimulatorProcess, step: Step, aborted: bool, what: str) -> None:
        assert isinstance(step.command, wire.WireRun)
        for request in step.requests:
            record = wire.RECORD.unpack(process.read(wire.RECORD.size))
            data = process.read(step.command.beats * self.beat.beat_bytes)
            status = Status(record[1])
            if aborted and status is Status.ABORTED:
                continue
            refused = isinstance(request.answer, Status)
            assert status == (request.answer if refused else Status.OK), f"{what}: {request}"
            assert refused or self.beat.unpack(data) == request.answer, f"{what}: {request}"
