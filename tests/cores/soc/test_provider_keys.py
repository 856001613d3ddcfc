# SPDX-License-Identifier: Apache-2.0
"""Keys of the provider: forms of files, restrictions, wrong numbers; the provider's own name.

TLS with its keys: every cipher suite that OpenSSL has for them.
"""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from needs import needs
from provider_setting import Setting
from rsa_numbers import Key, key, pss_key, sequence

from montcore.ecc.curves import get_curve
from montcore.rsa.keys import read_private_key
from montcore.soc.held import read_held
from montcore.support.errors import CheckFailedError, RequestError
from montcore_lab import tls as chain
from montcore_lab.clients import Word, run

pytestmark = needs("openssl", "OpenSSL headers", "gcc")
#: The numbers of a key that its user could have wrong.
NUMBERS = ("n", "e", "d", "p", "q", "dp", "dq", "qinv")
#: A key for SHA-256, masks of SHA-256 and 32 bytes of salt at least.
RULE = {"md": "sha256", "mgf1_md": "sha256", "saltlen": "32"}


def works(command: list[Word], programs: Setting | None = None) -> bool:
    """Tell whether an openssl command succeeds, with the provider or without."""
    try:
        if programs:
            programs.programs.openssl(*command)
        else:
            run(["openssl", *command])
    except CheckFailedError:
        return False
    return True


def test_a_key_of_pss_may_be_used_as_openssl_would_use_it(setting: Setting) -> None:
    letter, signature = setting.letter, setting.folder / "signature"
    options = [f"rsa_pss_saltlen:{salt}" for salt in ("31", "40", "max", "digest")]
    options += ["rsa_padding_mode:pkcs1", "rsa_padding_mode:pss", "rsa_mgf1_md:sha1"]
    permitted = set()
    rules: dict[str, dict[str, str]] = {"restricted": RULE, "free": {}}
    for name, rule in rules.items():
        path = pss_key(setting.folder / f"{name}.pem", 832, **rule)
        public = chain.public_key(path)
        uses: list[list[Word]] = [["-sha256"], ["-sha384"]]
        uses += [["-sha256", "-sigopt", option] for option in options]
        for use in uses:

            def sign(wanted: Path, use: list[Word] = use) -> list[Word]:
                return ["dgst", *use, "-sign", str(wanted), "-out", signature, letter]

            done = works(sign(Path(f"montcore:file={path}")), setting)
            if done:
                run(["openssl", "dgst", *use, "-verify", public, "-signature", signature, letter])
                permitted.add((name, str(use[-1])))
            assert done == works(sign(path)), (name, use)
        padding: list[Word] = ["-pkeyopt", "rsa_padding_mode:oaep", "-in", signature]
        assert not works(
            ["pkeyutl", "-decrypt", "-inkey", f"montcore:file={path}", *padding], setting
        )
        with pytest.raises(CheckFailedError):
            setting.programs.openssl("pkey", "-in", f"montcore:file={path}")
        with pytest.raises(RequestError, match="for PSS only, which cannot be locked"):
            read_held(path, lambda: b"")
    assert {use for name, use in permitted if name == "free"} - {"rsa_padding_mode:pkcs1"} == {
        use for name, use in permitted if name == "restricted"
    } | {"-sha384", "rsa_pss_saltlen:31", "rsa_mgf1_md:sha1"}


def wrong(number: str) -> bytes:
    """Return a file of a key, one of whose numbers is another one's."""
    right, other = key(256, 256, 1).numbers, key(256, 256, 2).numbers
    at = NUMBERS.index(number)
    right[at] = 3 if number == "e" else other[at]
    return sequence(0, *right)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_that_are_not_those_of_one_key_are_refused_at_once(
    setting: Setting, number: str
) -> None:
    path = setting.folder / f"wrong-{number}.der"
    path.write_bytes(wrong(number))
    nowhere = replace(setting.programs, socket=Path("/nowhere"))  # it is not asked
    with pytest.raises(CheckFailedError, match="numbers are inconsistent"):
        nowhere.openssl("dgst", "-sha256", "-sign", f"montcore:file={path}", setting.letter)
    with pytest.raises(RequestError, match=r"numbers are inconsistent|no complete RSA private key"):
        read_private_key(path)


