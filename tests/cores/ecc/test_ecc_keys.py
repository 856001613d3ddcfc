# SPDX-License-Identifier: Apache-2.0
"""Key files of curves: every curve of the engine is read from them, or named in the refusal."""

from pathlib import Path

import pytest
from needs import needs

from montcore.ecc import keys
from montcore.ecc.curves import all_curves
from montcore.soc.held import read_held
from montcore.support.errors import RequestError
from montcore_lab.clients import run

pytestmark = needs("openssl")
WORD = b"word"
#: Curves with keys of their own kind, which are not for ECDSA.
OTHERS = ("ed25519", "ed448", "x25519", "x448")


@pytest.mark.parametrize("curve", all_curves())
def test_a_key_on_every_curve_is_read_or_its_curve_named(tmp_path: Path, curve: str) -> None:
    plain, public, secret = (tmp_path / name for name in ("plain.pem", "public.der", "secret.der"))
    algorithm = ["-algorithm", curve]
    if curve not in OTHERS:
        algorithm = ["-algorithm", "EC", "-pkeyopt", f"ec_paramgen_curve:{curve}"]
    run(["openssl", "genpkey", *algorithm, "-out", plain])
    run(["openssl", "pkey", "-in", plain, "-pubout", "-outform", "DER", "-out", public])
    encrypt = ["openssl", "pkcs8", "-topk8", "-outform", "DER", "-passout", "pass:word"]
    run([*encrypt, "-in", plain, "-out", secret])
    found = set()
    for path in (plain, public, secret):
        try:
            key = keys.read_public_key(path, lambda: WORD)
        except RequestError as error:
            assert f"of {curve}" in str(error).lower() or f"on {curve};" in str(error), path
            found.add("refused")
        else:
            assert key.curve.name == curve
            if path != public:
                assert keys.read_private_key(path, lambda: WORD).public == key
            found.add("read")
    assert len(found) == 1
    if found == {"refused"} and curve not in OTHERS:
        with pytest.raises(RequestError, match=f"on {curve};"):
            read_held(secret, lambda: WORD)


def test_a_passphrase_that_is_wrong_and_what_is_no_key_are_told_apart(tmp_path: Path) -> None:
    plain, path = tmp_path / "key.pem", tmp_path / "key.der"
    run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "group:P-256", "-out", plain])
    encrypt = ["openssl", "pkcs8", "-topk8", "-outform", "DER", "-passout", "pass:word"]
    run([*encrypt, "-in", plain, "-out", path])
    assert keys.read_public_key(path, lambda: WORD).curve.name == "prime256v1"
    with pytest.raises(RequestError, match="cannot be decrypted with this passphrase"):
        keys.read_public_key(path, lambda: b"other")
    refusals = {b"text": "public key or certificate", b"PRIVATE KEY-----": "private key"}
    for text, what in refusals.items():
        path.write_bytes(text)
        with pytest.raises(RequestError, match=f"holds no {what} that can be read"):
            keys.read_public_key(path, lambda: WORD)
