# SPDX-License-Identifier: Apache-2.0
"""Builds the firmware: sw/soc, the drivers, and mbedTLS from Debian's source package."""

import os
import random
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import Prehashed

from montcore.hdl.programs import package_folder
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore_lab.litex.chip import ROM_BYTES, ROM_FILE, Chip
from montcore_riscv.toolchain import RISCV_DIR, compiler, library_sources

SW = REPO_ROOT / "sw"
DRIVER = ("montcore_pka.c", "montcore_rsa.c", "montcore_ecc.c", "montcore_ecc_curves.c")
#: The files of mbedTLS that the firmware's configuration needs.
MBEDTLS_FILES = (
    *("asn1parse", "asn1write", "bignum", "constant_time", "ecdsa", "ecp", "ecp_curves"),
    *("hmac_drbg", "md", "memory_buffer_alloc", "oid", "pk", "pk_wrap", "pkparse", "platform"),
    *("platform_util", "rsa", "rsa_internal", "sha256"),
)
#: The processor has no compressed instructions.
ARCH = ("-march=rv32im", "-mabi=ilp32", "-Wa,-march=rv32im_zicsr")
FLAGS = (
    *(*ARCH, "-O2", "-std=gnu11", "-ffreestanding", "-fno-pic", "-fno-builtin"),
    *("-fno-tree-loop-distribute-patterns", "-ffunction-sections", "-fdata-sections"),
)
STRICT = ("-Wall", "-Wextra", "-Werror")
#: Paddings for encryption, by their names in the firmware.
PADDINGS: dict[str, padding.AsymmetricPadding] = {
    "pkcs1": padding.PKCS1v15(),
    "oaep": padding.OAEP(padding.MGF1(hashes.SHA256()), hashes.SHA256(), None),
}
#: Bytes of the message, a session key.
MESSAGE_BYTES = 32
WRAPPED = ("mbedtls_mpi_exp_mod", "mbedtls_mpi_mul_mpi")
_SECONDS = 300


@dataclass(frozen=True)
class Keys:
    """Keys of the firmware, and the data that it signs and decrypts."""

    rsa: rsa.RSAPrivateKey
    ec: ec.EllipticCurvePrivateKey
    digest: bytes
    message: bytes

    def check(self, kind: str, signature: bytes) -> None:
        """Check a signature, ``rsa`` (PKCS#1 v1.5) or ``ecdsa``, or a decrypted message.

        Raises:
            InvalidSignature: it is wrong.
        """
        if kind in PADDINGS:
            if signature != self.message:
                raise InvalidSignature
            return
        how = Prehashed(hashes.SHA256())
        if kind == "rsa":
            self.rsa.public_key().verify(signature, self.digest, padding.PKCS1v15(), how)
        else:
            self.ec.public_key().verify(signature, self.digest, ec.ECDSA(how))


def draw_keys(rsa_bits: int) -> Keys:
    """Return new keys, a digest and a message."""
    made = rsa.generate_private_key(public_exponent=65537, key_size=rsa_bits)
    curve = ec.generate_private_key(ec.SECP256R1())
    return Keys(made, curve, os.urandom(32), os.urandom(MESSAGE_BYTES))


def _array(kind: str, name: str, values: Sequence[int]) -> str:
    return f"static const {kind} {name}[] = {{{', '.join(f'{value:#x}u' for value in values)}}};\n"


def _limbs(value: int, bits: int) -> list[int]:
    return [value >> at & 0xFFFFFFFF for at in range(0, bits, 32)]


def vectors(keys: Keys, bits: int, seed: int) -> str:
    """Return the header with the firmware's input numbers.

    Args:
        keys: keys for signatures and messages.
        bits: built length of the accelerator, for its self-test.
        seed: seed of the self-test's numbers.
    """
    rng = random.Random(seed)
    m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
    x, y, e = rng.randrange(m), rng.randrange(m), rng.getrandbits(64) | 1
    numbers: Mapping[str, int] = {
        "m": m,
        "x": x,
        "y": y,
        "product": x * y % m,
        "power": pow(x, e, m),
    }
    form = (
        serialization.Encoding.DER,
        serialization.PrivateFormat.TraditionalOpenSSL,
        serialization.NoEncryption(),
    )
    text = "/* Generated. */\n#include <stdint.h>\n"
    text += f"#define VECTOR_BITS {bits}u\n#define VECTOR_LIMBS {(bits + 31) // 32}u\n"
    # Not every file of the firmware uses all of them.
    text += '#pragma GCC diagnostic ignored "-Wunused-variable"\n'
    for name, value in numbers.items():
        text += _array("uint32_t", f"vector_{name}", _limbs(value, bits))
    text += _array("uint32_t", "vector_e", _limbs(e, 64))
    text += _array("unsigned char", "rsa_key", keys.rsa.private_bytes(*form))
    text += _array("unsigned char", "ec_key", keys.ec.private_bytes(*form))
    for name, padded in PADDINGS.items():
        secret = keys.rsa.public_key().encrypt(keys.message, padded)
        text += _array("unsigned char", f"secret_{name}", secret)
    return text + _array("unsigned char", "digest", keys.digest)


