# SPDX-License-Identifier: Apache-2.0
"""Tools are stopped with all their child processes; their failures are reported in one sentence."""

import subprocess
import sys
from pathlib import Path

import pytest
from programs import number_in, runs, survivors, write_script

from montcore.synth.options import Options
from montcore.synth.process import ToolError, ToolTimeoutError, run_tool
from montcore.synth.yosys import run_yosys


def test_time_limit_kills_the_children_too(tmp_path: Path) -> None:
    with pytest.raises(ToolTimeoutError, match=r"did not end within 0\.7 s"):
        words = ["/bin/sh", "-c", "sleep 300 & echo $! > child; sleep 300"]
        run_tool(words, cwd=tmp_path, log=tmp_path / "log", timeout=0.7)
    assert survivors([number_in(tmp_path / "child")]) == []


def test_children_of_a_leader_that_dies_are_killed(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="status 3"):
        words = ["/bin/sh", "-c", "sleep 300 & echo $! > child; exit 3"]
        run_tool(words, cwd=tmp_path, log=tmp_path / "log", timeout=10)
    assert survivors([number_in(tmp_path / "child")]) == []


def test_hung_abc_is_killed_with_yosys(tmp_path: Path) -> None:
    # A program in the place of ABC that never ends, as real ABC runs sometimes do.
    fake = write_script(tmp_path / "abc", f"echo $$ > {tmp_path}/abc.pid\nexec sleep 300")
    (tmp_path / "and.v").write_text("module t(input a, b, output z); assign z = a & b; endmodule\n")
    commands = ["read_verilog and.v", "synth -noabc", f"abc -exe {fake} -g AND"]
    with pytest.raises(ToolTimeoutError, match="yosys_driver did not end"):
        run_yosys(commands, tmp_path, "hung", Options(yosys_timeout_s=4))
    assert survivors([number_in(tmp_path / "abc.pid")]) == []


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
    number_in(tmp_path / "started")
    yosys = number_in(tmp_path / "pid")
    assert runs(yosys)
    starter.kill()
    starter.wait()
    assert survivors([yosys]) == []


def test_error_names_the_reason_and_the_log(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match=r"(?s)ERROR: .*absent\.v.*bad\.log"):
        run_yosys(["read_verilog absent.v"], tmp_path, "bad", Options())
