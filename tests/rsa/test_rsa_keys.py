# SPDX-License-Identifier: Apache-2.0
"""Keys and files of `montcore rsa`: every form is read; endless files and absurd keys are
refused."""

import datetime
import getpass
import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock, Mock

import pytest
from command_line import Tool
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding as theirs
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
    load_pem_private_key,
    load_pem_public_key,
)
from rsa_numbers import sequence
from rsa_tools import key_pair, numbers_of

from montcore.rsa import files, keys
from montcore.support import waiting
from montcore.support.errors import RequestError

SECRET = b"a pass phrase"
#: With the built width of the key, as in test_rsa.py.
BUILD = ("--core", "dsp", "--set", "alpha=6")
ENCODINGS = {"pem": Encoding.PEM, "der": Encoding.DER}
FORMATS = {"pkcs1": PrivateFormat.TraditionalOpenSSL, "pkcs8": PrivateFormat.PKCS8}


def put(folder: Path, name: str, content: bytes) -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def private_file(folder: Path, encoding: str, form: str, encrypted: bool = False) -> Path:
    protection = BestAvailableEncryption(SECRET) if encrypted else NoEncryption()
    content = key_pair().private_bytes(ENCODINGS[encoding], FORMATS[form], protection)
    return put(folder, f"{form}.{encoding}", content)


def certificate(pair: rsa.RSAPrivateKey) -> x509.Certificate:
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "a name")])
    start = datetime.datetime(2020, 1, 1)
    builder = x509.CertificateBuilder(name, name, pair.public_key(), 7, start)
    builder = builder.not_valid_after(start + datetime.timedelta(days=9))
    return builder.sign(pair, hashes.SHA256())


def never() -> bytes:
    raise AssertionError("a passphrase was asked for")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("form", FORMATS)
def test_private_keys_are_read(tmp_path: Path, encoding: str, form: str) -> None:
    path = private_file(tmp_path, encoding, form)
    assert keys.read_private_key(path, never) == numbers_of(key_pair())
    public = keys.read_public_key(path, never)
    assert (public.n, public.e) == (numbers_of(key_pair()).n, 65537)


@pytest.mark.parametrize(
    ("encoding", "form"), [("pem", "pkcs1"), ("pem", "pkcs8"), ("der", "pkcs8")]
)
def test_encrypted_keys_are_read(tmp_path: Path, encoding: str, form: str) -> None:
    path = private_file(tmp_path, encoding, form, encrypted=True)
    assert keys.read_private_key(path, lambda: SECRET) == numbers_of(key_pair())
    assert keys.read_public_key(path, lambda: SECRET).n == numbers_of(key_pair()).n
    with pytest.raises(RequestError, match="cannot be decrypted with this passphrase"):
        keys.read_private_key(path, lambda: b"another")
    with pytest.raises(RequestError, match="is encrypted; its passphrase is needed"):
        keys.read_private_key(path)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("form", ["spki", "pkcs1", "certificate"])
def test_public_keys_are_read(tmp_path: Path, encoding: str, form: str) -> None:
    public = key_pair().public_key()
    if form == "certificate":
        content = certificate(key_pair()).public_bytes(ENCODINGS[encoding])
    else:
        kind = PublicFormat.PKCS1 if form == "pkcs1" else PublicFormat.SubjectPublicKeyInfo
        content = public.public_bytes(ENCODINGS[encoding], kind)
    found = keys.read_public_key(put(tmp_path, "key", content))
    assert found == keys.PublicKey(public.public_numbers().n, 65537)
    with pytest.raises(RequestError, match="holds no complete RSA private key in PEM or DER form"):
        keys.read_private_key(tmp_path / "key")


@pytest.mark.parametrize("read", [keys.read_private_key, keys.read_public_key])
def test_what_never_ends_is_refused_at_once(tmp_path: Path, read: Any) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "folder").mkdir()
    for path in (Path("/dev/zero"), tmp_path / "fifo", tmp_path / "folder"):
        with pytest.raises(RequestError, match=f"^{path} is not a regular file$"):
            read(path)
        with pytest.raises(RequestError, match="is not a regular file"):
            files.digest(path, "sha256")
    long = tmp_path / "long"
    with long.open("wb") as stream:
        stream.truncate(1 << 41)
    with pytest.raises(RequestError, match="longer than 65536 bytes"):
        read(long)
    with pytest.raises(RequestError, match="longer than 1099511627776 bytes"):
        files.digest(long, "sha256")
    with pytest.raises(RequestError, match="cannot be read: No such file"):
        read(tmp_path / "missing")


