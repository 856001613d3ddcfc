# SPDX-License-Identifier: Apache-2.0
"""The OpenSSL provider: what OpenSSL's own programs do with keys of a simulated accelerator."""

import os
import re
import socket
import time
from dataclasses import replace
from pathlib import Path

import pka_bench as pka
import pytest
from needs import needs
from page_commands import code_blocks
from pka_bench import slot_at
from provider_setting import DRIVER, Setting
from serving import Client

from montcore.ecc.program import Operation
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore_lab import tls as chain
from montcore_lab.clients import VERSIONS, Word, run, served

pytestmark = needs("openssl", "curl", "OpenSSL headers", "gcc")
NO_RANDOM = DRIVER / "no_random.c"


@pytest.mark.nightly  # `make tls`, below, names ours first
def test_the_order_in_which_providers_are_named_does_not_matter(setting: Setting) -> None:
    programs, folder = replace(setting.programs, first=False), setting.folder
    for kind, file in (("rsa", setting.short), ("ec", setting.curve.key)):
        key, public = f"montcore:file={file}", chain.public_key(file)
        chain.sign_and_verify(programs, key, public, folder, kind)
        if kind == "rsa":
            chain.decrypt(programs, key, public, folder)
    with programs.tls_server(key, setting.curve) as server:
        for version in VERSIONS:
            server.handshake(version)
            server.handshake(version, "-groups", "P-384:P-256")  # keys of one connection


def test_keys_of_one_connection_may_be_the_providers(setting: Setting) -> None:
    key = f"montcore:file={setting.curve.key}"
    preferred = ["-propquery", "?provider=montcore"]
    with setting.programs.tls_server(key, setting.curve, *preferred) as server:
        for version in VERSIONS:
            server.handshake(version, "-groups", "P-256")


