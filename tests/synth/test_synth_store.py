# SPDX-License-Identifier: Apache-2.0
"""The result store loses nothing that was finished, however the process ends."""

import errno
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montcore.support.errors import RequestError, TransientError
from montcore.synth.gatesim.check import Cycles
from montcore.synth.store import ResultStore

_WRITER = """
import sys
from pathlib import Path
from montcore.synth.store import ResultStore
store = ResultStore(Path(sys.argv[1]))
first = int(sys.argv[2])
for number in range(first, first + 100000):
    store.put(f"key{number}", {"number": number, "text": "x" * 3000})
    print(number, flush=True)
"""


def test_kill_9_loses_no_finished_result(tmp_path: Path) -> None:
    rng = random.Random(1)
    done = -1
    for _ in range(3):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path), str(done + 1)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        assert writer.stdout.readline().strip() == str(done + 1)
        time.sleep(rng.uniform(0.0, 0.15))
        writer.kill()
        lines = writer.stdout.read().split()
        writer.wait()
        done = int(lines[-1]) if lines else done + 1
    store = ResultStore(tmp_path)
    for number in range(done + 1):
        found = store.get(f"key{number}", dict)
        assert found is not None and found["number"] == number


@pytest.mark.parametrize(
    "payload", [b'{"cycles": ', b"{}", b"[]", b"null", b"7", b'{"cycles": "many"}', b"\xff", b""]
)
def test_a_damaged_entry_counts_as_none_and_is_replaced(tmp_path: Path, payload: bytes) -> None:
    store = ResultStore(tmp_path)
    good = Cycles(1, 2, None)
    store.put("a", good)
    store.put("b", good)
    (tmp_path / "a.json").write_bytes(payload)
    assert store.get("a", Cycles) is None and store.get("b", Cycles) == good
    store.put("a", good)
    assert store.get("a", Cycles) == good


def test_a_full_disk_names_the_folder_and_is_transient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(TransientError, match=f"no space is left in {tmp_path}"):
        ResultStore(tmp_path).put("a", {})
    assert ResultStore(tmp_path).get("a", dict) is None


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="file"):
        ResultStore(tmp_path / "file" / "results").put("a", {})
