# SPDX-License-Identifier: Apache-2.0
"""Worker processes end with the process that started them, and so do the tools they run."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montcore.support import processes

PARENT = """
import os, sys
from pathlib import Path
from montcore.synth.process import run_tool
from montcore.support.workers import worker_pool

def task(folder):
    (folder / "worker").write_text(str(os.getpid()))
    script = "echo $$ > tool.new; mv tool.new tool; exec sleep 600"
    run_tool(["sh", "-c", script], cwd=folder, log=folder / "log", timeout=600)

if __name__ == "__main__":
    with worker_pool(1) as pool:
        pool.submit(task, Path(sys.argv[1])).result()
"""


def runs(process: int) -> bool:
    """Return whether a process exists and is not a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_pool_whose_parent_ends(tmp_path: Path, how: signal.Signals) -> None:
    (tmp_path / "parent.py").write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, "parent.py", tmp_path], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 30
        while not (tmp_path / "tool").exists():
            assert time.monotonic() < deadline, "the tool did not start"
            time.sleep(0.05)
        left = [int((tmp_path / name).read_text()) for name in ("worker", "tool")]
        assert all(runs(process) for process in left)
        parent.send_signal(how)
        parent.wait(timeout=20)
        deadline = time.monotonic() + 20
        while any(runs(process) for process in left) and time.monotonic() < deadline:
            time.sleep(0.1)
        survivors = [process for process in left if runs(process)]
    finally:
        parent.kill()
    for process in survivors:
        os.kill(process, signal.SIGKILL)
    assert survivors == [], f"{survivors} of worker and tool {left} still run"


def test_a_signal_while_a_program_starts_ends_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    tell = processes._watcher.tell

    def tell_late(sign: str, group: int) -> None:
        if sign == "+":
            started.append(group)
            os.kill(os.getpid(), signal.SIGTERM)  # before the watcher knows of the program
        tell(sign, group)

    monkeypatch.setattr(processes._watcher, "tell", tell_late)
    usual = signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        with pytest.raises(SystemExit):
            processes.start(["sleep", "600"])
    finally:
        signal.signal(signal.SIGTERM, usual)
    (group,) = started
    assert not runs(group)
