# SPDX-License-Identifier: Apache-2.0
"""Files of a release, ``montcore maintain release``: packages, register maps, bill, digests.

The packages are built in a copy of the repository's files, so that the checkout stays clean. The
bill of materials (CycloneDX) lists what pip installs with them, at the versions of
requirements.txt.
"""

import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from montcore.soc.register_page import descriptions
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.needed import missing_package, normal
from montcore.support.paths import REPO_ROOT
from montcore.synth.identity import pinned
from montcore_lab.checkout.files import repository_files
from montcore_lab.pages import man

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DEFAULT = REPO_ROOT / "dist"
#: File of the digests, in the format of ``sha256sum --check``.
DIGESTS = "SHA256SUMS"
_NAME = re.compile(r"^[\w.-]+")
_SDIST = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"


def project() -> dict[str, Any]:
    """Return the table ``project`` of pyproject.toml."""
    return dict(tomllib.loads((REPO_ROOT / "pyproject.toml").read_text("utf-8"))["project"])


def dependencies() -> dict[str, set[str]]:
    """Return every package that pip may install with montcore, and the extras that require it.

    Packages without extras are always installed. Development extras are excluded.
    """
    about = project()
    found: dict[str, set[str]] = {_name(item): set() for item in about["dependencies"]}
    for extra, items in about["optional-dependencies"].items():
        for name in (_name(item) for item in items):
            if extra != "dev" and name != "montcore" and found.get(name) != set():
                found.setdefault(name, set()).add(extra)
    return found


def _name(requirement: str) -> str:
    found = _NAME.match(requirement)
    assert found is not None, requirement
    return found[0]


def bill_of_materials() -> str:
    """Return the bill of materials as CycloneDX 1.6 in JSON, checked against its schema."""
    try:
        from cyclonedx.contrib.license.factories import LicenseFactory
        from cyclonedx.model.bom import Bom
        from cyclonedx.model.component import Component, ComponentScope, ComponentType
        from cyclonedx.output.json import JsonV1Dot6
        from cyclonedx.schema import SchemaVersion
        from cyclonedx.validation.json import JsonStrictValidator
        from packageurl import PackageURL
    except ModuleNotFoundError:
        raise RequestError(missing_package("cyclonedx-python-lib")) from None
    about = project()
    root = Component(
        name="montcore",
        version=about["version"],
        type=ComponentType.LIBRARY,
        bom_ref="montcore",
        licenses=[LicenseFactory().make_from_string(about["license"])],
        purl=PackageURL("pypi", None, "montcore", about["version"]),
    )
    bill = Bom()
    bill.metadata.component = root
    versions = pinned()
    parts = [
        Component(
            name=name,
            version=versions.get(normal(name), ""),
            type=ComponentType.LIBRARY,
            bom_ref=name,
            scope=ComponentScope.OPTIONAL if extras else ComponentScope.REQUIRED,
            description=f"with the extra {', '.join(sorted(extras))}" if extras else None,
            purl=PackageURL("pypi", None, normal(name), versions.get(normal(name))),
        )
        for name, extras in sorted(dependencies().items())
    ]
    for part in parts:
        bill.components.add(part)
    bill.register_dependency(root, parts)
    text: str = JsonV1Dot6(bill).output_as_string(indent=1)
    wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(text)
    if wrong is not None:
        raise CheckFailedError(f"the bill of materials violates the schema: {wrong}")
    return text


def digests(folder: Path) -> str:
    """Return the SHA-256 of each file of a folder except `DIGESTS`, in ``sha256sum`` format."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and path.name != DIGESTS)
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files
    )


def copy_sources(folder: Path) -> None:
    """Copy the files of the repository to a folder."""
    for path in repository_files():
        copy = folder / path.relative_to(REPO_ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    (folder / "montcore.1").write_text(man.page(), encoding="utf-8")


def source_distribution(sources: Path, output: Path) -> Path:
    """Build the source distribution of a copy of the repository and return its path."""
    _run([sys.executable, "-c", _SDIST, str(output)], sources, "the source distribution")
    return next(output.glob("montcore-*.tar.gz"))


def wheel(sources: Path, output: Path) -> Path:
    """Build the wheel of a copy of the repository and return its path."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index"]
    command += ["--no-build-isolation", "--wheel-dir", str(output), str(sources)]
    _run(command, sources, "the wheel")
    return next(output.glob("montcore-*.whl"))


def _run(command: list[str], folder: Path, what: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise CheckFailedError(f"{what} could not be built: {' '.join(lines[-3:])}")


def make(output: Path, say: Callable[[str], None]) -> list[Path]:
    """Write source distribution, wheel, bill of materials and digests; return their paths.

    Args:
        output: folder for them; those of earlier releases in it are removed.
        say: called with each step.
    """
    output.mkdir(parents=True, exist_ok=True)
    for kind in ("tar.gz", "whl", "cdx.json", "xml", "svd", "html"):
        for path in output.glob(f"montcore-[0-9]*.{kind}"):
            path.unlink()
    with tempfile.TemporaryDirectory() as work:
        sources = Path(work) / "montcore"
        copy_sources(sources)
        say("building the source distribution")
        source_distribution(sources, output.resolve())
        say("building the wheel")
        wheel(sources, output.resolve())
    for name, content in descriptions().items():
        (output / f"montcore-{project()['version']}-{name}").write_text(content, encoding="utf-8")
    bill = output / f"montcore-{project()['version']}.cdx.json"
    bill.write_text(bill_of_materials() + "\n", encoding="utf-8")
    (output / DIGESTS).write_text(digests(output), encoding="utf-8")
    return sorted(path for path in output.iterdir() if path.is_file())
