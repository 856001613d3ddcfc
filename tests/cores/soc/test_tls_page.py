# SPDX-License-Identifier: Apache-2.0
"""The pages docs/tls.md and sw/pkcs11: their commands run as they stand there."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from needs import needs

from montcore.support.paths import REPO_ROOT

PAGE = REPO_ROOT / "docs" / "tls.md"
PKCS11_PAGE = REPO_ROOT / "sw" / "pkcs11" / "README.md"
NEEDED = ("openssl", "curl", "OpenSSL headers", "PKCS #11 header", "opensc-tool", "gcc")
#: Seconds for all of the page.
LIMIT_S = 900


def run_blocks(page: Path, tmp_path: Path) -> str:
    """Run the commands of a page one after the other and return what they print."""
    for name in ("sw", "hw"):
        (tmp_path / name).symlink_to(REPO_ROOT / name)
    (tmp_path / "out").mkdir()
    blocks = re.findall(r"^```\n(.*?)^```", page.read_text(), re.M | re.S)
    assert len(blocks) >= 3
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    with subprocess.Popen(
        ["bash", "-exo", "pipefail", "-c", "\n".join([*blocks, "kill $(jobs -p)", "wait"])],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=LIMIT_S)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert not (tmp_path / "out" / "accelerator").exists()
    return said


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    said = run_blocks(PAGE, tmp_path)
    assert said.count("Verified OK") == 6, said
    assert "Dear reader" in said
    assert said.count("Verification: OK") == 2, said
    # The accelerator signs a few times, OpenSSL by itself would some ten thousand times.
    made = r": (\d+) (?:2048 bits private RSA's|256 bits ECDSA signs) in"
    counts = re.findall(made, said)
    assert len(counts) == 2 and all(0 < int(count) < 1000 for count in counts), said
    assert "HTML" in (tmp_path / "out" / "page").read_text()


@pytest.mark.nightly
@needs(*NEEDED)
def test_the_commands_of_the_pkcs11_page_run(tmp_path: Path) -> None:
    said = run_blocks(PKCS11_PAGE, tmp_path)
    assert said.count("Verified OK") == 2, said
    assert said.count("Key Object") >= 4, said
    assert "Dear reader\n" in said
