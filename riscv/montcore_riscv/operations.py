# SPDX-License-Identifier: Apache-2.0
"""Measures whole operations of the library, such as a signature, on simulated cores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from montcore.support.errors import RequestError
from montcore.support.words import hint
from montcore_riscv.bench import cycles_of
from montcore_riscv.calls import Call
from montcore_riscv.curve_calls import CurveCalls, Ed25519Calls, x25519_call
from montcore_riscv.curves import CURVES
from montcore_riscv.machine import DEFAULT_CPUS, Machine, available_cpu

#: Verifications measured, whose time depends on what is verified.
VERIFIED = 8


@dataclass(frozen=True)
class OperationCell:
    """One operation on one core.

    Attributes:
        cpu: name of the core.
        operation: what was measured.
        cycles: cycles of a call; of a verification the mean of several.
    """

    cpu: str
    operation: str
    cycles: int


def _curve_operations(calls: CurveCalls, random: Random) -> Iterator[tuple[str, list[Call]]]:
    n, size, name = calls.curve.n, calls.size, CURVES[calls.variable]
    d, k, other = (random.randrange(1, n) for _ in range(3))
    key, nonce, q = d.to_bytes(size, "big"), k.to_bytes(size, "big"), calls.coordinates(d)
    digest = random.randbytes(size)
    signature = calls.signature(digest, d, k)
    yield f"{name} public key", [calls.public_key(key, q)]
    secret = calls.coordinates(d * other % n)[:size]
    yield f"{name} ECDH", [calls.ecdh(key, calls.coordinates(other), secret)]
    yield f"{name} sign, not verified", [calls.sign(digest, key, nonce, signature)]
    yield f"{name} sign", [calls.sign(digest, key, nonce, signature, q=q)]
    checked = []
    for _ in range(VERIFIED):
        digest = random.randbytes(size)
        signature = calls.signature(digest, d, random.randrange(1, n))
        checked.append(calls.verify(signature, digest, q))
    yield f"{name} verify", checked


def _ed25519_operations(machine: Machine, random: Random) -> Iterator[tuple[str, list[Call]]]:
    """Yield signatures of 32 bytes; the hash function is that of the tests."""
    calls, seed = Ed25519Calls(machine.program), random.randbytes(32)
    key = Ed25519PrivateKey.from_private_bytes(seed)
    messages = [random.randbytes(32) for _ in range(VERIFIED)]
    for what in ("sign_unverified", "sign"):
        call = calls.sign(f"mc_ed25519_{what}", seed, messages[0], key.sign(messages[0]))
        yield "Ed25519 sign" + ", not verified" * (what != "sign"), [call]
    public = key.public_key().public_bytes_raw()
    yield "Ed25519 verify", [calls.verify(key.sign(one), one, public) for one in messages]


def operations(
    cpus: Sequence[str] | None = None,
    *,
    curves: Sequence[str] | None = None,
    seed: int = 0,
    step: Callable[[str], None] = lambda text: None,
) -> list[OperationCell]:
    """Measure X25519, Ed25519 and the operations of curves on cores; every result is checked.

    Args:
        cpus: names of cores; by default those that need only Python packages.
        curves: names of the curves' variables, by default all.
        seed: seed of keys and numbers.
        step: called with the description of each step.

    Raises:
        RequestError: a core or a curve is not possible, or the compiler is missing.
        CheckFailedError: a result is wrong.
    """
    for variable in curves or ():
        if variable not in CURVES:
            raise RequestError(
                f"there is no curve '{variable}'{hint(variable, CURVES)}; "
                f"there are {', '.join(CURVES)}"
            )
    found = []
    for cpu in map(available_cpu, cpus or DEFAULT_CPUS):
        name = cpu.name
        step(f"{name}: simulator and program")
        machine, random = Machine(cpu, curves=True), Random(seed)
        scalar = random.randbytes(32)
        base = (9).to_bytes(32, "little")
        x25519 = x25519_call(machine.program, scalar, base)
        cases = [("X25519", [x25519]), *_ed25519_operations(machine, random)]
        for variable in curves or CURVES:
            cases += _curve_operations(CurveCalls(machine.program, variable), random)
        for operation, calls in cases:
            step(f"{name}: {operation}")
            counts = cycles_of(machine, calls, repeats=1)
            found.append(OperationCell(name, operation, sum(counts) // len(counts)))
    return found


def operation_rows(cells: Sequence[OperationCell]) -> list[list[str]]:
    """Return a row for each operation: its name, cycles on each core."""
    cpus = list(dict.fromkeys(cell.cpu for cell in cells))
    rows: dict[str, list[str]] = {}
    for cell in cells:
        row = rows.setdefault(cell.operation, [cell.operation, *["-"] * len(cpus)])
        row[1 + cpus.index(cell.cpu)] = f"{cell.cycles:,}"
    return list(rows.values())
