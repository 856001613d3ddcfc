# SPDX-License-Identifier: Apache-2.0
"""Decodes instructions of RV32IMC: those of the base, the products and the compressed ones."""

from dataclasses import dataclass

ADD, SLL, SLT, SLTU, XOR, SR, OR, AND = range(8)
#: Bit of `funct` that selects the alternative operation: sub for add, sra for srl.
OTHER = 8


@dataclass(frozen=True)
class RiscvInstruction:
    """One instruction.

    Attributes:
        kind: load, store, branch, jal, jalr, lui, auipc, op-imm, op, mul, or unknown with its word.
        rd: register of the result, 0 if there is none.
        rs1: first operand.
        rs2: second operand.
        imm: the constant, sign-extended.
        funct: the operation within the kind, with `OTHER`.
        size: bytes of the instruction, 2 or 4.
    """

    kind: str
    rd: int = 0
    rs1: int = 0
    rs2: int = 0
    imm: int = 0
    funct: int = 0
    size: int = 4


def signed(value: int, bits: int = 32) -> int:
    """Return a number of so many bits in two's complement."""
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def decode(word: int) -> RiscvInstruction:
    """Return the instruction at the start of four bytes."""
    return _decode(word) if word & 3 == 3 else _compressed(word & 0xFFFF)


def _decode(word: int) -> RiscvInstruction:
    opcode, rd, funct3 = word & 0x7F, word >> 7 & 31, word >> 12 & 7
    rs1, rs2, funct7 = word >> 15 & 31, word >> 20 & 31, word >> 25
    imm_i = signed(word >> 20, 12)
    other = OTHER if funct7 & 0x20 else 0
    if opcode == 0x33 and funct7 == 1:
        return RiscvInstruction("mul", rd, rs1, rs2, funct=funct3)
    if opcode == 0x33:
        return RiscvInstruction("op", rd, rs1, rs2, funct=funct3 | other)
    if opcode == 0x13 and funct3 in (SLL, SR):
        return RiscvInstruction("op-imm", rd, rs1, imm=rs2, funct=funct3 | other)
    if opcode == 0x13:
        return RiscvInstruction("op-imm", rd, rs1, imm=imm_i, funct=funct3)
    if opcode == 0x03:
        return RiscvInstruction("load", rd, rs1, imm=imm_i, funct=funct3)
    if opcode == 0x23:
        imm = signed(funct7 << 5 | rd, 12)
        return RiscvInstruction("store", rs1=rs1, rs2=rs2, imm=imm, funct=funct3)
    if opcode == 0x63:
        imm = (word >> 31) << 12 | (word >> 7 & 1) << 11 | (funct7 & 0x3F) << 5 | (rd >> 1) << 1
        return RiscvInstruction("branch", rs1=rs1, rs2=rs2, imm=signed(imm, 13), funct=funct3)
    if opcode == 0x6F:
        imm = (word >> 31) << 20 | (word >> 12 & 0xFF) << 12 | (word >> 20 & 1) << 11
        return RiscvInstruction("jal", rd, imm=signed(imm | (word >> 21 & 0x3FF) << 1, 21))
    if opcode == 0x67:
        return RiscvInstruction("jalr", rd, rs1, imm=imm_i)
    if opcode in (0x37, 0x17):
        return RiscvInstruction("lui" if opcode == 0x37 else "auipc", rd, imm=word & 0xFFFFF000)
    return RiscvInstruction(f"unknown {word:#010x}")


def _field(word: int, *pieces: tuple[int, int, int]) -> int:
    """Put a constant together from pieces: lowest bit in the word, bits, lowest bit in it."""
    return sum((word >> at & ((1 << bits) - 1)) << to for at, bits, to in pieces)