@pytest.mark.parametrize("what", ["another point", "no point", "too long", "infinity"])
def test_ec_numbers_that_are_not_those_of_one_key_are_refused_at_once(
    setting: Setting, what: str
) -> None:
    curve = get_curve("P-256")
    point = curve.multiply(6, curve.base)
    assert point
    number = {"no point": curve.n + 5, "too long": 1 << 600, "infinity": curve.n}.get(what, 5)
    octets = number.to_bytes(76 if what == "too long" else 32, "big")
    key = b"\x02\x01\x01" + bytes([4, len(octets)]) + octets
    key += bytes.fromhex("a00a06082a8648ce3d030107")
    if what != "no point":
        public = b"".join(x.to_bytes(32, "big") for x in point)
        key += bytes.fromhex("a14403420004") + public
    path = setting.folder / "wrong-ec.der"
    path.write_bytes(bytes([0x30, 0x81, len(key)]) + key)
    with pytest.raises(CheckFailedError, match=f"{path} is damaged: its numbers are inconsistent"):
        setting.programs.openssl("pkey", "-noout", "-in", f"montcore:file={path}")


def test_a_factor_that_is_no_prime_is_found_out_by_the_first_result(setting: Setting) -> None:
    primes = [key(128, 128, seed) for seed in (3, 4)]
    made = Key(primes[0].p * primes[0].q, primes[1].p * primes[1].q, 65537)
    path = setting.folder / "composite.der"
    path.write_bytes(sequence(0, *made.numbers))
    with pytest.raises(CheckFailedError, match="did not pass its check"):
        setting.sign(f"montcore:file={path}")


@pytest.mark.parametrize("kind", ["rsa", "ec"])
def test_a_key_is_read_from_every_form_of_file(setting: Setting, kind: str) -> None:
    plain = setting.short if kind == "rsa" else setting.curve.key
    made: dict[str, list[Word]] = {
        "pkcs8.der": ["pkcs8", "-topk8", "-nocrypt", "-outform", "DER"],
        "encrypted.der": ["pkcs8", "-topk8", "-outform", "DER", "-passout", "pass:word"],
        "encrypted.pem": ["pkcs8", "-topk8", "-passout", "pass:word"],
        "traditional.der": [kind, "-outform", "DER", *(["-traditional"] * (kind == "rsa"))],
        "traditional.pem": ["pkey", "-traditional", "-aes128", "-passout", "pass:word"],
    }
    for name, words in made.items():
        path = setting.folder / f"{kind}-{name}"
        run(["openssl", *words, "-in", plain, "-out", path])
        command: list[Word] = ["pkey", "-pubout", "-in", f"montcore:file={path}", "-passin"]
        public = setting.programs.openssl(*command, "pass:word")
        assert public == chain.public_key(plain).read_bytes(), name
        if "encrypted" in name:
            with pytest.raises(CheckFailedError):
                setting.programs.openssl(*command, "pass:another")


def test_a_file_that_gives_no_key_is_named_with_the_reason(setting: Setting) -> None:
    plain, path = setting.short, setting.folder / "no-key"
    generate: list[Word] = ["genpkey", "-algorithm"]
    curve: list[Word] = [*generate, "EC", "-pkeyopt", "ec_paramgen_curve:secp160k1"]
    public: list[Word] = ["pkey", "-in", plain, "-pubout"]
    lock: list[Word] = ["pkey", "-in", plain, "-passout", "pass:word", "-aes128"]
    pem, long = plain.read_bytes().replace(b"M", b"-", 1), sequence(0, 1 << 4096 | 1, *[3] * 7)
    refused: list[tuple[list[Word] | bytes, str]] = [
        ([*generate, "ED25519"], "has a key of another kind, ED25519"),
        (curve, "has the curve secp160k1, which is not supported"),
        ([*curve[:-1], "ec_paramgen_curve:SM2"], "has the curve SM2, which is not supported"),
        (public, "has only a public key"),
        ([*public, "-outform", "DER"], "has only a public key"),
        (["req", "-x509", "-key", plain, "-subj", "/CN=me"], "has no private key"),
        (lock, "cannot be decrypted with this passphrase"),
        ([*lock, "-traditional"], "cannot be decrypted with this passphrase"),
        (pem, "has no key that can be read: it is damaged, or of another"),
        (pem[:-30], "has no key that can be read: it is damaged, or of another"),
        (pem.replace(b"PRIV", b"OPENSSH PRIV"), "is for OpenSSH: ssh-keygen -p -m PKCS8 converts"),
        (bytes(65537), "is too long for a key"),
        (long, "has 4097 bits, more than 4096"),
        (wrong("p"), "is damaged: its numbers are inconsistent"),
    ]
    command: list[Word] = ["pkey", "-pubout", "-passin", "pass:another", "-in"]
    for made, why in refused:
        path.write_bytes(made if isinstance(made, bytes) else run(["openssl", *made]))
        with pytest.raises(CheckFailedError, match=f":montcore: {path} {why}"):
            setting.programs.openssl(*command, f"montcore:file={path}")
    reasons = {"/nothing": "cannot be read: No such file", "/": "is not a regular", "": "names no"}
    for missing, why in reasons.items():
        name = f"{setting.folder}{missing}" if missing else ""
        with pytest.raises(CheckFailedError, match=f":montcore: {name or 'montcore:file='} {why}"):
            setting.programs.openssl(*command, f"montcore:file={name}")


