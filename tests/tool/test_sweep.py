# SPDX-License-Identifier: Apache-2.0
"""A sweep: failed points are measured again, a killed one resumes, a lost worker is replaced."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import slow_measure
from measurements import made_up, measured_by
from programs import wait_until

from montcore.compare import sweep as sweep_module
from montcore.compare.cluster import Cluster
from montcore.compare.entry import Entry
from montcore.compare.point import Point, plan
from montcore.support.paths import REPO_ROOT

SUPPORT = REPO_ROOT / "tests" / "support"


def test_failed_point_is_shown_with_its_log_and_measured_again(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = {"status": "failed", "message": "3 times 5 is wrong", "log": "abc: working"}
    calls = measured_by(lambda point: made_up(point, **failed), monkeypatch)
    points = plan(32, cores=["smm"], targets=["xc7"])
    for _ in range(2):
        entries = sweep_module.sweep(points, lambda *_: None)
        assert [entry.status for entry in entries] == ["failed"] * len(points)
        assert entries[0].log == "abc: working"
    assert len(calls) == 2 * len(points)


def _environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join([str(SUPPORT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
    return {
        **os.environ,
        "PYTHONPATH": path.rstrip(os.pathsep),
        "MONTCORE_CACHE": str(folder / "cache"),
        "SLOW_MEASURE_LOG": str(folder / "log"),
    }


def _lines(folder: Path) -> list[str]:
    log = folder / "log"
    return log.read_text().splitlines() if log.exists() else []


def test_killed_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    environment = _environment(tmp_path)
    command = [sys.executable, str(SUPPORT / "slow_measure.py")]
    process = subprocess.Popen(command, env=environment, start_new_session=True)
    wait_until(lambda: len(_lines(tmp_path)) >= 5)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    time.sleep(2 * slow_measure.SECONDS)  # the workers end on their own
    before = _lines(tmp_path)
    total = len(plan(128, cores=["smm"], targets=["xc5v", "xc6v", "xc7"]))
    assert 5 <= len(before) < total
    subprocess.run(command, env=environment, check=True, timeout=120)
    after = _lines(tmp_path)
    assert set(after) >= set(before) and len(set(after)) == total
    repeated = len(after) - len(set(after))
    assert repeated <= 2, "more than the points in progress were measured twice"
    subprocess.run(command, env=environment, check=True, timeout=120)
    assert _lines(tmp_path) == after


def test_sweep_on_a_cluster_survives_a_worker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from distributed import Client

    environment = _environment(tmp_path)
    for name in ("MONTCORE_CACHE", "SLOW_MEASURE_LOG"):
        monkeypatch.setenv(name, environment[name])
    address_file = tmp_path / "scheduler.json"
    common = {"env": environment, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    options = ["--scheduler-file", str(address_file)]
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", *options]
    scheduler += ["--port", "0", "--no-dashboard", "--host", "127.0.0.1"]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", *options, "--nthreads", "1"]
    worker += ["--no-dashboard", "--no-nanny", "--local-directory", str(tmp_path)]
    programs = []
    try:
        for words in (scheduler, worker, worker):
            programs.append(subprocess.Popen(words, **common))  # type: ignore[call-overload]
        wait_until(address_file.exists)
        found = re.search(r"tcp://[0-9.:]+", address_file.read_text())
        assert found is not None
        # A worker registers some time after it has started.
        with Client(found.group(), set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(2, timeout=60)
        monkeypatch.setattr(sweep_module, "measure", slow_measure.measure)
        points = plan(128, cores=["smm"], targets=["xc5v", "xc7"])
        seen: list[Point] = []

        def done(point: Point, _: Entry, __: int) -> None:
            seen.append(point)
            if len(seen) == 3:
                programs[-1].kill()

        entries = sweep_module.sweep(points, done, cluster=Cluster(found.group()))
        assert [entry.status for entry in entries] == ["ok"] * len(points)
        assert sorted(map(str, seen)) == sorted(map(str, points))
        # And nothing is measured again.
        count = len(_lines(tmp_path))
        sweep_module.sweep(points, lambda *_: None, cluster=Cluster(found.group()))
        assert len(_lines(tmp_path)) == count
    finally:
        for program in programs:
            program.kill()
            program.wait()
