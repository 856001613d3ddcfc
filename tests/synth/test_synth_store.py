# SPDX-License-Identifier: Apache-2.0
"""The result store loses nothing that was finished, however the process ends."""

import random
import sqlite3
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from montcore.support.errors import RequestError, TransientError
from montcore.synth import store as store_module
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
    path = tmp_path / "results.sqlite"
    rng = random.Random(1)
    done = -1
    for _ in range(6):
        writer = subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(path), str(done + 1)],
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
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    store = ResultStore(path)
    assert done > 10
    for number in range(done + 1):
        found = store.get(f"key{number}", dict)
        assert found is not None and found["number"] == number


def test_many_writers_share_the_file(tmp_path: Path) -> None:
    store = ResultStore(tmp_path / "results.sqlite")
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda n: store.put(f"k{n}", {"n": n}), range(60)))
    assert all(store.get(f"k{n}", dict) == {"n": n} for n in range(60))


def test_a_file_that_is_locked_for_a_moment_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, tries = ResultStore(tmp_path / "results.sqlite"), 0
    once = ResultStore._once

    def busy(self: ResultStore, work: Any) -> Any:
        nonlocal tries
        tries += 1
        if tries < 4:
            raise sqlite3.OperationalError("database is locked")
        return once(self, work)

    monkeypatch.setattr(ResultStore, "_once", busy)
    store.put("key", {"n": 1})
    assert tries == 4
    monkeypatch.setattr(store_module, "_BUSY_TIMEOUT_S", 0)
    tries = -100
    with pytest.raises(TransientError, match="cannot be used now"):
        store.get("key", dict)


def test_a_damaged_file_is_kept_aside_and_a_new_one_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "results.sqlite"
    path.write_bytes(b"this is not a database" * 100)
    store = ResultStore(path)
    assert store.get("a", dict) is None
    (aside,) = tmp_path.glob("results.damaged-*")
    assert aside.read_bytes().startswith(b"this is not") and str(aside) in capsys.readouterr().err
    store.put("a", {"ge": 1})
    assert store.get("a", dict) == {"ge": 1}


@pytest.mark.parametrize(
    "payload", ['{"cycles": ', "{}", "[]", "null", "7", '{"cycles": "many"}', b"\xff", 7, ""]
)
def test_a_damaged_entry_is_discarded(tmp_path: Path, payload: object) -> None:
    path = tmp_path / "results.sqlite"
    store = ResultStore(path)
    good = Cycles(1, 2, None)
    store.put("a", good)
    store.put("b", good)
    connection = sqlite3.connect(path)
    connection.execute("UPDATE results SET payload = ? WHERE key = 'a'", (payload,))
    connection.commit()
    connection.close()
    assert store.get("a", Cycles) is None and store.get("b", Cycles) == good


def test_a_full_disk_names_the_folder_and_is_transient(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(ResultStore, "_transaction", full)
    with pytest.raises(TransientError, match=f"no space is left in {tmp_path}"):
        ResultStore(tmp_path / "results.sqlite").put("a", {})


def test_a_folder_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="file"):
        ResultStore(tmp_path / "file" / "results.sqlite").get("a", dict)
