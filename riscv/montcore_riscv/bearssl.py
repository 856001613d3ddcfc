# SPDX-License-Identifier: Apache-2.0
"""BearSSL with the library as its engine: its own tests, and cycles beside its own engines."""

import hmac
import struct
import subprocess
from pathlib import Path
from random import Random

from cryptography.hazmat.primitives.asymmetric import rsa

from montcore.support.errors import CheckFailedError
from montcore_riscv.bench import cycles_of
from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.curve_calls import CurveCalls
from montcore_riscv.debian import BEARSSL
from montcore_riscv.elf import ElfProgram
from montcore_riscv.hosts import HostLibrary
from montcore_riscv.machine import Machine, get_cpu
from montcore_riscv.operations import OperationCell
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
    nonce = rfc6979(d, digest, calls.curve.n)
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


def _private_call(program: ElfProgram, routine: str, seed: int) -> Call:
    """Return a private operation of RSA-2048."""
    key = rsa.generate_private_key(65537, 2048).private_numbers()
    x = Random(seed).randrange(key.public_numbers.n)
    layout = MemoryLayout(program.address("arena"))
    result = layout.data(x.to_bytes(256, "big"))
    words = [2048]
    for number in (key.p, key.q, key.dmp1, key.dmq1, key.iqmp):
        words += [layout.data(number.to_bytes(128, "big")), 128]
    private = layout.data(struct.pack("<11I", *words))
    expected = pow(x, key.d, key.public_numbers.n).to_bytes(256, "big")
    return layout.call(routine, (result, private), result, expected, 1)


def rfc6979(d: int, digest: bytes, n: int) -> int:
    """Return the nonce of RFC 6979 with SHA-256 for an order of 256 bits."""

    def mac(key: bytes, text: bytes) -> bytes:
        return hmac.new(key, text, "sha256").digest()

    reduced = (int.from_bytes(digest, "big") % n).to_bytes(32, "big")
    seed = d.to_bytes(32, "big") + reduced
    key, value = bytes(32), b"\x01" * 32
    for tag in (b"\x00", b"\x01"):
        key = mac(key, value + tag + seed)
        value = mac(key, value)
    while True:
        value = mac(key, value)
        k = int.from_bytes(value, "big")
        if 0 < k < n:
            return k
        key = mac(key, value + b"\x00")
        value = mac(key, value)


def compare(cpu: str, folder: Path, seed: int = 0) -> list[OperationCell]:
    """Measure BearSSL's P-256 and RSA-2048 on a core, plain and with this library as its engine.

    Raises:
        RequestError: the core, the compiler or BearSSL's sources are missing.
        CheckFailedError: a result is wrong.
    """
    found = []
    cases = (
        ("BearSSL", "br_ecdsa_i31_sign_raw", "br_ec_p256_m31", ()),
        ("montcore in BearSSL", "montcore_ecdsa_sign_raw", "montcore_ec", ()),
        (
            "montcore in BearSSL, not verified",
            "montcore_ecdsa_sign_raw",
            "montcore_ec",
            ("MONTCORE_BEARSSL_UNVERIFIED",),
        ),
    )
    for title, routine, table, defines in cases:
        # Reached by address alone.
        names = ["montcore_ec", *ROUTINES, "br_sha256_vtable", "br_ec_p256_m31"]
        program = HOST.machine_program(cpu, names, defines, folder)
        machine = Machine(get_cpu(cpu), program=program)
        sign, verify = _sign_call(program, routine, table, seed)
        calls = {"P-256 sign": sign, "P-256 verify": verify}
        if not defines:
            private = "br_rsa_i31_private" if title == "BearSSL" else "montcore_rsa_private"
            calls["RSA-2048 private"] = _private_call(program, private, seed)
        for what, call in calls.items():
            (cycles,) = cycles_of(machine, [call], repeats=1)
            found.append(OperationCell(cpu, f"{what}, {title}", cycles))
    return found
