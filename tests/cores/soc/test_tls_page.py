# SPDX-License-Identifier: Apache-2.0
"""The page "Use your key": the commands run exactly as printed."""

import re
from pathlib import Path

import pytest
from needs import needs
from page_commands import code_blocks, run_in_checkout

from montcore.support.paths import REPO_ROOT

PAGE = REPO_ROOT / "docs" / "site" / "keys.md"
NEEDED = ("openssl", "curl", "OpenSSL headers", "PKCS #11 header", "opensc-tool", "ssh", "gcc")


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    text = PAGE.read_text()
    (settings,) = code_blocks(text, "ini")
    (tmp_path / "out").mkdir()
    (tmp_path / "out/openssl.cnf").write_text(settings.replace("/path/to", str(tmp_path / "out")))
    said = run_in_checkout(code_blocks(text), tmp_path)
    assert said.count("Verified OK") == 7, said
    assert said.count("CMS Verification successful") == 1, said
    assert said.count("Dear reader\n") >= 3, said
    assert said.count("Verification: OK") == 2, said
    # The accelerator signs a few times, OpenSSL alone would sign some ten thousand times.
    made = r": (\d+) (?:2048 bits private RSA's|256 bits ECDSA signs) in"
    counts = re.findall(made, said)
    assert len(counts) == 2 and all(0 < int(count) < 1000 for count in counts), said
    assert said.count("Verify return code: 0") == 2, said
    assert said.count("Key Object") >= 4, said
    assert said.count('Good "file" signature for me') == 2, said