def build_firmware(chip: Chip, keys: Keys, bits: int, mbedtls: Path) -> Path:
    """Compile the firmware and write it to the file that the system's memory is loaded from.

    Args:
        chip: the system.
        keys: keys and digest.
        bits: built length of the accelerator.
        mbedtls: the unpacked source package.

    Returns:
        The ELF file.

    Raises:
        RequestError: there is no compiler.
        CheckFailedError: it failed, or the program is too large.
    """
    folder = chip.folder / "firmware"
    folder.mkdir(exist_ok=True)
    (folder / "vectors.h").write_text(vectors(keys, bits, 1), encoding="utf-8")
    includes = [
        *(folder, *(SW / name for name in ("soc/libc", "soc", "mbedtls", "driver"))),
        *(RISCV_DIR / "include", mbedtls / "include", mbedtls / "library", *header_folders(chip)),
    ]
    common = [compiler(), *FLAGS]
    common += ["-DMONTCORE_PKA_IN_PLACE", f"-DMONTCORE_PKA_MAX_BITS={bits}u"]
    common += ['-DMBEDTLS_CONFIG_FILE="mbedtls_config.h"', *(f"-I{path}" for path in includes)]
    own = [*sorted((SW / "soc").glob("*.[cS]")), *sorted((SW / "mbedtls").glob("*.c"))]
    own += [SW / "driver" / name for name in DRIVER] + library_sources()
    theirs = [mbedtls / "library" / f"{name}.c" for name in MBEDTLS_FILES]

    def jobs() -> Iterator[tuple[list[str], Path]]:
        for source in [*own, *theirs]:
            made = folder / f"{source.stem}.o"
            flags = STRICT if source in own else ()
            yield [*common, *flags, "-c", str(source), "-o", str(made)], made

    listed = list(jobs())
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        list(pool.map(_run, (job for job, _ in listed)))
    elf = folder / "firmware.elf"
    wraps = [f"-Wl,--wrap={name}" for name in WRAPPED]
    script = ["-nostdlib", "-T", str(SW / "soc" / "firmware.ld"), "-Wl,--gc-sections"]
    objects = [str(made) for _, made in listed]
    objects.append(_software_ecdsa(common, mbedtls, folder))
    _run([*common, *script, *wraps, *objects, "-lgcc", "-o", str(elf)])
    write_memory(chip, elf)
    return elf


def header_folders(chip: Chip) -> list[Path]:
    """Return the folders of the headers of a system's registers and of LiteX's own."""
    litex = package_folder("litex") / "soc"
    return [chip.headers, litex / "software" / "include", litex / "cores" / "cpu" / "vexriscv"]


def write_memory(chip: Chip, elf: Path) -> None:
    """Write a program to the file that the system's memory is loaded from.

    Raises:
        CheckFailedError: it is too large.
    """
    image = elf.with_suffix(".bin")
    _run([_objcopy(), "-O", "binary", str(elf), str(image)])
    program = image.read_bytes()
    if len(program) > ROM_BYTES:
        raise CheckFailedError(f"the firmware has {len(program)} bytes, the memory {ROM_BYTES}")
    program = program.ljust(ROM_BYTES, b"\0")
    words = (program[at : at + 4][::-1].hex() for at in range(0, len(program), 4))
    (chip.folder / ROM_FILE).write_text("\n".join(words) + "\n", encoding="ascii")


def _software_ecdsa(common: Sequence[str], mbedtls: Path, folder: Path) -> str:
    """Compile mbedTLS's own signature function under another name, along with its replacement."""
    made, name = folder / "ecdsa_software.o", "mbedtls_ecdsa_sign"
    given = ["-DMONTCORE_SOFTWARE_ECDSA", f"-D{name}={name}_software"]
    _run([*common, *given, "-c", str(mbedtls / "library" / "ecdsa.c"), "-o", str(made)])
    _run([_objcopy(), f"--keep-global-symbol={name}_software", str(made)])
    return str(made)


def _objcopy() -> str:
    return compiler().removesuffix("gcc") + "objcopy"


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "rror" in line or "undefined" in line]
        raise CheckFailedError(" | ".join(lines[:4]) or done.stderr[-400:])
