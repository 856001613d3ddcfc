# SPDX-License-Identifier: Apache-2.0
"""Runs of tools/run_tests.py on tests in a temporary folder, as `make test` starts it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from montcore.support.paths import REPO_ROOT

#: Seconds after which a run has hung: more than the 2 minutes after which it ends itself, and says
#: how far it came.
TIMEOUT = 150


def copy_rules(folder: Path) -> None:
    """Copy the configuration of the repository's tests next to tests elsewhere."""
    for name in ("conftest.py", "tests/support/needs.py", "tests/support/dependencies.py"):
        shutil.copy(REPO_ROOT / name, folder)


def start_tests(
    *arguments: str | Path, minutes: str = "2", workers: int = 0
) -> "subprocess.Popen[str]":
    """Start tools/run_tests.py as `make test` does, but not as part of this pytest."""
    environment = {key: value for key, value in os.environ.items() if "PYTEST" not in key}
    environment["MONTCORE_TEST_WORKERS"] = str(workers)
    return subprocess.Popen(
        [sys.executable, REPO_ROOT / "tools" / "run_tests.py", *arguments],
        env={**environment, "MONTCORE_TEST_MINUTES": minutes},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def run_tests(
    *arguments: str | Path, minutes: str = "2", workers: int = 0
) -> "subprocess.CompletedProcess[str]":
    """Run tools/run_tests.py to its end."""
    process = start_tests(*arguments, minutes=minutes, workers=workers)
    said, _ = process.communicate(timeout=TIMEOUT)
    return subprocess.CompletedProcess(process.args, process.returncode, said)
