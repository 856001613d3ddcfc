# SPDX-License-Identifier: Apache-2.0
"""The PKCS #11 module: what OpenSC's pkcs11-tool does with keys of a simulated accelerator."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.serialization import load_pem_private_key
from cryptography.x509 import SubjectKeyIdentifier
from needs import needs
from provider_setting import module
from rsa_numbers import key as numbers
from rsa_numbers import sequence
from serving import SMALL

from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore_lab.clients import Word, build_pkcs11, environment, run, served
from montcore_lab.tls import MESSAGE, public_key

pytestmark = needs("openssl", "OpenSSL headers", "PKCS #11 header", "opensc-tool", "gcc")
DRIVER = REPO_ROOT / "tests" / "support" / "driver"
KINDS = {
    # Short, as signatures are simulated, but with room for a PSS with two times 512 bits.
    "rsa": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1088"],
    "p256": ["-algorithm", "EC", "-pkeyopt", "group:P-256"],
    "long": ["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:3072"],
    "p384": ["-algorithm", "EC", "-pkeyopt", "group:P-384"],
    "pss": [
        *("-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:1024"),
        *("-pkeyopt", "rsa_pss_keygen_md:sha256", "-pkeyopt", "rsa_pss_keygen_mgf1_md:sha256"),
        *("-pkeyopt", "rsa_pss_keygen_saltlen:32"),
    ],
}
PSS = ["--hash-algorithm", "SHA256", "--mgf", "MGF1-SHA256", "--salt-len", "32"]
NIGHTLY = pytest.mark.nightly


def make_key(folder: Path, kind: str) -> Path:
    key = folder / f"{kind}.pem"
    if not key.exists():
        run(["openssl", "genpkey", *KINDS[kind], "-out", key])
    return key


def identifier(key: Path) -> str:
    """Return the key identifier that a certificate would contain."""
    made = load_pem_private_key(key.read_bytes(), None)
    return SubjectKeyIdentifier.from_public_key(made.public_key()).digest.hex()  # type: ignore[arg-type]


@dataclass(frozen=True)
class Token:
    """An accelerator of 2048 bits, curves of 256, the module in front of it, and two keys."""

    module: Path
    socket: Path
    folder: Path

    def tool(self, *words: Word, keys: str = "", **settings: str) -> bytes:
        """Run pkcs11-tool with keys: those of the token unless others are named."""
        named = keys or ",".join(str(self.folder / f"{kind}.pem") for kind in ("rsa", "p256"))
        chosen = {"MONTCORE_PKCS11_VERBOSE": "1", "MONTCORE_PKCS11_KEYS": named, **settings}
        env = environment(self.socket, **chosen)
        return run(["pkcs11-tool", "--module", self.module, *words], env)

    def sign(
        self, kind: str, mechanism: str, *words: Word, keys: str = "", **settings: str
    ) -> bytes:
        """Sign the letter, or for a mechanism without a digest of its own its digest."""
        letter, signature = self.folder / "letter", self.folder / "signature"
        key = make_key(self.folder, kind)
        data = MESSAGE if "SHA" in mechanism else hashlib.sha256(MESSAGE).digest()
        letter.write_bytes(data)
        signature.unlink(missing_ok=True)
        start = ["--sign", "--id", identifier(key), "--mechanism", mechanism]
        start += ["--signature-format", "openssl"] if mechanism.startswith("ECDSA") else []
        try:
            self.tool(*start, *words, "-i", letter, "-o", signature, keys=keys, **settings)
        except CheckFailedError:
            assert not signature.exists() or not signature.read_bytes()
            raise
        return signature.read_bytes()

    def check(self, kind: str, signature: bytes, *options: str, digest: str = "-sha256") -> None:
        """Verify by openssl."""
        paths = [self.folder / name for name in ("checked-signature", "checked-letter")]
        paths[0].write_bytes(signature)
        paths[1].write_bytes(MESSAGE)
        public = public_key(self.folder / f"{kind}.pem")
        command: list[Word] = ["openssl", "dgst", digest, *options, "-verify", public]
        run([*command, "-signature", *paths])


@pytest.fixture(scope="module")
def token(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Token]:
    folder = tmp_path_factory.mktemp("pkcs11")
    for kind in ("rsa", "p256"):
        make_key(folder, kind)
    with served(folder / "socket"):
        yield Token(module(build_pkcs11), folder / "socket", folder)


def test_the_token_shows_its_keys_and_their_public_parts(token: Token) -> None:
    shown = token.tool("--list-objects").decode()
    assert re.findall(r"^(\w+) Key Object; (\w+)", shown, re.M) == [
        ("Private", "RSA"), ("Public", "RSA"), ("Private", "EC"), ("Public", "EC")
    ]  # fmt: skip
    assert shown.count("sensitive") == 2
    assert "extract" not in shown
    for kind in ("rsa", "p256"):
        key = token.folder / f"{kind}.pem"
        assert shown.count(identifier(key)) == 2
        der = token.tool("--read-object", "--type", "pubkey", "--id", identifier(key))
        assert der == run(["openssl", "pkey", "-in", key, "-pubout", "-outform", "DER"])
    flags = token.tool("--list-slots").decode()
    assert "readonly" in flags
    assert "login required" not in flags


def test_sizes_of_keys_are_those_that_the_accelerator_is_built_for(token: Token) -> None:
    small = token.folder / "small"
    with served(small, *SMALL):
        for path, wanted in (
            (token.socket, {("SHA256-RSA-PKCS", "512,2048"), ("ECDSA-SHA256", "256,256")}),
            (small, set()),
            ("/nowhere", {("SHA256-RSA-PKCS", "512,4096"), ("ECDSA-SHA256", "256,521")}),
        ):
            listed = token.tool("--list-mechanisms", MONTCORE_SOCKET=str(path)).decode()
            sizes = re.findall(r"^  (\S+SHA256|SHA256-RSA-PKCS), keySize={(\S+)}", listed, re.M)
            assert (set(sizes), listed.count("\n")) == (wanted, 14)


@pytest.mark.parametrize(
    ("kind", "mechanism", "words", "options"),
    [
        ("p256", "ECDSA", [], []),
        ("p256", "ECDSA-SHA256", [], []),
        ("rsa", "SHA256-RSA-PKCS", [], []),
        pytest.param(
            "rsa", "RSA-PKCS-PSS", PSS, ["-sigopt", "rsa_padding_mode:pss"], marks=NIGHTLY
        ),
        pytest.param(
            "rsa", "SHA256-RSA-PKCS-PSS", [], ["-sigopt", "rsa_padding_mode:pss"], marks=NIGHTLY
        ),
    ],
)
def test_openssl_verifies_what_the_token_signs(
    token: Token, kind: str, mechanism: str, words: list[str], options: list[str]
) -> None:
    token.check(kind, token.sign(kind, mechanism, *words), *options)


def test_a_key_of_pss_signs_what_it_permits(token: Token) -> None:
    keys = str(make_key(token.folder, "pss"))
    pss = ["-sigopt", "rsa_padding_mode:pss"]
    token.check("pss", token.sign("pss", "SHA256-RSA-PKCS-PSS", keys=keys), *pss)
    for mechanism, words, answer in (
        ("SHA384-RSA-PKCS-PSS", [], "MECHANISM_PARAM_INVALID"),
        ("SHA256-RSA-PKCS-PSS", ["--salt-len", "31"], "MECHANISM_PARAM_INVALID"),
        ("SHA256-RSA-PKCS-PSS", ["--mgf", "MGF1-SHA1"], "MECHANISM_PARAM_INVALID"),
        ("SHA256-RSA-PKCS", [], "KEY_FUNCTION_NOT_PERMITTED"),
    ):
        with pytest.raises(CheckFailedError, match=answer):
            token.sign("pss", mechanism, *words, keys=keys)


@pytest.mark.nightly
@pytest.mark.parametrize("digest", ["384", "512"])
def test_longer_digests(token: Token, digest: str) -> None:
    pss = ["-sigopt", "rsa_padding_mode:pss"]
    for kind, mechanism, options in (
        ("p256", f"ECDSA-SHA{digest}", []),
        ("rsa", f"SHA{digest}-RSA-PKCS", []),
        ("rsa", f"SHA{digest}-RSA-PKCS-PSS", pss),
    ):
        token.check(kind, token.sign(kind, mechanism), *options, digest=f"-sha{digest}")


@pytest.mark.nightly
@pytest.mark.parametrize("digest", ["SHA-1", "SHA256"])
def test_messages_in_oaep_are_decrypted(token: Token, digest: str) -> None:
    key, secret = token.folder / "rsa.pem", token.folder / "secret"
    name = digest.replace("-", "")
    options = ["rsa_padding_mode:oaep", f"rsa_oaep_md:{name}", f"rsa_mgf1_md:{name}"]
    words: list[Word] = ["openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", public_key(key)]
    for option in options:
        words += ["-pkeyopt", option]
    secret.write_bytes(run(words, data=MESSAGE))
    chosen = ["--hash-algorithm", digest, "--mgf", f"MGF1-{name}"]
    start = ["--decrypt", "--id", identifier(key), "--mechanism", "RSA-PKCS-OAEP", *chosen]
    opened = token.folder / "opened"
    token.tool(*start, "-i", secret, "-o", opened)
    assert opened.read_bytes() == MESSAGE


def test_what_the_accelerator_cannot_do_is_not_done_in_software(token: Token) -> None:
    library = token.folder / "no_random.so"
    run(["gcc", "-shared", "-fPIC", "-o", library, DRIVER / "no_random.c"])
    with pytest.raises(CheckFailedError, match=r"no accelerator at /nowhere(.|\n)*DEVICE_ERROR"):
        token.sign("p256", "ECDSA-SHA256", MONTCORE_SOCKET="/nowhere")
    with pytest.raises(CheckFailedError, match=r"no random numbers(.|\n)*DEVICE_ERROR"):
        token.sign("p256", "ECDSA-SHA256", LD_PRELOAD=str(library))
    for kind, mechanism in (("long", "SHA256-RSA-PKCS"), ("p384", "ECDSA-SHA256")):
        key = make_key(token.folder, kind)
        with pytest.raises(
            CheckFailedError, match=rf"the accelerator has.*{key}(.|\n)*KEY_SIZE_RANGE"
        ):
            token.sign(kind, mechanism, keys=str(key), MONTCORE_UNSUPPORTED="software")


def test_a_list_with_a_key_that_cannot_be_read_is_refused_as_a_whole(token: Token) -> None:
    good, other = token.folder / "p256.pem", token.folder / "other.pem"
    with pytest.raises(CheckFailedError, match=r"/nowhere cannot be read: No such file"):
        token.tool("--list-objects", keys=f"{good},/nowhere")
    run(["openssl", "genpkey", "-algorithm", "ED25519", "-out", other])
    with pytest.raises(CheckFailedError, match="has a key of another kind"):
        token.tool("--list-objects", keys=f"{good},{other}")
    other.write_bytes(sequence(0, *numbers(256, 256, 1).numbers[:-1], 7))
    with pytest.raises(CheckFailedError, match="numbers are inconsistent"):
        token.tool("--list-objects", keys=str(other))
    run(["openssl", "pkey", "-in", good, "-aes256", "-passout", "pass:word", "-out", other])
    with pytest.raises(CheckFailedError, match=f"{other} is encrypted, and no passphrase"):
        token.tool("--list-objects", keys=str(other))
    with pytest.raises(CheckFailedError, match="only a public key"):
        token.tool("--list-objects", keys=str(public_key(good)))
    with pytest.raises(CheckFailedError, match="timeout takes 1 to 3600 seconds"):
        token.tool("--list-objects", MONTCORE_TIMEOUT="0")
    assert token.tool("--list-objects", keys=",") == b""
    assert token.tool("--list-objects", keys=f"{good}, {good}").count(b"Private Key") == 2
    said = r"(?m)C_(DecryptInit: CKR_MECHANISM|Login: CKR_USER_PIN_NOT)\w+$"
    for line in (f"--decrypt -m RSA-PKCS -i {good}", "--login --pin 1 -O"):
        with pytest.raises(CheckFailedError, match=said):
            token.tool(*line.split())


@pytest.mark.parametrize(
    ("kind", "mechanism"),
    [("p256", "ECDSA-SHA256"), pytest.param("rsa", "SHA256-RSA-PKCS", marks=NIGHTLY)],
)
def test_a_key_that_is_locked_in_the_accelerator(token: Token, kind: str, mechanism: str) -> None:
    path, key = token.folder / f"locked-{kind}", token.folder / f"{kind}.pem"
    with pytest.raises(CheckFailedError, match="no key is locked"):
        token.tool("--list-objects", keys="montcore:locked")
    with served(path, "--key", str(key)):
        keys, settings = "montcore:locked", {"MONTCORE_SOCKET": str(path)}
        assert b"label:      locked" in token.tool("--list-objects", keys=keys, **settings)
        token.check(kind, token.sign(kind, mechanism, keys=keys, **settings))


def test_the_modules_one_symbol_is_the_list_of_its_functions(token: Token) -> None:
    listed = run(["nm", "-D", "--defined-only", token.module]).decode()
    assert re.findall(r" [A-Z] (\w+)", listed) == ["C_GetFunctionList"]
