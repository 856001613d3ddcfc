# SPDX-License-Identifier: Apache-2.0
"""The pages docs/tls.md and sw/pkcs11: the commands run exactly as printed."""

import re
from pathlib import Path

import pytest
from needs import needs
from page_commands import code_blocks, run_in_checkout

from montcore.support.paths import REPO_ROOT

PAGE = REPO_ROOT / "docs" / "tls.md"
PKCS11_PAGE = REPO_ROOT / "sw" / "pkcs11" / "README.md"
NEEDED = ("openssl", "curl", "OpenSSL headers", "PKCS #11 header", "opensc-tool", "gcc")


def run_page(page: Path, tmp_path: Path) -> str:
    """Run the commands of a page and return what they print."""
    blocks = code_blocks(page.read_text())
    assert len(blocks) >= 3
    return run_in_checkout(blocks, tmp_path)


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    said = run_page(PAGE, tmp_path)
    assert said.count("Verified OK") == 5, said
    assert "Dear reader" in said
    assert said.count("Verification: OK") == 2, said
    # The accelerator signs a few times, OpenSSL alone would sign some ten thousand times.
    made = r": (\d+) (?:2048 bits private RSA's|256 bits ECDSA signs) in"
    counts = re.findall(made, said)
    assert len(counts) == 2 and all(0 < int(count) < 1000 for count in counts), said
    assert "HTML" in (tmp_path / "out" / "page").read_text()


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_pkcs11_page_run(tmp_path: Path) -> None:
    said = run_page(PKCS11_PAGE, tmp_path)
    assert said.count("Verified OK") == 2, said
    assert said.count("Key Object") >= 4, said
    assert "Dear reader\n" in said
