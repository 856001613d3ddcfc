# SPDX-License-Identifier: Apache-2.0
"""A release: complete source distribution, bill of materials, digests; containers and CI files."""

import json
import re
import sys
import tarfile
from pathlib import Path

import pytest
from command_line import Tool
from programs import output_of, program

import montcore
from montcore.support.errors import CheckFailedError
from montcore.support.needed import normal
from montcore.support.paths import REPO_ROOT
from montcore.synth.identity import pinned
from montcore_lab import release
from montcore_lab.checkout.files import repository_files

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
    assert made == {"PKG-INFO", "setup.cfg"}
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
