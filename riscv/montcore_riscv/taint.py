# SPDX-License-Identifier: Apache-2.0
"""Runs a routine instruction by instruction and tracks the propagation of its secrets.

A small interpreter of RV32IM, for programs without compressed instructions, with a taint bit for
each register and each byte of memory, set if the value depends on a secret. A branch, a jump or an
address that depends on a secret is an error. So the run shows more than that two traces are equal:
since no decision depends on a secret, every secret leads to the same instructions and addresses.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from montcore.support.errors import CheckFailedError
from montcore_riscv.calls import Call
from montcore_riscv.elf import ElfProgram

_MASK = 0xFFFFFFFF
_RETURN = 0xFFFFFFF0  # return address of the routine
_STACK_TOP = 0xF0000000
_STACK_BYTES = 4096
_ADD, _SLL, _SLT, _SLTU, _XOR, _SR, _OR, _AND = range(8)


class SecretLeakError(CheckFailedError):
    """A branch, a jump or an address depends on a secret."""


@dataclass
class TaintOutcome:
    """Result of a run.

    Attributes:
        instructions: number of instructions executed.
        stack_bytes: maximum depth of the stack.
        memory: the free memory after the run.
        secret: for each byte of `memory`, whether it depends on a secret.
        stack_secret: for each byte of the stack's memory, whether it depends on a secret.
        value: a0.
    """

    instructions: int
    stack_bytes: int
    memory: bytes
    secret: bytes
    stack_secret: bytes
    value: int


@dataclass(frozen=True)
class _Decoded:
    """One instruction."""

    kind: str
    rd: int = 0
    rs1: int = 0
    rs2: int = 0
    imm: int = 0
    funct: int = 0


def run(
    program: ElfProgram, call: Call, arena: int, secrets: Iterable[tuple[int, int]]
) -> TaintOutcome:
    """Call a routine.

    Args:
        program: program with the routine.
        call: the call, with the memory it needs.
        arena: address of that memory.
        secrets: address and bytes of each secret in it.

    Raises:
        SecretLeakError: a branch, a jump or an address depends on a secret.
        CheckFailedError: an unknown instruction, or an address outside of the memory.
    """
    return _Interpreter(program, call, arena, secrets).run()


class _Interpreter:
    def __init__(
        self, program: ElfProgram, call: Call, arena: int, secrets: Iterable[tuple[int, int]]
    ) -> None:
        self._program = program
        self._call = call
        self._regions = [
            (start, bytearray(content), bytearray(len(content)))
            for start, content in program.segments
        ]
        room = bytearray(call.memory) + bytearray(1 << 16)
        self._arena = (arena, room, bytearray(len(room)))
        stack = bytearray(_STACK_BYTES)
        # The arena is inside the program's data, and takes precedence.
        self._regions = [
            self._arena,
            (_STACK_TOP - _STACK_BYTES, stack, bytearray(_STACK_BYTES)),
            *self._regions,
        ]
        for address, size in secrets:
            at = address - arena
            self._arena[2][at : at + size] = b"\1" * size
        self._x = [0] * 32
        self._secret = [False] * 32
        for number, value in enumerate(call.arguments):
            self._x[10 + number] = value & _MASK
        self._x[1] = _RETURN
        self._x[2] = self._lowest = _STACK_TOP
        self._decoded: dict[int, _Decoded] = {}

    def run(self) -> TaintOutcome:
        pc = self._program.address(self._call.function)
        count = 0
        while pc != _RETURN:
            pc = self._step(pc)
            count += 1
        size = len(self._call.memory)
        return TaintOutcome(
            count,
            _STACK_TOP - self._lowest,
            bytes(self._arena[1][:size]),
            bytes(self._arena[2][:size]),
            bytes(self._regions[1][2]),
            self._x[10],
        )

    def _place(self, address: int, size: int) -> tuple[bytearray, bytearray, int]:
        for start, content, secret in self._regions:
            at = address - start
            if at >= 0 and at + size <= len(content):
                return content, secret, at
        raise CheckFailedError(f"{self._call.function}: access to {address:#x}, outside of memory")

    def _fetch(self, pc: int) -> _Decoded:
        if pc not in self._decoded:
            content, _, at = self._place(pc, 4)
            self._decoded[pc] = _decode(int.from_bytes(content[at : at + 4], "little"))
        return self._decoded[pc]

    def _leak(self, pc: int, what: str) -> SecretLeakError:
        inside = [
            name
            for name, symbol in self._program.symbols.items()
            if symbol.is_function and symbol.address <= pc < symbol.address + max(symbol.size, 1)
        ]
        where = inside[0] if inside else self._call.function
        return SecretLeakError(f"{where}, instruction at {pc:#x}: {what} depends on a secret")

    def _step(self, pc: int) -> int:
        op = self._fetch(pc)
        x, secret = self._x, self._secret
        kind = op.kind
        following = pc + 4
        a, b = x[op.rs1], x[op.rs2]
        if kind in ("load", "store"):
            if secret[op.rs1]:
                raise self._leak(pc, "an address")
            address = (a + op.imm) & _MASK
            size = 1 << (op.funct & 3)
            content, marks, at = self._place(address, size)
            if kind == "store":
                content[at : at + size] = (b & ((1 << 8 * size) - 1)).to_bytes(size, "little")
                marks[at : at + size] = bytes([secret[op.rs2]]) * size
                return following
            value = int.from_bytes(content[at : at + size], "little")
            if op.funct < 2 and value >> (8 * size - 1):
                value |= _MASK << 8 * size & _MASK
            self._set(op.rd, value, any(marks[at : at + size]))
        elif kind == "branch":
            if secret[op.rs1] or secret[op.rs2]:
                raise self._leak(pc, "a branch")
            if _taken(op.funct, a, b):
                return (pc + op.imm) & _MASK
        elif kind == "jal":
            self._set(op.rd, following, False)
            return (pc + op.imm) & _MASK
        elif kind == "jalr":
            if secret[op.rs1]:
                raise self._leak(pc, "a jump")
            self._set(op.rd, following, False)
            return (a + op.imm) & ~1 & _MASK
        elif kind == "lui":
            self._set(op.rd, op.imm, False)
        elif kind == "auipc":
            self._set(op.rd, pc + op.imm, False)
        elif kind == "op-imm":
            self._set(op.rd, _alu(op.funct, a, op.imm), secret[op.rs1])
        elif kind == "op":
            self._set(op.rd, _alu(op.funct, a, b), secret[op.rs1] or secret[op.rs2])
        elif kind == "mul":
            self._set(op.rd, _mul(op.funct, a, b, pc), secret[op.rs1] or secret[op.rs2])
        else:
            raise CheckFailedError(f"instruction at {pc:#x} is not known to the interpreter")
        return following

    def _set(self, rd: int, value: int, secret: bool) -> None:
        if rd:
            self._x[rd] = value & _MASK
            self._secret[rd] = secret
            if rd == 2:
                self._lowest = min(self._lowest, value)


def _signed(value: int, bits: int = 32) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def _taken(funct: int, a: int, b: int) -> bool:
    less = _signed(a) < _signed(b) if funct in (4, 5) else a < b
    return (a == b if funct < 2 else less) != bool(funct & 1)


#: Bit of `funct` that selects the alternative operation: sub for add, sra for srl.
_OTHER = 8


def _alu(funct: int, a: int, b: int) -> int:
    base = funct & 7
    if base == _ADD:
        return a - b if funct & _OTHER else a + b
    if base == _SLL:
        return a << (b & 31)
    if base == _SLT:
        return int(_signed(a & _MASK) < _signed(b & _MASK))
    if base == _SLTU:
        return int(a < (b & _MASK))
    if base == _XOR:
        return a ^ b
    if base == _SR:
        return (_signed(a) if funct & _OTHER else a) >> (b & 31)
    return a | b if base == _OR else a & b


def _mul(funct: int, a: int, b: int, pc: int) -> int:
    if funct == 0:
        return a * b
    if funct == 1:
        return _signed(a) * _signed(b) >> 32
    if funct == 2:
        return _signed(a) * b >> 32
    if funct == 3:
        return a * b >> 32
    raise CheckFailedError(f"a division at {pc:#x}: its time depends on its operands")


def _decode(word: int) -> _Decoded:
    opcode, rd, funct3 = word & 0x7F, word >> 7 & 31, word >> 12 & 7
    rs1, rs2, funct7 = word >> 15 & 31, word >> 20 & 31, word >> 25
    imm_i = _signed(word >> 20, 12)
    if opcode == 0x33 and funct7 == 1:
        return _Decoded("mul", rd, rs1, rs2, funct=funct3)
    if opcode == 0x33:
        return _Decoded("op", rd, rs1, rs2, funct=funct3 | (_OTHER if funct7 & 0x20 else 0))
    if opcode == 0x13:
        if funct3 in (_SLL, _SR):
            other = _OTHER if funct3 == _SR and funct7 & 0x20 else 0
            return _Decoded("op-imm", rd, rs1, imm=rs2, funct=funct3 | other)
        return _Decoded("op-imm", rd, rs1, imm=imm_i, funct=funct3)
    if opcode == 0x03:
        return _Decoded("load", rd, rs1, imm=imm_i, funct=funct3)
    if opcode == 0x23:
        imm = _signed(funct7 << 5 | rd, 12)
        return _Decoded("store", rs1=rs1, rs2=rs2, imm=imm, funct=funct3)
    if opcode == 0x63:
        imm = (word >> 31) << 12 | (word >> 7 & 1) << 11 | (funct7 & 0x3F) << 5 | (rd >> 1) << 1
        return _Decoded("branch", rs1=rs1, rs2=rs2, imm=_signed(imm, 13), funct=funct3)
    if opcode == 0x6F:
        imm = (word >> 31) << 20 | (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11
        return _Decoded("jal", rd, imm=_signed(imm | (word >> 21 & 0x3FF) << 1, 21))
    if opcode == 0x67:
        return _Decoded("jalr", rd, rs1, imm=imm_i)
    if opcode == 0x37:
        return _Decoded("lui", rd, imm=word & 0xFFFFF000)
    if opcode == 0x17:
        return _Decoded("auipc", rd, imm=word & 0xFFFFF000)
    return _Decoded(f"unknown {word:#010x}")
