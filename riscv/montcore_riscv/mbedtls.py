# SPDX-License-Identifier: Apache-2.0
"""mbedTLS 2.28 with the library's curves, and calls of both."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from montcore.ecc.operations import nonces
from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.curve_calls import CurveCalls
from montcore_riscv.debian import MBEDTLS
from montcore_riscv.elf import ElfProgram
from montcore_riscv.hosts import HostLibrary
from montcore_riscv.toolchain import RISCV_DIR

#: The files of mbedTLS that test/mbedtls_config.h needs.
FILES = (
    *("asn1parse", "asn1write", "bignum", "constant_time", "ecdh", "ecdsa", "ecp", "ecp_curves"),
    *("hmac_drbg", "md", "memory_buffer_alloc", "platform", "platform_util", "sha256"),
)
HOST = HostLibrary(
    MBEDTLS,
    [f"library/{name}.c" for name in FILES],
    ("include", "library"),
    RISCV_DIR / "mbedtls",
    ('-DMBEDTLS_CONFIG_FILE="mbedtls_config.h"',),
)
SOURCE = RISCV_DIR / "test" / "mbedtls.c"
ROUTINES = ("test_mbedtls_sign", "test_mbedtls_verify", "test_mbedtls_ecdh")
#: mbedTLS's own curves, ours, and ours with signatures that are not verified.
BUILDS = {
    "mbedTLS": (),
    "montcore in mbedTLS": ("MONTCORE_HOOKED",),
    "montcore in mbedTLS, not verified": ("MONTCORE_HOOKED", "MONTCORE_MBEDTLS_UNVERIFIED"),
}
#: Numbers of curves in mbedTLS.
GROUPS = {"p256": 3, "p384": 4, "secp256k1": 12}
VERIFY_FAILED = -0x4E00


def calls_of(program: ElfProgram, variable: str, random: Random) -> Iterator[tuple[str, Call]]:
    """Yield one signature and two, verifications of it and of a wrong one, and a shared secret."""
    curve = CurveCalls(program, variable)
    n, size, group = curve.curve.n, curve.size, GROUPS[variable]
    d, other = random.randrange(1, n), random.randrange(1, n)
    digest, key = random.randbytes(32), d.to_bytes(size, "big")
    nonce = next(nonces(d, digest, n, "sha256"))
    signature = curve.signature(digest, d, nonce)

    def call(
        name: str, result: bytes, given: bytes, parts: tuple[bytes, ...], value: int, times: int = 1
    ) -> Call:
        layout = MemoryLayout(program.address("arena"))
        at = layout.data(given)
        arguments = (at, group, size, *(layout.data(part) for part in parts), times)
        return layout.call(name, arguments, at, result, value % (1 << 32))

    for what, times in (("sign", 1), ("sign twice", 2)):
        yield what, call(ROUTINES[0], signature, bytes(2 * size), (key, digest), 0, times)
    q = curve.coordinates(d)
    yield "verify", call(ROUTINES[1], signature, signature, (q, digest), 0)
    wrong = bytes([*signature[:-1], signature[-1] ^ 1])
    yield "refuse", call(ROUTINES[1], wrong, wrong, (q, digest), VERIFY_FAILED)
    secret = curve.coordinates(d * other % n)[:size]
    peer = curve.coordinates(other)
    yield "ECDH", call(ROUTINES[2], secret, bytes(size), (key, peer), 0)


def cases(cpu: str, folder: Path, seed: int) -> Iterator[tuple[ElfProgram, dict[str, Call]]]:
    """Yield mbedTLS's P-256, plain and with this library: programs and their calls.

    Raises:
        RequestError: the compiler or mbedTLS's sources are missing.
    """
    for title, defines in BUILDS.items():
        program = HOST.machine_program(cpu, ROUTINES, defines, folder, [SOURCE])
        calls = calls_of(program, "p256", Random(seed))
        yield program, {f"P-256 {what}, {title}": call for what, call in calls}
