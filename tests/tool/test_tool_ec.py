# SPDX-License-Identifier: Apache-2.0
"""The verbs of elliptic curves: files that OpenSSL writes and reads, JSON, refusals.

A signature that is not valid, however malformed, ends in exit status 1, and never in another.
"""

import hashlib
import io
import json
import random
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import Tool
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from needs import require
from programs import output_of

from montcore.cli.ec import named_content
from montcore.compare import curves as rated
from montcore.ecc.curves import get_curve
from montcore.ecc.synthesis import EngineFlow
from montcore.synth.result import SynthResult

OVER = ["--set", "npe=8"]


def openssl(*words: str) -> None:
    output_of("openssl", *words)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """A folder with a message, a key of P-256 and one of Ed25519, written by OpenSSL."""
    require("openssl")
    (tmp_path / "message").write_bytes(b"a message\n")
    curve = ("-pkeyopt", "ec_paramgen_curve:P-256")
    openssl("genpkey", "-algorithm", "EC", *curve, "-out", str(tmp_path / "p256.pem"))
    openssl("genpkey", "-algorithm", "ED25519", "-out", str(tmp_path / "ed.pem"))
    for name in ("p256", "ed"):
        key, public = str(tmp_path / f"{name}.pem"), str(tmp_path / f"{name}.pub")
        openssl("pkey", "-in", key, "-pubout", "-out", public)
    return tmp_path


def test_signatures_go_to_openssl_and_come_from_it(files: Path, tool: Tool) -> None:
    key, public, message = (str(files / name) for name in ("p256.pem", "p256.pub", "message"))
    ours, theirs = str(files / "ours"), str(files / "theirs")
    request = ("ecdsa", "sign", "--key", key, "--in", message, "--out", ours, *OVER)
    content = tool.json(*request)
    assert bytes.fromhex(content["signature"]) == Path(ours).read_bytes()
    names = named_content("ecdsa sign", content)
    assert list(names) == ["r", "s", "signature, DER", "file", "cycles"] and names["file"] == ours
    numbers = (int(names[name].split()[0], 16) for name in "rs")
    assert encode_dss_signature(*numbers).hex() == content["signature"]
    # The verification, too.
    assert 140_000 < content["cycles"] < 165_000
    openssl("dgst", "-sha256", "-verify", public, "-signature", ours, message)
    openssl("dgst", "-sha256", "-sign", key, "-out", theirs, message)
    verify = ("ecdsa", "verify", "--key", public, "--signature", theirs, *OVER, "--in")
    assert tool.json(*verify, message)["valid"] is True
    status, out, err = tool.run(*verify, key, "--json")
    assert (status, json.loads(out)["valid"]) == (1, False)
    assert err.endswith("montcore: the signature is wrong\n")
    shared = files / "shared"
    shared.touch(mode=0o644)
    words = ("--key", key, "--peer", public, "--out", str(shared))
    content = tool.json("ecdh", *words, *OVER)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o600
    secret = str(files / "secret")
    openssl("pkeyutl", "-derive", "-inkey", key, "-peerkey", public, "-out", secret)
    assert Path(secret).read_bytes() == shared.read_bytes()
    assert content["secret"] is None  # it is only in the file


def test_edwards_signatures_go_to_openssl_and_come_from_it(files: Path, tool: Tool) -> None:
    key, public, message = (str(files / name) for name in ("ed.pem", "ed.pub", "message"))
    ours = str(files / "ours")
    over = (*OVER, "--bits", "256")
    out = tool("ed25519", "sign", "--key", key, "--in", message, "--out", ours, *over)
    assert re.search(rf"signature, R and S +[0-9a-f]{{128}}\n  file +{ours}\n", out)
    raw = ("-pubin", "-inkey", public, "-rawin", "-in", message, "-sigfile", ours)
    openssl("pkeyutl", "-verify", *raw)
    verify = ("ed25519", "verify", "--key", public, "--signature", ours, *over, "--in")
    assert tool.json(*verify, message)["valid"] is True


def test_points_are_multiplied(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    request = ("ec", "mul", "smm", "--curve", "P-256", *OVER, "--scalar")
    monkeypatch.setattr("sys.stdin", io.StringIO("2\n"))
    content = tool.json(*request, "-")
    assert list(content) == ["x", "y", "cycles", "products"]
    assert content["x"].startswith("0x7cf27b188d034f7e8a52380304b51ac3")
    double = f"{content['x']},{content['y']}"
    found = tool.json(*request, "3", "--point", double)["x"]
    assert found.startswith("0xb01a172a76a4602c92d3242cb897dde3")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--scalar", "1", "--point", "1,1"), "the point is not on the curve prime256v1"),
        (("--scalar", "1", "--point", "1"), "--point takes two coordinates, X,Y"),
        (("--scalar", "1", "--point", f"{1 << 256:x},1"), "the coordinates must lie between"),
        (("--scalar", "1", "--bits", "255"), "more than the 255 that were built"),
    ],
)
def test_bad_points_and_scalars_are_one_sentence(
    tool: Tool, words: tuple[str, ...], sentence: str
) -> None:
    tool.refuses(sentence, "ec", "mul", "smm", "--curve", "P-256", *OVER, *words)


