# SPDX-License-Identifier: Apache-2.0
"""A wheel works outside a checkout: it has RTL, vectors and driver, and the user's cache folder.

A release is complete: source distribution, bill of materials, digests; containers and CI files.
"""

import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Tool
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from programs import output_of, program

import montcore
from montcore.compare import atlas
from montcore.compare.entry import Entry
from montcore.compare.point import survey
from montcore.support import needed
from montcore.support.errors import CheckFailedError
from montcore.support.needed import normal, pinned_versions
from montcore.support.paths import REPO_ROOT
from montcore.synth.identity import pinned
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
    package = zipfile.ZipFile(wheel)
    names = set(package.namelist())
    [page] = (name for name in names if name.endswith("/share/man/man1/montcore.1"))
    text = package.read(page).decode().replace("\\", "")
    assert all(f'"montcore {verb}' in text for verb in ("mul CORE", "build CORE", "ec mul"))
    files = [path.relative_to(REPO_ROOT).as_posix() for path in repository_files()]
    needed = [name for name in files if name.startswith(("hw/", "sw/", "vectors/"))]
    assert len(needed) > 100
    assert [name for name in needed if f"montcore/checkout/{name}" not in names] == []
    sources = [name.removeprefix("src/") for name in files if name.startswith("src/")]
    assert [name for name in sources if name not in names] == []


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
    points = survey(24, cores=["rc", "op"], targets=["xc7"]).points
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
    monkeypatch.setattr(needed, "extras", lambda: {"pyosys": "asic"})
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


WORKFLOWS = sorted((REPO_ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution, built in a copy."""
    folder = tmp_path_factory.mktemp("sdist")
    release.copy_sources(folder / "montcore")
    return release.source_distribution(folder / "montcore", folder)


def test_source_distribution_has_every_file_of_the_repository(archive: Path) -> None:
    with tarfile.open(archive) as tar:
        names = {member.name.partition("/")[2] for member in tar if member.isfile()}
    wanted = {path.relative_to(REPO_ROOT).as_posix() for path in repository_files()}
    assert sorted(wanted - names) == []
    made = {name for name in names - wanted if ".egg-info/" not in name}
    assert made == {"PKG-INFO", "setup.cfg", "montcore.1"}
    assert archive.name == f"montcore-{release.project()['version']}.tar.gz"


def test_bill_of_materials_has_what_pip_installs_at_the_pinned_versions() -> None:
    bill = json.loads(release.bill_of_materials())
    assert bill["bomFormat"] == "CycloneDX" and bill["specVersion"] == "1.6"
    assert bill["metadata"]["component"]["version"] == release.project()["version"]
    parts = {part["name"]: part for part in bill["components"]}
    assert set(parts) == set(release.dependencies())
    for name, part in parts.items():
        assert part["version"] == pinned()[normal(name)], name
    assert parts["numpy"]["scope"] == "required" and parts["pyosys"]["scope"] == "optional"
    assert "pytest" not in parts and "asic" in parts["pyosys"]["description"]
    (root,) = [item for item in bill["dependencies"] if item["ref"] == "montcore"]
    assert set(root["dependsOn"]) == set(parts)


def test_digests_are_those_that_sha256sum_checks(tmp_path: Path) -> None:
    for name in ("montcore-1.whl", "montcore-1.tar.gz"):
        (tmp_path / name).write_text(name)
    (tmp_path / release.DIGESTS).write_text(release.digests(tmp_path))
    command = ("sha256sum", "--check", "--strict", release.DIGESTS)
    assert output_of(*command, cwd=tmp_path).count(": OK") == 2
    (tmp_path / "montcore-1.whl").write_text("another")
    assert program(*command, cwd=tmp_path).returncode


def test_a_package_that_cannot_be_built_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[project\n")
    with pytest.raises(CheckFailedError, match="the wheel could not be built"):
        release.wheel(tmp_path, tmp_path)


def test_version_is_the_newest_of_the_changelog() -> None:
    text = (REPO_ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest, *_ = re.findall(r"^## (\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d$", text, re.M)
    assert newest == release.project()["version"] == montcore.__version__
    for other in ("lab", "riscv"):
        about = (REPO_ROOT / other / "pyproject.toml").read_text(encoding="utf-8")
        assert f'version = "{newest}"' in about, other


def test_a_release_of_old_figures_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    monkeypatch.setattr("montcore_lab.pages.figures.complaints", lambda _: ["not measured: it"])
    said = tool.run("maintain", "release", "-o", tmp_path / "dist")
    assert said.status == 1
    assert "1 figures are missing or out of date (not measured: it)" in said.err
    assert not (tmp_path / "dist").exists()


def test_dockerfile_is_clean_and_makes_what_the_readme_says() -> None:
    file = REPO_ROOT / "Dockerfile"
    output_of(Path(sys.executable).with_name("hadolint"), "--failure-threshold", "info", file)
    text = file.read_text(encoding="utf-8")
    assert re.search(r"^FROM \S+@sha256:[0-9a-f]{64} AS", text, re.M)
    assert "RUN make setup" in text and 'CMD ["make", "run"]' in text
    stage = json.loads((REPO_ROOT / ".devcontainer" / "devcontainer.json").read_text())["build"]
    assert f" AS {stage['target']}\n" in text
    assert (REPO_ROOT / ".devcontainer" / stage["dockerfile"]).resolve() == file
    # The files copied by the first stage exist, and are all that setup and pip read.
    for line in re.findall(r"^COPY (?!--)(.*) \S+$", text, re.M):
        for name in line.split():
            assert (REPO_ROOT / name).is_file() or name == ".", name


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_ci_of_the_forge_calls_the_same_commands(workflow: Path) -> None:
    text = workflow.read_text(encoding="utf-8")
    used = re.findall(r"(?:uses|container): (\S+)", text)
    assert used and all(re.search(r"@(?:sha256:)?[0-9a-f]{40,64}$", item) for item in used)
    called = {words for words in re.findall(r"- run: (.*)", text) if not words.startswith("apt-")}
    assert {"bash .ci/run", "make run"} <= called
    makefile = (REPO_ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, re.M))
    for words in called:
        if words.startswith("make "):
            assert words.split()[1] in targets
        else:
            assert (REPO_ROOT / words.split()[1]).is_file()
