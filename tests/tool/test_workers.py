# SPDX-License-Identifier: Apache-2.0
"""Worker processes end with the process that started them, and so do the tools they run."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from programs import number_in, runs, survivors

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


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nothing_is_left_of_a_pool_whose_parent_ends(tmp_path: Path, how: signal.Signals) -> None:
    (tmp_path / "parent.py").write_text(PARENT)
    parent = subprocess.Popen(
        [sys.executable, "parent.py", tmp_path], cwd=tmp_path, stderr=subprocess.DEVNULL
    )
    try:
        left = [number_in(tmp_path / name) for name in ("tool", "worker")]
        assert all(map(runs, left))
        parent.send_signal(how)
        parent.wait(timeout=20)
    finally:
        parent.kill()
    assert survivors(left) == []


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
