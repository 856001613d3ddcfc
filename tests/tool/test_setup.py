# SPDX-License-Identifier: Apache-2.0
"""Set-up on machines that lack some programs."""

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from programs import program, write_script

from montcore.support.paths import REPO_ROOT

#: Variables that name a folder for setup, and the file that it looks for there.
FOUND_IN = {"OSU018": "osu018_stdcells.lib", "OPENSSL": "core.h", "P11_KIT": "pkcs11.h"}


@dataclass(frozen=True)
class Machine:
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
def machine(tmp_path: Path) -> Machine:
    """A machine that has everything and is already set up, without root access."""
    programs, checkout, calls = tmp_path / "bin", tmp_path / "checkout", tmp_path / "calls"
    programs.mkdir()
    for name in (
        *("sh", "env", "cat", "cut", "dirname", "grep", "mkdir", "mv", "paste", "rm", "sed"),
        *("sha256sum", "tail", "tee", "tr"),
    ):
        (programs / name).symlink_to(str(shutil.which(name)))
    for name in (
        *("g++", "make", "perl", "openssl", "curl", "opensc-tool", "iverilog", "verilator"),
        *("ghdl", "tclsh", "sta", "riscv64-unknown-elf-gcc", "qemu-riscv32"),
        *("chromium", "chromedriver"),
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
    return Machine(programs, checkout, calls)


def test_setup_does_nothing_when_all_is_there(machine: Machine) -> None:
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert done.stdout == "setup: nothing to do\n"
    assert machine.called() == []


def test_setup_installs_again_when_the_requirements_change(machine: Machine) -> None:
    requirements = machine.checkout / "requirements.txt"
    requirements.write_text(requirements.read_text() + "another==1.0\n")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert any("-r requirements.txt" in call for call in machine.called())
    assert any("--editable" in call for call in machine.called())
    count = len(machine.called())
    assert "nothing to do" in machine.setup().stdout
    assert len(machine.called()) == count


def test_setup_without_root_goes_on_and_says_what_is_lost(machine: Machine) -> None:
    machine.remove("iverilog")
    for _ in range(2):
        done = machine.setup()
        assert done.returncode == 0, done.stderr
        assert "apt-get install --no-install-recommends iverilog" in done.stdout
        assert "without iverilog you do not have: the Icarus compile check" in done.stdout
        assert machine.called() == []


def test_setup_as_root_installs_only_what_is_missing(machine: Machine) -> None:
    machine.remove("iverilog")
    write_script(machine.programs / "id", "echo 0")
    done = machine.setup()
    assert done.returncode == 0, done.stderr
    assert "setup: installing system packages: iverilog" in done.stdout
    installs = [call for call in machine.called() if " install " in call]
    assert len(installs) == 1
    assert installs[0].endswith("--no-install-recommends iverilog")


def test_setup_does_not_try_a_package_twice_that_cannot_be_had(machine: Machine) -> None:
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


def test_setup_names_what_to_install_when_there_is_no_python(machine: Machine) -> None:
    machine.remove("python3")
    shutil.rmtree(machine.checkout / ".venv")
    done = machine.setup()
    assert done.returncode == 1
    assert "no Python 3.10 or newer" in done.stderr
