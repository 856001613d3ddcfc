# SPDX-License-Identifier: Apache-2.0
"""Every user error ends in one sentence; a killed command leaves no process and no partial
result."""

import errno
import os
import signal
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer.main
from command_line import Tool
from programs import number_in, runs, survivors, write_script

from montcore.cli import main as cli
from montcore.compare.budget import parse_budget
from montcore.sim import build as build_module
from montcore.sim.build import build_simulator
from montcore.sim.programs import cached_program
from montcore.sim.toolchain import BuildError, toolchain
from montcore.support.errors import (
    RequestError,
    TransientError,
    is_transient,
    storage,
    storage_error,
)
from montcore.synth.process import ToolError, TransientToolError, run_tool

MODULE = """module tiny (input logic clk_i, output logic q_o);
  always_ff @(posedge clk_i) q_o <= !q_o;
endmodule
"""


# ---- bad values ------------------------------------------------------------------------------

#: A request of each verb that would work, to which one bad value at a time is added.
REQUESTS: dict[str, list[str]] = {
    "list": [],
    "mul": ["cs", "--modulus", "f1", "--x", "1", "--y", "1", "--engine", "model"],
    "modexp": ["cs", "--modulus", "f1", "--base", "1", "--exponent", "1"],
    "ec mul": ["cs", "--curve", "p-256", "--scalar", "1"],
    "ecdsa sign": ["--key", "key.pem", "--in", "message", "--core", "cs"],
    "ecdsa verify": ["--key", "key.pem", "--in", "message", "--signature", "message"],
    "ecdh": ["--key", "key.pem", "--peer", "key.pem"],
    "x25519": ["cs", "--scalar", 32 * "00", "--u", 32 * "09"],
    "x448": ["cs", "--scalar", 56 * "00", "--u", 56 * "09"],
    "ed25519 sign": ["--key", "key.pem", "--in", "message"],
    "ed448 verify": ["--key", "key.pem", "--in", "message", "--signature", "message"],
    "verify": ["cs", "--bits", "8", "--engine", "model", "--random", "1"],
    "synth": ["cs", "--bits", "8", "--target", "xc7"],
    "peers": ["secworks", "--source", "."],
    "mutate": ["cs4"],
    "build": ["cs", "--bits", "8", "-o", "out"],
    "serve": ["--bits", "64", "--units", "exponentiator"],
    "compare": ["--bits", "8", "--targets", "xc7", "--cores", "cs", "-o", "out"],
    "recommend": ["--bits", "8", "--targets", "xc7", "--cores", "cs"],
    "library check": ["absent.toml"],
    "papers": ["--measure"],
    "riscv bench": ["--bits", "64"],
    "maintain reservation": [],
    "maintain measure interval": ["--alpha", "2", "--bits", "32"],
    "maintain measure simulation": ["cs", "--bits", "8"],
    "maintain measure module": ["--top", "t", "absent.sv"],
    "rsa sign": ["--key", "key.pem", "--in", "message"],
    "rsa verify": ["--key", "key.pem", "--in", "message", "--signature", "message"],
}
BAD = ["", "-1", "0", "99999999999999999999999", "no/such/file", "/", "\udcff", "a,b,,", "=", "1e9"]
#: Options that print a script or write into the user's shell.
LEFT_OUT = {"install_completion", "show_completion"}


@cache
def _application() -> Any:
    # Made once: that takes a tenth of a second.
    return typer.main.get_command(cli.app)


def _command(words: str) -> Any:
    command = _application()
    for word in words.split():
        command = command.commands[word]
    return command


def _options(words: str) -> list[str]:
    found = []
    for option in _command(words).params:
        takes_value = not getattr(option, "is_flag", False) and option.opts[0].startswith("-")
        if takes_value and option.name not in LEFT_OUT:
            found.append(max(option.opts, key=len))
    return found


CASES = [(words, option) for words in REQUESTS for option in _options(words)]


