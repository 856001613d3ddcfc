# SPDX-License-Identifier: Apache-2.0
"""TLS with keys of the provider: every cipher suite that OpenSSL has for them."""

import re

import pytest
from needs import needs
from provider_setting import Setting
from rsa_numbers import pss_key

from montcore_lab.clients import run

pytestmark = needs("openssl", "OpenSSL headers", "gcc")
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


@pytest.mark.nightly  # every run has P-256 in both versions in test_provider.py
def test_every_way_of_exchanging_keys_works_with_ecdsa(setting: Setting) -> None:
    assert shake_hands(setting, "ECDSA", every=False)["ECDH"] > 12


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["RSA", "ECDSA"])
def test_every_suite_works(setting: Setting, kind: str) -> None:
    shake_hands(setting, kind, every=True)


@pytest.mark.nightly  # test_provider_keys.py has the key in every run
def test_a_key_of_pss_authenticates_in_both_versions(setting: Setting) -> None:
    key = pss_key(setting.folder / "pss.pem", 2048)
    identity = setting.self_signed(key)
    with setting.programs.tls_server(f"montcore:file={key}", identity) as server:
        server.handshake("tls1_2")
        server.handshake("tls1_3")
