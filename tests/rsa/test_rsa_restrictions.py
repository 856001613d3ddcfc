# SPDX-License-Identifier: Apache-2.0
"""Keys of RSASSA-PSS: what `montcore rsa` permits is what OpenSSL permits."""

import os
from pathlib import Path

import pytest
from needs import needs
from programs import program
from rsa_numbers import pss_key
from rsa_tools import Modelled

from montcore.rsa import keys
from montcore.rsa.operations import RsaUnit
from montcore.rsa.padding import Padding
from montcore.rsa.restrictions import Uses
from montcore.support.errors import RequestError
from montcore_lab.clients import Word, run

pytestmark = needs("openssl")
MESSAGE = b"a message"
HASHES = ("sha1", "sha256", "sha512")
RULES = {
    "free": {},
    "defaults": {"md": "sha1", "mgf1_md": "sha1", "saltlen": "20"},
    "sha256": {"md": "sha256", "mgf1_md": "sha256", "saltlen": "32"},
    "long salt": {"md": "sha256", "mgf1_md": "sha1", "saltlen": "40"},
}


def make(folder: Path, rule: dict[str, str]) -> Path:
    path = pss_key(folder / "key.pem", 1280, **rule)
    run(["openssl", "pkey", "-in", path, "-pubout", "-out", folder / "public.pem"])
    return path


@pytest.mark.parametrize("rule", RULES)
def test_signatures_are_made_and_accepted_where_openssl_does_so(tmp_path: Path, rule: str) -> None:
    path, letter, file = make(tmp_path, RULES[rule]), tmp_path / "letter", tmp_path / "signature"
    letter.write_bytes(MESSAGE)
    key, public = keys.read_private_key(path), keys.read_public_key(tmp_path / "public.pem")
    assert key.uses == public.uses
    unit = RsaUnit(Modelled(1280), os.urandom)
    permitted = 0
    for digest in HASHES:
        for mask in HASHES:
            options: list[Word] = ["dgst", f"-{digest}", "-sigopt", "rsa_padding_mode:pss"]
            options += ["-sigopt", f"rsa_mgf1_md:{mask}"]
            their = [*options, "-sign", path, "-out", file, letter]
            if program("openssl", *their).returncode:
                with pytest.raises(RequestError, match="only, not"):
                    unit.sign(key, MESSAGE, Padding("pss", digest, mask))
                with pytest.raises(RequestError, match="only, not"):
                    unit.verify(public, MESSAGE, bytes(160), Padding("pss", digest, mask))
                continue
            permitted += 1
            signed = file.read_bytes()
            assert unit.verify(public, MESSAGE, signed, Padding("pss", digest, mask))
            file.write_bytes(unit.sign(key, MESSAGE, Padding("pss", digest, mask)))
            length = max(int(RULES[rule].get("saltlen", 0)), int(digest[3:]) // 8)
            salt = "auto" if rule == "free" else length
            checks = [*options, "-sigopt", f"rsa_pss_saltlen:{salt}"]
            checks += ["-verify", tmp_path / "public.pem", "-signature", file, letter]
            run(["openssl", *checks])
    assert permitted == (9 if rule == "free" else 1)


def test_a_salt_that_is_too_short_is_not_accepted(tmp_path: Path) -> None:
    path, letter = make(tmp_path, RULES["sha256"]), tmp_path / "letter"
    letter.write_bytes(MESSAGE)
    key = keys.read_private_key(path)
    unit = RsaUnit(Modelled(1280), os.urandom)
    bare = keys.PrivateKey(key.n, key.e, key.d, key.p, key.q, uses=Uses(pss=True))
    short = keys.PublicKey(key.n, key.e, uses=Uses(True, "sha256", "sha256", 33))
    signature = unit.sign(bare, MESSAGE, Padding("pss", "sha256"))
    assert unit.verify(key, MESSAGE, signature, Padding("pss", "sha256"))
    assert not unit.verify(short, MESSAGE, signature, Padding("pss", "sha256"))


@pytest.mark.parametrize("rule", RULES)
def test_a_key_of_pss_is_for_nothing_else(tmp_path: Path, rule: str) -> None:
    key = keys.read_private_key(make(tmp_path, RULES[rule]))
    unit = RsaUnit(Modelled(1280), bytes)
    for refused in (
        lambda: unit.sign(key, MESSAGE, Padding("pkcs1", "sha256")),
        lambda: unit.verify(key, MESSAGE, bytes(160), Padding("pkcs1", "sha256")),
        lambda: unit.encrypt(key, MESSAGE, Padding("oaep")),
        lambda: unit.decrypt(key, bytes(160), Padding("oaep")),
        lambda: unit.decrypt(key, bytes(160)),
    ):
        with pytest.raises(RequestError, match="by PSS only"):
            refused()


def test_the_restrictions_are_read_from_every_form_of_file(tmp_path: Path) -> None:
    path = make(tmp_path, RULES["sha256"])
    wanted = Uses(True, "sha256", "sha256", 32)
    secret: list[Word] = ["-passout", "pass:word"]
    forms: dict[str, list[Word]] = {
        "der": ["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"],
        "aes": ["pkcs8", "-topk8", *secret],
        "aes.der": ["pkcs8", "-topk8", "-v2", "aes-128-cbc", *secret, "-outform", "DER"],
        "prf": ["pkcs8", "-topk8", "-v2", "aes192", "-v2prf", "hmacWithSHA512", *secret],
        "sha1": ["pkcs8", "-topk8", "-v2", "aes256", "-v2prf", "hmacWithSHA1", *secret],
        "scrypt": ["pkcs8", "-topk8", "-scrypt", *secret],
        "certificate": ["req", "-x509", "-subj", "/CN=a"],
        "certificate.der": ["req", "-x509", "-subj", "/CN=a", "-outform", "DER"],
        "public.der": ["pkey", "-pubout", "-outform", "DER"],
    }
    for name, words in forms.items():
        out = tmp_path / name
        source: list[Word] = ["-key", path] if words[0] == "req" else ["-in", path]
        run(["openssl", *words, *source, "-out", out])
        assert keys.read_public_key(out, lambda: b"word").uses == wanted, name
    out = tmp_path / "des"
    run(["openssl", "pkcs8", "-topk8", "-v2", "des3", *secret, "-in", path, "-out", out])
    with pytest.raises(RequestError, match="encrypted otherwise than by AES"):
        keys.read_public_key(out, lambda: b"word")
