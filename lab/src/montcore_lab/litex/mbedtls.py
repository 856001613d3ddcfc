# SPDX-License-Identifier: Apache-2.0
"""mbedTLS 2.28 from Debian's source package, fetched by apt-get and kept in the cache."""

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from montcore.support.errors import CheckFailedError, RequestError, storage
from montcore.support.files import locked
from montcore.support.paths import cache_dir

#: Environment variable with a folder of mbedTLS 2.28, for a system without Debian's packages.
VARIABLE = "MONTCORE_MBEDTLS"
SUITE = "bookworm"
SERIES = "2.28"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_SECONDS = 300


def mbedtls_source() -> Path:
    """Return the unpacked sources, from the cache or fetched.

    Raises:
        RequestError: the sources cannot be fetched, or are of another release series.
    """
    given = os.environ.get(VARIABLE)
    if given:
        return _checked(Path(given))
    home = cache_dir() / "mbedtls" / SUITE
    with locked(home.with_suffix(".lock")), storage(home.parent):
        if not home.is_dir():
            with tempfile.TemporaryDirectory(dir=home.parent) as work:
                _fetch(Path(work)).rename(home)
    return _checked(home)


def _checked(folder: Path) -> Path:
    header = folder / "include" / "mbedtls" / "version.h"
    text = header.read_text(encoding="utf-8") if header.is_file() else ""
    found = re.search(r'MBEDTLS_VERSION_STRING\s+"([\d.]+)"', text)
    if not found or not found.group(1).startswith(f"{SERIES}."):
        raise RequestError(f"{folder} does not hold mbedTLS {SERIES}")
    return folder


def _archive(apt: str) -> str:
    """Return the address of the Debian archive configured on this system.

    Raises:
        RequestError: no archive of that suite is configured.
    """
    fields = "$(CODENAME) $(ORIGIN) $(REPO_URI)"
    command = [apt, "indextargets", "--format", fields, "Created-By: Packages"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_SECONDS, check=False)
    for line in done.stdout.splitlines():
        suite, origin, *address = line.split()
        if (suite, origin) == (SUITE, "Debian") and address:
            return address[0]
    raise RequestError(
        f"apt-get has no archive of Debian {SUITE} configured; "
        f"set {VARIABLE} to a folder of mbedTLS {SERIES}"
    )


def _fetch(work: Path) -> Path:
    """Fetch and unpack the package in a folder; apt-get checks the archive's signature."""
    apt = shutil.which("apt-get")
    if apt is None or not _KEYRING.is_file():
        raise RequestError(
            f"the sources of mbedTLS come by apt-get with {_KEYRING}, which is not here; "
            f"set {VARIABLE} to a folder of mbedTLS {SERIES}"
        )
    address = _archive(apt)
    lists = work / "lists"
    (lists / "partial").mkdir(parents=True)
    (work / "sources").mkdir()
    (work / "sources" / "debian.sources").write_text(
        f"Types: deb-src\nURIs: {address}\nSuites: {SUITE}\n"
        f"Components: main\nSigned-By: {_KEYRING}\n"
    )
    options = {
        "Dir::Etc::SourceList": "/dev/null",
        "Dir::Etc::SourceParts": work / "sources",
        "Dir::State::Lists": lists,
        "Dir::Cache": work / "cache",
        "APT::Sandbox::User": "root",
    }
    base = [apt, "-q", *(f"-o{key}={value}" for key, value in options.items())]
    for action in (["update"], ["source", "--download-only", "mbedtls"]):
        command = [*base, *action]
        done = subprocess.run(
            command, cwd=work, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        if done.returncode != 0:
            lines = [line for line in done.stderr.splitlines() if line.startswith("E:")]
            raise RequestError(
                f"mbedTLS cannot be fetched: {' '.join(lines) or done.stderr[-200:]}; "
                f"{VARIABLE} can name a folder of mbedTLS {SERIES}"
            )
    archives = sorted(work.glob("mbedtls_*.orig.tar.*"))
    if len(archives) != 1:
        raise CheckFailedError("Debian's source package of mbedTLS has an unexpected layout")
    with tarfile.open(archives[0]) as archive:
        # Debian 12's own Python, 3.11.2, has no filters; apt-get has verified the archive.
        archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
        archive.extractall(work / "unpacked")
    (top,) = (work / "unpacked").iterdir()
    return top
