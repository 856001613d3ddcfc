# SPDX-License-Identifier: Apache-2.0
"""The OpenSSL provider and the PKCS #11 module: builds, and settings for programs to find them."""

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT

SOURCES = REPO_ROOT / "sw" / "provider"
PKCS11_SOURCES = REPO_ROOT / "sw" / "pkcs11"
NAME = "montcore"


def build_provider(folder: Path, flags: str = "") -> Path:
    """Build the provider in a folder, with further flags of the compiler, and return its file.

    Raises:
        CheckFailedError: compilation failed, or OpenSSL's headers are missing.
    """
    return _build(SOURCES, folder / f"{NAME}.so", flags)


def build_pkcs11(folder: Path, flags: str = "") -> Path:
    """Build the PKCS #11 module in a folder, with further flags, and return its file.

    Raises:
        CheckFailedError: compilation failed, or a header is missing.
    """
    return _build(PKCS11_SOURCES, folder / f"{NAME}-pkcs11.so", flags)


def _build(sources: Path, file: Path, flags: str) -> Path:
    folder = file.parent
    folder.mkdir(parents=True, exist_ok=True)
    command = ["make", "--no-print-directory", "-C", str(sources), f"OUT={folder.absolute()}"]
    command += [f"CFLAGS={flags}"] if flags else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "rror" in line]
        raise CheckFailedError(f"{file.name} cannot be built: {' | '.join(errors[:3])}")
    return file


def provider_words(module: Path, *, first: bool = True) -> list[str]:
    """Return the options with which an ``openssl`` command loads the provider.

    Args:
        module: see `build_provider`.
        first: name it before OpenSSL's own provider.
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
