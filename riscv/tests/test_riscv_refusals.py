# SPDX-License-Identifier: Apache-2.0
"""Messages of `montcore riscv bench` for invalid requests and missing tools."""

import re
import subprocess
from pathlib import Path

import pytest
from needs import require

from montcore.cli.main import run
from montcore_riscv import rocket
from montcore_riscv.qemu import SOURCES
from montcore_riscv.toolchain import (
    COMPILER,
    RISCV_DIR,
    BuildTarget,
    build_program,
    compiler,
    library_sources,
)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bits", "100"], "multiple of 64 from 64 to 4096, not 100"),
        (["--bits", "0"], "not 0"),
        (["--bits", "8192"], "not 8192"),
        (["--cpu", "z80"], "there is no core 'z80'; there are vexriscv"),
    ],
)
def test_wrong_requests_are_one_sentence(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["riscv", "bench", *arguments]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_a_missing_compiler_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MONTCORE_RISCV_CC", "no-such-compiler")
    assert run(["riscv", "bench", "--cpu", "vexriscv"]) == 2
    said = capsys.readouterr().err
    assert "riscv64-unknown-elf-gcc is not installed" in said
    assert "apt-get install gcc-riscv64-unknown-elf" in said


def test_a_missing_java_is_one_sentence(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rocket, "PROGRAMS", {"no-such-java": "default-jdk-headless"})
    assert run(["riscv", "bench", "--cpu", "rocket-e31"]) == 2
    said = capsys.readouterr().err
    assert "cannot be generated without no-such-java" in said
    assert "apt-get install default-jdk-headless" in said


@pytest.mark.parametrize(
    "path",
    sorted(
        {
            *(RISCV_DIR / "include").glob("*.h"),
            *library_sources(BuildTarget(extensions=True)),
            *library_sources(BuildTarget(curves=True, rsa=True)),
        }
    ),
    ids=lambda path: path.name,
)
def test_compiled_for_another_width_each_file_says_that_it_is_for_rv32(path: Path) -> None:
    require(COMPILER)
    command = [compiler(), "-ffreestanding", "-E", f"-I{RISCV_DIR / 'include'}", str(path)]
    sentence = "#error \"montcore's library for RISC-V is for RV32 alone"
    for base, abi in (("64i", "lp64"), ("32e", "ilp32e"), ("32i", "ilp32")):
        target, refused = [f"-march=rv{base}m", f"-mabi={abi}"], base != "32i"
        done = subprocess.run([*command, *target], capture_output=True, text=True, check=False)
        assert (done.returncode != 0, sentence in done.stderr) == (refused, refused), done.stderr
    host = subprocess.run(["gcc", *command[1:]], capture_output=True, text=True, check=False)
    assert host.returncode != 0 and sentence in host.stderr


def test_no_routine_divides() -> None:
    """Small cores multiply but do not divide, and where there is one, its time depends on data."""
    require(COMPILER)
    sources = [RISCV_DIR / name for name in SOURCES]
    path, program = build_program(sources, BuildTarget(curves=True, rsa=True))
    done = subprocess.run(
        [compiler().replace("gcc", "objdump"), "-d", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "mc_ecdsa_sign" in program.symbols and "mc_rsa_private" in program.symbols
    assert "\tmulhu\t" in done.stdout
    assert not re.findall(r"\t(?:div|rem)u?\t.*", done.stdout)
