# SPDX-License-Identifier: Apache-2.0
"""Secrets of the curves: no branch or address, no cycle depends on them, and nothing is left."""

import struct
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from riscv_tools import check_calls, curve_emulator, interpreted, machine, secret_words, symbolic
from test_riscv_curves import edges, of

from montcore_riscv.bench import cycles_of
from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.curve_calls import P25519, CurveCalls, x25519_call
from montcore_riscv.elf import ElfProgram
from montcore_riscv.words import Word

nightly = pytest.mark.nightly
under = curve_emulator


def secret_calls(calls: CurveCalls, random: Random) -> list[tuple[Call, list[tuple[int, int]]]]:
    """Return a call of each routine that has a secret, and where its secrets are."""
    size, n = calls.size, calls.curve.n
    d, k, other = (random.randrange(1, n) for _ in range(3))
    key, nonce = d.to_bytes(size, "big"), k.to_bytes(size, "big")
    digest, q = random.randbytes(size), calls.coordinates(other)
    sign = calls.sign(digest, key, nonce, calls.signature(digest, d, k))
    made = [
        (calls.public_key(key, calls.coordinates(d)), [(1, size)]),
        (calls.ecdh(key, q, calls.coordinates(d * other % n)[:size]), [(1, size)]),
        (sign, [(3, size), (5, size)]),
    ]
    return [
        (call, [(call.arguments[at] + (4 if at == 5 else 0), bytes_) for at, bytes_ in secrets])
        for call, secrets in made
    ]


def x25519_secret(program: ElfProgram, random: Random) -> tuple[Call, list[tuple[int, int]]]:
    scalar, u = random.randbytes(32), random.randbytes(32)
    public = X25519PublicKey.from_public_bytes(u)
    wanted = X25519PrivateKey.from_private_bytes(scalar).exchange(public)
    call = x25519_call(program, scalar, u, wanted)
    return call, [(call.arguments[1], 32)]


def inverse_call(program: ElfProgram, a: int) -> Call:
    layout = MemoryLayout(program.address("arena"))
    at, prime = layout.number(0, 4), program.address("mc_25519")
    inverse = pow(a, -1, P25519) if a % P25519 else 0
    arguments = (at, layout.number(a, 4), prime, 8)
    return layout.call("mc_invert", arguments, at, inverse.to_bytes(32, "little"))


def test_inverses_are_right_in_the_interpreter_too() -> None:
    """What the test below relies on: the interpreter computes what the processor does."""
    random, program = Random(3), under().program
    numbers = [a for a in edges(P25519) if a < P25519]
    numbers += [random.randrange(P25519) for _ in range(200)]
    calls = [inverse_call(program, a) for a in numbers]
    assert check_calls(under(), calls) == len(numbers)
    for call in calls[::60]:
        run = interpreted(program, call, under().arena, [])
        at = call.arguments[0] - under().arena
        assert struct.pack("<8I", *run.get(call.arguments[0], 8)) == call.expected[at : at + 32]


@pytest.mark.parametrize(
    "what",
    ["p256", "x25519", *(pytest.param(what, marks=nightly) for what in ("p384", "secp256k1"))],
)
def test_no_branch_and_no_address_depends_on_a_secret_and_none_is_left(what: str) -> None:
    random = Random(what)
    cases = (
        [x25519_secret(under().program, random)]
        if what == "x25519"
        else secret_calls(of(what), random)[1:]  # a signature begins with a public key
    )
    for call, secrets in cases:
        run = symbolic(under().program, call, secrets, 12 if what == "p384" else 8)
        assert isinstance(run.get(call.arguments[0], 1)[0], Word)
        assert not run.stack_secrets()
        left = secret_words(run)
        for address, size in (*secrets, (call.arguments[0], 96)):
            left -= set(range(address, address + size, 4))
        assert not left, (call.function, [hex(at) for at in left])


@pytest.mark.parametrize(
    ("cpu", "count"),
    [
        ("vexriscv", 2),
        *(pytest.param(cpu, 1000, marks=nightly) for cpu in ("vexriscv", "cv32e40p", "picorv32")),
    ],
)
def test_cycles_do_not_depend_on_secrets(cpu: str, count: int) -> None:
    core = machine(cpu, curves=True)
    random = Random(cpu)
    calls = CurveCalls(core.program, "p256")
    made: dict[str, list[Call]] = {}
    for _ in range(count):
        whole = [call for call, _ in secret_calls(calls, random)]
        whole = whole if count > 2 else whole[2:]  # a signature has what the others have
        for call in (*whole, x25519_secret(core.program, random)[0]):
            made.setdefault(call.function, []).append(call)
    assert len(made) == (4 if count > 2 else 2)
    for name, of_one in made.items():
        assert len(set(cycles_of(core, of_one, 1))) == 1, name
