# SPDX-License-Identifier: Apache-2.0
"""Runs a routine with secrets as symbols: every secret at once.

Registers and words of memory hold numbers, which are public, or secrets (`montcore_riscv.words`). A
branch, a jump or an address that depends on a secret is an error; so are a load of what was not
written, a store outside of what the routine may write, and an unknown instruction. Therefore the
run is that of all secrets: the same instructions and addresses. What is exact of a secret remains
a definition; anything else becomes a new word of which nothing is known.
"""

import struct
from collections.abc import Callable, Iterable, Mapping, Sequence

from montcore.support.errors import CheckFailedError
from montcore_riscv.decode import (
    ADD,
    AND,
    OR,
    OTHER,
    SLL,
    SLTU,
    SR,
    XOR,
    RiscvInstruction,
    decode,
    signed,
)
from montcore_riscv.elf import ElfProgram
from montcore_riscv.words import Value, W, Word, Words

RETURN = 0xFFFFFFF0  # return address of the routine
STACK_TOP = 0xF0000000
RA, SP, A0 = 1, 2, 10
#: Registers that a routine must leave as they were.
SAVED = (SP, 3, 4, 8, 9, *range(18, 28))
LIMIT = 20_000_000


class SecretLeakError(CheckFailedError):
    """A branch, a jump or an address depends on a secret."""


