# SPDX-License-Identifier: Apache-2.0
"""Runs exponentiations through the simulated exponentiator."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path

from montcore.model import modexp as model
from montcore.modexp.design import WINDOW, ExponentiatorDesign
from montcore.sim import wire
from montcore.sim.build import RtlBuild
from montcore.sim.process import script
from montcore.sim.types import Status, describe
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.requests import checked

POLICY_SHIFT = 14
#: Bit of a modulus's header that gives it to the second exponentiator of a pair.
SECOND_SHIFT = 14
#: Bit of a modulus's header for which a pair keeps R^2.
KEPT_SHIFT = 15
#: Policy number that requests a product instead of a power.
PRODUCT = 3


class Policy(IntEnum):
    """Exponentiation method; the numbers are those of the hardware."""

    CONSTANT = 0
    SLIDING = 1
    LADDER = 2


@checked
@dataclass(frozen=True)
class Power:
    """One exponentiation: base^exponent mod modulus.

    Attributes:
        base: below the modulus.
        exponent: at least 1.
        modulus: odd, at least 3.
        exponent_bits: run-time length of the exponent; its own if 0.
        length: run-time length of the modulus in bits; its own if 0.
        kept: the modulus is public, and a pair keeps R^2 of it.
    """

    base: int
    exponent: int
    modulus: int
    exponent_bits: int = 0
    length: int = 0
    kept: bool = False

    @property
    def bits(self) -> int:
        """Run-time length of the modulus."""
        return self.length or max(2, self.modulus.bit_length())

    @property
    def e_bits(self) -> int:
        """Run-time length of the exponent."""
        return self.exponent_bits or max(1, self.exponent.bit_length())


@checked
@dataclass(frozen=True)
class ModularProduct:
    """One modular product: x y mod modulus.

    Attributes:
        x: below the modulus.
        y: below the modulus.
        modulus: odd, at least 3.
        kept: as for `Power`.
    """

    x: int
    y: int
    modulus: int
    kept: bool = False

    @property
    def bits(self) -> int:
        """Run-time length of the modulus."""
        return max(2, self.modulus.bit_length())


@dataclass(frozen=True)
class _Task:
    """Input of the hardware: modulus, x, and the packet with policy, length and number."""

    bits: int
    modulus: int
    x: int
    policy: int
    y: int
    y_bits: int
    limit: int
    multiplications: int
    kept: bool


@dataclass(frozen=True)
class Exponentiation:
    """The hardware's answer to a power or product.

    Attributes:
        result: the power or product, or None if it was refused.
        error: a `Status`; 0 if there is a result.
        cycles: clock cycles from the last operand beat to the first result beat.
        setup_cycles: clock cycles of the modulus's configuration, including R^2 mod m.
        multiplications: products of the exponentiation, excluding those of the configuration.
        interval: clock cycles since the previous result, in a `stream`.
        recall_cycles: clock cycles of a configuration with a modulus whose R^2 is kept, or 0.
    """

    result: int | None
    error: int
    cycles: int
    setup_cycles: int
    multiplications: int
    interval: int = 0
    recall_cycles: int = 0


def multiplications(power: Power, policy: Policy) -> int:
    """Return the number of products of an exponentiation."""
    if policy is Policy.SLIDING:
        return model.sliding(power.exponent, power.e_bits, WINDOW).multiplications
    if policy is Policy.LADDER:
        return model.ladder(power.e_bits).multiplications
    return model.constant(power.e_bits, WINDOW).multiplications


@checked
class Exponentiator:
    """The simulation of an exponentiator; each call starts its own process.

    Args:
        seed: seed of the pauses in the streams, if a command requests them.
        rtl: sources to simulate instead of the design's own, such as a netlist.
    """

    def __init__(
        self, design: ExponentiatorDesign, *, seed: int = 0, rtl: RtlBuild | None = None
    ) -> None:
        self.design = design
        self._rtl = rtl or design.build()
        self._seed = seed
        self._beat = wire.BeatFormat(design.width)

    def prepare(self) -> Path:
        """Compile the simulator unless the cache has it; return the executable."""
        return self._rtl.executable()

    def check(self, power: Power) -> None:
        """Reject what the hardware would refuse, with a message.

        Raises:
            RequestError: the request is invalid; the message states why.
        """
        if power.modulus < 3 or power.modulus % 2 == 0:
            raise RequestError("the modulus must be odd and at least 3")
        if power.modulus.bit_length() > self.design.length or power.bits > self.design.length:
            raise RequestError(
                f"the modulus has {power.modulus.bit_length()} bits, "
                f"more than the {self.design.length} that were built"
            )
        if not 0 <= power.base < power.modulus:
            raise RequestError("the base or factor must lie between 0 and the modulus")
        if power.exponent < 1:
            raise RequestError("the exponent must be at least 1")
        if max(power.exponent.bit_length(), power.e_bits) > self.design.length:
            raise RequestError(
                f"the exponent has {power.exponent.bit_length()} bits, "
                f"more than the {self.design.length} that were built"
            )

    def run(
        self, items: Sequence[Power | ModularProduct], policy: Policy = Policy.CONSTANT
    ) -> list[Exponentiation]:
        """Run powers and products one after the other, loading the modulus for each.

        A modulus that is kept is loaded twice, to count the cycles with R^2 kept too.

        Raises:
            CheckFailedError: the simulator crashed, or broke the port's rules.
        """
        tasks = [self._task(item, policy) for item in items]
        commands: list[wire.Command] = []
        for task in tasks:
            commands += [self._configuration(task)] * (1 + task.kept)
            commands.append(self._requests([task], wire.SINGLE, task.limit))
        answers = script(self.prepare(), self._beat, commands, self._seed)
        results = []
        for task in tasks:
            configured = next(answers)
            recall = next(answers).cycles if task.kept else 0
            answer = next(answers)
            if answer.status == Status.NO_MODULUS and configured.status:
                answer = replace(answer, status=configured.status)
            results.append(_outcome(task, answer, configured.cycles, recall))
        return results

    def product(self, product: ModularProduct) -> Exponentiation:
        """Run one modular product.

        Raises:
            RequestError: it is not one that the hardware can do.
            CheckFailedError: the hardware refused it all the same.
        """
        for factor in (product.x, product.y):
            self.check(Power(factor, 1, product.modulus))
        return self._single(product)

    def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
        """Run one exponentiation.

        Raises:
            RequestError: it is not one that the hardware can do.
            CheckFailedError: the hardware refused it all the same.
        """
        self.check(power)
        return self._single(power, policy)

    def pair(
        self, items: Sequence[Power], policy: Policy = Policy.CONSTANT
    ) -> tuple[Exponentiation, Exponentiation]:
        """Run two powers with a modulus each at the same time, on a pair of exponentiators.

        The moduli are loaded with the run-time length of the longer one. `cycles` counts as in
        `stream`: the cycles of the first power and the `interval` of the second one are the time of
        both. Both may have the same modulus. If it is kept, it is loaded once more before.

        Raises:
            RequestError: one is not a power that the hardware can do, or there is no pair.
            CheckFailedError: the hardware refused one all the same.
        """
        if not self.design.pair or len(items) != 2:
            raise RequestError("two powers with a modulus each need an exponentiator with pair=1")
        for item in items:
            self.check(item)
        bits = max(item.bits for item in items)
        tasks = [self._task(replace(item, length=bits), policy) for item in items]
        moduli = [self._configuration(task, second=task is tasks[1]) for task in tasks]
        limit = 2 * sum(task.limit for task in tasks)
        kept = all(task.kept for task in tasks)
        before = moduli[: int(kept)]
        set_ups, found = self._back_to_back([*before, *moduli], tasks, limit)
        first, second = (
            replace(outcome, setup_cycles=set_ups[0], recall_cycles=recall) if kept else outcome
            for outcome, recall in zip(_answered(found), set_ups[-2:], strict=True)
        )
        return first, second

    def stream(
        self, items: Sequence[Power | ModularProduct], policy: Policy = Policy.CONSTANT
    ) -> list[Exponentiation]:
        """Run powers and products of one modulus as fast as the hardware accepts them.

        `cycles` counts from a request's own last operand beat to its first result beat; `interval`
        is the time since the previous result, 0 for the first one.

        Raises:
            RequestError: the moduli differ.
            CheckFailedError: as `run`.
        """
        tasks = [self._task(item, policy) for item in items]
        first = tasks[0]
        if any((task.bits, task.modulus) != (first.bits, first.modulus) for task in tasks):
            raise RequestError("back-to-back requests must have the same modulus")
        limit = self.design.slots * max(task.limit for task in tasks)
        return self._back_to_back([self._configuration(first)], tasks, limit)[1]

    def _back_to_back(
        self, moduli: Sequence[wire.Configure], tasks: Sequence[_Task], limit: int
    ) -> tuple[list[int], list[Exponentiation]]:
        """Run requests of one length without pauses between them.

        Return the cycles of the configurations, and the results.
        """
        run = self._requests(tasks, wire.RunFlag.STREAM | wire.RunFlag.FORCE, limit)
        answers = list(script(self.prepare(), self._beat, [*moduli, run], self._seed))
        set_ups = [answer.cycles for answer in answers[: len(moduli)]]
        return set_ups, [
            _outcome(task, answer, set_ups[min(number, len(set_ups) - 1)])
            for number, (task, answer) in enumerate(zip(tasks, answers[len(moduli) :], strict=True))
        ]

    def interval(
        self, item: Power | ModularProduct, policy: Policy = Policy.CONSTANT, count: int = 4
    ) -> int:
        """Return the cycles between results of back-to-back requests with one modulus.

        With several slots results arrive in groups; the average is taken over a group.

        Args:
            item: the request to repeat.
            count: number of results per slot.

        Raises:
            CheckFailedError: a request was refused, or the intervals of one slot differ.
        """
        slots = self.design.slots
        found = _answered(self.stream([item] * (count * slots), policy))
        intervals = [outcome.interval for outcome in found[slots:]]
        if slots == 1 and len(set(intervals)) != 1:
            raise CheckFailedError(f"the intervals of results differ: {sorted(set(intervals))}")
        return round(sum(intervals) / len(intervals))

    def _single(
        self, item: Power | ModularProduct, policy: Policy = Policy.CONSTANT
    ) -> Exponentiation:
        return _answered(self.run([item], policy))[0]

    def _task(self, item: Power | ModularProduct, policy: Policy) -> _Task:
        bits, m, kept = item.bits, item.modulus, item.kept and self.design.pair
        if isinstance(item, Power):
            e, e_bits = item.exponent, item.e_bits
            count, limit = multiplications(item, policy), self.limit(item)
            return _Task(bits, m, item.base, policy, e, e_bits, limit, count, kept)
        count, limit = model.PRODUCT.multiplications, self.limit(Power(0, 1, m))
        return _Task(bits, m, item.x, PRODUCT, item.y, bits, limit, count, kept)

    def _configuration(self, task: _Task, *, second: bool = False) -> wire.Configure:
        header = task.bits | second << SECOND_SHIFT | task.kept << KEPT_SHIFT
        m = header | task.modulus << self.design.width
        return wire.Configure(m, self.design.host_beats(task.bits) + 1, task.limit)

    def _requests(self, tasks: Sequence[_Task], flags: wire.RunFlag, limit: int) -> wire.WireRun:
        width, beats = self.design.width, self.design.host_beats(tasks[0].bits)
        operands = []
        for task in tasks:
            y = (task.policy << POLICY_SHIFT) | task.y_bits | task.y << width
            operands.append(wire.Operands(task.x, y, beats, -(-task.y_bits // width) + 1))
        return wire.WireRun(operands, beats, flags, limit)

    def limit(self, power: Power) -> int:
        """Return the watchdog's limit in cycles."""
        cycles = self.design.core.core_cycles(self.design.length)
        beats = self.design.beats(self.design.length)
        # The ladder needs two products per bit.
        return (4 * power.e_bits + 400) * (2 * cycles + 8 * beats + 200)


def _outcome(task: _Task, answer: wire.WireAnswer, set_up: int, recall: int = 0) -> Exponentiation:
    interval = answer.interval or 0
    return Exponentiation(
        answer.z, answer.status, answer.cycles, set_up, task.multiplications, interval, recall
    )


def _answered(found: list[Exponentiation]) -> list[Exponentiation]:
    for outcome in found:
        if outcome.result is None:
            raise CheckFailedError(f"the exponentiator gave no result: {describe(outcome.error)}")
    return found