def _compressed(word: int) -> RiscvInstruction:
    kind = word & 3, word >> 13
    rd, rs2 = word >> 7 & 31, word >> 2 & 31
    near, near2 = (word >> 7 & 7) + 8, (word >> 2 & 7) + 8
    imm = signed(_field(word, (2, 5, 0), (12, 1, 5)), 6)
    found: RiscvInstruction | None = None
    if kind in ((0, 2), (0, 6)):
        offset = _field(word, (6, 1, 2), (10, 3, 3), (5, 1, 6))
        if kind[1] == 2:
            found = RiscvInstruction("load", near2, near, imm=offset, funct=2)
        else:
            found = RiscvInstruction("store", rs1=near, rs2=near2, imm=offset, funct=2)
    elif kind == (0, 0):
        offset = _field(word, (6, 1, 2), (5, 1, 3), (11, 2, 4), (7, 4, 6))
        found = RiscvInstruction("op-imm", near2, 2, imm=offset, funct=ADD) if offset else None
    elif kind == (2, 2):
        offset = _field(word, (4, 3, 2), (12, 1, 5), (2, 2, 6))
        found = RiscvInstruction("load", rd, 2, imm=offset, funct=2)
    elif kind == (2, 6):
        offset = _field(word, (9, 4, 2), (7, 2, 6))
        found = RiscvInstruction("store", rs1=2, rs2=rs2, imm=offset, funct=2)
    elif kind == (1, 0):
        found = RiscvInstruction("op-imm", rd, rd, imm=imm, funct=ADD)
    elif kind == (1, 2):
        found = RiscvInstruction("op-imm", rd, 0, imm=imm, funct=ADD)
    elif kind == (1, 3) and rd == 2:
        pieces = ((6, 1, 4), (2, 1, 5), (5, 1, 6), (3, 2, 7), (12, 1, 9))
        found = RiscvInstruction("op-imm", 2, 2, imm=signed(_field(word, *pieces), 10), funct=ADD)
    elif kind == (1, 3):
        found = RiscvInstruction("lui", rd, imm=imm << 12 & 0xFFFFFFFF)
    elif kind in ((1, 1), (1, 5)):
        low = ((3, 3, 1), (11, 1, 4), (2, 1, 5), (7, 1, 6), (6, 1, 7))
        offset = _field(word, *low, (9, 2, 8), (8, 1, 10), (12, 1, 11))
        found = RiscvInstruction("jal", int(kind[1] == 1), imm=signed(offset, 12))
    elif kind in ((1, 6), (1, 7)):
        pieces = ((3, 2, 1), (10, 2, 3), (2, 1, 5), (5, 2, 6), (12, 1, 8))
        offset = signed(_field(word, *pieces), 9)
        found = RiscvInstruction("branch", rs1=near, imm=offset, funct=kind[1] - 6)
    elif kind == (1, 4):
        found = _compressed_op(word, near, near2, imm)
    elif kind == (2, 0):
        found = RiscvInstruction("op-imm", rd, rd, imm=rs2, funct=SLL)
    elif kind == (2, 4) and rs2:
        found = RiscvInstruction("op", rd, rd if word >> 12 & 1 else 0, rs2, funct=ADD)
    elif kind == (2, 4) and rd:
        found = RiscvInstruction("jalr", word >> 12 & 1, rd)
    if found is None:
        return RiscvInstruction(f"unknown {word:#06x}")
    return RiscvInstruction(
        found.kind, *(found.rd, found.rs1, found.rs2, found.imm, found.funct), 2
    )


def _compressed_op(word: int, rd: int, rs2: int, imm: int) -> RiscvInstruction:
    which = word >> 10 & 3
    if which == 3:
        funct = (ADD | OTHER, XOR, OR, AND)[word >> 5 & 3]
        return RiscvInstruction("op", rd, rd, rs2, funct=funct)
    if which == 2:
        return RiscvInstruction("op-imm", rd, rd, imm=imm, funct=AND)
    return RiscvInstruction("op-imm", rd, rd, imm=imm & 31, funct=SR | (OTHER if which else 0))
