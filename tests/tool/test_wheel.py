# SPDX-License-Identifier: Apache-2.0
"""A wheel works outside a checkout: it has RTL, vectors and driver, and the user's cache folder."""

import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from montcore.compare import atlas
from montcore.compare.entry import Entry
from montcore.compare.point import plan
from montcore.hdl.files import repository_files
from montcore.maintain import release
from montcore.support import installing
from montcore.support.paths import REPO_ROOT

MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel of the sources, built in a copy so that the checkout stays clean."""
    folder = tmp_path_factory.mktemp("wheel")
    release.copy_sources(folder / "sources")
    return release.wheel(folder / "sources", folder)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of packages with nothing but the unpacked wheel."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def run(installed: Path, home: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run the installed tool in an empty home folder."""
    kept = {key: os.environ[key] for key in ("PATH", "MONTCORE_SIM_FLAGS") if key in os.environ}
    environment = {**kept, "HOME": str(home), "PYTHONPATH": str(installed), **more}
    return subprocess.run(
        [sys.executable, "-m", "montcore", *words],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_holds_what_the_tool_reads(wheel: Path) -> None:
    assert wheel.stat().st_size < 20 * MEGABYTE
    names = set(zipfile.ZipFile(wheel).namelist())
    needed = [
        path.relative_to(REPO_ROOT).as_posix()
        for path in repository_files()
        if path.relative_to(REPO_ROOT).parts[0] in ("hw", "sw", "vectors")
    ]
    assert len(needed) > 100
    assert [name for name in needed if f"montcore/checkout/{name}" not in names] == []
    package = [
        path.relative_to(REPO_ROOT / "src").as_posix()
        for path in repository_files()
        if path.is_relative_to(REPO_ROOT / "src")
    ]
    assert [name for name in package if name not in names] == []


def test_the_tool_works_outside_a_checkout(installed: Path, tmp_path: Path) -> None:
    for words in (["list", "--json"], ["doctor", "--json"], ["papers", "--paper", "smm-2021"]):
        done = run(installed, tmp_path, *words)
        assert done.returncode == 0, done.stderr
    numbers = ["--modulus", "0xc5", "--x", "0x12", "--y", "0x34", "--bits", "8"]
    done = run(installed, tmp_path, "mul", "rc", "--set", "w=8", *numbers, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert int(found["z"], 16) == 0x12 * 0x34 * pow(2, -found["r_bits"], 0xC5) % 0xC5
    done = run(installed, tmp_path, "verify", "rc", "--set", "w=8", "--bits", "8", "--random", "20")
    assert done.returncode == 0, done.stderr
    done = run(installed, tmp_path, "build", "rc", "--set", "w=8", "--bits", "8", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "rtl").is_dir()
    # Nothing is written beside the package.
    assert (tmp_path / ".cache" / "montcore" / "sim").is_dir()
    assert not (installed / ".cache").exists() and not (installed / "montcore" / ".cache").exists()


def test_recommend_answers_from_the_atlas_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    """The digests of the RTL in the wheel are those of the checkout, and no tool is asked."""
    assert (installed / "montcore" / "compare" / "atlas.json").is_file()
    book = atlas.Atlas.load(tmp_path / "atlas.json")
    points = plan(24, cores=["rc", "op"], targets=["xc7"])
    for number, point in enumerate(points):
        entry = Entry(point.core, dict(point.settings), 24, "xc7", lut=100 + number, dsp=0)
        book.put(point, replace(entry, cycles=30, interval=20))
    book.save()
    named = {atlas.VARIABLE: str(book.file), "PATH": str(tmp_path)}
    words = ["recommend", "--bits", "24", "--cores", "rc,op", "--targets", "xc7", "--json"]
    done = run(installed, tmp_path, *words, **named)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["origins"] == {"atlas": len(points)} and found["missing"] == 0


def test_every_pinned_package_is_a_dependency_or_in_an_extra() -> None:
    project = tomllib.loads((REPO_ROOT / "pyproject.toml").read_text())["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    listed = [item for group in groups for item in group]
    known = {re.split(r"[<>=\[ ]", item)[0] for item in listed}
    lines = (REPO_ROOT / "requirements.txt").read_text().splitlines()
    pinned = {line.split("==")[0] for line in lines if "==" in line and line[0] != "#"}
    assert pinned - known == set()
    assert known - pinned - {"montcore"} == set()


def test_a_missing_package_is_installed_by_what_suits_the_installation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "`make setup`" in installing.missing_package("pyosys")
    monkeypatch.setattr(installing, "in_checkout", lambda: False)
    monkeypatch.setattr(installing, "_extras", lambda: {"pyosys": "asic"})
    assert "`pip install 'montcore[asic]'`" in installing.missing_package("pyosys")
    assert "`pip install typer`" in installing.missing_package("typer")


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
    assert installing.system_remedy("g++", "opensta") == command