class Interpreter:
    """One run of a routine.

    Attributes:
        x: the registers.
        memory: the words of memory by address.
        words: makes the symbols.
        count: instructions executed.
        lowest: lowest stack pointer.
        seen: addresses of the instructions executed.
    """

    def __init__(
        self,
        program: ElfProgram,
        patches: Mapping[int, RiscvInstruction] | None = None,
        limit: int | None = None,
    ) -> None:
        """Prepare a run.

        Args:
            program: program with the routine.
            patches: instructions by address that stand in for the program's.
            limit: instructions after which the run is an error; fewer by default with patches.
        """
        self.program, self.limit = program, limit or (20_000 if patches else LIMIT)
        self.words = Words()
        self.memory: dict[int, Value] = {}
        self.x: list[Value] = [0, *self.words.many(31)]
        self._given = set(self.x)
        self.count, self.lowest = 0, STACK_TOP
        self.seen: set[int] = set()
        #: What is not run again: by its address a function that does what was proved of it, and
        #: returns the address to go on at.
        self.proved: dict[int, Callable[[Interpreter], int]] = {}
        self._code: dict[int, RiscvInstruction] = dict(patches or {})
        self._writable: list[tuple[int, int]] = []
        #: Of secret words: the bytes that public ones were stored over, and these.
        self._over: dict[int, tuple[int, int]] = {}
        for start, content in program.segments:
            self.put_bytes(start, content)

    def put(self, address: int, values: Iterable[Value]) -> None:
        """Write words to memory."""
        for at, value in enumerate(values):
            self.memory[address + 4 * at] = value
            self._over.pop(address + 4 * at, None)

    def put_bytes(self, address: int, content: bytes) -> None:
        """Write bytes to memory, and zeros up to a whole word."""
        whole = content + bytes(-len(content) % 4)
        self.put(address, (value for (value,) in struct.iter_unpack("<I", whole)))

    def secrets(self, address: int, count: int) -> list[Word]:
        """Write so many secret words to memory and return them."""
        found = self.words.many(count)
        self.put(address, found)
        return found

    def get(self, address: int, count: int) -> list[Value]:
        """Return words of memory.

        Raises:
            CheckFailedError: one was never written.
        """
        return [self._load(address + 4 * at) for at in range(count)]

    def call(
        self, name: str, arguments: Sequence[Value], writable: Iterable[tuple[int, int]]
    ) -> None:
        """Run a routine until it returns.

        Args:
            name: the routine.
            arguments: addresses or numbers.
            writable: address and bytes of each piece of memory that it may write, its stack aside.

        Raises:
            SecretLeakError: a branch, a jump or an address depends on a secret.
            CheckFailedError: it does something else that it must not do.
        """
        self.x[A0 : A0 + len(arguments)] = arguments
        self.x[RA], self.x[SP] = RETURN, STACK_TOP
        kept = [self.x[register] for register in SAVED]
        self.run(self.program.address(name), {RETURN}, writable)
        if [self.x[register] for register in SAVED] != kept:
            raise CheckFailedError(f"{name} does not restore a register")

    def run(self, pc: int, ends: set[int], writable: Iterable[tuple[int, int]]) -> int:
        """Run from an address until one of `ends`, at least one instruction; return which."""
        self._writable = list(writable)
        pc = self._step(pc)
        while pc not in ends:
            known = self.proved.get(pc)
            pc = known(self) if known is not None else self._step(pc)
            self.count += 1
            if self.count > self.limit:
                raise CheckFailedError(f"no end within {self.limit} instructions")
        return pc

    def _fetch(self, pc: int) -> RiscvInstruction:
        found = self._code.get(pc)
        if found is None:
            low, high = (self.memory.get(at & ~3) for at in (pc, pc + 2))
            if isinstance(low, int) and pc & 2 and low >> 16 & 3 != 3:
                high = 0  # a short instruction, maybe the last of the program
            if not (isinstance(low, int) and isinstance(high, int)):
                raise CheckFailedError(f"no instruction at {pc:#x}")
            word = low >> 16 | (high & 0xFFFF) << 16 if pc & 2 else low
            found = self._code[pc] = decode(word)
        self.seen.add(pc)
        return found

    def public(self, register: int) -> int:
        """Return a register that holds an address or a length.

        Raises:
            SecretLeakError: it depends on a secret.
        """
        return self._public(self.x[register], 0, "an address")

    def store(self, address: int, values: Iterable[Value]) -> None:
        """Write words as the routine would.

        Raises:
            CheckFailedError: it may not write there.
        """
        for at, value in enumerate(values):
            self._store(address + 4 * at, value, 4)

    def _public(self, value: Value, pc: int, what: str) -> int:
        if isinstance(value, int):
            return value
        inside = [
            name
            for name, symbol in self.program.symbols.items()
            if symbol.is_function and symbol.address <= pc < symbol.address + max(symbol.size, 1)
        ]
        where = inside[0] if inside else "the program"
        raise SecretLeakError(f"{where}, instruction at {pc:#x}: {what} depends on a secret")

    def _step(self, pc: int) -> int:
        op = self._fetch(pc)
        x, kind, following = self.x, op.kind, pc + op.size
        a, b = x[op.rs1], x[op.rs2]
        if kind == "op":
            self._set(op.rd, self._alu(op.funct, a, b))
        elif kind == "op-imm":
            self._set(op.rd, self._alu(op.funct, a, op.imm % W))
        elif kind == "mul":
            self._set(op.rd, self._multiply(op.funct, a, b, pc))
        elif kind in ("load", "store"):
            address = (self._public(a, pc, "an address") + op.imm) % W
            if kind == "store":
                self._store(address, b, 1 << op.funct)
            else:
                self._set(op.rd, self._load(address, 1 << (op.funct & 3), op.funct < 2))
        elif kind == "branch":
            one, other = (self._public(value, pc, "a branch") for value in (a, b))
            if _taken(op.funct, one, other):
                return (pc + op.imm) % W
        elif kind == "jal":
            self._set(op.rd, following)
            return (pc + op.imm) % W
        elif kind == "jalr":
            target = self._public(a, pc, "a jump")
            self._set(op.rd, following)
            return (target + op.imm) % W & ~1
        elif kind in ("lui", "auipc"):
            self._set(op.rd, (op.imm + (pc if kind == "auipc" else 0)) % W)
        else:
            raise CheckFailedError(f"instruction at {pc:#x} is {kind}")
        return following

    def _set(self, rd: int, value: Value) -> None:
        if rd:
            self.x[rd] = value
            if rd == SP:
                self.lowest = min(self.lowest, self._public(value, 0, "the stack pointer"))

    def _alu(self, funct: int, a: Value, b: Value) -> Value:
        if isinstance(a, int) and isinstance(b, int):
            return _alu(funct, a, b) % W
        base, words = funct & 7, self.words
        if base == ADD:
            return words.subtract(a, b) if funct & OTHER else words.add(a, b)
        if base in (SLL, SR) and isinstance(a, Word) and isinstance(b, int):
            return words.shift(a, b & 31, base == SLL, bool(funct & OTHER))
        if base == SLTU:
            return words.less(a, b)
        exact = {XOR: words.differ, OR: words.either, AND: words.both}.get(base)
        return exact(a, b) if exact else words.new()

    def _multiply(self, funct: int, a: Value, b: Value, pc: int) -> Value:
        if funct > 3:
            if isinstance(a, int) and isinstance(b, int) and b:
                return (a // b, a % b)[funct == 7] if funct in (5, 7) else self.words.new()
            raise SecretLeakError(f"a division at {pc:#x}: its time depends on its operands")
        if funct in (0, 3):
            return self.words.multiply(a, b)[funct == 3]
        if isinstance(a, int) and isinstance(b, int):
            return (signed(a) * (signed(b) if funct == 1 else b) >> 32) % W
        return self.words.new()

    def _load(self, address: int, size: int = 4, sign: bool = False) -> Value:
        at = address & ~3
        if at not in self.memory or address & (size - 1):
            raise CheckFailedError(f"load of {address:#x}, which was not written")
        value = self.memory[at]
        if size == 4 or not isinstance(value, int):
            return value if size == 4 else self.words.new((1 << 8 * size) - 1)
        part = value >> 8 * (address & 3) & ((1 << 8 * size) - 1)
        return signed(part, 8 * size) % W if sign else part

    def _store(self, address: int, value: Value, size: int) -> None:
        inside = any(start <= address < start + size_ for start, size_ in self._writable)
        if address & (size - 1) or not (inside or self._stack() <= address < STACK_TOP):
            raise CheckFailedError(f"store outside of what may be written: {address:#x}")
        at, old = address & ~3, self.memory.get(address & ~3, 0)
        if size == 4:
            self._over.pop(at, None)
        elif isinstance(value, int):
            # Public bytes in a secret word: it is public only when all of its bytes are.
            known, public = self._over.get(at, (0, 0)) if isinstance(old, Word) else (W - 1, old)
            mask = ((1 << 8 * size) - 1) << 8 * (address & 3)
            public = public & ~mask | value << 8 * (address & 3) & mask
            self._over[at] = known | mask, public
            value = public if known | mask == W - 1 else old
        else:
            self._over.pop(at, None)
            value = self.words.new()
        self.memory[at] = value

    def executed(self) -> dict[int, RiscvInstruction]:
        """Return the instructions of the run by address."""
        return {pc: self._code[pc] for pc in self.seen}

    def stack_secrets(self) -> bool:
        """Whether a word of the stack's memory is secret, and not what a register held before."""
        stack = {self.memory.get(at) for at in range(self.lowest, STACK_TOP, 4)}
        return any(isinstance(value, Word) for value in stack - self._given)

    def _stack(self) -> int:
        pointer = self.x[SP]
        return pointer if isinstance(pointer, int) else STACK_TOP


def _taken(funct: int, a: int, b: int) -> bool:
    less = signed(a) < signed(b) if funct in (4, 5) else a < b
    return (a == b if funct < 2 else less) != bool(funct & 1)


def _alu(funct: int, a: int, b: int) -> int:
    base = funct & 7
    if base == SLL:
        return a << (b & 31)
    if base == SR:
        return (signed(a) if funct & OTHER else a) >> (b & 31)
    return (
        a - b if funct & OTHER else a + b,
        0,
        int(signed(a) < signed(b)),
        int(a < b),
        a ^ b,
        0,
        a | b,
        a & b,
    )[base]
