# SPDX-License-Identifier: Apache-2.0
"""Wrong instructions: what a proof must find."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from montcore.support.errors import CheckFailedError
from montcore_riscv.decode import ADD, OTHER, SLTU, RiscvInstruction
from montcore_riscv.elf import ElfProgram, Symbol
from montcore_riscv.interpreter import Interpreter
from montcore_riscv.proofs import Patches

#: A proof of a program, with instructions that stand in for the program's.
Proof = Callable[[ElfProgram, Patches], Interpreter]


def mutants(op: RiscvInstruction) -> Iterator[RiscvInstruction]:
    """Yield changes of an instruction: another operand, result, constant or operation, or none."""
    other = {"rs2": 5 + (op.rs2 + 7) % 27, "rd": 5 + (op.rd + 11) % 27}
    if op.kind in ("op", "mul"):
        yield replace(op, rs2=other["rs2"])
        yield replace(op, rd=other["rd"])
        if op.kind == "mul":
            yield replace(op, funct=3 - op.funct)
        elif op.funct & 7 == SLTU:
            yield replace(op, rs1=op.rs2, rs2=op.rs1)
        elif op.funct & 7 == ADD:
            yield replace(op, funct=op.funct ^ OTHER)
    elif op.kind in ("op-imm", "load", "store"):
        yield replace(op, imm=op.imm + 4)
        yield replace(op, rs2=other["rs2"]) if op.kind == "store" else replace(op, rd=other["rd"])
    elif op.kind == "branch":
        yield replace(op, funct=op.funct ^ 1)
    else:
        yield replace(op, imm=op.imm + 8)
    yield RiscvInstruction("op-imm", size=op.size)


def survivors(
    program: ElfProgram, proof: Proof, step: int = 1, inside: Symbol | None = None
) -> tuple[int, list[tuple[int, RiscvInstruction, RiscvInstruction]]]:
    """Change every instruction that a proof executes.

    Args:
        program: the program.
        proof: its proof.
        step: only every so many-th change is made.
        inside: only instructions of this function are changed.

    Returns:
        The number of changes, and those with which the proof still holds: address, the instruction,
        what stood in for it.
    """
    known = proof(program, {})
    every = [
        (pc, op, change)
        for pc, op in sorted(known.executed().items())
        for change in mutants(op)
        if change != op and (inside is None or 0 <= pc - inside.address < inside.size)
    ][::step]
    return len(every), [entry for entry in every if _holds(program, proof, {entry[0]: entry[2]})]


def _holds(program: ElfProgram, proof: Proof, patches: Mapping[int, RiscvInstruction]) -> bool:
    try:
        proof(program, patches)
    except (CheckFailedError, LookupError, ValueError, AssertionError):
        return False
    return True
