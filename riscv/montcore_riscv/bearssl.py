# SPDX-License-Identifier: Apache-2.0
"""BearSSL with the library as its engine: its own tests, and cycles beside its own engines."""

import hashlib
import hmac
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from random import Random

from cryptography.hazmat.primitives.asymmetric import rsa

from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT, cache_dir
from montcore_riscv.bench import cycles_of
from montcore_riscv.calls import Call, MemoryLayout
from montcore_riscv.curve_calls import CurveCalls
from montcore_riscv.debian import BEARSSL
from montcore_riscv.elf import ElfProgram, read_program
from montcore_riscv.machine import Machine, get_cpu, machine_flags
from montcore_riscv.operations import OperationCell
from montcore_riscv.qemu import emulator
from montcore_riscv.toolchain import RISCV_DIR, BuildTarget, compiler, library_sources

#: What curves, signatures and their hashes need of BearSSL.
PARTS = ("codec/*", "ec/*", "hash/*", "int/*", "mac/*", "rand/hmac_drbg", "rsa/*")
FLAGS = (
    *("-mabi=ilp32", "-O2", "-std=c11", "-ffreestanding", "-fno-pic", "-w"),
    *("-ffunction-sections", "-fdata-sections", "-fno-tree-loop-distribute-patterns"),
)
LINK = ("-nostdlib", "-nostartfiles", "-static", "-Wl,--no-relax", "-Wl,--gc-sections")
HOOKS = RISCV_DIR / "bearssl"
LIBC = RISCV_DIR / "test" / "libc"
SOC = REPO_ROOT / "sw" / "soc"
_SECONDS = 600
P256 = 23  # BR_EC_secp256r1


def _compile(arguments: Sequence[str | Path], folder: Path) -> None:
    command = [compiler(), *(str(word) for word in arguments)]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if done.returncode != 0:
        raise CheckFailedError(f"BearSSL is not compiled: {done.stderr[-400:]}")


def _library(arch: str) -> Path:
    """Return BearSSL's objects for a processor, in a folder of the cache."""
    source = BEARSSL.folder()
    files = sorted(path for part in PARTS for path in source.glob(f"src/{part}.c"))
    name = hashlib.sha256(repr((arch, FLAGS, PARTS, str(source))).encode()).hexdigest()[:16]
    home = cache_dir() / "bearssl-objects" / name
    if not home.is_dir():
        home.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=home.parent) as work:
            made = Path(work) / "objects"
            made.mkdir()
            headers = [f"-I{LIBC}", f"-I{SOC / 'libc'}"]
            headers += [f"-I{source / folder}" for folder in ("inc", "src")]
            _compile([f"-march={arch}", *FLAGS, *headers, "-c", *files], made)
            try:
                made.rename(home)
            except OSError:  # another process was first
                if not home.is_dir():
                    raise
    return home


def build(sources: Sequence[Path], arch: str, flags: Sequence[str], to: Path) -> None:
    """Link a program of sources, this library, its hooks for BearSSL, and BearSSL.

    Raises:
        RequestError: the compiler or BearSSL's sources are missing.
        CheckFailedError: something is not compiled.
    """
    source = BEARSSL.folder()
    headers = [f"-I{path}" for path in (LIBC, SOC / "libc", RISCV_DIR / "include", HOOKS)]
    headers += [f"-I{source / folder}" for folder in ("inc", "src", "test")]
    own = library_sources(BuildTarget(curves=True, rsa=True))
    everything: list[Path] = [*sources, *own, SOC / "string.c", *sorted(HOOKS.glob("*.c"))]
    everything += sorted(_library(arch).glob("*.o"))
    command: list[str | Path] = [
        f"-march={arch}",
        *FLAGS,
        *LINK,
        *flags,
        *headers,
        *everything,
        "-lgcc",
    ]
    _compile([*command, "-o", to], to.parent)


def self_test(folder: Path) -> str:
    """Run BearSSL's own tests of curves with this library under QEMU; return what they print.

    Raises:
        CheckFailedError: one failed.
    """
    test = RISCV_DIR / "test"
    program = folder / "bearssl.elf"
    build([test / "qemu_start.S", test / "bearssl.c"], "rv32imac", [], program)
    done = subprocess.run(
        [emulator(), str(program)], capture_output=True, text=True, timeout=_SECONDS, check=False
    )
    if done.returncode != 0:
        raise CheckFailedError(f"BearSSL's tests failed: {done.stdout[-200:]}")
    return done.stdout


def _program(cpu: str, defines: Sequence[str], folder: Path) -> ElfProgram:
    core = get_cpu(cpu)
    flags = [*machine_flags(core), *(f"-DMACHINE_{name}" for name in core.defines)]
    path = folder / f"{cpu}.elf"
    # Reached by address alone.
    names = ["montcore_ec", *ROUTINES, "br_sha256_vtable", "br_ec_p256_m31"]
    kept = [f"-Wl,-u,{name}" for name in names]
    sources = [RISCV_DIR / "test" / "machine.S"]
    build(sources, core.arch, [*flags, *kept, *(f"-D{name}" for name in defines)], path)
    return read_program(path)


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
        program = _program(cpu, defines, folder)
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
