# SPDX-License-Identifier: Apache-2.0
"""Directed requests at the exponentiator's port: packets, refusals, pauses, zeroize and reset."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import (
    KEPT_SHIFT,
    POLICY_SHIFT,
    PRODUCT,
    SECOND_SHIFT,
    Policy,
)
from montcore.sim import wire
from montcore.sim.build import RtlBuild
from montcore.sim.process import SimulatorProcess
from montcore.sim.types import Status

#: Upper bound on the cycles of any request to the small builds.
LIMIT = 100_000

#: No pauses; and with pauses on every stream.
PACES = (wire.RunFlag(0), wire.RunFlag.STREAM, wire.RunFlag.STREAM | wire.RunFlag.GAPS)


@dataclass(frozen=True)
class Request:
    """One pair of packets and the expected answer.

    Attributes:
        x: the base.
        y: the header and, above it, the exponent or factor.
        x_beats: beats of x.
        y_beats: beats of y.
        answer: the expected number, or the `Status`.
        group: requests of a group take equally many cycles; none for requests that are refused.
    """

    x: int
    y: int
    x_beats: int
    y_beats: int
    answer: int | Status
    group: tuple[int, ...] = ()


@dataclass(frozen=True)
class Step:
    """One command and the expected answer; `moment` is named in messages."""

    command: wire.Configure | wire.WireRun | wire.Abort
    requests: tuple[Request, ...] = ()
    status: Status = Status.OK


class Port:
    """Creates requests for a build, runs them and checks every answer.

    Args:
        design: the exponentiator.
        rtl: sources to simulate instead of the design's own.
        environment: variables of the simulator.
    """

    def __init__(
        self,
        design: ExponentiatorDesign,
        rtl: RtlBuild | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.design = design
        self.rtl = rtl or design.build()
        self.environment = environment or {}
        self.beat = wire.BeatFormat(design.width)
        self.cycles: dict[tuple[int, ...], set[int]] = {}
        self.setup_cycles = 0  # of the last modulus that was accepted

    def configure(self, m: int, length: int, beats: int | None = None, header: int = 0) -> Step:
        """Return the step that loads a modulus; the packet has one beat more than `beats`."""
        width, right = self.design.width, self.design.host_beats(max(length, 2))
        beats = right if beats is None else beats
        number = m & ((1 << beats * width) - 1)
        status = Status.OK
        if header or beats != right or not 2 <= length <= self.design.length or m >> length:
            status = Status.MODULUS_LENGTH
        elif m % 2 == 0:
            status = Status.MODULUS_EVEN
        elif m == 1:
            status = Status.MODULUS_ONE
        packet = (header or length) | number << width
        return Step(wire.Configure(packet, beats + 1, LIMIT), status=status)

    def power(self, m: int, length: int, policy: Policy, x: int, e: int, bits: int) -> Request:
        """Return a power; it must be refused if its numbers are invalid."""
        width = self.design.width
        answer: int | Status = pow(x, e, m)
        if x >= m or e == 0:
            answer = Status.OPERAND_RANGE
        group = () if policy is Policy.SLIDING else (policy, length, m.bit_length(), bits)
        y = policy << POLICY_SHIFT | bits | e << width
        y_beats = -(-bits // width) + 1
        return Request(x, y, self.design.host_beats(length), y_beats, answer, group)

    def product(self, m: int, length: int, x: int, y: int) -> Request:
        """Return a product; it must be refused if a factor is invalid."""
        beats = self.design.host_beats(length)
        answer = x * y % m if max(x, y) < m else Status.OPERAND_RANGE
        packet = PRODUCT << POLICY_SHIFT | length | y << self.design.width
        return Request(x, packet, beats, beats + 1, answer, (PRODUCT, length, m.bit_length()))

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
        executable = self.rtl.executable()
        with SimulatorProcess(
            executable, self.beat.beat_bytes, seed, commands, environment=self.environment
        ) as process:
            aborted = False
            for number, step in enumerate(steps):
                if isinstance(step.command, wire.Abort):
                    aborted = True
                    continue
                if isinstance(step.command, wire.Configure):
                    self._configured(process, step, number, aborted)
                else:
                    self._answered(process, step, number, aborted)
                if aborted:
                    record = wire.RECORD.unpack(process.read(wire.RECORD.size))
                    assert record[0] == wire.RecordKind.ABORT
                    assert record[1] == Status.OK, f"step {number}: after {steps[number - 1]}"
                aborted = False
            process.finish()

    def _configured(
        self, process: SimulatorProcess, step: Step, number: int, aborted: bool
    ) -> None:
        record = wire.RECORD.unpack(process.read(wire.RECORD.size))
        wanted = {step.status, Status.ABORTED} if aborted else {step.status}
        assert record[1] in wanted, f"step {number}: modulus {Status(record[1])!r}, not {wanted}"
        if record[1] == Status.OK:
            self.setup_cycles = record[3]

    def _answered(self, process: SimulatorProcess, step: Step, number: int, aborted: bool) -> None:
        assert isinstance(step.command, wire.WireRun)
        for place, request in enumerate(step.requests):
            record = wire.RECORD.unpack(process.read(wire.RECORD.size))
            data = process.read(step.command.beats * self.beat.beat_bytes)
            status, cycles = Status(record[1]), record[3]
            what = f"step {number}, request {place}: {request}"
            if aborted and status is Status.ABORTED:
                continue
            if isinstance(request.answer, Status):
                assert status is request.answer, f"{what}: {status!r}"
                continue
            assert status is Status.OK, f"{what}: {status!r}"
            assert self.beat.unpack(data) == request.answer, what
            # With several requests at once, the slots take turns.
            alone = self.design.slots == 1 or not step.command.flags & wire.RunFlag.STREAM
            if request.group and alone:
                found = self.cycles.setdefault(request.group, set())
                found.add(cycles)
                assert len(found) == 1, f"{what}: {sorted(found)} cycles"

    # ---- what is asked -----------------------------------------------------------------------

    def moduli(self) -> list[tuple[int, int]]:
        """Return dense and sparse moduli with their lengths, some with top beats of zero."""
        length, width = self.design.length, self.design.width
        found = [((1 << length) - 1, length), (1 << (length - 1) | 1, length), (0x8B, length)]
        found += [(3, 2), (0x8B, 8), (1 << (length // 2) | 1, length)]
        if length > width:
            found += [((1 << width) + 1, length), (0x8B, width), (0xF1, width + 1)]
            found += [((1 << width) - 1, width), ((1 << (width + 1)) - 1, width + 1)]
        return found

    def arithmetic(self, rng: random.Random) -> Iterator[Step]:
        """Yield powers and products with every modulus, at every pace."""
        for number, (m, length) in enumerate(self.moduli()):
            yield self.configure(m, length)
            for pace in PACES:
                requests = [self.product(m, length, rng.randrange(m), rng.randrange(m))]
                for policy in (Policy.LADDER, Policy.SLIDING):
                    e = rng.randrange(4, 8)
                    requests.append(self.power(m, length, policy, rng.randrange(m), e, 3))
                requests.append(self.product(m, length, m - 1, m - 1))
                yield self.run(requests, length, pace)
            if number % 4 == 0:
                bits = self.design.length
                powers = [
                    self.power(m, length, Policy.CONSTANT, x, rng.getrandbits(bits) | 1, bits)
                    for x in (rng.randrange(m), m - 1)
                ]
                # A short exponent needs no table of odd powers.
                e = rng.getrandbits(bits) | 1 << (bits - 1)
                powers.append(self.power(m, length, Policy.SLIDING, rng.randrange(m), e, bits))
                yield self.run(powers, length, PACES[1])

    def refused(self, rng: random.Random) -> Iterator[Step]:
        """Yield packets of every wrong length, invalid headers, and valid requests after them."""
        length, width = self.design.length, self.design.width
        m = rng.getrandbits(length) | 1 << (length - 1) | 1
        beats = self.design.host_beats(length)
        good = self.product(m, length, m - 2, m - 3)
        lone = Request(good.x, good.y, good.x_beats, good.y_beats, Status.NO_MODULUS)
        bad = [self.configure(m, length, count) for count in range(beats + 3) if count != beats]
        # Of a pair, a bit gives the modulus to the second exponentiator, and a bit keeps R^2.
        marks = [SECOND_SHIFT, KEPT_SHIFT] if self.design.pair else []
        wide = [1 << bit | length for bit in range(13, width) if bit not in marks]
        bad += [self.configure(m, length, header=header) for header in (1, length + 1, *wide)]
        bad += [
            self.configure(1, 1),
            self.configure(0, length),
            self.configure(m - 1, length),
            self.configure(1, length),
        ]
        if length % width != 1:
            bad += [self.configure(m | 1 << (length - 1), length - 1, beats)]
        for step in bad:
            yield self.configure(m, length)
            yield step
            yield self.run([lone, lone], length)
        yield self.configure(m, length)
        power = self.power(m, length, Policy.LADDER, m - 2, 5, 3)
        requests = []
        for right in (power, good):
            for count in range(1, beats + 4):
                if count != right.x_beats:
                    requests.append(self._wrong(right, x_beats=count))
                if count != right.y_beats:
                    requests.append(self._wrong(right, y_beats=count))
                if count != right.x_beats and count != right.y_beats:
                    requests.append(self._wrong(right, x_beats=count, y_beats=count))
        # Random header bits, but a length of 1 .. length and zeros above the policy.
        for policy in (*Policy, PRODUCT):
            for header in (
                0,
                length + 1,
                8192,
                8192 + 3,
                *(1 << bit | 3 for bit in range(16, width)),
            ):
                y = policy << POLICY_SHIFT | header | 5 << width
                requests.append(Request(m - 2, y, beats, 2, Status.OPERAND_LENGTH))
        # Exponents longer than declared, of no bits, or zero, and numbers that are not below m.
        for y in (3 | 8 << width, 0):
            requests.append(Request(m - 2, y, beats, 2, Status.OPERAND_LENGTH))
        for policy in Policy:
            requests.append(self.power(m, length, policy, m - 2, 0, 3))
            requests.append(self.power(m, length, policy, m, 5, 3))
        requests += [self.product(m, length, m, 1), self.product(m, length, 1, m)]
        for bits in (width, length + 1 - width):
            if self.design.host_beats(bits) != beats and bits > 1:
                short = self.product(0xF1, bits, 3, 5)
                requests.append(Request(3, short.y, beats, short.y_beats, Status.OPERAND_LENGTH))
        for pace in PACES:
            yield self.run([r for request in requests for r in (request, good)], length, pace)

    def _wrong(self, right: Request, x_beats: int = 0, y_beats: int = 0) -> Request:
        width, x_beats, y_beats = (
            self.design.width,
            x_beats or right.x_beats,
            y_beats or right.y_beats,
        )
        x = right.x & ((1 << x_beats * width) - 1)
        y = right.y & ((1 << y_beats * width) - 1)
        return Request(x, y, x_beats, y_beats, Status.OPERAND_LENGTH)

    def modulus_waits(self, rng: random.Random) -> Iterator[Step]:
        """Yield moduli that arrive while requests are in progress and results wait."""
        for number in range(40):
            m, length = self.moduli()[number % 2]
            yield self.configure(m, length)
            requests = [
                self.product(m, length, rng.randrange(m), rng.randrange(m)) for _ in range(2)
            ]
            yield self.run(requests, length, PACES[2] | wire.RunFlag.NO_DRAIN)

    def requests_wait(self, rng: random.Random) -> Iterator[Step]:
        """Yield requests that wait at the port during the set-up, the first ones refused or short.

        With several slots, such a request ends while other slots are still being set up.
        """
        for number, (m, length) in enumerate(self.moduli()):
            product = self.product(m, length, rng.randrange(m), m - 1)
            firsts = [self.product(m, length, m, 1), self._wrong(product, y_beats=1), product]
            step = self.configure(m, length)
            assert isinstance(step.command, wire.Configure)
            yield replace(step, command=replace(step.command, deferred=True))
            yield self.run([firsts[number % 3], product, product], length, PACES[1])

    def abandoned(self, rng: random.Random, moments: range, *, reset: bool) -> Iterator[Step]:
        """Yield a zeroize or reset at each moment of a product and of a refusal, with pauses.

        Even if an answer is waiting at that moment, nothing may leave afterwards. The modulus is
        then lost; once it is reloaded, everything works as before.
        """
        m, length = self.moduli()[0]
        for after in moments:
            x, y = rng.randrange(m), rng.randrange(m)
            good = self.product(m, length, x, y)
            first = good if after % 4 else self.product(m, length, m, y)
            yield self.configure(m, length)
            yield Step(wire.Abort(after, reset))
            yield self.run([first, good], length, PACES[2 if after % 2 else 1])
            yield self.run(
                [Request(x, good.y, good.x_beats, good.y_beats, Status.NO_MODULUS)], length
            )

    def abandoned_setup(self, moments: range, *, reset: bool) -> Iterator[Step]:
        """Yield a zeroize or reset at each moment of a configuration, and requests after it."""
        m, length = self.moduli()[0]
        for after in moments:
            yield Step(wire.Abort(after, reset))
            yield self.configure(m, length)
            yield self.configure(m, length)
            yield self.run([self.product(m, length, 5, 7)], length)


def directed_suite(port: Port, *, moments: int, step: int = 1) -> None:
    """Run all steps; raise on the first wrong answer.

    Args:
        port: the build.
        moments: cycles at which an operation is abandoned.
        step: use every `step`-th of these cycles.
    """
    rng = random.Random(7)
    for seed in range(3):
        port.play(list(port.arithmetic(rng)), seed)
    port.play(list(port.refused(rng)))
    port.play(list(port.modulus_waits(rng)), 1)
    port.play(list(port.requests_wait(rng)))
    for reset in (False, True):
        for seed in range(2):
            chosen = range(seed, moments, step)
            port.play(list(port.abandoned(rng, chosen, reset=reset)), seed)
        for chosen in (range(0, moments, step), range(port.setup_cycles, port.setup_cycles + 20)):
            port.play(list(port.abandoned_setup(chosen, reset=reset)))
