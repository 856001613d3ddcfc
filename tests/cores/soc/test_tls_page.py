# SPDX-License-Identifier: Apache-2.0
"""The page docs/tls.md: its commands run as they stand there."""

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
#: Seconds for all of the page.
LIMIT_S = 900


@pytest.mark.nightly
@needs("openssl", "curl", "OpenSSL headers", "gcc")
def test_the_commands_of_the_page_run(tmp_path: Path) -> None:
    for name in ("sw", "hw"):
        (tmp_path / name).symlink_to(REPO_ROOT / name)
    (tmp_path / "out").mkdir()
    blocks = re.findall(r"^```\n(.*?)^```", PAGE.read_text(), re.M | re.S)
    assert len(blocks) >= 6
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
    assert said.count("Verified OK") == 4, said
    assert "Dear reader" in said
    assert said.count("Verification: OK") == 2, said
    assert "HTML" in (tmp_path / "out" / "page").read_text()
    assert not (tmp_path / "out" / "accelerator").exists()
