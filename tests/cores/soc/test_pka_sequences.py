# SPDX-License-Identifier: Apache-2.0
"""Random accesses to the accelerator's registers, each answer compared with the contract."""

import hashlib
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pka_bench
import pka_contract
import pytest
from icarus import run_sources
from pka_bench import (
    CLEAR,
    COMMAND,
    CONTROL,
    ENABLE,
    ERROR,
    INTR,
    KEEP,
    KEY,
    KEY_LOAD,
    KEY_POWER,
    LENGTH,
    LOAD,
    LOCK,
    NAME,
    OPERANDS,
    POWER,
    PRODUCT,
    SLOT,
    STATUS,
    Y_LENGTH,
    Bench,
    bench_of,
    number,
    sources,
    write,
)
from pka_contract import EXPONENTIATOR, MULTIPLIER, MULTIPLY, Case, Contract

from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.sim.build import RtlBuild
from montcore.soc.design import AcceleratorDesign
from montcore.soc.wrapper import BUSES
from montcore.support.paths import PREFIX

#: Addresses at which there is nothing: behind the registers, between and behind the slots.
ELSEWHERE = (0x3C, 0x3FFC, 0x6000, 0x8800, 0xB800, 0xC000, 0xFFFC)


@dataclass
class Writer:
    """Draws sequences for a build; it remembers the last modulus, so that most commands fit."""

    rng: random.Random
    units: int
    bits: int
    limit: int
    length: int = 2
    m: int = 3

    def sequence(self) -> list[str]:
        """Return lines from a reset on, at the end of which everything is read."""
        lines = ["reset 4"]
        if self._often(8):
            lines += [*self._idle(), *self._load()]
        for _ in range(self.rng.randrange(2, 14)):
            lines += self.rng.choices(
                (self._load, self._compute, self._key, self._access, self._control, self._result),
                (3, 6, 3 * (self.units == EXPONENTIATOR), 4, 2, 2),
            )[0]()
        lines += [*self._idle(), f"r {STATUS:x}", f"r {ERROR:x}", f"r {INTR:x}", "irq"]
        return [*lines, *(line for slot in range(8) for line in self._read(slot))]

    def _often(self, tenths: int) -> bool:
        return self.rng.randrange(10) < tenths

    def _idle(self) -> list[str]:
        return [f"idle {self.limit}"]

    def _read(self, slot: int) -> list[str]:
        return [f"r {OPERANDS + slot * SLOT + at // 8:x}" for at in range(0, self.bits, 32)]

    def _near(self, m: int, bits: int) -> int:
        """Return a number that is mostly below m: random, small, equal or next to m in a word."""
        word = 1 << 32 * self.rng.randrange(-(-bits // 32))
        some = (0, 1, m - 1, m, m + 1, m + word, m - word, (1 << bits) - 1)
        value = self.rng.randrange(m or 1) if self._often(6) else self.rng.choice(some)
        return max(value, 0) | (self.rng.getrandbits(self.bits) << bits if self._often(1) else 0)

    def _command(self, op: int, slots: tuple[int, int, int], policy: int = 0) -> Iterator[str]:
        """Yield a command, then its end and its error, or accesses while it may be under way."""
        if self._often(1):
            slots = (self.rng.randrange(16), self.rng.randrange(16), self.rng.randrange(16))
        word = op | policy << 4 | slots[0] << 8 | slots[1] << 12 | slots[2] << 16
        if self._often(1):  # the lowest byte starts it, with what the others have been
            yield write(COMMAND, word, 14)
            yield write(COMMAND, op | policy << 4, 1)
        else:
            yield write(COMMAND, word | self.rng.getrandbits(9) << 23)
        if self._often(6):
            yield from self._idle()
            yield f"r {ERROR:x}"
        else:
            yield f"run {2 ** self.rng.randrange(12)}"
            yield from self._busy()

    def _busy(self) -> Iterator[str]:
        """Yield what is allowed or refused while a command is under way."""
        some = (
            f"r {STATUS:x}",
            f"r {ERROR:x}",
            f"r {INTR:x}",
            f"r {OPERANDS + self.rng.randrange(8) * SLOT:x}",
            write(OPERANDS + self.rng.randrange(8) * SLOT, self.rng.getrandbits(32)),
            write(COMMAND, self.rng.choice((LOAD, PRODUCT, MULTIPLY, CLEAR, LOCK)) | 0x32100),
            write(CONTROL, self.rng.choice((1, 1 | KEEP))),
            f"reset {self.rng.randrange(1, 4)}",
            write(INTR, 3),
            write(LENGTH, self.rng.randrange(self.bits)),
            "irq",
        )
        yield from self.rng.sample(some, self.rng.randrange(4))

    def _bits(self) -> int:
        good = {2, 3, 31, 32, 33, 64, 65, self.bits - 1, self.bits, self.bits, self.bits}
        bad = (0, 1, self.bits + 1, 0x3FFF)
        return self.rng.choice([b for b in good if b <= self.bits] if self._often(9) else bad)

    def _modulus(self, bits: int) -> int:
        full = self.rng.getrandbits(bits) | 1 << max(bits - 1, 0) | 1
        some = (full - 1, 0, 1, full >> bits // 2 | 1, full | 1 << bits, (1 << bits) - 1)
        return full if self._often(8) else self.rng.choice(some)

    def _load(self) -> Iterator[str]:
        bits = self._bits()
        m, slot = self._modulus(min(bits, self.bits)), self.rng.randrange(8)
        self.m, self.length = m, min(max(bits, 1), self.bits)
        yield write(LENGTH, bits)
        yield from number(OPERANDS + slot * SLOT, m, self.bits)
        yield from self._command(LOAD, (slot, 1, 2))

    def _exponent(self) -> tuple[int, int]:
        """Return an exponent and its length, mostly a short one."""
        bits = self.rng.choice((1, 4, 17, 17, 33)) if self._often(9) else self._bits()
        e = self.rng.choice((0, 1, 3, (1 << bits) - 1, self.rng.getrandbits(bits + 1)))
        return e, bits

    def _compute(self) -> Iterator[str]:
        x, y, z = (self.rng.randrange(8) for _ in range(3))
        op = self.rng.choice((POWER, PRODUCT)) if self.units == EXPONENTIATOR else MULTIPLY
        op = self.rng.randrange(16) if self._often(1) else op
        yield from number(OPERANDS + x * SLOT, self._near(self.m, self.length), self.bits)
        value = self._near(self.m, self.length)
        if op == POWER:
            value, e_bits = self._exponent()
            yield write(Y_LENGTH, e_bits)
        yield from number(OPERANDS + y * SLOT, value, self.bits)
        policy = 0
        if op == POWER or self._often(1):
            policy = self.rng.choice((0, 0, 1, 2, 3))
        yield from self._command(op, (x, y, z), policy)

    def _key(self) -> Iterator[str]:
        """Yield a lock, or uses of a key, in any order."""
        if self._often(4):
            bits, (e, e_bits) = self._bits(), self._exponent()
            m = self._modulus(min(bits, self.bits))
            yield from (write(LENGTH, bits), write(Y_LENGTH, e_bits))
            if self._often(8):  # or what is there: nothing
                yield from number(KEY, m, self.bits)
                yield from number(KEY + SLOT, e, self.bits)
            yield from self._command(LOCK, (0, 1, 2))
            self.m, self.length = m, min(max(bits, 1), self.bits)
        yield from self._command(KEY_LOAD, (0, 1, 2))
        x, z = self.rng.randrange(8), self.rng.randrange(8)
        yield from number(OPERANDS + x * SLOT, self._near(self.m, self.length), self.bits)
        yield from self._command(KEY_POWER, (x, 0, z), self.rng.choice((0, 0, 0, 2, 1)))

    def _access(self) -> Iterator[str]:
        """Yield accesses of any kind, to any address, with any strobes."""
        for _ in range(self.rng.randrange(1, 6)):
            address = self.rng.choice(
                (
                    4 * self.rng.randrange(16),
                    4 * self.rng.randrange(16),
                    OPERANDS + self.rng.randrange(8) * SLOT + self.rng.randrange(self.bits // 8),
                    KEY + self.rng.randrange(3) * SLOT + self.rng.randrange(self.bits // 8 + 8),
                    self.rng.choice(ELSEWHERE),
                    OPERANDS + SLOT * self.rng.randrange(8) + (self.bits + 31) // 32 * 4,
                    self.rng.randrange(1 << 16),
                )
            )
            strobes = self.rng.choice((15, 15, 1, 2, 4, 8, 3, 12, 0, 5, 14))
            if self._often(5):
                yield f"r {address:x}"
            else:
                yield write(address, self.rng.getrandbits(32), strobes)

    def _control(self) -> Iterator[str]:
        """Yield a zeroize, a reset, or a change of the interrupt."""
        kind = self.rng.randrange(10)
        if kind < 5:
            yield write(CONTROL, self.rng.choice((1, 1 | KEEP, 1 | KEEP, KEEP)))
        elif kind < 7:
            yield f"reset {self.rng.randrange(1, 6)}"
        else:
            yield from (write(ENABLE, self.rng.randrange(4)), "irq", write(INTR, 3), "irq")
        yield from self._idle() if self._often(5) else self._busy()

    def _result(self) -> Iterator[str]:
        for slot in self.rng.sample(range(8), 2):
            yield from self._read(slot)
        yield from (f"r {STATUS:x}", f"r {INTR:x}", "irq")


@dataclass(frozen=True)
class Tried:
    """A simulator, and what its contract depends on."""

    bench: Bench
    limit: int  # cycles within which every command and every clearing ends
    contract: type[Contract] = Contract

    @property
    def core(self) -> Core:
        """The multiplier."""
        core = self.bench.design.core or self.bench.design.multiplier
        assert core is not None
        return core

    def sequence(self, seed: int) -> list[str]:
        """Return a random sequence."""
        units = MULTIPLIER if self.bench.design.core is None else EXPONENTIATOR
        return Writer(random.Random(seed), units, self.core.bits, self.limit).sequence()

    def wrong(self, lines: list[str]) -> str:
        """Play lines; return the first whose answer is wrong, with the answer, or nothing."""
        core, alone = self.core, self.bench.design.core is None
        r_bits = {bits: core.r_bits(bits) for bits in range(2, core.bits + 1)} if alone else {}
        units = MULTIPLIER if alone else EXPONENTIATOR
        model = self.contract(units, core.name, core.bits, r_bits, self.limit)
        for line, answer in zip(lines, self.bench.run(lines, 3000), strict=True):
            if not model.take(line, answer.status != 0, answer.said):
                return f"{line} -> {answer.status} {answer.said}"
        return ""

    def failing(self, first: int, count: int) -> str:
        """Play sequences of seeds; return what is wrong and the lines that show it, or nothing."""
        for seed in range(first, first + count, 50):
            parts = [self.sequence(at) for at in range(seed, min(seed + 50, first + count))]
            if wrong := self.wrong([line for part in parts for line in part]):
                for at, lines in enumerate(parts, seed):
                    if self.wrong(lines):
                        lines = self.shrunk(lines)
                        return f"sequence {at}: {self.wrong(lines)}\n" + "\n".join(lines)
                return f"sequences from {seed} on, only together: {wrong}"
        return ""

    def shrunk(self, lines: list[str]) -> list[str]:
        """Return the lines without which a failing sequence does not fail."""
        size = len(lines) // 2
        while size:
            for place in range(len(lines) - size, 0, -size):  # the first is the reset
                fewer = lines[:place] + lines[place + size :]
                if self.wrong(fewer):
                    lines = fewer
            size //= 2
        return lines


def exponentiator(folder: Path) -> Tried:
    """Return the simulator of test_pka.py; its longest command, a ladder, has 19,444 cycles."""
    core = get_core("smm").configure({"npe": "2", "w": "32"}, 192)
    return Tried(bench_of(folder, AcceleratorDesign(core)), 20_000)


def multiplier(folder: Path) -> Tried:
    """Return the simulator of test_pka_multiplier.py."""
    core = get_core("smm").configure({"npe": "3"}, 96)
    return Tried(bench_of(folder, AcceleratorDesign(None, multiplier=core)), 100)


Unit = Callable[[Path], Tried]
UNITS = pytest.mark.parametrize("unit", [exponentiator, multiplier])


@UNITS
def test_every_answer_is_that_of_the_contract(tmp_path: Path, unit: Unit) -> None:
    assert not unit(tmp_path).failing(0, 100)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@UNITS
@pytest.mark.parametrize("first", range(1_000, 21_000, 1_000))
def test_twenty_thousand_sequences(tmp_path: Path, unit: Unit, first: int) -> None:
    assert not unit(tmp_path).failing(first, 1_000)


class KeepsOperands(Contract):
    """As if zeroize left the slots."""

    def zeroized(self, case: Case, keep: bool) -> Case:
        after = super().zeroized(case, keep)
        left = replace(after.unit, slots=case.unit.slots)
        return replace(after, unit=left, end=left)


class ForgetsKey(Contract):
    """As if no key were kept."""

    def zeroized(self, case: Case, keep: bool) -> Case:
        return super().zeroized(case, False)


class TakesEvery(Contract):
    """As if a command while busy were not noticed."""

    def started(self, case: Case) -> Case:
        return case if case.end is not None else super().started(case)


@pytest.mark.parametrize("wrong", [KeepsOperands, ForgetsKey, TakesEvery])
def test_another_contract_is_not_kept(tmp_path: Path, wrong: type[Contract]) -> None:
    found = replace(exponentiator(tmp_path), contract=wrong).failing(0, 100)
    assert found.startswith("sequence") and len(found.splitlines()) < 30, found


#: Faults in the RTL: file, text, and its replacement.
FAULTS = (
    ("pka_sequence", "pending_q      <= rst_ni && under_way;", "pending_q <= 1'b0;"),
    ("pka_sequence", "standing_q     <= '0;", "standing_q.locked <= 1'b0;"),
    ("pka_sequence", "else if (Units[1] || all_q) last_row", "else if (Units[1]) last_row"),
    (
        "pka_sequence",
        "key_loaded <= cfg_error_i == '0 && use_key",
        "key_loaded <= cfg_error_i == '0",
    ),
    ("pka_memory", "(!locked_i || hidden)", "1'b1"),
    ("pka_memory", "(is_key && write_i &&", "(is_key &&"),
    ("pka", "|| (command_start && busy)", ""),
)


@pytest.mark.nightly
@pytest.mark.parametrize(("name", "old", "new"), FAULTS)
def test_a_fault_in_the_rtl_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str
) -> None:
    def changed(design: AcceleratorDesign) -> list[Path]:
        files = sources(design)
        (place,) = (at for at, path in enumerate(files) if path.name == f"{PREFIX}{name}.sv")
        text = files[place].read_text()
        assert text.count(old) == 1
        files[place] = tmp_path / files[place].name
        files[place].write_text(text.replace(old, new))
        return files

    monkeypatch.setattr(pka_bench, "sources", changed)
    assert exponentiator(tmp_path).failing(0, 500).startswith("sequence")


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("bus", BUSES)
def test_every_bus_keeps_the_contract(tmp_path: Path, bus: str) -> None:
    design, limit = AcceleratorDesign(get_core("dsp").configure({"alpha": "2"}, 40)), 20_000
    build = RtlBuild(f"{PREFIX}{NAME}", tuple(sources(design, bus)), {}, ports=())
    digest = hashlib.sha256(Path(pka_contract.__file__).read_bytes()).hexdigest()
    lines = list[str]()
    for seed in range(40):
        lines += Writer(random.Random(seed), EXPONENTIATOR, 40, limit).sequence()
    environment = {"SOC_BUS": bus, "LENGTH": "40", "CYCLES": str(limit), "MODEL": digest}
    run_sources(tmp_path, "soc_contract", build, {**environment, "LINES": "\n".join(lines)})
