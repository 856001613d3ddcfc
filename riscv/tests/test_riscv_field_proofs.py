# SPDX-License-Identifier: Apache-2.0
"""The fields of curves are proved from their assembled bytes, and every change of one is found."""

from collections import Counter

import pytest
from riscv_tools import curve_emulator
from test_riscv_proofs import short

from montcore_riscv.elf import ElfProgram
from montcore_riscv.field_proofs import prove_25519, prove_p256
from montcore_riscv.interpreter import Interpreter
from montcore_riscv.mutants import survivors
from montcore_riscv.proofs import Patches
from montcore_riscv.toolchain import SCHEDULES

ROUTINES = [f"mc_p256_{what}" for what in ("mul", "sqr", "add", "sub")]
ROUTINES += [f"mc_25519_{what}" for what in ("mul", "sqr", "add", "sub", "scale")]


def prove(program: ElfProgram, name: str, patches: Patches | None = None) -> Interpreter:
    return (prove_p256 if "p256" in name else prove_25519)(program, name, patches)


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("name", ROUTINES)
def test_the_fields_are_proved(name: str, schedule: str) -> None:
    assert prove(curve_emulator(schedule).program, name).count > 70


#: Parts that are changed, with routines whose proofs run through them.
MUTATED = {
    "mc_product8": ("mc_p256_mul",),
    "mc_square8": ("mc_25519_sqr",),
    **{name: (name,) for name in ROUTINES},
    **{f"mc_{field}_sqr": (f"mc_{field}_sqr", f"mc_{field}_mul") for field in ("p256", "25519")},
}
#: The changes that no proof finds, as they compute the same, with their number: by the reason, then
#: by part, instruction and what stands in for it.
EQUIVALENT: dict[str, dict[tuple[str, str, str], int]] = {
    "the carry of a sum, from its other addend": {
        ("mc_product8", "op 3 x6 x24 x13 0", "op 3 x6 x24 x25 0"): 1,
        ("mc_square8", "op 3 x6 x24 x13 0", "op 3 x6 x24 x25 0"): 6,
    },
    "a pointer or a mask that is not used again": {
        ("mc_square8", f"op-imm 0 x{reg} x{reg} x0 4", change): 1
        for reg in (10, 11)
        for change in (f"op-imm 0 x{reg} x{reg} x0 8", "op-imm 0 x0 x0 x0 0")
    }
    | {
        ("mc_square8", "op-imm 13 x12 x15 x0 31", change): 1
        for change in ("op-imm 13 x12 x15 x0 35", "op-imm 0 x0 x0 x0 0")
    },
    "nothing is done in its place": {
        ("mc_product8", "op-imm 0 x0 x0 x0 0", "op-imm 0 x0 x0 x0 4"): 1,
    },
}


@pytest.mark.parametrize("part", MUTATED)
@pytest.mark.parametrize(
    "step", [pytest.param(1, marks=pytest.mark.nightly), 20], ids=["all", "sample"]
)
def test_every_change_of_an_instruction_is_found(part: str, step: int) -> None:
    program = curve_emulator().program

    def proof(program: ElfProgram, patches: Patches) -> Interpreter:
        first, *_ = [prove(program, name, patches) for name in MUTATED[part]]
        return first

    count, left = survivors(program, proof, step, program.symbols[part])
    assert count >= 60 // step
    found = Counter((part, short(op), short(change)) for _, op, change in left)
    known = Counter[tuple[str, str, str]]()
    for changes in EQUIVALENT.values():
        known.update({key: number for key, number in changes.items() if key[0] == part})
    assert found == known if step == 1 else found <= known
