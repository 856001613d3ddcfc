# SPDX-License-Identifier: Apache-2.0
"""Runs exponentiations through the simulated exponentiator."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from montcore.errors import CheckFailedError, RequestError
from montcore.model import modexp as model
from montcore.modexp.design import WINDOW, Design
from montcore.sim import wire
from montcore.sim.process import SimulatorProcess
from montcore.sim.types import Status, describe

POLICY_SHIFT = 14


class Policy(IntEnum):
    """How an exponent is worked off; the numbers are those of the hardware."""

    CONSTANT = 0
    SLIDING = 1
    LADDER = 2


@dataclass(frozen=True)
class Power:
    """One exponentiation: base^exponent mod modulus.

    Attributes:
        base: below the modulus.
        exponent: at least 1.
        modulus: odd, at least 3.
        exponent_bits: run-time length of the exponent; its own if 0.
        length: run-time length of the modulus in bits; its own if 0.
    """

    base: int
    exponent: int
    modulus: int
    exponent_bits: int = 0
    length: int = 0

    @property
    def bits(self) -> int:
        """Run-time length of the modulus."""
        return self.length or max(2, self.modulus.bit_length())

    @property
    def e_bits(self) -> int:
        """Run-time length of the exponent."""
        return self.exponent_bits or max(1, self.exponent.bit_length())


@dataclass(frozen=True)
class Exponentiation:
    """What the hardware made of it.

    Attributes:
        result: the power, or None if it was refused.
        error: a `Status`; 0 if there is a result.
        cycles: clock cycles from the last operand beat to the first result beat.
        setup_cycles: clock cycles of the modulus's configuration, R^2 mod m included.
        multiplications: products of the exponentiation, those of the configuration not counted.
    """

    result: int | None
    error: int
    cycles: int
    setup_cycles: int
    multiplications: int


def multiplications(power: Power, policy: Policy) -> int:
    """Return how many products an exponentiation takes."""
    if policy is Policy.SLIDING:
        return model.sliding(power.exponent, WINDOW).multiplications
    if policy is Policy.LADDER:
        return model.ladder(power.e_bits).multiplications
    return model.constant(power.e_bits, WINDOW).multiplications


class Exponentiator:
    """The simulation of an exponentiator; each call starts a process of its own."""

    def __init__(self, design: Design, *, seed: int = 0) -> None:
        self.design = design
        self._seed = seed
        self._beat = wire.BeatFormat(design.width)

    def prepare(self) -> Path:
        """Compile the simulator unless the cache has it; return the executable."""
        return self.design.build().executable()

    def check(self, power: Power) -> None:
        """Refuse what the hardware would refuse, in words.

        Raises:
            RequestError: one sentence that says what is wrong.
        """
        if power.modulus < 3 or power.modulus % 2 == 0:
            raise RequestError("the modulus must be odd and at least 3")
        if power.modulus.bit_length() > self.design.length or power.bits > self.design.length:
            raise RequestError(
                f"the modulus has {power.modulus.bit_length()} bits, "
                f"more than the {self.design.length} that were built"
            )
        if not 0 <= power.base < power.modulus:
            raise RequestError("the base must lie between 0 and the modulus")
        if power.exponent < 1:
            raise RequestError("the exponent must be at least 1")
        if max(power.exponent.bit_length(), power.e_bits) > self.design.length:
            raise RequestError(
                f"the exponent has {power.exponent.bit_length()} bits, "
                f"more than the {self.design.length} that were built"
            )

    def run(
        self,
        powers: Sequence[Power],
        policy: Policy = Policy.CONSTANT,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Exponentiation]:
        """Run the powers one after the other, each from its modulus on.

        Raises:
            CheckFailedError: the simulator crashed, or broke the port's rules.
        """
        results = []
        with SimulatorProcess(
            self.prepare(), self._beat.beat_bytes, self._seed, self._commands(powers, policy)
        ) as process:
            for done, power in enumerate(powers):
                configured = wire.RECORD.unpack(process.read(wire.RECORD.size))
                record = wire.RECORD.unpack(process.read(wire.RECORD.size))
                beats = self.design.host_beats(power.bits)
                data = process.read(beats * self._beat.beat_bytes)
                status = record[1]
                if status == Status.NO_MODULUS and configured[1]:
                    status = configured[1]
                results.append(
                    Exponentiation(
                        self._beat.unpack(data) if status == 0 else None,
                        status,
                        record[3],
                        configured[3],
                        multiplications(power, policy),
                    )
                )
                if progress is not None:
                    progress(done + 1, len(powers))
            process.finish()
        return results

    def power(self, power: Power, policy: Policy = Policy.CONSTANT) -> Exponentiation:
        """Run one exponentiation.

        Raises:
            RequestError: it is not one that the hardware can do.
            CheckFailedError: the hardware refused it all the same.
        """
        self.check(power)
        outcome = self.run([power], policy)[0]
        if outcome.result is None:
            raise CheckFailedError(f"the exponentiator gave no result: {describe(outcome.error)}")
        return outcome

    def _commands(self, powers: Sequence[Power], policy: Policy) -> Iterator[bytes]:
        width = self.design.width
        for power in powers:
            beats = self.design.host_beats(power.bits)
            m = power.bits | power.modulus << width
            limit = self.limit(power)
            yield wire.Configure(m, beats + 1, limit).encode(self._beat)
            e_beats = -(-power.e_bits // width)
            y = (policy << POLICY_SHIFT) | power.e_bits | power.exponent << width
            operands = wire.Operands(power.base, y, beats, e_beats + 1)
            yield wire.Run([operands], beats, limit=limit).encode(self._beat)

    def limit(self, power: Power) -> int:
        """Return the watchdog's limit in cycles."""
        cycles = self.design.core.core_cycles(self.design.config, self.design.length)
        beats = self.design.beats(self.design.length)
        # The ladder takes two products a bit.
        return (4 * power.e_bits + 400) * (2 * cycles + 8 * beats + 200)