ABSURD = [
    pytest.param(1 << 99_999 | 1, 65537, "modulus has 100000 bits", id="modulus"),
    pytest.param(1 << 4096 | 1, 65537, "modulus has 4097 bits", id="one bit too many"),
    pytest.param((1 << 2048) - 1, 1 << 2000 | 1, "public exponent has 2001 bits", id="exponent"),
    pytest.param((1 << 2048) - 1, 1 << 256 | 1, "public exponent has 257 bits", id="FIPS 186-5"),
]


@pytest.mark.timeout(5)
@pytest.mark.parametrize(("n", "e", "words"), ABSURD)
def test_keys_of_absurd_size_are_refused_at_once(
    tmp_path: Path, n: int, e: int, words: str
) -> None:
    public = put(tmp_path, "public", sequence(n, e))
    with pytest.raises(RequestError) as error:
        keys.read_public_key(public)
    assert words in str(error.value) or "no RSA public key" in str(error.value)
    half = (1 << n.bit_length() // 2) - 1
    private = put(tmp_path, "private", sequence(0, n, e, n - 2, half, half, half, half, half))
    for read in (keys.read_private_key, keys.read_public_key):
        with pytest.raises(RequestError) as error:
            read(private)
        assert len(str(error.value)) < 300 + len(str(private))


def test_numbers_that_do_not_belong_together_are_refused(tmp_path: Path) -> None:
    key = numbers_of(key_pair())
    parts = (key.d % (key.p - 1), key.d % (key.q - 1), pow(key.q, -1, key.p))
    good = put(tmp_path, "good", sequence(0, key.n, key.e, key.d, key.p, key.q, *parts))
    assert keys.read_private_key(good) == key
    bad = put(tmp_path, "bad", sequence(0, key.n, key.e, key.d, key.p + 2, key.q, *parts))
    with pytest.raises(RequestError, match=r"are inconsistent|holds no complete"):
        keys.read_private_key(bad)


@pytest.mark.parametrize("content", [b"", b"\x30", b"text", b"-----BEGIN CERTIFICATE-----\nAA\n"])
def test_what_is_no_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = put(tmp_path, "file", content)
    with pytest.raises(RequestError, match="no complete RSA private key in PEM or DER form"):
        keys.read_private_key(path)
    with pytest.raises(RequestError, match="no complete RSA public key in PEM or DER form"):
        keys.read_public_key(path)


# ---- the command line ------------------------------------------------------------------------


def test_oaep_through_the_command_line(tmp_path: Path, tool: Tool) -> None:
    """With a certificate to encrypt and an encrypted key in DER form to decrypt."""
    message = put(tmp_path, "message", b"forty-two")
    cert = put(tmp_path, "cert.pem", certificate(key_pair()).public_bytes(Encoding.PEM))
    key = private_file(tmp_path, "der", "pkcs8", encrypted=True)
    how = ["--scheme", "oaep", "--hash", "sha256", "--mgf1-hash", "sha1", "--label", "6c61"]
    out = ("--in", message, "--out", tmp_path / "cipher")
    content = tool.json("rsa", "encrypt", "--key", cert, *how, *out, *BUILD)
    assert content["operation"] == "encrypt" and content["output"] == str(tmp_path / "cipher")
    other = theirs.OAEP(theirs.MGF1(hashes.SHA1()), hashes.SHA256(), b"la")
    assert key_pair().decrypt((tmp_path / "cipher").read_bytes(), other) == b"forty-two"
    phrase = put(tmp_path, "phrase", SECRET + b"\r\nno part of it\n")
    files = ("--key", key, "--in", tmp_path / "cipher", "--passphrase-file", phrase)
    decrypt = ("rsa", "decrypt", *files)
    content = tool.json(*decrypt, *how, *BUILD)
    assert bytes.fromhex(content["output"]) == b"forty-two"
    assert content["exponent_blinding_bits"] == 64
    status, text, err = tool.run(*decrypt, *BUILD, "--scheme", "oaep", "--json")  # another label
    assert status == 1 and json.loads(text).keys() == {"error"} and err.count("\n") == 1


def test_a_signature_without_crt_is_blinded_within_the_keys_width(
    tmp_path: Path, tool: Tool
) -> None:
    pair = key_pair()
    pem = pair.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    message = put(tmp_path, "message", b"long " * 500_000)
    request = ("rsa", "sign", "--key", put(tmp_path, "key", pem), "--in", message)
    content = tool.json(*request, "--no-crt", *BUILD)
    wanted = pair.sign(message.read_bytes(), theirs.PKCS1v15(), hashes.SHA256())
    assert content["output"] == wanted.hex()
    assert content["exponent_blinding_bits"] == 64
    assert content["cycles"] == sum(content["steps"].values())
    assert "power modulo n, divisor" in content["steps"]


def test_rows_that_cannot_work_together_are_refused(tmp_path: Path, tool: Tool) -> None:
    request = ("rsa", "sign", "--key", put(tmp_path, "key", b""), "--in", tmp_path, "--rows")
    tool.refuses("--rows takes 1 or 2, not '3'", *request, "3")
    tool.refuses("--rows 2 is for the two powers of CRT", *request, "2", "--no-crt")


# Every run reads and writes both forms without a command above.
@pytest.mark.parametrize("form", ["pem", pytest.param("der", marks=pytest.mark.nightly)])
def test_keys_are_generated_and_used(tmp_path: Path, tool: Tool, form: str) -> None:
    key, public = tmp_path / "key", tmp_path / "public"
    phrase = ("--passphrase-file", put(tmp_path, "phrase", SECRET))
    size = ("--size", "1024", "--primes", "openssl")
    request = ("rsa", "keygen", *size, "--form", form, "--out", key, *BUILD)
    secret = phrase if form == "pem" else ()
    content = tool.json(*request, "--public-out", public, *secret)
    assert content["encrypted"] is (form == "pem") and content["output"] == str(key)
    assert "check" in content["steps"]
    assert key.stat().st_mode & 0o777 == 0o600
    load = load_pem_private_key if form == "pem" else load_der_private_key
    made = load(key.read_bytes(), SECRET if secret else None)
    assert isinstance(made, rsa.RSAPrivateKey) and made.key_size == 1024
    assert keys.read_public_key(public).n == made.public_key().public_numbers().n
    if form == "pem":
        assert load_pem_public_key(public.read_bytes()) == made.public_key()
    before = key.read_bytes()
    tool.refuses("exists already", *request)
    assert key.read_bytes() == before


def test_wrong_requests_are_one_sentence(tmp_path: Path, tool: Tool) -> None:
    key = str(private_file(tmp_path, "pem", "pkcs8"))
    message = str(put(tmp_path, "message", b"m"))
    files_, keygen = ["--key", key, "--in", message], ["keygen", "--out", str(tmp_path / "new")]
    for words, arguments in {
        "--scheme takes pkcs1 or pss, not 'oaep'": ["sign", *files_, "--scheme", "oaep"],
        "--scheme takes pkcs1 or oaep, not 'pss'": ["decrypt", *files_, "--scheme", "pss"],
        "--hash takes sha1 or": ["sign", *files_, "--hash", "md5"],
        "--mgf1-hash takes": ["sign", *files_, "--scheme", "pss", "--mgf1-hash", "md5"],
        "--mgf1-hash is not for pkcs1": ["sign", *files_, "--mgf1-hash", "sha1"],
        "--label is only for oaep": ["encrypt", *files_, "--label", "00"],
        "takes bytes in hex": ["encrypt", *files_, "--scheme", "oaep", "--label", "0"],
        "not a ciphertext of this key": ["decrypt", *files_, *BUILD],
        "--form takes pem or der": [*keygen, "--form", "p12"],
        "a key has 1024 to 4096 bits": [*keygen, "--size", "512"],
        "--bits 1024 builds less than a key of --size 2048": [
            *(*keygen, "--bits", "1024", "--key-bits", "2048"),
        ],
        "/dev/zero is not a regular file": ["sign", "--key", "/dev/zero", "--in", message],
        "is not a regular": ["verify", *files_[:2], "--in", "/dev/zero", "--signature", message],
    }.items():
        tool.refuses(words, "rsa", *arguments)
    assert not (tmp_path / "new").exists()


def test_a_prompt_asks_for_the_passphrase(
    tmp_path: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar, shown = Mock(), list[int]()

    def asked(_: str) -> str:
        shown.append(bar.stop.call_count - bar.start.call_count)
        return ["wrong", "one", "two"][len(shown) - 1]

    prompt = Mock(side_effect=asked)
    monkeypatch.setattr(getpass, "getpass", prompt)
    display = MagicMock(bar=bar)
    monkeypatch.setattr(waiting, "switch_on", lambda: setattr(waiting, "_display", display))
    key = private_file(tmp_path, "pem", "pkcs8", encrypted=True)
    request = ("rsa", "sign", "--key", key, "--in", key)
    tool.refuses("cannot be decrypted with this passphrase", *request)
    prompt.assert_called_once_with(f"passphrase of {key}: ")
    monkeypatch.setenv("MONTCORE_PASSPHRASE", "also wrong")
    tool.refuses("cannot be decrypted with this passphrase", *request)
    monkeypatch.setenv("MONTCORE_PASSPHRASE", "")
    tool.refuses("is empty", *request)
    assert prompt.call_count == 1
    monkeypatch.delenv("MONTCORE_PASSPHRASE")
    words = ("rsa", "keygen", "--encrypt", "--out", tmp_path / "new")
    tool.refuses("the two passphrases differ", *words)
    assert shown == [1, 1, 1]  # no bar is drawn over the question


def test_a_result_that_cannot_be_written_is_refused_before_the_work(
    tool: Tool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montcore.cli.rsa._run", None)
    monkeypatch.setattr("montcore.cli.ec._run", None)
    words = ("--key", "key", "--in", "letter", "--out", "/nowhere/out")
    for verb in (("rsa", "sign"), ("rsa", "decrypt"), ("ecdsa", "sign"), ("ed25519", "sign")):
        tool.refuses("/nowhere/out cannot be written", *verb, *words)
    tool.refuses("/nowhere/out cannot be written", "rsa", "keygen", *words[-2:])
    public = ("--out", "new", "--public-out", "/nowhere/out")
    tool.refuses("/nowhere/out cannot be written", "rsa", "keygen", *public)


def command(key: Path) -> list[str]:
    verb = ["rsa", "sign", "--key", str(key), "--in", str(key)]
    return [sys.executable, "-m", "montcore", *verb]


def test_the_passphrase_is_not_echoed(tmp_path: Path) -> None:
    key = private_file(tmp_path, "pem", "pkcs8", encrypted=True)
    main, terminal = pty.openpty()
    # A new session takes the terminal that it opens first as its own.
    process = subprocess.Popen(
        [sys.executable, "-c", _IN_TERMINAL, os.ttyname(terminal), *command(key)],
        start_new_session=True,
    )
    shown = b""
    while b"passphrase of" not in shown:
        shown += os.read(main, 1024)
    os.write(main, b"open-sesame\n")
    while b"cannot be decrypted" not in shown:
        shown += os.read(main, 1024)
    assert process.wait(timeout=30) == 2
    os.close(terminal)
    os.close(main)
    assert b"open-sesame" not in shown


_IN_TERMINAL = """
import os, sys
number = os.open(sys.argv[1], os.O_RDWR)
for stream in range(3):
    os.dup2(number, stream)
os.execv(sys.argv[2], sys.argv[2:])
"""


def test_without_a_terminal_the_passphrase_is_not_read_from_standard_input(tmp_path: Path) -> None:
    key = private_file(tmp_path, "pem", "pkcs8", encrypted=True)
    done = subprocess.run(
        command(key),
        input="x\n",
        capture_output=True,
        text=True,
        start_new_session=True,
        timeout=60,
    )
    assert done.returncode == 2 and done.stdout == ""
    assert "there is no terminal to ask for the passphrase" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
