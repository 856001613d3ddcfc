# SPDX-License-Identifier: Apache-2.0
"""Drives the common port from cocotb, one clock cycle at a time.

Inputs change right after a rising edge; signals are sampled at the falling edge, when they have
settled. A beat is transferred at the end of a cycle with valid and ready.
"""

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, RisingEdge, Timer

PERIOD_NS = 10
#: Longest wait of a bench, in cycles; a longer one means that the core hangs.
LIMIT = 20_000


@dataclass
class StreamSource:
    """One operand or modulus stream; `gap` is the probability of a pause before a beat."""

    name: str
    gap: float = 0.0
    beats: deque[tuple[int, bool]] = field(default_factory=deque)
    valid: bool = False

    def send(self, words: list[int]) -> None:
        """Queue a packet."""
        self.beats.extend((word, n == len(words) - 1) for n, word in enumerate(words))

    def drop(self) -> None:
        """Discard unsent words (only valid for a core that is being reset)."""
        self.beats.clear()
        self.valid = False


@dataclass(frozen=True)
class PortAnswer:
    """One result packet; if `error` is set, `words` holds only the error code."""

    words: tuple[int, ...]
    error: bool


class PortBench:
    """A simulated core with a driver on each stream, of `word_bits` a beat."""

    def __init__(self, dut: Any, seed: int = 1, *, word_bits: int) -> None:
        self.dut = dut
        self.word_bits = word_bits
        self.random = random.Random(seed)
        self.cfg, self.x, self.y = StreamSource("cfg"), StreamSource("x"), StreamSource("y")
        self.z_ready = 1.0  # probability that a result beat is taken
        self.answers: list[PortAnswer] = []
        self.cfg_errors: list[int] = []  # one per acknowledged modulus
        self.starts: list[int] = []
        self.dones: list[int] = []
        self.observers: list[Callable[[], None]] = []
        self.number = 0
        self._words: list[int] = []
        self._held: tuple[int, int, int] | None = None
        self._driven: dict[str, int] = {}
        self._next = {"rst_ni": 0, "zeroize_i": 0, "z_ready_i": 0}

    async def start(self) -> None:
        """Start the clock and reset the core."""
        for name in ("cfg", "x", "y"):
            for suffix in ("valid", "data", "last"):
                getattr(self.dut, f"{name}_{suffix}_i").value = 0
        for name, value in self._next.items():
            getattr(self.dut, name).value = value
        self.start_clocks()
        await RisingEdge(self.dut.clk_i)
        await self.reset()

    def start_clocks(self) -> None:
        """Start the clock, or both where there is a `clk2x_i`."""
        if hasattr(self.dut, "clk2x_i"):
            cocotb.start_soon(self._two_clocks())
        else:
            Clock(self.dut.clk_i, PERIOD_NS, unit="ns", impl="gpi").start()

    async def _two_clocks(self) -> None:
        """Drive both clocks from one process, so that a common edge is one simulator event.

        With two clock generators the edges would be sequential, and changes caused by the first
        would be visible at the second.
        """
        while True:
            for slow, fast in ((1, 1), (1, 0), (0, 1), (0, 0)):
                self.dut.clk_i.value = slow
                self.dut.clk2x_i.value = fast
                await Timer(PERIOD_NS / 4, unit="ns")

    async def reset(self) -> None:
        """Reset for two cycles; queued words are discarded."""
        self.forget()
        self.dut.rst_ni.value = 0
        for _ in range(2):
            await RisingEdge(self.dut.clk_i)
        self.dut.rst_ni.value = 1

    def forget(self) -> None:
        """Discard queued words and received results, as the core does when it abandons its work."""
        for source in (self.cfg, self.x, self.y):
            source.drop()
        self.forget_results()

    def forget_results(self) -> None:
        """Discard received results, and what was received of one."""
        self.answers, self._words, self._held = [], [], None

    def flag(self, name: str) -> bool:
        """Return a one-bit signal; it must not be unknown."""
        return bool(int(getattr(self.dut, name).value))

    async def cycle(self) -> None:
        """Run one cycle: present queued words, sample all signals, transfer beats."""
        dut = self.dut
        for source in (self.cfg, self.x, self.y):
            if not source.valid and source.beats and self.random.random() >= source.gap:
                source.valid = True
            self.drive(f"{source.name}_valid_i", int(source.valid))
            if source.valid:
                data, last = source.beats[0]
                self.drive(f"{source.name}_data_i", data)
                self.drive(f"{source.name}_last_i", int(last))
        ready = self.random.random() < self.z_ready
        self.drive("z_ready_i", int(ready))
        await FallingEdge(dut.clk_i)
        for source in (self.cfg, self.x, self.y):
            if source.valid and self.flag(f"{source.name}_ready_o"):
                source.beats.popleft()
                source.valid = False
        self._look_at_results(ready)
        if self.flag("cfg_done_o"):
            self.cfg_errors.append(int(dut.cfg_error_o.value))
        if self.flag("core_start_o"):
            self.starts.append(self.number)
        if self.flag("core_done_o"):
            self.dones.append(self.number)
        for observer in self.observers:
            observer()
        self.number += 1
        await RisingEdge(dut.clk_i)

    def drive(self, name: str, value: int) -> None:
        """Set an input, without a simulator event if it already has the value."""
        if self._driven.get(name) != value:
            self._driven[name] = value
            getattr(self.dut, name).value = value

    def _look_at_results(self, ready: bool) -> None:
        dut = self.dut
        beat = None
        if self.flag("z_valid_o"):
            beat = int(dut.z_data_o.value), int(dut.z_last_o.value), int(dut.z_error_o.value)
        if self._held is not None:
            assert beat == self._held, f"a result beat changed from {self._held} to {beat}"
        self._held = None if ready else beat
        if beat is None or not ready:
            return
        data, last, error = beat
        self._words.append(data)
        if error:
            assert last and len(self._words) == 1, "an error answer has more than one beat"
        if last:
            self.answers.append(PortAnswer(tuple(self._words), bool(error)))
            self._words = []

    async def until(self, condition: Callable[[], bool], limit: int = LIMIT) -> None:
        """Run cycles until a condition holds."""
        for _ in range(limit):
            if condition():
                return
            await self.cycle()
        raise AssertionError(f"nothing happened within {limit} cycles")

    async def idle(self) -> None:
        """Run until all queued words have been accepted and the core is idle."""
        await self.cycle()
        await self.until(
            lambda: not (self.cfg.beats or self.x.beats or self.y.beats or self.flag("busy_o"))
        )

    async def pulse(self, name: str) -> None:
        """Raise an input for one cycle."""
        getattr(self.dut, name).value = 1
        await self.cycle()
        getattr(self.dut, name).value = 0

    def split(self, value: int, words: int) -> list[int]:
        """Return a number as words, least significant first."""
        mask = (1 << self.word_bits) - 1
        return [value >> (self.word_bits * n) & mask for n in range(words)]

    async def load(self, m: int, words: int) -> int:
        """Send a modulus and return its status."""
        count = len(self.cfg_errors)
        self.cfg.send(self.split(m, words))
        await self.until(lambda: len(self.cfg_errors) > count)
        return self.cfg_errors[-1]

    def multiply(self, x: int, y: int, words: int) -> None:
        """Queue a product."""
        self.x.send(self.split(x, words))
        self.y.send(self.split(y, words))

    async def results(self, count: int) -> list[PortAnswer]:
        """Wait until that many answers have arrived since the last call, and return them."""
        await self.until(lambda: len(self.answers) >= count)
        found, self.answers = self.answers[:count], self.answers[count:]
        return found

    def value(self, answer: PortAnswer, words: int) -> int:
        """Return the number in an answer, which must not be an error."""
        assert not answer.error, f"an error answer: {answer.words}"
        assert len(answer.words) == words, f"{len(answer.words)} beats instead of {words}"
        return sum(word << (self.word_bits * n) for n, word in enumerate(answer.words))


def registers(scope: Any, path: str = "") -> dict[str, str]:
    """Return every register and memory word below a scope, by path, in binary.

    Register names end in _q.
    """
    found: dict[str, str] = {}
    for child in scope:
        name = f"{path}{child._name}"
        kind = type(child).__name__
        if kind.startswith("Hierarchy"):
            found.update(registers(child, f"{name}."))
        elif child._name.endswith("_q"):
            if kind == "ArrayObject":
                found.update({f"{name}[{n}]": str(child[n].value) for n in child.range})
            else:
                found[name] = str(child.value)
    return found
