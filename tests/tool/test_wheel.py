# SPDX-License-Identifier: Apache-2.0
"""A wheel works outside a checkout: it has RTL, vectors and driver, and the user's cache folder."""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from programs import program

from montcore.compare import atlas
from montcore.compare.entry import Entry
from montcore.compare.point import plan
from montcore.support import needed
from montcore.support.needed import pinned_versions
from montcore.support.paths import REPO_ROOT
from montcore_lab import release
from montcore_lab.checkout.files import repository_files

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the sources, built in a copy so that the checkout stays clean."""
    folder = tmp_path_factory.mktemp("wheel")
    release.copy_sources(folder / "sources")
    return release.wheel(folder / "sources", folder)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package folder with only the unpacked wheel."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def installed_by(requirements: Iterable[str]) -> set[str]:
    """Return the distributions that pip installs for some requirements."""
    found: set[str] = set()
    wanted = [Requirement(text) for text in requirements]
    while wanted:
        requirement = wanted.pop()
        name = canonicalize_name(requirement.name)
        if name in found or (requirement.marker and not requirement.marker.evaluate({"extra": ""})):
            continue
        found.add(name)
        wanted += [Requirement(text) for text in importlib.metadata.requires(name) or ()]
    return found


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose `sitecustomize` hides every package that only an extra installs."""
    allowed = installed_by(release.project()["dependencies"])
    owners = importlib.metadata.packages_distributions()
    hidden = sorted(
        module
        for module, names in owners.items()
        if module.isidentifier()
        and module not in sys.stdlib_module_names
        and not allowed & {canonicalize_name(name) for name in names}
        and module not in ("montcore", "sitecustomize", "_distutils_hack")
    )
    assert "pyosys" in hidden and "pydantic" not in hidden and "pytest" in hidden
    folder = tmp_path_factory.mktemp("bare")
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        f"HIDDEN = frozenset({hidden!r})\n"
        "class Hide:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.partition('.')[0] in HIDDEN:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Hide())\n"
    )
    return folder


def run(
    installed: Path, home: Path, *words: str, first: Path, **more: str
) -> subprocess.CompletedProcess[str]:
    """Run the installed tool in an empty home folder; `first` comes before it in the search."""
    kept = {key: os.environ[key] for key in ("PATH", "MONTCORE_SIM_FLAGS") if key in os.environ}
    environment = {**kept, "HOME": str(home), "PYTHONPATH": f"{first}:{installed}", **more}
    return program(sys.executable, "-m", "montcore", *words, cwd=home, env=environment)


def said(installed: Path, home: Path, *words: str, first: Path, **more: str) -> str:
    """Return the output of a command of the installed tool that succeeds."""
    done = run(installed, home, *words, first=first, **more)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_what_the_tool_reads(wheel: Path) -> None:
    assert wheel.stat().st_size < 20 * MEGABYTE
    names = set(zipfile.ZipFile(wheel).namelist())
    files = [path.relative_to(REPO_ROOT).as_posix() for path in repository_files()]
    needed = [name for name in files if name.startswith(("hw/", "sw/", "vectors/"))]
    assert len(needed) > 100
    assert [name for name in needed if f"montcore/checkout/{name}" not in names] == []
    package = [name.removeprefix("src/") for name in files if name.startswith("src/")]
    assert [name for name in package if name not in names] == []


@pytest.mark.nightly  # every run has what the wheel holds, below and above
def test_the_tool_works_outside_a_checkout_with_what_pip_brings(
    installed: Path, bare: Path, tmp_path: Path, own_simulators: Path
) -> None:
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "montcore").symlink_to(own_simulators)
    for words in (["list", "--json"], ["doctor", "--json"]):
        said(installed, tmp_path, *words, first=bare)
    done = run(installed, tmp_path, "papers", "--paper", "smm-2021", first=bare)
    assert done.returncode == 2 and "`pip install --editable lab`" in done.stderr
    numbers = ["--modulus", "0xc5", "--x", "0x12", "--y", "0x34", "--bits", "8"]
    words = ["mul", "rc", "--set", "w=8", *numbers, "--json"]
    found = json.loads(said(installed, tmp_path, *words, first=bare))
    assert int(found["z"], 16) == 0x12 * 0x34 * pow(2, -found["r_bits"], 0xC5) % 0xC5
    chosen = ["rc", "--set", "w=8", "--bits", "8"]
    for words in (["verify", *chosen, "--random", "20"], ["build", *chosen, "-o", "out"]):
        said(installed, tmp_path, *words, first=bare)
    assert (tmp_path / "out" / "rtl").is_dir() and (tmp_path / "out" / "waves.svg").is_file()
    # Nothing is written next to the package.
    assert list(own_simulators.glob("sim/montcore_rc-*/simulator"))
    assert not (installed / ".cache").exists() and not (installed / "montcore" / ".cache").exists()


def test_recommend_answers_from_the_atlas_of_the_wheel(
    installed: Path, bare: Path, tmp_path: Path
) -> None:
    """The digests of the RTL in the wheel match the checkout's, and no tool is run."""
    assert (installed / "montcore" / "compare" / "atlas.json").is_file()
    book = atlas.Atlas.load(tmp_path / "atlas.json")
    points = plan(24, cores=["rc", "op"], targets=["xc7"])
    for number, point in enumerate(points):
        entry = Entry(point.core, dict(point.settings), 24, "xc7", lut=100 + number, dsp=0)
        book.put(point, replace(entry, cycles=30, interval=20))
    book.save()
    named = {atlas.VARIABLE: str(book.file), "PATH": str(tmp_path)}
    words = ["recommend", "--bits", "24", "--cores", "rc,op", "--targets", "xc7", "--json"]
    found = json.loads(said(installed, tmp_path, *words, first=bare, **named))
    assert found["origins"] == {"atlas": len(points)} and found["missing"] == 0


def test_every_dependency_is_pinned_with_its_digests_and_so_is_what_it_needs() -> None:
    project = release.project()
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    needed = installed_by(text for group in groups for text in group)
    assert needed - {"montcore"} <= pinned_versions(REPO_ROOT).keys()
    entries = re.split(r"^(?=[a-z])", (REPO_ROOT / "requirements.txt").read_text(), flags=re.M)
    assert len(entries) > 150 and all("--hash=sha256:" in entry for entry in entries[1:])


def test_a_missing_package_is_installed_by_what_suits_the_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "`make setup`" in needed.missing_package("pyosys")
    monkeypatch.setattr(needed, "in_checkout", lambda: False)
    monkeypatch.setattr(needed, "_extras", lambda: {"pyosys": "asic"})
    assert "`pip install 'montcore[asic]'`" in needed.missing_package("pyosys")
    assert "`pip install typer`" in needed.missing_package("typer")


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("apt-get", "apt-get install g++ opensta"),
        ("dnf", "dnf install gcc-c++; build opensta from source (dnf has no package)"),
        ("brew", "brew install gcc; build opensta from source (brew has no package)"),
        ("none", "install g++ opensta"),
    ],
)
def test_the_remedy_speaks_the_language_of_the_system(
    monkeypatch: pytest.MonkeyPatch, manager: str, command: str
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda name: name if name == manager else None)
    assert needed.system_remedy("g++", "opensta") == command
