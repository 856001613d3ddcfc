# SPDX-License-Identifier: Apache-2.0
"""The mbedTLS hooks: messages of valid padded blocks only, and no signature that is wrong."""

import random
from pathlib import Path

import pytest
import sanitizers
from cryptography.hazmat.primitives.asymmetric import rsa
from needs import needs
from pka_bench import DRIVER
from programs import output_of

from montcore.support.paths import REPO_ROOT
from montcore_lab.clients import run
from montcore_lab.litex.firmware import MBEDTLS_FILES, PADDINGS
from montcore_lab.litex.mbedtls import mbedtls_source

BITS = 1024
BYTES, DIGEST = BITS // 8, 32
INVALID_PADDING, TOO_LARGE = -0x4100, -0x4400
VERIFY_FAILED, WRONG_SIGNATURE, CURVE_FAULT, HARDWARE = -0x4E00, 20, 22, -0x70
PROGRAMS = REPO_ROOT / "tests" / "support" / "driver"
WRAPPED = ("private", "begin", "end")
Line = tuple[str, int, bytes]


def build(folder: Path, name: str, hook: str, drivers: tuple[str, ...], *options: str) -> Path:
    """Compile a hook with mbedTLS, for numbers of 32-bit limbs as on the processor."""
    library = mbedtls_source()
    sw = REPO_ROOT / "sw"
    theirs = [str(library / "library" / f"{name}.c") for name in MBEDTLS_FILES]
    own = [str(PROGRAMS / f"{name}.c"), str(sw / "mbedtls" / f"montcore_mbedtls_{hook}.c")]
    own += [str(DRIVER / f"montcore_{part}.c") for part in drivers]
    folders = (sw / "mbedtls", DRIVER, library / "include")
    config = folder / "config.h"  # the firmware's, without assembly of the processor
    text = (sw / "soc" / "mbedtls_config.h").read_text()
    config.write_text(text.replace("MBEDTLS_HAVE_ASM", "MBEDTLS_HAVE_INT32"))
    flags = [*sanitizers.flags("address"), "-std=gnu11", *options]
    flags += [f'-DMBEDTLS_CONFIG_FILE="{config}"']
    flags += [f"-I{path}" for path in (*folders, library / "library")]
    flags += ["-Wl,--gc-sections", "-ffunction-sections"]
    program = folder / name
    run(["gcc", *flags, *own, *theirs, "-o", program])
    return program


def taken(program: Path, lines: list[Line]) -> list[tuple[int, bytes]]:
    text = "\n".join(f"{padding} {room} {block.hex()}" for padding, room, block in lines) + "\n"
    found = []
    for line in output_of(program, env=sanitizers.environment(), text=text).splitlines():
        status, _, message = line.partition(" ")
        found.append((int(status), bytes.fromhex(message)))
    assert len(found) == len(lines)
    return found


@pytest.mark.nightly
@needs("gcc")
def test_messages_of_every_length_are_taken_out_and_changed_blocks_refused(tmp_path: Path) -> None:
    wrapped = (f"-Wl,--wrap=montcore_rsa_{name}" for name in WRAPPED)
    options = ("-DMONTCORE_SOFTWARE_ECDSA", *wrapped)
    program, rng = build(tmp_path, "mbedtls_decrypt", "rsa", ("pka",), *options), random.Random(1)
    key = rsa.generate_private_key(65537, BITS)
    numbers = key.private_numbers()
    n, d = numbers.public_numbers.n, numbers.d

    def blocks(padding: str, lengths: range) -> list[tuple[bytes, bytes]]:
        found = []
        for length in lengths:
            message = rng.randbytes(length)
            secret = key.public_key().encrypt(message, PADDINGS[padding])
            found.append((message, pow(int.from_bytes(secret, "big"), d, n).to_bytes(BYTES, "big")))
        return found

    longest = {"oaep": BYTES - 2 * DIGEST - 2, "pkcs1": BYTES - 11}
    for padding, limit in longest.items():
        pairs = blocks(padding, range(limit + 1))
        lines = [(padding, BYTES, block) for _, block in pairs]
        assert taken(program, lines) == [(0, message) for message, _ in pairs]
        # A buffer with exactly the size of the message, and one byte less.
        lines = [(padding, len(message), block) for message, block in pairs]
        assert taken(program, lines) == [(0, message) for message, _ in pairs]
        lines = [(padding, len(message) - 1, block) for message, block in pairs[1:]]
        assert {status for status, _ in taken(program, lines)} == {TOO_LARGE}
    # OAEP: any changed bit changes the label's digest, the first byte or the one before the
    # message; a changed byte of the message itself is found through the digest of the seed's mask.
    changed = []
    for _, block in blocks("oaep", range(0, longest["oaep"] + 1, 7)):
        for bit in range(8 * BYTES):
            number = int.from_bytes(block, "big") ^ 1 << bit
            changed.append(("oaep", BYTES, number.to_bytes(BYTES, "big")))
    assert {status for status, _ in taken(program, changed)} == {INVALID_PADDING}
    # PKCS #1 v1.5: the first two bytes, no zero at all, a zero among the first eight of it.
    message, block = blocks("pkcs1", range(20, 21))[0]
    wrong = [bytes([1, *block[1:]]), block[:1] + bytes([1]) + block[2:], b"\0\2" + b"\1" * 126]
    wrong += [block[:at] + b"\0" + block[at + 1 :] for at in range(2, 10)]
    found = taken(program, [("pkcs1", BYTES, item) for item in (*wrong, block)])
    assert {status for status, _ in found[:-1]} == {INVALID_PADDING}
    assert found[-1] == (0, message)


@pytest.mark.nightly
@needs("gcc")
def test_a_signature_that_the_accelerator_does_not_verify_is_not_handed_out(tmp_path: Path) -> None:
    program = build(tmp_path, "mbedtls_ecdsa", "ecdsa", ("pka", "ecc", "ecc_curves"))

    def said(answer: int) -> list[int]:
        done = run([program, str(answer)], sanitizers.environment())
        return [int(word) for word in done.split()]

    assert said(0) == [0, 1]
    assert said(WRONG_SIGNATURE) == [VERIFY_FAILED, 0]
    assert said(CURVE_FAULT) == [HARDWARE, 0]
