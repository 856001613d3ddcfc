# SPDX-License-Identifier: Apache-2.0
"""The assembled routines are proved, and their proofs find wrong instructions."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache

import pytest
from riscv_tools import emulator

from montcore.support.errors import CheckFailedError
from montcore_riscv import proofs
from montcore_riscv.decode import RiscvInstruction
from montcore_riscv.elf import ElfProgram
from montcore_riscv.interpreter import A0, SP, STACK_TOP, Interpreter
from montcore_riscv.mutants import Proof, survivors
from montcore_riscv.proofs import Patches
from montcore_riscv.toolchain import SCHEDULES

#: A proof of a program at a length in limbs.
Claim = Callable[[ElfProgram, int, Patches | None], Interpreter]


def product_of(name: str) -> Claim:
    return lambda program, n, patches: proofs.prove_product(program, name, n, patches)


def modular(name: str) -> Claim:
    return lambda program, n, patches: proofs.prove_modular(program, name, n, patches)


def montgomery(name: str) -> Claim:
    return lambda program, n, patches: proofs.prove_reduction(program, n, patches, name)


#: Routines that take rows as proved, and so are proved at every length in seconds.
BY_ROWS: dict[str, Claim] = {
    **{name: product_of(name) for name in ("mc_mul_rows", "mc_sqr_raw")},
    "mc_redc_raw": proofs.prove_reduction,
    "mc_mod_add_raw": modular("mc_mod_add_raw"),
    "mc_mod_sub_raw": modular("mc_mod_sub_raw"),
}
#: Products and squares with a reduction, which call what is proved above.
MONTGOMERY: dict[str, Claim] = {
    name: montgomery(name) for name in ("mc_montmul_raw", "mc_montsqr_raw")
}
#: Routines proved word by word; Karatsuba's method from the length on at which it halves.
BY_WORDS: dict[str, Claim] = {
    name: product_of(name)
    for name in ("mc_mul_columns", "mc_mul_paper", "mc_mul_school", "mc_mul_products")
}


def prove_halving(program: ElfProgram, n: int, patches: Patches | None) -> Interpreter:
    proofs.prove_difference(program, n, patches)
    return proofs.prove_karatsuba(program, n, patches)


@cache
def program_of(schedule: str) -> ElfProgram:
    return emulator(schedule).program


def prove_at(schedule: str, claims: dict[str, Claim], lengths: Sequence[int]) -> None:
    program = program_of(schedule)
    for name, claim in claims.items():
        for n in lengths:
            assert claim(program, n, None).count > 0, (name, n)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_row_is_what_it_should_be(schedule: str) -> None:
    program = program_of(schedule)
    for words in (8, 2) if schedule == "small" else proofs.STRIPS:
        for prove in (proofs.prove_rows, proofs.prove_quotient):
            assert prove(program, words).lowest == STACK_TOP


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_a_product_keeps_the_frame_of_the_reduction_behind_it(schedule: str) -> None:
    """What `prove_reduction` takes as proved of the product in a Montgomery product."""
    program, frame = program_of(schedule), STACK_TOP - 80
    for name, factors in (("mc_mul_strips", (proofs.A, proofs.B)), ("mc_sqr_strips", (proofs.A,))):
        for n in (1, 2, 3, 4, 5, 7, 8, 16) if name in program.symbols else ():
            run = proofs.with_rows(program)
            for address in factors:
                run.secrets(address, 2 * n)
            for register, value in enumerate((proofs.R, *factors, n), A0):
                run.x[register] = value
            run.x[SP] = frame
            run.put(frame, (proofs.R, proofs.M))
            run.run(program.address(name), {program.address("mc_mul_end")}, [(proofs.R, 16 * n)])
            assert (run.x[SP], run.get(frame, 2)) == (frame, [proofs.R, proofs.M])


@pytest.mark.parametrize("name", BY_ROWS)
@pytest.mark.parametrize(
    ("schedule", "lengths"),
    [
        ("pipelined", (*range(1, 18), 24, 31, 32, 33, 48, 64)),
        *((name, (1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 64)) for name in ("iterative", "small")),
        *(pytest.param(name, range(1, 65), marks=pytest.mark.nightly) for name in SCHEDULES),
    ],
)
def test_every_length_from_64_to_4096_bits_is_proved(
    schedule: str, lengths: Sequence[int], name: str
) -> None:
    """In every run up to 1088 bits, those of keys, and about a length of many strips."""
    prove_at(schedule, {name: BY_ROWS[name]}, lengths)


@pytest.mark.parametrize("schedule", ["pipelined", "iterative"])
@pytest.mark.parametrize(
    "lengths", [(1, 2, 3, 4, 8, 16), pytest.param(range(1, 65), marks=pytest.mark.nightly)]
)
def test_products_by_columns_and_the_papers_are_proved(
    schedule: str, lengths: Sequence[int]
) -> None:
    prove_at(schedule, BY_WORDS, lengths)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_montgomery_products_are_proved(schedule: str) -> None:
    prove_at(schedule, MONTGOMERY, (1, 2, 3, 4, 7, 8, 16, 32))


@pytest.mark.parametrize(
    "lengths", [(16, 18, 20), pytest.param(range(16, 65, 2), marks=pytest.mark.nightly)]
)
def test_karatsubas_method_is_proved(lengths: Sequence[int]) -> None:
    prove_at("pipelined", {"mc_mul_karatsuba": prove_halving}, lengths)


def test_operands_may_be_one_and_results_stand_where_they_may() -> None:
    program = program_of("pipelined")
    for n in (1, 2, 3, 4, 7, 16):
        assert proofs.prove_product(program, "mc_mul_rows", n, same=True).count
        assert proofs.prove_reduction(program, n, in_place=True).count
        for same in ("a", "b"):
            for name in ("mc_mod_add_raw", "mc_mod_sub_raw"):
                assert proofs.prove_modular(program, name, n, same=same).count


def at_lengths(claim: Claim, *lengths: int) -> Proof:
    """Return a proof at some lengths, which together run through every instruction."""

    def prove(program: ElfProgram, patches: Patches) -> Interpreter:
        first, *_ = [claim(program, n, patches) for n in lengths]
        return first

    return prove


def with_reduction(name: str, reduced: str, *lengths: int) -> Proof:
    proof, other = at_lengths(BY_ROWS[name], *lengths), at_lengths(MONTGOMERY[reduced], 1)
    return lambda program, patches: (proof(program, patches), other(program, patches))[0]


def row_of(prove: Callable[[ElfProgram, int, Patches], Interpreter], words: int) -> Proof:
    return lambda program, patches: prove(program, words, patches)


MUTATED: dict[str, Proof] = {
    **{f"mc_rows{words}": row_of(proofs.prove_rows, words) for words in proofs.STRIPS},
    **{f"mc_quotient{words}": row_of(proofs.prove_quotient, words) for words in proofs.STRIPS},
    "mc_mul_rows": with_reduction("mc_mul_rows", "mc_montmul_raw", 7, 4, 0),
    "mc_sqr_raw": with_reduction("mc_sqr_raw", "mc_montsqr_raw", 7, 4, 6, 11, 0),
    "mc_redc_raw": at_lengths(proofs.prove_reduction, 7, 1, 2, 4, 6),
    "mc_montmul_raw": at_lengths(MONTGOMERY["mc_montmul_raw"], 1),
    "mc_montsqr_raw": at_lengths(MONTGOMERY["mc_montsqr_raw"], 1),
    "mc_mod_add_raw": at_lengths(BY_ROWS["mc_mod_add_raw"], 2, 0),
    "mc_mod_sub_raw": at_lengths(BY_ROWS["mc_mod_sub_raw"], 2, 0),
    "mc_mul_columns": at_lengths(BY_WORDS["mc_mul_columns"], 3, 0),
    "mc_mul_paper": at_lengths(BY_WORDS["mc_mul_paper"], 3, 5, 0),
    "mc_mul_school": at_lengths(BY_WORDS["mc_mul_school"], 2, 0),
    "difference": lambda program, patches: proofs.prove_difference(program, 4, patches),
    "mc_mul_karatsuba": at_lengths(proofs.prove_karatsuba, 16),
}
#: The changes that no proof finds, as they compute the same, with their number: by the reason, then
#: by routine, instruction and what stands in for it.
EQUIVALENT: dict[str, dict[tuple[str, str, str], int]] = {
    "the carry of a sum, from its other addend": {
        (name, "op 3 x6 x24 x13 0", "op 3 x6 x24 x25 0"): 6 if name == "mc_sqr_raw" else 1
        for name in MUTATED
        if name.startswith(("mc_rows", "mc_quotient", "mc_sqr"))
    },
    "strips of another width, with the same result": {
        ("mc_mul_rows", "op-imm 3 x6 x7 x0 16", "op-imm 3 x6 x7 x0 20"): 1,
        ("mc_mul_rows", "op-imm 3 x6 x7 x0 16", "op-imm 3 x22 x7 x0 16"): 1,
        ("mc_mul_rows", "op-imm 3 x6 x7 x0 16", "op-imm 0 x0 x0 x0 0"): 1,
        ("mc_mul_rows", "op-imm 3 x6 x7 x0 32", "op-imm 3 x6 x7 x0 36"): 1,
        ("mc_sqr_raw", "op-imm 3 x6 x5 x0 32", "op-imm 3 x6 x5 x0 36"): 1,
        ("mc_sqr_raw", "op-imm 0 x17 x11 x0 32", "op-imm 0 x6 x11 x0 32"): 1,
        ("mc_sqr_raw", "op-imm 0 x17 x11 x0 32", "op-imm 0 x0 x0 x0 0"): 1,
        ("mc_redc_raw", "op-imm 3 x6 x7 x0 16", "op-imm 3 x6 x7 x0 20"): 1,
        ("mc_redc_raw", "op-imm 3 x6 x7 x0 32", "op-imm 3 x6 x7 x0 36"): 1,
    },
    "a bit or a mask that is not used, or computed again before it is": {
        ("mc_sqr_raw", "op-imm 5 x7 x13 x0 31", "op-imm 5 x7 x13 x0 35"): 1,
        ("mc_sqr_raw", "op-imm 5 x7 x13 x0 31", "op-imm 0 x0 x0 x0 0"): 1,
        ("mc_sqr_raw", "op-imm 13 x12 x15 x0 31", "op-imm 13 x12 x15 x0 35"): 1,
        ("mc_sqr_raw", "op-imm 13 x12 x15 x0 31", "op-imm 0 x0 x0 x0 0"): 1,
    },
    "another public word clears the stack": {
        ("mc_redc_raw", f"store 2 x0 x2 x0 {at}", f"store 2 x0 x2 x12 {at}"): 1 for at in (12, 24)
    },
    "another number of limbs from which on a product is halved": {
        ("mc_mul_karatsuba", "op-imm 7 x5 x13 x0 1", "op-imm 7 x5 x13 x0 5"): 1,
        ("mc_mul_karatsuba", "op-imm 3 x6 x13 x0 16", "op-imm 3 x6 x13 x0 20"): 1,
        ("mc_mul_karatsuba", "op 6 x5 x5 x6 0", "op-imm 0 x0 x0 x0 0"): 1,
        ("mc_mul_karatsuba", "branch 0 x0 x5 x0 8", "branch 1 x0 x5 x0 8"): 1,
        ("mc_mul_karatsuba", "branch 0 x0 x5 x0 8", "op-imm 0 x0 x0 x0 0"): 1,
    },
}


def short(op: RiscvInstruction) -> str:
    """Return an instruction in a line."""
    return f"{op.kind} {op.funct} x{op.rd} x{op.rs1} x{op.rs2} {op.imm}"


@pytest.mark.parametrize("name", MUTATED)
@pytest.mark.parametrize(
    "step", [pytest.param(1, marks=pytest.mark.nightly), 20], ids=["all", "sample"]
)
def test_every_change_of_an_instruction_is_found(name: str, step: int) -> None:
    program = program_of("pipelined")
    inside = program.symbols[name] if name in MONTGOMERY else None
    count, left = survivors(program, MUTATED[name], step, inside)
    assert count >= 20 // step
    found = Counter((name, short(op), short(change)) for _, op, change in left)
    known = Counter[tuple[str, str, str]]()
    for changes in EQUIVALENT.values():
        known.update({key: number for key, number in changes.items() if key[0] == name})
    assert found == known if step == 1 else found <= known


def test_a_routine_that_drops_a_carry_is_refused() -> None:
    program = program_of("pipelined")
    (at,) = (
        pc
        for pc, op in sorted(proofs.prove_product(program, "mc_mul_school", 1).executed().items())
        if short(op) == "op 0 x7 x7 x30 0"  # add t2, t2, t5: the last carry of a product
    )
    with pytest.raises(CheckFailedError, match=r"mc_mul_school: .* terms are left"):
        proofs.prove_product(program, "mc_mul_school", 1, {at: RiscvInstruction("op-imm", size=2)})
