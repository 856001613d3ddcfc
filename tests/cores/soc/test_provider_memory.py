# SPDX-License-Identifier: Apache-2.0
"""Memory of programs that use the provider or the PKCS #11 module: what stays of secrets.

OpenSSL's memory is never freed in these programs, so that what is not cleared is found for certain.
"""

from collections import Counter
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import MGF1, OAEP, PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from needs import needs
from provider_setting import DRIVER, Setting, module
from rsa_numbers import key as made
from rsa_numbers import sequence

from montcore_lab.clients import Word, build_pkcs11, run, served

pytestmark = needs("openssl", "OpenSSL headers", "PKCS #11 header", "gcc")
#: The system's random bytes in these programs (memory_search.h).
RANDOM = bytes((37 * at + 11) % 256 for at in range(512))
MESSAGE = bytes(range(64, 112))
#: What `provider_wipe` gives for a passphrase.
PASSPHRASE = "dkryfmtahovcjqxe"
#: Programs of OpenSSL that give a key another form.
FORMS = {
    "rsa der": ["rsa", "-traditional", "-outform", "DER"],
    "ec der": ["ec", "-no_public", "-outform", "DER"],
    "rsa encrypted": ["rsa", "-traditional", "-aes128", "-passout", f"pass:{PASSPHRASE}"],
    "ec encrypted": ["pkcs8", "-topk8", "-passout", f"pass:{PASSPHRASE}"],
}