def test_a_curve_that_the_build_lacks_is_refused_or_left_to_software(setting: Setting) -> None:
    key = setting.folder / "p384.pem"
    run(["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "group:P-384", "-out", key])
    with pytest.raises(CheckFailedError, match=f"curves of 256 bits, {key} 384"):
        setting.sign(f"montcore:file={key}")
    signature = setting.sign(f"montcore:file={key}", MONTCORE_UNSUPPORTED="software")
    setting.check(signature, key)


def test_a_private_part_does_not_leave_the_provider(setting: Setting) -> None:
    with pytest.raises(CheckFailedError):
        setting.programs.openssl("pkey", "-in", setting.key)
    with pytest.raises(CheckFailedError):
        setting.programs.openssl("pkey", "-in", setting.key, "-text")
    with pytest.raises(CheckFailedError):
        setting.programs.openssl("pkey", "-in", f"montcore:file={setting.curve.key}")
    public = setting.programs.openssl("pkey", "-in", setting.key, "-pubout")
    assert public == chain.public_key(setting.short).read_bytes()


def test_keys_of_plain_files_are_used_by_the_accelerator_where_it_is_preferred(
    setting: Setting,
) -> None:
    plain = setting.short
    preferred: list[Word] = ["dgst", "-sha256", "-propquery", "?provider=montcore", "-sign", plain]
    nowhere = replace(setting.programs, socket=Path("/nowhere"))
    with pytest.raises(CheckFailedError, match="no accelerator at /nowhere"):
        nowhere.openssl(*preferred, setting.letter)
    setting.check(setting.programs.openssl(*preferred, setting.letter), plain)


def test_padding_of_pkcs1_is_not_decrypted(setting: Setting) -> None:
    public = chain.public_key(setting.short)
    secret = run(["openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", public], data=b"hello")
    with pytest.raises(CheckFailedError, match="only OAEP is decrypted"):
        setting.programs.openssl("pkeyutl", "-decrypt", "-inkey", setting.key, data=secret)


def test_what_the_build_lacks_is_refused_or_left_to_software_as_configured(
    setting: Setting,
) -> None:
    key = setting.folder / "long.pem"
    run(["openssl", "genrsa", "-out", key, "3072"])
    name = f"montcore:file={key}"
    with pytest.raises(CheckFailedError, match=f"the accelerator has 2048 bits, {key} 3072"):
        setting.sign(name)
    setting.check(setting.sign(name, MONTCORE_UNSUPPORTED="software"), key)
    public = chain.public_key(key)
    software = replace(setting.programs, settings={"MONTCORE_UNSUPPORTED": "software"})
    chain.sign_and_verify(software, name, public, setting.folder, "rsa")  # by dgst and pkeyutl
    chain.decrypt(software, name, public, setting.folder)
    with pytest.raises(CheckFailedError, match=f"2048 bits, {key} 3072"):
        setting.programs.openssl("pkeyutl", "-sign", "-inkey", name, data=b"digest")
    with pytest.raises(CheckFailedError, match=f"2048 bits, {key} 3072"):
        chain.decrypt(setting.programs, name, public, setting.folder)
    # If the accelerator is missing, the provider must not fall back to software.
    with pytest.raises(CheckFailedError, match="no accelerator at /nowhere"):
        setting.sign(name, MONTCORE_UNSUPPORTED="software", MONTCORE_SOCKET="/nowhere")
    for wrong in ("MONTCORE_UNSUPPORTED", "MONTCORE_GENERATED"):
        with pytest.raises(CheckFailedError):
            setting.sign(setting.key, **{wrong: "whatever"})


def test_a_server_of_another_user_is_given_no_key(setting: Setting) -> None:
    me = os.geteuid()
    with pytest.raises(CheckFailedError, match="is not of a trusted user"):
        setting.sign(setting.key, MONTCORE_SERVER=str(me + 1))
    with pytest.raises(CheckFailedError, match="server takes a user or :GROUP, not 'no-such-user'"):
        setting.sign(setting.key, MONTCORE_SERVER="no-such-user")
    signature = setting.sign(setting.key, MONTCORE_SERVER=f":{os.getegid()}")
    setting.check(signature, setting.short)


def test_the_section_of_a_configuration_file_says_the_same(setting: Setting) -> None:
    file = setting.folder / "openssl.cnf"
    (text,) = code_blocks((REPO_ROOT / "docs" / "site" / "keys.md").read_text(), "ini")
    text = text.replace("/path/to/accelerator", str(setting.programs.socket))
    text = text.replace("/path/to/provider", str(setting.programs.module.parent))
    more = f"[own]\nserver = {os.geteuid()}\ntimeout = 50\nunsupported = refuse"
    file.write_text(text.replace("[own]", more))
    command: list[Word] = ["openssl", "dgst", "-sha256", "-sign", setting.key, setting.letter]
    signature = run(
        command, {**setting.programs.env, "OPENSSL_CONF": str(file), "MONTCORE_SOCKET": ""}
    )
    setting.check(signature, setting.short)
    file.write_text(file.read_text().replace(f"server = {os.geteuid()}", "server = 4294967294"))
    with pytest.raises(CheckFailedError, match="is not of a trusted user"):
        run(command, {**setting.programs.env, "OPENSSL_CONF": str(file)})


def test_without_random_numbers_nothing_is_signed(setting: Setting) -> None:
    library = setting.folder / "no_random.so"
    run(["gcc", "-shared", "-fPIC", "-o", library, NO_RANDOM])
    with pytest.raises(CheckFailedError, match="there are no random numbers"):
        setting.sign(setting.key, LD_PRELOAD=str(library))


def test_every_wait_has_a_limit(setting: Setting) -> None:
    begin = time.monotonic()
    refused = pytest.raises(CheckFailedError, match="timed out")
    with Client.granted(setting.programs.socket), refused:
        setting.sign(setting.key, MONTCORE_TIMEOUT="1")
    # A server that takes connections and never answers.
    path = setting.folder / "mute"
    with socket.socket(socket.AF_UNIX) as mute:
        mute.bind(str(path))
        mute.listen()
        with pytest.raises(CheckFailedError, match="timed out"):
            setting.sign(setting.key, MONTCORE_TIMEOUT="1", MONTCORE_SOCKET=str(path))
    assert time.monotonic() - begin < 60


def test_a_key_that_is_locked_in_the_accelerator(setting: Setting) -> None:
    path = setting.folder / "locked"
    with pytest.raises(CheckFailedError, match="no key is locked"):
        setting.sign("montcore:locked")
    with served(path, "--key", str(setting.short)) as server:
        programs = {"MONTCORE_SOCKET": str(path)}
        setting.check(setting.sign("montcore:locked", **programs), setting.short)
        # Keys in files can be used at the same time, and it survives clients that disconnect.
        setting.check(setting.sign(setting.key, **programs), setting.short)
        chain.kill_in_the_middle(
            replace(setting.programs, socket=path), "montcore:locked", setting.letter, 0.5
        )
        setting.check(setting.sign("montcore:locked", **programs), setting.short)
    assert server.sessions >= 5


def test_a_key_of_ecdsa_that_is_locked_signs_and_is_never_read_back(setting: Setting) -> None:
    path = setting.folder / "locked-ec"
    with served(path, "--key", str(setting.curve.key)):
        own = {"MONTCORE_SOCKET": str(path)}
        programs = replace(setting.programs, socket=path)
        setting.check(setting.sign("montcore:locked", **own), setting.curve.key)
        with programs.tls_server("montcore:locked", setting.curve) as server:
            for version in VERSIONS:
                server.handshake(version)
        with Client.granted(path) as client:
            for slot in range(8):
                assert client.read(slot_at(8 + slot)) == (1, 0)
            # Changing or clearing the key is refused, and so is any use except signing.
            for address in (slot_at(15), pka.CONTROL):
                client.write(address, 1)
                assert client.read(0)[0] == 1
            words = [pka.CURVE_LOCK | 1 << 4, pka.DRAW | 1 << 4]
            words += [pka.KEY_CURVE, pka.KEY_POINT | 5 << 16 | Operation.MULTIPLY << 20]
            for word, error in zip(words, (pka.BAD_KEY, pka.BAD_KEY, 0, pka.BAD_KEY), strict=True):
                client.write(pka.COMMAND, word)
                assert client.ended() == error
        chain.kill_in_the_middle(programs, "montcore:locked", setting.letter, 0.05)
        setting.check(setting.sign("montcore:locked", **own), setting.curve.key)
        # RSA keys in files can be used at the same time, other ECDSA keys cannot: there is room for
        # one.
        setting.check(setting.sign(setting.key, **own), setting.short)
        with pytest.raises(CheckFailedError, match="no key is locked, a key is already locked"):
            setting.sign(f"montcore:file={setting.curve.key}", **own)
        with pytest.raises(CheckFailedError):
            programs.openssl("pkey", "-in", "montcore:locked")
        public = programs.openssl("pkey", "-in", "montcore:locked", "-pubout")
        assert public == chain.public_key(setting.curve.key).read_bytes()


@pytest.mark.nightly
def test_handshakes_in_a_row_and_the_rest_of_make_tls() -> None:
    rows, server = chain.handshakes(100, print)
    assert all(row.done for row in rows)
    assert server.commands > 100 * 19


def test_the_providers_one_symbol_is_its_start(setting: Setting) -> None:
    listed = run(["nm", "-D", "--defined-only", setting.programs.module]).decode()
    assert re.findall(r" [A-Z] (\w+)", listed) == ["OSSL_provider_init"]
    words = ["openssl", "list", "-providers", *setting.programs.words]
    assert b"montcore accelerator" in run(words, setting.programs.env)
