# SPDX-License-Identifier: Apache-2.0
"""The commands of a page, run exactly as printed."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from programs import output_of

from montcore.support.paths import REPO_ROOT

#: Seconds for all commands of a page.
LIMIT_S = 900


def code_blocks(text: str, kind: str = "") -> list[str]:
    """Return the code blocks of a language, e.g. ``cpp``, in a page's text."""
    found = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
    return [block for name, block in found if name == kind]


def commands(block: str) -> list[str]:
    """Return the commands of a code block, in which their output stands too."""
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def run_outside(lines: Iterable[str], folder: Path) -> str:
    """Run commands in sequence in a folder, as a user would, and return their output."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "PYTHONPATH": str(REPO_ROOT / "src")}
    return output_of("bash", "-e", "-c", "\n".join(lines), cwd=folder, env=environment)


def run_in_checkout(blocks: Iterable[str], folder: Path) -> str:
    """Run commands in sequence in one shell and return their output.

    Background processes are terminated afterwards.

    Args:
        blocks: the commands, for a shell at the root of a checkout.
        folder: stands in for the checkout; its folder ``out`` receives the commands' output files.
    """
    for name in ("sw", "hw"):
        (folder / name).symlink_to(REPO_ROOT / name)
    (folder / "out").mkdir(exist_ok=True)
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    with subprocess.Popen(
        ["bash", "-exo", "pipefail", "-c", "\n".join([*blocks, "kill $(jobs -p)", "wait"])],
        cwd=folder,
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
    assert not (folder / "out" / "accelerator").exists()
    return said