def test_bad_keys_and_requests_are_one_sentence(files: Path, tool: Tool) -> None:
    key, public, ed, message = (
        str(files / n) for n in ("p256.pem", "p256.pub", "ed.pem", "message")
    )
    cases = [
        (("ecdsa", "sign", "--key", ed, "--in", message, *OVER), "holds a key of Ed25519"),
        (("ecdsa", "sign", "--key", public, "--in", message, *OVER), "no private key"),
        (("ed25519", "sign", "--key", key, "--in", message, *OVER), "no private key of ed25519"),
        (("x25519", "smm", "--scalar", "00", "--u", "09", *OVER), "has 32 bytes, not 1"),
        (("ec", "mul", "smm", "--curve", "p-257", "--scalar", "1"), "no curve 'p-257'"),
        (("ec", "mul", "smm", "--curve", "x25519", "--scalar", "1"), "see `x25519`"),
        (("serve", "--socket", message), "message is there, and is not a socket"),
        (("serve", "--socket", f"{message}/s"), "there is no folder"),
    ]
    for words, sentence in cases:
        tool.refuses(sentence, *words)


@pytest.mark.parametrize(
    "words",
    [
        ("ec", "mul", "--curve", "P-256", "--scalar", "1"),
        ("ecdsa", "sign", "--key", "p256.pem", "--in", "message"),
        ("ecdh", "--key", "p256.pem", "--peer", "p256.pem"),
        ("x25519", "--scalar", 32 * "00", "--u", 32 * "09"),
        ("x448", "--scalar", 56 * "00", "--u", 56 * "09"),
        ("ed25519", "sign", "--key", "ed.pem", "--in", "message"),
    ],
    ids=lambda words: " ".join(words[:2]),
)
def test_every_verb_takes_its_core_as_argument_and_as_option(
    files: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    monkeypatch.chdir(files)
    for core in (("coral",), ("--core", "coral"), ("coral", "--core", "coral")):
        tool.refuses("there is no core 'coral'", *words, *core)
    tool.refuses("CORE is cs, but --core is rc\n", *words, "cs", "--core", "rc")


def _rated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give engines an area, a period and cycles without synthesis and simulation."""
    areas = {"smm": 97_600.0, "cs4": 32_200.0}

    def synthesise(flow: EngineFlow, target: str, **_: object) -> SynthResult:
        area = areas[flow.design.core.name]
        return SynthResult(target, ge=area, ge_memory=98_304.0, tmin_ns=5.5)

    cycles = {
        "smm": (52_481, 101_649, 102_517, 53_000, 102_000),
        "cs4": (329_351, 712_387, 739_295, 330_000, 713_000),
    }

    def measured(flow: EngineFlow) -> tuple[int, ...]:
        *single, sign, verify = cycles[flow.design.core.name]
        return (*single, sign // flow.design.contexts, verify // flow.design.contexts)

    monkeypatch.setattr(EngineFlow, "synthesise", synthesise)
    monkeypatch.setattr(rated, "_cycles", measured)


def test_engines_are_compared_the_fastest_first(
    monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    _rated(monkeypatch)
    engines = ("cs4", "smm:npe=8", "smm:npe=8,contexts=3")
    found = tool.json("ec", "compare", *engines)
    rates = [(row["core"], row["contexts"], row["signatures_per_s"]) for row in found["engines"]]
    assert rates == [("smm", 3, 10292.0), ("smm", 1, 3430.5), ("cs4", 1, 551.0)]


def test_no_cell_of_the_comparison_is_cut(monkeypatch: pytest.MonkeyPatch, tool: Tool) -> None:
    _rated(monkeypatch)
    monkeypatch.setenv("COLUMNS", "60")
    out = tool("ec", "compare", "cs4", "smm:npe=8")
    for cell in ("smm npe=8 w=32 schedule=fast", "52481", "101649", "3,431", "551", "97.6"):
        assert cell in out


def test_a_target_without_a_clock_is_refused_before_any_work(
    monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    monkeypatch.setattr(EngineFlow, "synthesise", None)
    words = ("ec", "compare", "cs4", "--target")
    tool.refuses("xc7 is mapped only and gives no clock", *words, "xc7")
    tool.refuses(
        "--wires is only for ASIC targets, not for ecp5", *words, "ecp5", "--wires", "none"
    )


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
class SignedMessage:
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


def signed(folder: Path, verb: str) -> SignedMessage:
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
    return SignedMessage(folder, (folder / "made").read_bytes(), words)


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
