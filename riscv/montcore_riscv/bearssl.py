# SPDX-License-Identifier: Apache-2.0
"""BearSSL with the library as its engine: its own tests, and calls of both engines."""

import math
import struct
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random

from montcore.ecc.operations import nonces
from montcore.support.errors import CheckFailedError
from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.curve_calls import CurveCalls
from montcore_riscv.debian import BEARSSL
from montcore_riscv.elf import ElfProgram
from montcore_riscv.hosts import HostLibrary
from montcore_riscv.qemu import emulator
from montcore_riscv.toolchain import RISCV_DIR

HOST = HostLibrary(
    BEARSSL,
    [
        *("src/codec/*.c", "src/ec/*.c", "src/hash/*.c", "src/int/*.c", "src/mac/*.c"),
        *("src/rand/hmac_drbg.c", "src/rsa/*.c"),
    ],
    ("inc", "src", "test"),
    RISCV_DIR / "bearssl",
)
_SECONDS = 600
P256 = 23  # BR_EC_secp256r1
E = 65537


def self_test(folder: Path) -> str:
    """Run BearSSL's own tests of curves with this library under QEMU; return what they print.

    Raises:
        CheckFailedError: one failed.
    """
    test = RISCV_DIR / "test"
    program = folder / "bearssl.elf"
    HOST.build([test / "qemu_start.S", test / "bearssl.c"], "rv32imac", [], program)
    done = subprocess.run(
        [emulator(), str(program)], capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if done.returncode != 0:
        raise CheckFailedError(f"BearSSL's tests failed: {done.stdout[-200:]}")
    return done.stdout


ROUTINES = (
    *("montcore_ecdsa_sign_raw", "br_ecdsa_i31_sign_raw"),
    *("montcore_ecdsa_vrfy_raw", "br_ecdsa_i31_vrfy_raw"),
    *("montcore_rsa_private", "br_rsa_i31_private"),
)


def _sign_call(program: ElfProgram, routine: str, table: str, seed: int) -> tuple[Call, Call]:
    """Return a signature by P-256 and SHA-256, and its verification, by a routine and a table."""
    random, arena = Random(seed), program.address("arena")
    calls = CurveCalls(program, "p256")
    d = random.randrange(1, calls.curve.n)
    digest = random.randbytes(32)
    key, q = d.to_bytes(32, "big"), b"\x04" + calls.coordinates(d)
    nonce = next(nonces(d, digest, calls.curve.n, "sha256"))
    signature = calls.signature(digest, d, nonce)

    def structure(layout: MemoryLayout, at: int, size: int) -> int:
        return layout.data(struct.pack("<3I", P256, at, size))

    layout = MemoryLayout(arena)
    result = layout.data(bytes(64))
    private = structure(layout, layout.data(key), 32)
    arguments = (
        program.address(table),
        program.address("br_sha256_vtable"),
        layout.data(digest),
        private,
        result,
    )
    sign = layout.call(routine, arguments, result, signature, 64)
    layout = MemoryLayout(arena)
    made = layout.data(signature)
    public = structure(layout, layout.data(q), 65)
    checked = (program.address(table), layout.data(digest), 32, public, made, 64)
    verify = layout.call(routine.replace("sign", "vrfy"), checked, made, signature, 1)
    return sign, verify


def _prime(random: Random) -> int:
    """Return a prime of 1024 bits for a key with e = 65537, by Fermat's test to the base 2."""
    small = math.factorial(1000)
    while True:
        p = random.getrandbits(1024) | 3 << 1022 | 1
        if math.gcd(p, small) == 1 and pow(2, p - 1, p) == 1 and p % E != 1:
            return p


def _private_call(program: ElfProgram, routine: str, seed: int) -> Call:
    """Return a private operation of RSA-2048."""
    random = Random(seed)
    p, q = _prime(random), _prime(random)
    x = random.randrange(p * q)
    layout = MemoryLayout(program.address("arena"))
    result = layout.data(x.to_bytes(256, "big"))
    words = [2048]
    for number in (p, q, pow(E, -1, p - 1), pow(E, -1, q - 1), pow(q, -1, p)):
        words += [layout.data(number.to_bytes(128, "big")), 128]
    private = layout.data(struct.pack("<11I", *words))
    expected = pow(x, pow(E, -1, (p - 1) * (q - 1)), p * q).to_bytes(256, "big")
    return layout.call(routine, (result, private), result, expected, 1)


def cases(cpu: str, folder: Path, seed: int) -> Iterator[tuple[ElfProgram, dict[str, Call]]]:
    """Yield BearSSL's P-256 and RSA-2048, plain and with this library: programs and their calls.

    Raises:
        RequestError: the compiler or BearSSL's sources are missing.
    """
    builds = (
        ("BearSSL", "br_ecdsa_i31_sign_raw", "br_ec_p256_m31", ()),
        ("montcore in BearSSL", "montcore_ecdsa_sign_raw", "montcore_ec", ()),
        (
            "montcore in BearSSL, not verified",
            "montcore_ecdsa_sign_raw",
            "montcore_ec",
            ("MONTCORE_BEARSSL_UNVERIFIED",),
        ),
    )
    for title, routine, table, defines in builds:
        # Reached by address alone.
        names = ["montcore_ec", *ROUTINES, "br_sha256_vtable", "br_ec_p256_m31"]
        program = HOST.machine_program(cpu, names, defines, folder)
        sign, verify = _sign_call(program, routine, table, seed)
        calls = {"P-256 sign": sign, "P-256 verify": verify}
        if not defines:
            private = "br_rsa_i31_private" if title == "BearSSL" else "montcore_rsa_private"
            calls["RSA-2048 private"] = _private_call(program, private, seed)
        yield program, {f"{what}, {title}": call for what, call in calls.items()}
