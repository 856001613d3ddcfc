# SPDX-License-Identifier: Apache-2.0
"""The OpenSSL provider of sw/provider: built, and the environment in which programs find it."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT

SOURCES = REPO_ROOT / "sw" / "provider"
NAME = "montcore"


def build_provider(folder: Path) -> Path:
    """Build the provider in a folder, and return its file.

    Raises:
        CheckFailedError: the compiler refused it, or OpenSSL's headers are missing.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command = ["make", "--no-print-directory", "-C", str(SOURCES), f"OUT={folder.absolute()}"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "rror" in line]
        raise CheckFailedError(f"the provider cannot be built: {' | '.join(errors[:3])}")
    return folder / f"{NAME}.so"


def provider_words(module: Path, *, first: bool = True) -> list[str]:
    """Return the words by which an ``openssl`` command loads the provider.

    Args:
        module: see `build_provider`.
        first: named before OpenSSL's own.
    """
    names = [NAME, "default"] if first else ["default", NAME]
    return [
        "-provider-path",
        str(module.parent),
        *(w for name in names for w in ("-provider", name)),
    ]


def environment(socket: Path, **settings: str) -> Mapping[str, str]:
    """Return an environment in which the provider finds the accelerator at a socket."""
    return {**os.environ, "MONTCORE_SOCKET": str(socket), **settings}
