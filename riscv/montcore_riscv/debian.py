# SPDX-License-Identifier: Apache-2.0
"""Sources of other libraries, fetched by apt-get from Debian and kept in the cache."""

import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import CheckFailedError, RequestError, storage
from montcore.support.files import locked
from montcore.support.paths import cache_dir

SUITE = "bookworm"
_KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
_SECONDS = 300


@dataclass(frozen=True)
class SourcePackage:
    """A library's source package.

    Attributes:
        package: its name in Debian.
        title: its name and release series.
        variable: environment variable with a folder of it, for a system without Debian's packages.
        header: a file of it that shows the series.
        pattern: what is found in that file.
    """

    package: str
    title: str
    variable: str
    header: str
    pattern: str

    def folder(self) -> Path:
        """Return the unpacked sources, from the cache or fetched.

        Raises:
            RequestError: the sources cannot be fetched, or are of another release series.
        """
        given = os.environ.get(self.variable)
        if given:
            return self._checked(Path(given))
        home = cache_dir() / self.package / SUITE
        with locked(home.with_suffix(".lock")), storage(home.parent):
            if not home.is_dir():
                with tempfile.TemporaryDirectory(dir=home.parent) as work:
                    self._fetch(Path(work)).rename(home)
        return self._checked(home)

    def _checked(self, folder: Path) -> Path:
        header = folder / self.header
        text = header.read_text(encoding="utf-8") if header.is_file() else ""
        if not re.search(self.pattern, text):
            raise RequestError(f"{folder} does not hold {self.title}")
        return folder

    @property
    def _remedy(self) -> str:
        return f"set {self.variable} to a folder of {self.title}"

    def _archive(self, apt: str) -> str:
        """Return the address of the Debian archive configured on this system."""
        fields = "$(CODENAME) $(ORIGIN) $(REPO_URI)"
        command = [apt, "indextargets", "--format", fields, "Created-By: Packages"]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
        for line in done.stdout.splitlines():
            suite, origin, *address = line.split()
            if (suite, origin) == (SUITE, "Debian") and address:
                return address[0]
        raise RequestError(f"apt-get has no archive of Debian {SUITE} configured; {self._remedy}")

    def _fetch(self, work: Path) -> Path:
        """Fetch and unpack the package in a folder; apt-get checks the archive's signature."""
        apt = shutil.which("apt-get")
        if apt is None or not _KEYRING.is_file():
            raise RequestError(
                f"the sources of {self.title} come by apt-get with {_KEYRING}, which is not here; "
                f"{self._remedy}"
            )
        address = self._archive(apt)
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
        for action in (["update"], ["source", "--download-only", self.package]):
            command = [*base, *action]
            done = subprocess.run(
                command, cwd=work, capture_output=True, text=True, timeout=_SECONDS, check=False
            )
            if done.returncode != 0:
                lines = [line for line in done.stderr.splitlines() if line.startswith("E:")]
                raise RequestError(
                    f"{self.title} cannot be fetched: {' '.join(lines) or done.stderr[-200:]}; "
                    f"{self._remedy}"
                )
        archives = sorted(work.glob(f"{self.package}_*.orig.tar.*"))
        if len(archives) != 1:
            raise CheckFailedError(
                f"Debian's source package of {self.title} has an unexpected layout"
            )
        with tarfile.open(archives[0]) as archive:
            # Debian 12's own Python, 3.11.2, has no filters; apt-get has verified the archive.
            archive.extraction_filter = getattr(tarfile, "data_filter", lambda member, _: member)
            archive.extractall(work / "unpacked")
        (top,) = (work / "unpacked").iterdir()
        return top


MBEDTLS = SourcePackage(
    "mbedtls",
    "mbedTLS 2.28",
    "MONTCORE_MBEDTLS",
    "include/mbedtls/version.h",
    r'MBEDTLS_VERSION_STRING\s+"2\.28\.',
)
BEARSSL = SourcePackage(
    "bearssl",
    "BearSSL 0.6",
    "MONTCORE_BEARSSL",
    "inc/bearssl_rsa.h",
    r"br_rsa_compute_modulus\b",
)