@pytest.mark.parametrize(("words", "option"), CASES)
@pytest.mark.one_in(16)
def test_bad_values_are_one_sentence(
    tool: Tool,
    own_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    option: str,
) -> None:
    def reached(*_: Any, **__: Any) -> Any:
        raise TransientError("work would have begun")

    for place in (
        "montcore.compare.run.sweep",
        "montcore.bundle.build",
        "montcore.synth.flow.synthesise",
        "montcore_riscv.bench.Machine",
        "montcore.modexp.exponentiator.Exponentiator.run",
        "montcore.ecc.engine.Engine.run",
        "montcore.sim.build.build_simulator",
        "montcore.soc.serving.serving_program",
        "montcore_lab.pages.figures.complaints",
        "montcore_lab.papers.run.measure",
        "montcore_lab.mutation.campaign.campaign",
        "montcore_lab.pages.reservation.draw",
        "montcore_lab.benches.simulation.measure",
        "montcore_lab.benches.module.run_flow",
        "montcore_lab.benches.module.fpga_report",
    ):
        monkeypatch.setattr(place, reached)
    monkeypatch.chdir(tmp_path)
    for bad in BAD:
        status, _, err = tool.run(*words.split(), *REQUESTS[words], option, bad)
        assert status in (0, 1, 2)
        if status:
            assert err.startswith("montcore: ") and err.count("\n") == 1, err


def test_every_verb_with_options_is_tried() -> None:
    command: Any = typer.main.get_command(cli.app)
    assert {words.split()[0] for words in REQUESTS} == set(command.commands) - {"doctor"}


def test_endless_numbers_are_refused() -> None:
    with pytest.raises(RequestError, match="too large"):
        parse_budget("ge<=1e999")


# ---- storage ---------------------------------------------------------------------------------


def test_a_full_disk_names_the_folder_and_is_transient(tmp_path: Path) -> None:
    with pytest.raises(TransientError, match=f"no space is left in {tmp_path}"), storage(tmp_path):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert isinstance(storage_error(OSError(errno.EROFS, "x"), tmp_path), RequestError)