def of_rsa(path: Path) -> tuple[bytes, dict[str, int], dict[str, int]]:
    """Return a message that is encrypted for a key, and secret numbers.

    Returns:
        the encrypted message; the numbers that are kept after a signature of the byte 1 and the
        decryption of the message; the others.
    """
    key = load_pem_private_key(path.read_bytes(), None)
    assert isinstance(key, RSAPrivateKey)
    numbers = key.private_numbers()
    p, q, d, dp, dq = numbers.p, numbers.q, numbers.d, numbers.dmp1, numbers.dmq1
    n, e = numbers.public_numbers.n, numbers.public_numbers.e
    text = key.public_key().encrypt(MESSAGE, OAEP(MGF1(SHA256()), SHA256(), None))
    signature = int.from_bytes(key.sign(b"\1", PKCS1v15(), SHA256()), "big")
    opened = pow(int.from_bytes(text, "big"), d, n)
    size = n.bit_length()
    r = int.from_bytes(RANDOM[: size // 8], "little") % (1 << (size - 1))
    blind = int.from_bytes(RANDOM[:8], "little")
    used = {"d": d, "opened": opened, "message": int.from_bytes(MESSAGE, "big"), "r": r}
    for name, prime, exponent in (("p", p, dp), ("q", q, dq)):
        used[f"blind-d{name}"] = exponent + blind * (prime - 1)
        used[f"new-d{name}"] = prime - 2 + blind * (prime - 1)
    factor, inverse = pow(r, e, n), pow(r, -1, n)
    for at, result in enumerate((signature, opened)):
        used |= {f"factor{at}": factor, f"inverse{at}": inverse}
        used[f"base{at}"] = pow(result, e, n) * factor % n
        used[f"power{at}"] = result * pow(inverse, -1, n) % n
        used |= {f"half-{name}{at}": used[f"power{at}"] % m for name, m in (("p", p), ("q", q))}
        factor, inverse = pow(factor, 2, n), pow(inverse, 2, n)
    kept = {"p": p, "q": q, "dp": dp, "dq": dq, "qinv": numbers.iqmp}
    return text, {**kept, "factor": factor, "inverse": inverse}, used


def of_curve(path: Path) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of a key on P-256, and the nonce of a signature."""
    key = load_pem_private_key(path.read_bytes(), None)
    assert isinstance(key, EllipticCurvePrivateKey)
    nonce = int.from_bytes(RANDOM[:32], "little")
    return {"ec-d": key.private_numbers().private_value}, {"nonce": nonce}


def text_of(path: Path) -> dict[str, int]:
    """Return the lines of base64 of a file in PEM, or nothing for DER."""
    lines = path.read_bytes().splitlines()
    text = [line for line in lines if b"-----" in lines[0] and b"-----" not in line]
    return {f"{path.stem[:6]}-{at}": int.from_bytes(line, "big") for at, line in enumerate(text)}


def parts(number: int) -> int:
    """Return how many parts of 8 bytes a number has."""
    return -(-number.bit_length() // 64)


def left(
    setting: Setting, name: str, words: list[Word], secrets: dict[str, int], **settings: str
) -> Counter[str]:
    """Compile a program, and return where it finds parts of secrets in its memory."""
    program = setting.folder / name
    options = ["-O1", "-Wall", "-Wextra", "-Werror", "-rdynamic", "-I/usr/include/p11-kit-1"]
    run(["gcc", *options, "-o", program, DRIVER / f"{name}.c", "-lcrypto"])
    lines = "".join(
        f"{what} {bytes(byte ^ 0xA5 for byte in value.to_bytes(8 * parts(value), 'big')).hex()}\n"
        for what, value in secrets.items()
    )
    # A loader that binds a function at its first call saves registers, vectors too, on the stack.
    env = {**setting.programs.env, **settings, "LD_BIND_NOW": "1"}
    said = run([program, *words], env, data=lines.encode()).decode()
    return Counter(line.rsplit(" ", 1)[0] for line in said.splitlines())


def copies(kept: dict[str, int]) -> dict[str, int]:
    """Return what is found if each of these numbers is in memory once, until it is freed."""
    return {f"held {name} limbs": parts(value) for name, value in kept.items()}


def converted(setting: Setting, key: Path, form: str) -> Path:
    """Return a file with a key in another form."""
    file = setting.folder / f"{form}-{key.name}"
    run(["openssl", *FORMS[form], "-in", key, "-out", file])
    return file


@pytest.mark.parametrize("form", ["rsa", "ec"])
def test_once_it_is_freed_nothing_of_an_encrypted_key_stays_in_memory(
    setting: Setting, form: str
) -> None:
    key, text = setting.curve.key, b""
    if form == "rsa":
        key = setting.short
        text, kept, used = of_rsa(key)
    else:
        kept, used = of_curve(key)
    name = f"montcore:file={converted(setting, key, f'{form} encrypted')}"
    secrets = {**kept, **used, "passphrase": int.from_bytes(PASSPHRASE.encode(), "big")}
    words: list[Word] = [setting.programs.module.parent, name, text.hex()]
    assert left(setting, "provider_wipe", words, secrets) == copies(kept)


@pytest.mark.parametrize("form", ["pkcs8", "der"])
def test_a_token_keeps_its_keys_once_and_nothing_of_them_after_its_end(
    setting: Setting, form: str
) -> None:
    text, kept, used = of_rsa(setting.short)
    on_curve, nonce = of_curve(setting.curve.key)
    keys = [setting.short, setting.curve.key]
    if form == "der":
        keys = [
            converted(setting, key, f"{at} der")
            for at, key in zip(("rsa", "ec"), keys, strict=True)
        ]
    secrets = {**kept, **used, **on_curve, **nonce, **text_of(keys[0]), **text_of(keys[1])}
    words: list[Word] = [module(build_pkcs11), text.hex()]
    listed = f"{keys[0]},{keys[1]}"
    found = left(setting, "pkcs11_wipe", words, secrets, MONTCORE_PKCS11_KEYS=listed)
    assert found == copies({**kept, **on_curve})


def test_with_a_locked_key_neither_it_nor_what_it_opens_is_in_memory(setting: Setting) -> None:
    text, kept, used = of_rsa(setting.short)
    secrets = {**kept, **{name: used[name] for name in ("d", "opened", "message")}}
    path = setting.folder / "locked"
    words: list[Word] = [setting.programs.module.parent, "montcore:locked", text.hex()]
    with served(path, "--key", str(setting.short)):
        assert not left(setting, "provider_wipe", words, secrets, MONTCORE_SOCKET=str(path))


@pytest.mark.nightly  # every run has keys of a token that is accepted
@pytest.mark.parametrize("why", ["wrong numbers", "another kind"])
def test_nothing_of_keys_stays_in_memory_if_a_token_is_refused(setting: Setting, why: str) -> None:
    _, kept, used = of_rsa(setting.short)
    file = setting.folder / "wrong"
    if why == "wrong numbers":
        wrong = list(made(256, 256, 1).numbers)
        wrong[-1] ^= 2
        file.write_bytes(sequence(0, *wrong))
    else:
        file.write_bytes(run(["openssl", "genpkey", "-algorithm", "ED25519", "-outform", "DER"]))
        wrong = [0, 0, int.from_bytes(file.read_bytes()[-32:], "big")]
    secrets = {**kept, **used, **{f"wrong{at}": value for at, value in enumerate(wrong[2:])}}
    words: list[Word] = [module(build_pkcs11), "00"]
    keys = f"{setting.short},{file}"
    found = left(setting, "pkcs11_wipe", words, secrets, MONTCORE_PKCS11_KEYS=keys)
    assert found == {"refused": 1}
