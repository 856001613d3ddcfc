# SPDX-License-Identifier: Apache-2.0
"""The contract of the accelerator's registers (hw/soc/README.md), for any sequence of accesses.

When a command ends is not in the contract: while one is under way the model keeps both cases, and
each answer removes those that it contradicts. A sequence without any case left breaks the contract.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pka_bench as pka

EXPONENTIATOR, MULTIPLIER, MULTIPLY = 1, 4, 14
LOADED, KEY_LOADED = 2, 4
#: Bits of STATUS that are the key's: it is locked; the policy of the command that locked it.
STANDING = pka.LOCKED | 3 << 8
EVEN, ONE, RANGE = 1, 2, 4
DONE, REFUSED = 1, 2
#: Registers that keep what is written, in these bits.
STORED = {
    pka.ENABLE: 3,
    pka.LENGTH: 0x3FFF,
    pka.Y_LENGTH: 0x3FFF,
    pka.CURVE: 0xF0FFFF,
    pka.COMMAND: 0x7FFF3F,
}


@dataclass(frozen=True)
class ContractUnit:
    """What a command changes: slots, status without `busy`, error, modulus, lengths of the key."""

    slots: tuple[int, ...]
    status: int = 0
    error: int = 0
    modulus: int = 0
    bits: int = 0
    key: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class ContractCase:
    """A state of the registers; `end` is what the unit becomes when what is under way has ended."""

    unit: ContractUnit
    end: ContractUnit | None = None
    tells: bool = False  # the end is that of a command, not only of clearing
    stored: dict[int, int] = field(default_factory=lambda: dict.fromkeys(STORED, 0))
    events: int = 0

    def ended(self) -> "ContractCase":
        """Return the state at the end of what is under way."""
        if self.end is None:
            return self
        return replace(self, unit=self.end, end=None, events=self.events | DONE * self.tells)


class Contract:
    """Checks the answers to the lines of `pka_bench.cpp`, one by one."""

    def __init__(
        self, units: int, name: str, bits: int, r_bits: dict[int, int], limit: int
    ) -> None:
        """Describe a build; `r_bits` is log2 R by length; a command ends within `limit` cycles."""
        self.units, self.bits, self.r_bits, self.limit = units, bits, r_bits, limit
        self.words = -(-bits // 32)
        self.constants = {0: 0x4D504B41, 4: 0x103, 8: bits | units << 16 | 8 << 24, pka.CURVES: 0}
        self.constants[0xC] = int.from_bytes(name.encode()[:4], "little")
        self.key_slots = 2 if units == EXPONENTIATOR else 0
        self.cleared = (0,) * (8 + self.key_slots)
        self.cases = [self.reset()]

    def reset(self) -> ContractCase:
        """Return the state at the end of a reset: memory is being cleared."""
        return ContractCase(ContractUnit(self.cleared), ContractUnit(self.cleared))

    def take(self, line: str, refused: bool, said: str) -> bool:
        """Take an answer: whether the access was refused, and its text; False: it is wrong."""
        kind, *words = line.split()
        now = self.cases if kind in ("idle", "reset", "run") else self._now()
        address, *rest = (int(word, 16) for word in (*words, "0"))
        match kind:
            case "r":
                found = [case for case in now if self._reads(case, address, refused, said)]
                found = [self._refuse(case) for case in found] if refused else found
            case "w":
                word, strobes = rest[:2]
                found = [
                    after
                    for case in now
                    for after in self._write(case, address, word, strobes, refused)
                ]
            case "irq":
                found = [c for c in now if int(said) == bool(c.events & c.stored[pka.ENABLE])]
            case "idle":
                found = [case.ended() for case in now if 0 <= int(said) <= self.limit]
            case _:
                found = [self.reset()] if kind == "reset" else now
        self.cases = [case for at, case in enumerate(found) if case not in found[:at]]
        return bool(self.cases)

    def _now(self) -> list[ContractCase]:
        return [*self.cases, *(case.ended() for case in self.cases if case.end is not None)]

    @staticmethod
    def _refuse(case: ContractCase) -> ContractCase:
        return replace(case, events=case.events | REFUSED)

    def _place(self, address: int) -> tuple[int, int] | None:
        """Return slot and word of an address in memory, or None."""
        slot, word = (address - pka.OPERANDS) // pka.SLOT, address % pka.SLOT // 4
        slot = 8 + (address - pka.KEY) // pka.SLOT if address >= pka.KEY else slot
        inside = slot < (8 + self.key_slots if address >= pka.KEY else 8)
        return (slot, word) if address >= pka.OPERANDS and inside and word < self.words else None

    def _reads(self, case: ContractCase, address: int, refused: bool, said: str) -> bool:
        """Tell whether the answer to a read is right in a case."""
        seen, address, end = int(said, 16), address & ~3, case.end
        if (place := self._place(address)) is not None:
            if end is not None or place[0] > 7:
                return refused and seen == 0
            return not refused and seen == case.unit.slots[place[0]] >> 32 * place[1] & 0xFFFFFFFF
        if address in (pka.STATUS, pka.ERROR):  # while busy a change may be visible before the end
            some = {case.unit, end or case.unit}
            states = {unit.status for unit in some}
            if end is not None:
                states = {s | 1 for s in states | {s & ~(LOADED | KEY_LOADED) for s in states}}
            right = seen in (states if address == pka.STATUS else {unit.error for unit in some})
        elif address == pka.CYCLES:
            right = seen <= self.limit
        else:
            values = self.constants | case.stored | {pka.INTR: case.events}
            if address == pka.COMMAND or address not in values:
                return refused and seen == 0
            right = seen == values[address]
        return right and not refused

    def _write(
        self, case: ContractCase, address: int, word: int, strobes: int, refused: bool
    ) -> Iterator[ContractCase]:
        """Yield the state after a write, if its answer is right."""
        mask = sum(255 << 8 * at for at in range(4) if strobes >> at & 1)
        address, place = address & ~3, self._place(address)
        if place is not None:
            slot, shift = place[0], 32 * place[1]
            locked = slot > 7 and case.unit.status & pka.LOCKED
            right, after = case.end is None and not locked, case
            if right:
                slots = list(case.unit.slots)
                slots[slot] = slots[slot] & ~(mask << shift) | (word & mask) << shift
                after = replace(case, unit=replace(case.unit, slots=tuple(slots)))
        else:
            right, after = address in STORED or address in (pka.CONTROL, pka.INTR), case
            if address in STORED:
                value = (case.stored[address] & ~mask | word & mask) & STORED[address]
                after = replace(case, stored=case.stored | {address: value})
            if address == pka.INTR:
                after = replace(case, events=case.events & ~(word & mask))
            elif address == pka.CONTROL and word & mask & 1:
                after = self.zeroized(case, bool(word & mask & pka.KEEP))
            elif address == pka.COMMAND and mask & 1:
                after = self.started(after)
        if right != refused:
            yield self._refuse(case) if refused else after

    def zeroized(self, case: ContractCase, keep: bool) -> ContractCase:
        """Return the state while all but a kept key is cleared; a command is abandoned."""
        old, tells = case.unit, case.end is not None and case.tells
        error = pka.ABANDONED if tells else old.error
        new = ContractUnit(self.cleared, error=error)
        if keep and old.status & pka.LOCKED:
            slots, status = self.cleared[:8] + old.slots[8:], old.status & STANDING
            new = replace(new, slots=slots, status=status, key=old.key)
        return replace(case, unit=new, end=new, tells=tells)

    def started(self, case: ContractCase) -> ContractCase:
        """Return the state behind the write of a command."""
        if case.end is not None:
            return self._refuse(case)
        begun = replace(case.unit, error=0)
        return replace(case, unit=begun, end=self._outcome(begun, case.stored), tells=True)

    def _outcome(self, unit: ContractUnit, stored: dict[int, int]) -> ContractUnit:
        """Return what a command leaves."""
        op, policy, *slots = (stored[pka.COMMAND] >> at & 15 for at in (0, 4, 8, 12, 16))
        policy, length, y_length = policy & 3, stored[pka.LENGTH], stored[pka.Y_LENGTH]
        fits, y_fits = 2 <= length <= self.bits, 1 <= y_length <= self.bits
        locked = unit.status & STANDING
        several = self.units == EXPONENTIATOR
        known = tuple(range(1, 8)) if several else (pka.LOAD, pka.CLEAR, MULTIPLY)
        wrong = {
            pka.POWER: policy == 3,
            pka.PRODUCT: policy == 3,
            pka.KEY_POWER: policy & 1,
            MULTIPLY: policy,
        }
        if op in wrong or op == pka.LOAD:
            known = () if max(slots) > 7 or wrong.get(op) else known
        verdict = 0
        if op not in known:
            verdict = pka.BAD_COMMAND
        elif (op in (pka.KEY_LOAD, pka.KEY_POWER) and not locked) or (op == pka.LOCK and locked):
            verdict = pka.BAD_KEY
        elif op in wrong and not unit.status & (KEY_LOADED if op == pka.KEY_POWER else LOADED):
            verdict = pka.NO_MODULUS
        elif (op in (pka.LOAD, pka.LOCK) and not fits) or (
            op in (pka.POWER, pka.LOCK) and not y_fits
        ):
            verdict = pka.BAD_LENGTH
        if verdict:
            return replace(unit, error=verdict)
        if op == pka.CLEAR:
            return replace(unit, slots=(0,) * 8 + unit.slots[8:])
        if op == pka.LOCK:
            status = unit.status | pka.LOCKED | policy << 8
            return replace(unit, status=status, key=(length, y_length))
        if op in (pka.LOAD, pka.KEY_LOAD):
            bits = unit.key[0] if op == pka.KEY_LOAD else length
            m = unit.slots[8 if op == pka.KEY_LOAD else slots[0]] % (1 << bits)
            error = EVEN if m % 2 == 0 else ONE if m == 1 else 0
            status = 0 if error else LOADED | (op == pka.KEY_LOAD) * KEY_LOADED
            return replace(unit, status=locked | status, error=error, modulus=m, bits=bits)
        m, bits = unit.modulus, unit.bits
        y_bits = {pka.POWER: y_length, pka.KEY_POWER: unit.key[1]}.get(op, bits)
        x = unit.slots[slots[0]] % (1 << bits)
        y = unit.slots[9 if op == pka.KEY_POWER else slots[1]] % (1 << y_bits)
        power = op in (pka.POWER, pka.KEY_POWER)
        if x >= m or (y == 0 if power else y >= m):
            return replace(unit, error=RANGE)
        z = pow(x, y, m) if power else x * y % m
        if op == MULTIPLY:
            z = z * pow(2, -self.r_bits[bits], m) % m
        # A result fills the words of the modulus's length, and no others.
        top, slot = 32 * -(-bits // 32), slots[2]
        z |= unit.slots[slot] >> top << top
        return replace(unit, slots=(*unit.slots[:slot], z, *unit.slots[slot + 1 :]))