@pytest.mark.parametrize(
    "words",
    [
        ["mul", "cs", "--modulus", "f1", "--x", "1", "--y", "1"],
        ["modexp", "cs", "--modulus", "f1", "--base", "3", "--exponent", "3"],
        ["recommend", "--bits", "8", "--targets", "xc7"],
        ["compare", "--bits", "8", "--targets", "xc7", "--cores", "cs", "-o", "out"],
        ["synth", "cs", "--bits", "8", "--target", "xc7"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("place", ["file/cache", "/proc/cache"])
def test_a_cache_that_cannot_be_written_is_one_sentence(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], place: str
) -> None:
    (tmp_path / "file").write_text("")
    cache = Path(place) if place.startswith("/") else tmp_path / place
    monkeypatch.setenv("MONTCORE_CACHE", str(cache))
    monkeypatch.chdir(tmp_path)
    assert "cannot be used" in tool.refuses(str(cache.parent), *words)
    assert "set MONTCORE_CACHE" in str(storage_error(PermissionError(errno.EACCES, ""), cache))


@pytest.mark.skipif(os.geteuid() != 0, reason="only the administrator may mount")
def test_a_disk_that_fills_up_names_the_folder(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:

        def full(*_: Any) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        monkeypatch.setattr(build_module, "_build", full)
    try:
        monkeypatch.setenv("MONTCORE_CACHE", str(disk / "cache"))
        status, out, err = tool.run("mul", "cs", "--modulus", "f1", "--x", "1", "--y", "1")
    finally:
        subprocess.run(["umount", str(disk)], capture_output=True, check=False)
    assert (status, out, err.count("\n")) == (1, "", 1)
    assert "No space left" in err or f"no space is left in {disk}" in err
    assert str(disk) in err


# ---- the cache of simulators -----------------------------------------------------------------


def tiny(tmp_path: Path, name: str = "tiny") -> Path:
    source = tmp_path / "tiny.sv"
    source.write_text(MODULE)
    harness = tmp_path / "main.cpp"
    harness.write_text('#include "Vdut.h"\nint main() { Vdut dut; dut.eval(); return 0; }\n')
    return build_simulator(name, [source], {}, harness=harness)


def test_a_damaged_simulator_is_built_anew(own_cache: Path, tmp_path: Path) -> None:
    made: list[Path] = []

    def make(work: Path) -> None:
        made.append(work)
        write_script(work / "simulator", "exit 7")

    for count, damage in enumerate((b"#!/bin/sh\nex", b"", None, None), 1):
        program = cached_program("tiny", "key", make)
        assert subprocess.run([program], check=False).returncode == 7
        assert len(made) == min(count, 3), "a whole one was built anew, or a damaged one was not"
        if damage is not None:
            program.write_bytes(damage)
    (program.parent / "simulator.sha256").unlink()
    cached_program("tiny", "key", make)
    assert len(made) == 4


def test_a_damaged_object_of_the_runtime_is_compiled_anew(own_cache: Path) -> None:
    class FailingTools:
        count = 0

        def run(self, command: list[str]) -> None:
            self.count += 1
            Path(command[-1]).write_bytes(b"an object")

    tools: Any = FailingTools()
    for _ in range(3):
        found = build_module._runtime_object("verilated", [], [], tmp := own_cache, tools)
        assert found.read_bytes() == b"an object" and tmp.is_dir()
    assert tools.count == 1
    found.write_bytes(b"half")
    assert (
        build_module._runtime_object("verilated", [], [], tmp, tools).read_bytes() == b"an object"
    )
    assert tools.count == 2


COMPILERS = {
    "killed by a signal": ("kill -9 $$", TransientError),
    "out of memory": ("echo 'g++: fatal error: Killed signal terminated program cc1plus' >&2; "
                      "exit 1", TransientError),
    "no space": ("echo 'error: No space left on device' >&2; exit 1", TransientError),
    "wrong sources": ("echo 'error: expected ;' >&2; exit 1", BuildError),
}  # fmt: skip


@pytest.mark.parametrize("how", COMPILERS)
def test_a_killed_compiler_is_transient_and_leaves_nothing(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    script, kind = COMPILERS[how]
    body = f'case "$1" in --version) echo fake 1.0; exit;; esac\n{script}'
    monkeypatch.setenv("CXX", str(write_script(tmp_path / "compiler", body)))
    toolchain.cache_clear()
    try:
        with pytest.raises(BuildError) as caught:
            tiny(tmp_path)
    finally:
        toolchain.cache_clear()
    assert isinstance(caught.value, kind)
    assert isinstance(caught.value, TransientError) == (kind is TransientError)
    assert not list((own_cache / "sim").glob("*.tmp"))


@pytest.mark.parametrize(
    ("status", "said", "transient"),
    [
        (-9, "", True), (-15, "", True), (137, "", True), (-11, "", True), (1, "error", False),
        (1, "write failed: No space left on device", True), (1, "std::bad_alloc", True),
    ],
)  # fmt: skip
def test_what_counts_as_transient(status: int, said: str, transient: bool) -> None:
    assert is_transient(status, said) == transient


def test_a_tool_that_is_killed_is_a_transient_failure(tmp_path: Path) -> None:
    for script, kind in (("kill -9 $$", TransientToolError), ("exit 3", ToolError)):
        with pytest.raises(ToolError) as caught:
            run_tool(["/bin/sh", "-c", script], cwd=tmp_path, log=tmp_path / "log", timeout=20)
        assert type(caught.value) is kind


# ---- what was killed -------------------------------------------------------------------------

STARTER = """
import subprocess, sys, time
from pathlib import Path
from montcore.support.processes import running
script = "sleep 300 & echo $! > child.new; mv child.new child; wait"
with running(["/bin/sh", "-c", script], cwd=sys.argv[1]) as process:
    # The watcher knows the program from here on, and not when the program begins.
    Path(sys.argv[1], "leader").write_text(str(process.pid))
    process.wait()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_killed_run_leaves_no_tool_and_no_child_of_one(
    tmp_path: Path, how: signal.Signals
) -> None:
    starter = subprocess.Popen([sys.executable, "-c", STARTER, str(tmp_path)])
    left = [number_in(tmp_path / name) for name in ("leader", "child")]
    try:
        assert all(map(runs, left))
    finally:
        starter.send_signal(how)
        starter.wait()
    assert survivors(left) == []


def test_two_builds_never_share_a_work_folder(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Path] = []

    def failing(work: Path, *_: Any) -> None:
        seen.append(work)
        raise BuildError("refused")

    monkeypatch.setattr(build_module, "_build", failing)
    for _ in range(2):
        with pytest.raises(BuildError):
            tiny(tmp_path)
    assert seen[0] != seen[1] and not any(work.exists() for work in seen)