@pytest.mark.nightly
def test_the_provider_may_have_any_name_and_be_there_twice(setting: Setting) -> None:
    module = setting.programs.module
    copy = module.with_name("copy.so")
    copy.write_bytes(module.read_bytes())
    start = "openssl_conf = start\n[start]\nproviders = list\n[known]\nactivate = 1\n[list]\n"
    file = setting.folder / "names.cnf"
    lists = {"default": "known", "hsm": "first", "spare": "second", str(copy): "third"}
    file.write_text(
        start
        + "".join(f"{name} = {section}\n" for name, section in lists.items())
        + "".join(
            f"[{section}]\nmodule = {path}\nactivate = 1\nsocket = {setting.programs.socket}\n"
            for section, path in (("first", module), ("second", module), ("third", copy))
        )
    )
    env = {**setting.programs.env, "OPENSSL_CONF": str(file)}
    # It asks each provider for TLS's groups.
    assert b"TLS_AES_256_GCM_SHA384" in run(["openssl", "ciphers", "-s", "-tls1_3"], env)
    setting.check(
        run(["openssl", "dgst", "-sha256", "-sign", setting.key, setting.letter], env),
        setting.short,
    )
    command: list[Word] = ["openssl", "ciphers", "-s", "-provider", module, "-provider", "default"]
    assert run(command, setting.programs.env)


#: All suites of OpenSSL; level 0 has those of short keys and without encryption.
ALL = "ALL:COMPLEMENTOFALL:@SECLEVEL=0"
SHARED = "00112233445566778899aabbccddeeff"
TLS_1_3 = (
    "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256",
    "TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256",
)  # fmt: skip


def suites(kind: str) -> list[tuple[str, str]]:
    """Return the suites of TLS 1.2 that use a key of a kind, each with its key exchange."""
    said = run(["openssl", "ciphers", "-s", "-tls1_2", "-psk", "-V", ALL]).decode()
    return re.findall(rf"- (\S+) +TLSv\S+ +Kx=(\S+) +Au={kind} ", said) + re.findall(
        rf"- (\S+) +SSLv3 +Kx=(\S+) +Au={kind} ", said
    )


def shake_hands(setting: Setting, kind: str, *, every: bool) -> dict[str, int]:
    """Make a handshake with every suite, or with two of each exchange; return the numbers."""
    identity = setting.self_signed(setting.short if kind == "RSA" else setting.curve.key)
    done: dict[str, int] = {}
    options = ["-cipher", ALL, "-ciphersuites", ":".join(TLS_1_3), "-psk", SHARED]
    with setting.programs.tls_server(f"montcore:file={identity.key}", identity, *options) as server:
        for suite, exchange in suites(kind):
            done[exchange] = done.get(exchange, 0) + 1
            if every or done[exchange] <= 2:
                psk = ["-psk", SHARED] if exchange == "RSAPSK" else []
                server.handshake("tls1_2", "-cipher", f"{suite}:@SECLEVEL=0", *psk)
        if kind == "RSA":  # the version before, whose signatures are of two hashes
            for suite in ("AES128-SHA", "ECDHE-RSA-AES128-SHA"):
                server.handshake("tls1_1", "-cipher", f"{suite}:@SECLEVEL=0")
        # TLS 1.3 does not sign with RSA keys of 1024 bits; its suites do not depend on the key.
        for suite in TLS_1_3 if kind == "ECDSA" else ():
            if every or suite == TLS_1_3[0]:
                server.handshake("tls1_3", "-ciphersuites", suite)
    return done


def test_every_way_of_exchanging_keys_works_with_rsa(setting: Setting) -> None:
    found = shake_hands(setting, "RSA", every=False)
    assert set(found) == {"RSA", "DH", "ECDH", "RSAPSK"}
    assert sum(found.values()) > 50


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["RSA", "ECDSA"])
def test_every_suite_works(setting: Setting, kind: str) -> None:
    assert shake_hands(setting, kind, every=True)["ECDH"] > (12 if kind == "ECDSA" else 11)


@pytest.mark.nightly  # test_provider_keys.py has the key in every run
def test_a_key_of_pss_authenticates_in_both_versions(setting: Setting) -> None:
    key = pss_key(setting.folder / "pss.pem", 2048)
    identity = setting.self_signed(key)
    with setting.programs.tls_server(f"montcore:file={key}", identity) as server:
        server.handshake("tls1_2")
        server.handshake("tls1_3")
