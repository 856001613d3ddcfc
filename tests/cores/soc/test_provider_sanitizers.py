# SPDX-License-Identifier: Apache-2.0
"""The provider and the PKCS #11 module under the sanitizers of gcc: their programs, and a fuzz."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from needs import needs
from provider_setting import DRIVER, Setting
from rsa_numbers import key, pss_key, sequence
from sanitizers import compile_program, environment, flags, preloaded

from montcore.support.errors import CheckFailedError
from montcore_lab import tls as chain
from montcore_lab.clients import Word, build_pkcs11, build_provider, run

pytestmark = needs("openssl", "OpenSSL headers", "PKCS #11 header", "opensc-tool", "gcc")
#: Turns of a fuzz in every run, and of each seed nightly: half a minute of the limit of a program.
TURNS = {"quick": 500, "long": 10_000}
SEEDS = [
    pytest.param("quick", 1, id="quick"),
    *(pytest.param("long", seed, marks=pytest.mark.nightly) for seed in range(2, 42)),
]


@dataclass(frozen=True)
class Sanitized:
    """Modules built with a sanitizer, and what runs programs that use them."""

    sanitizer: str
    provider: Path
    pkcs11: Path
    setting: Setting

    def run(self, name: str, *words: Word, **settings: str) -> bytes:
        """Compile a program with the sanitizer, and run it to its end."""
        sources = [DRIVER / f"{name}.c"]
        if self.sanitizer == "thread":
            sources.append(DRIVER / "clocklock.c")
        program = self.provider.parent / name
        options = ["-I/usr/include/p11-kit-1", "-rdynamic", "-lcrypto", "-pthread"]
        env = compile_program(self.sanitizer, sources, program, *options)
        socket = {"MONTCORE_SOCKET": str(self.setting.programs.socket)}
        return run([program, *words], {**env, **socket, **settings})


def build(setting: Setting, sanitizer: str) -> Sanitized:
    folder = setting.folder / sanitizer
    chosen = " ".join(flags(sanitizer))
    return Sanitized(
        sanitizer, build_provider(folder, chosen), build_pkcs11(folder, chosen), setting
    )


@pytest.fixture(scope="module")
def address(setting: Setting) -> Sanitized:
    return build(setting, "address")


@pytest.fixture(scope="module")
def thread(setting: Setting) -> Sanitized:
    return build(setting, "thread")


def key_files(setting: Setting) -> list[Path]:
    """Return keys in many forms, and files of numbers that are almost keys."""
    folder = setting.folder / "keys"
    folder.mkdir(exist_ok=True)
    pss = pss_key(folder / "pss.pem", 512, md="sha1")
    made = [pss, setting.curve.key]
    for kind, plain in (("rsa", pss), ("ec", setting.curve.key)):
        for name, words in (
            ("plain.der", ["-nocrypt", "-outform", "DER"]),
            ("secret.pem", ["-v2", "aes128", "-iter", "1", "-passout", "pass:word"]),
            ("secret.der", ["-outform", "DER", "-iter", "1", "-passout", "pass:word"]),
        ):
            made.append(folder / f"{kind}-{name}")
            run(["openssl", "pkcs8", "-topk8", *words, "-in", plain, "-out", made[-1]])
    right = key(256, 256, 1).numbers
    for at in range(len(right)):
        for value in (0, 1, 2, right[at] + 1, right[at] << 1, 1 << 4096, 1 << 5000, right[at]):
            made.append(folder / f"number-{at}-{value.bit_length()}.der")
            made[-1].write_bytes(sequence(0, *right[:at], value, *right[at + 1 :]))
    return made


def tokens(setting: Setting, *keys: Path) -> str:
    return ",".join(str(path) for path in keys or (setting.identity.key, setting.curve.key))


@pytest.mark.parametrize(
    "sanitizer", [pytest.param("address", marks=pytest.mark.nightly), "thread"]
)
def test_threads_and_a_forked_process_are_clean(
    setting: Setting, sanitizer: str, request: pytest.FixtureRequest
) -> None:
    built: Sanitized = request.getfixturevalue(sanitizer)
    said = built.run("provider_threads", built.provider.parent, setting.key, "3")
    assert said == b"3 signatures verified\n"
    said = built.run("pkcs11_calls", built.pkcs11, MONTCORE_PKCS11_KEYS=tokens(setting))
    assert re.fullmatch(rb"2\d\d answers as they must be\n", said)


@pytest.mark.nightly  # every run has threads and a fork, and the exchange in test_provider_keys.py
@pytest.mark.parametrize("bits", [1024, pytest.param(3072, marks=pytest.mark.nightly)])
def test_the_key_exchange_of_tls_is_clean(address: Sanitized, setting: Setting, bits: int) -> None:
    """Also in software, where the accelerator is too small for the key."""
    key = setting.folder / f"exchange-{bits}.pem"
    run(["openssl", "genrsa", "-out", key, str(bits)])
    words: list[Word] = [address.provider.parent, f"montcore:file={key}", chain.public_key(key)]
    settings = {"MONTCORE_UNSUPPORTED": "software"} if bits > 2048 else {}
    said = address.run("provider_secret", *words, **settings)
    assert said == b"14 answers as they must be\n"


def test_openssl_and_opensc_are_clean(address: Sanitized, setting: Setting) -> None:
    options = {name: value for name, value in environment(leaks=False).items() if "SAN_" in name}
    programs = replace(
        setting.programs, module=address.provider, settings={**options, **preloaded("address")}
    )
    public = chain.public_key(setting.short)
    chain.sign_and_verify(programs, setting.key, public, setting.folder, "rsa")
    chain.decrypt(programs, setting.key, public, setting.folder)
    env = {**programs.env, "MONTCORE_PKCS11_KEYS": tokens(setting)}
    tool = ["pkcs11-tool", "--module", str(address.pkcs11)]
    assert b"Private Key Object; EC" in run([*tool, "--list-objects"], env)


@pytest.mark.parametrize(("length", "seed"), SEEDS)
def test_files_of_keys_that_are_changed_at_random(
    address: Sanitized, setting: Setting, length: str, seed: int
) -> None:
    """Nothing is at the socket, so that a key that is read is used up to there."""
    words: list[Word] = [address.provider.parent, str(seed), str(TURNS[length])]
    for software in ("refuse", "software"):
        chosen = {"MONTCORE_SOCKET": "/nowhere", "MONTCORE_UNSUPPORTED": software}
        said = address.run("provider_fuzz", *words, *key_files(setting), **chosen)
        assert int(said.split()[0]) > TURNS[length] // 20


@pytest.mark.parametrize(("length", "seed"), SEEDS)
def test_calls_of_pkcs11_in_any_order(
    address: Sanitized, setting: Setting, length: str, seed: int
) -> None:
    pss = key_files(setting)[0]
    keys = tokens(setting, setting.short, setting.curve.key, pss)
    words: list[Word] = [address.pkcs11, str(seed)]
    # Few calls get as far as the accelerator; most are tried without one.
    for turns, chosen in ((5 * TURNS[length], {"MONTCORE_SOCKET": "/nowhere"}), (1000, {})):
        said = address.run("pkcs11_fuzz", *words, str(turns), MONTCORE_PKCS11_KEYS=keys, **chosen)
        assert int(said.split()[0]) > turns // 50


def test_the_sanitizers_find_what_is_wrong(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text(
        "#include <stdlib.h>\n"
        "int main(int count, char **words) {\n"
        "  char *room = malloc(4);\n"
        "  room[count + 3] = words[0][0];\n"
        "  return room[0] * 0;\n}\n"
    )
    env = compile_program("address", [source], tmp_path / "wrong")
    # A long path leaves only the end of the report in the message: the place of the fault.
    with pytest.raises(CheckFailedError, match=r"heap-buffer-overflow|in main .*wrong\.c:4"):
        run([tmp_path / "wrong"], env)
