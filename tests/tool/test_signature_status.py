# SPDX-License-Identifier: Apache-2.0
"""A signature that is not valid, however malformed, ends in exit status 1, and never in another."""

import hashlib
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import Tool
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from needs import require
from programs import output_of

from montcore.ecc.curves import get_curve

MESSAGE = b"a message\n"
CURVE = ["--set", "npe=8", "--bits", "256"]
#: Options of `openssl genpkey`, of `openssl` for a signature, and of the verb.
SCHEMES = {
    "ecdsa": (["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], CURVE),
    "ed25519": (["ED25519"], CURVE),
    "ed448": (["ED448"], ["--set", "npe=8", "--bits", "448"]),
    "rsa": (["RSA", "-pkeyopt", "rsa_keygen_bits:1024"], ["--bits", "2048"]),
}


@dataclass(frozen=True)
class Signed:
    """A folder with a key and a message, a valid signature, and the words that verify one."""

    folder: Path
    signature: bytes
    words: list[str]

    def status(self, signature: bytes, tool: Tool) -> int:
        """Verify a signature, and return the exit status; the output must agree with it."""
        (self.folder / "signature").write_bytes(signature)
        file = self.folder / "signature"
        status, out, err = tool.run(*self.words, "--signature", file, "--json")
        assert json.loads(out)["valid"] == (status == 0), err
        assert err.endswith("montcore: the signature is wrong\n") == (status == 1), err
        return status


def signed(folder: Path, verb: str) -> Signed:
    """Make a key and a signature with OpenSSL."""
    require("openssl")
    key, message, made = (str(folder / name) for name in ("key", "message", "made"))
    (folder / "message").write_bytes(MESSAGE)
    options, build = SCHEMES[verb]
    output_of("openssl", "genpkey", "-algorithm", *options, "-out", key)
    sign = ["-digest", "sha256"] if verb in ("ecdsa", "rsa") else []
    sign = ["-sign", "-inkey", key, "-rawin", *sign, "-in", message, "-out", made]
    output_of("openssl", "pkeyutl", *sign)
    words = [verb, "verify", "--key", key, "--in", message, *build]
    return Signed(folder, (folder / "made").read_bytes(), words)


def der(tag: int, content: bytes, length: bytes | None = None) -> bytes:
    size = len(content)
    short = bytes([size]) if size < 128 else b"\x82" + size.to_bytes(2, "big")
    return bytes([tag]) + (short if length is None else length) + content


def integer(value: int) -> bytes:
    return der(2, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def damaged(rng: random.Random, good: bytes) -> Iterator[bytes]:
    """Yield what is no signature of any scheme: of other lengths, or other bytes."""
    yield from (b"", b"\0", bytes(len(good)), b"\xff" * len(good), good + b"\0", b"\0" + good)
    yield from (good[:-1], good[1:], good * 2, good * 2000)
    for _ in range(6):
        size = rng.choice([rng.randrange(200), len(good) - 1, len(good) + 1])
        yield rng.randbytes(size + (size == len(good)))


def damaged_ecdsa(rng: random.Random, good: bytes) -> Iterator[bytes]:
    """Yield pairs of numbers of which one is out of range, or that are not in DER form."""
    n = get_curve("prime256v1").n
    r, s = (good[4 : 4 + good[3]], good[6 + good[3] :])
    numbers = [int.from_bytes(part, "big") for part in (r, s)]
    for bad in (0, -1, n, n + 1, numbers[0] + n, -numbers[0], 1 << 256, 1 << 900, 1 << 4000):
        for pair in ((bad, numbers[1]), (numbers[0], bad), (bad, bad)):
            yield der(0x30, b"".join(map(integer, pair)))
    body = good[2:]
    yield from (
        der(0x31, body),
        der(0x30, body, bytes([0x81, len(body)])),
        b"\x30\x80" + body + b"\0\0",
    )
    yield der(0x30, der(2, b"\0\0" + r) + der(2, s))
    yield der(0x30, der(2, r, bytes([0x81, len(r)])) + der(2, s))
    yield from (der(0x30, der(2, r)), der(0x30, body + der(2, s)), der(0x30, body[:-1]), der(2, r))
    yield der(0x30, der(2, b"") + der(2, s))


def damaged_edwards(rng: random.Random, good: bytes, name: str) -> Iterator[bytes]:
    """Yield signatures with an s that is not reduced."""
    size = len(good) // 2
    s = int.from_bytes(good[size:], "little")
    n = get_curve(name).n
    for bad in (s + n, s + 3 * n, n, (1 << 8 * size) - 1):
        yield good[:size] + bad.to_bytes(size, "little")


def damaged_rsa(good: bytes, key: Path) -> Iterator[bytes]:
    """Yield numbers that are not below the modulus."""
    found = load_pem_private_key(key.read_bytes(), None)
    n = found.public_key().public_numbers().n  # type: ignore[union-attr]
    assert isinstance(n, int)
    for bad in (n, n + 1, n - 1, int.from_bytes(good, "big") + n, 1):
        yield bad.to_bytes(len(good) + (bad.bit_length() > 8 * len(good)), "big")


@pytest.mark.parametrize(
    "verb",
    # A zero signature of Ed448 has the form of one, so that a design of its own is compiled.
    [
        pytest.param(verb, marks=[] if verb == "ecdsa" else [pytest.mark.nightly])
        for verb in SCHEMES
    ],
)
def test_a_malformed_signature_is_not_valid_and_no_error_of_the_caller(
    tmp_path: Path, tool: Tool, verb: str
) -> None:
    rng = random.Random(14)
    case = signed(tmp_path, verb)
    bad = list(damaged(rng, case.signature))
    if verb == "ecdsa":
        bad += damaged_ecdsa(rng, case.signature)
    elif verb == "rsa":
        bad += damaged_rsa(case.signature, tmp_path / "key")
    else:
        bad += damaged_edwards(rng, case.signature, verb)
    # What has the form of a signature takes the hardware; one of Ed448 has a design of its own.
    for _ in range(3 if verb != "ed448" else 0):
        at = rng.randrange(len(case.signature) - 20, len(case.signature))
        flipped = bytearray(case.signature)
        flipped[at] ^= 1 << rng.randrange(3)
        bad.append(bytes(flipped))
    assert verb == "ed448" or case.status(case.signature, tool) == 0
    for signature in bad:
        assert case.status(signature, tool) == 1, signature.hex()


def test_an_ecdsa_signature_whose_point_is_infinity_is_not_valid(
    tmp_path: Path, tool: Tool
) -> None:
    case = signed(tmp_path, "ecdsa")
    key = load_pem_private_key((tmp_path / "key").read_bytes(), None)
    d = key.private_numbers().private_value  # type: ignore[union-attr]
    assert isinstance(d, int)
    n = get_curve("prime256v1").n
    digest = int.from_bytes(hashlib.sha256(MESSAGE).digest(), "big")
    r = -digest * pow(d, -1, n) % n
    assert case.status(der(0x30, integer(r) + integer(5)), tool) == 1


@pytest.mark.parametrize("verb", list(SCHEMES))
def test_what_the_caller_did_wrong_is_status_2(tmp_path: Path, tool: Tool, verb: str) -> None:
    case = signed(tmp_path, verb)
    for words in (
        [*case.words, "--signature", str(tmp_path / "absent")],
        [*case.words, "--signature", str(tmp_path)],
        [verb, "verify", "--key", "absent", "--in", "absent", "--signature", "absent"],
    ):
        said = tool.run(*words)
        assert said.status == 2
    assert "cannot be read" in said.err
