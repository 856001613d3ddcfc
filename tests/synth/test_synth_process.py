# SPDX-License-Identifier: Apache-2.0
"""Tools are stopped with all their child processes; their failures are reported in one sentence."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from montcore.synth.options import Options
from montcore.synth.process import ToolError, ToolTimeoutError, run_tool
from montcore.synth.yosys import run_yosys


def _alive(pid: int) -> bool:
    """Return whether a process runs (a zombie does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def _wait_for(path: Path) -> int:
    for _ in range(100):
        if path.exists() and path.read_text().strip():
            return int(path.read_text())
        time.sleep(0.05)
    raise AssertionError(f"{path} was not written")


def _gone(pid: int) -> bool:
    for _ in range(60):
        if not _alive(pid):
            return True
        time.sleep(0.05)
    return False


def test_time_limit_kills_the_children_too(tmp_path: Path) -> None:
    with pytest.raises(ToolTimeoutError, match=r"did not end within 0\.7 s"):
        run_tool(
            ["/bin/sh", "-c", "sleep 300 & echo $! > child; sleep 300"],
            cwd=tmp_path,
            log=tmp_path / "log",
            timeout=0.7,
        )
    assert _gone(_wait_for(tmp_path / "child"))


def test_children_of_a_leader_that_dies_are_killed(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="status 3"):
        run_tool(
            ["/bin/sh", "-c", "sleep 300 & echo $! > child; exit 3"],
            cwd=tmp_path,
            log=tmp_path / "log",
            timeout=10,
        )
    assert _gone(_wait_for(tmp_path / "child"))


def test_hung_abc_is_killed_with_yosys(tmp_path: Path) -> None:
    # A program in the place of ABC that never ends, as real ABC runs sometimes do.
    fake = tmp_path / "abc"
    fake.write_text(f"#!/bin/sh\necho $$ > {tmp_path}/abc.pid\nexec sleep 300\n")
    fake.chmod(0o755)
    (tmp_path / "and.v").write_text("module t(input a, b, output z); assign z = a & b; endmodule\n")
    commands = ["read_verilog and.v", "synth -noabc", f"abc -exe {fake} -g AND"]
    with pytest.raises(ToolTimeoutError, match="yosys_driver did not end"):
        run_yosys(commands, tmp_path, "hung", Options(yosys_timeout_s=4))
    assert _gone(_wait_for(tmp_path / "abc.pid"))


def test_yosys_dies_with_the_process_that_started_it(tmp_path: Path) -> None:
    script = tmp_path / "wait.ys"
    script.write_text(f"exec -- echo 1 > {tmp_path}/started\nexec -- sleep 20\n")
    starter = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import pathlib, subprocess, sys, time\n"
            "driver = [sys.executable, '-m', 'montcore.synth.yosys_driver', sys.argv[1], '60']\n"
            "yosys = subprocess.Popen(driver, stdout=subprocess.DEVNULL)\n"
            "pathlib.Path(sys.argv[2]).write_text(str(yosys.pid))\n"
            "time.sleep(60)\n",
            str(script),
            str(tmp_path / "pid"),
        ]
    )
    _wait_for(tmp_path / "started")
    yosys = _wait_for(tmp_path / "pid")
    assert _alive(yosys)
    starter.kill()
    starter.wait()
    assert _gone(yosys)


def test_error_names_the_reason_and_the_log(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)ERROR: .*absent\.v.*bad\.log"):
        run_yosys(["read_verilog absent.v"], tmp_path, "bad", Options())
