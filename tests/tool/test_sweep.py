# SPDX-License-Identifier: Apache-2.0
"""A sweep: failed points are measured again, a killed one resumes, a lost worker is replaced.

Workers end with the process that started them. A Dask cluster is optionally encrypted, and rejected
if its sources differ from ours.
"""

import importlib
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import slow_measure
from command_line import Tool
from measurements import made_up, measured_by
from needs import require
from programs import number_in, output_of, runs, survivors, wait_until

from montcore.compare import cluster as cluster_module
from montcore.compare import sweep as sweep_module
from montcore.compare.atlas import Atlas
from montcore.compare.cluster import Cluster, compare_identities, identity
from montcore.compare.entry import Entry
from montcore.compare.measure import stored
from montcore.compare.point import Point, survey
from montcore.support import processes
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth.store import ResultStore
from montcore_lab.pages import atlas as filling

SUPPORT = REPO_ROOT / "tests" / "support"


def test_failed_point_is_shown_with_its_log_and_measured_again(
    own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = {"status": "failed", "message": "3 times 5 is wrong", "log": "abc: working"}
    calls = measured_by(lambda point: made_up(point, **failed), monkeypatch)
    points = survey(32, cores=["smm"], targets=["xc7"]).points
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
    total = len(survey(128, cores=["smm"], targets=["xc5v", "xc6v", "xc7"]).points)
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
        with Client(found.group(), set_as_default=False) as client:
            client.wait_for_workers(2, timeout=60)
        monkeypatch.setattr(sweep_module, "measure", slow_measure.measure)
        points = survey(128, cores=["smm"], targets=["xc5v", "xc7"]).points
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


def measure(point: Point) -> Entry:
    """Return a made-up measurement of a point."""
    return made_up(point, lut=1, interval=1)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key."""
    require("openssl")
    cert, key = (tmp_path_factory.mktemp("tls") / name for name in ("cert.pem", "key.pem"))
    kind = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2")
    name = ("-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1")
    output_of("openssl", "req", "-x509", *kind, *name, "-keyout", key, "-out", cert)
    return cert, key


@pytest.fixture
def workers(certificate: tuple[Path, Path], own_cache: Path) -> Iterator[Cluster]:
    """An encrypted cluster with one worker in this process."""
    distributed: Any = importlib.import_module("distributed")
    cert, key = (str(path) for path in certificate)
    security = distributed.Security(
        tls_ca_file=cert,
        require_encryption=True,
        **{f"tls_{who}_{what}": path for who in ("scheduler", "worker", "client")
           for what, path in (("cert", cert), ("key", key))},
    )  # fmt: skip
    with distributed.LocalCluster(
        n_workers=1,
        threads_per_worker=1,
        processes=False,
        protocol="tls",
        host="127.0.0.1",
        dashboard_address=None,
        security=security,
    ) as found:
        made = Cluster.of(found.scheduler_address, certificate[0], certificate[0], certificate[1])
        assert made is not None and made.address.startswith("tls://")
        yield made


def test_points_are_measured_over_tls(workers: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_module, "measure", measure)
    points = survey(64, cores=["smm"], targets=["xc7"]).points
    entries = sweep_module.sweep(points, lambda *_: None, cluster=workers)
    assert [entry.status for entry in entries] == ["ok"] * len(points)


@pytest.mark.nightly  # every run has the test above, and the atlas filled by this machine
def test_the_atlas_is_filled_by_the_cluster(
    workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_module, "measure", measure)
    book = Atlas.load(tmp_path / "atlas.json")
    cost = filling.estimate(filling.AtlasPart((64,), ("xc7",), ("smm",)), book)
    assert filling.fill(cost, book, lambda *_: None, cluster=workers) == 0
    points = survey(64, cores=["smm"], targets=["xc7"]).points
    assert Atlas.load(book.file).states(points) == {"valid": len(points)}


def test_a_worker_with_other_sources_is_refused_and_nothing_is_stored(
    workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_module, "measure", measure)
    real = identity("xc7")
    # The worker shares this process, so the client's own identity is changed instead.
    monkeypatch.setattr(sweep_module, "identity", lambda _: {**real, "source": "0123456789abcdef"})
    points = survey(64, cores=["smm"], targets=["xc7"]).points
    with pytest.raises(RequestError, match=f"source {real['source']} instead of 0123456789abcdef"):
        sweep_module.sweep(points, lambda *_: None, cluster=workers)
    store = ResultStore()
    assert all(stored(point, store) is None for point in points)


def test_versions_differ_in_one_sentence() -> None:
    ours = identity("ecp5")
    compare_identities(ours, dict(ours))
    with pytest.raises(RequestError, match=r"nextpnr 1 instead of .*not stored"):
        compare_identities(ours, {**ours, "nextpnr": "1"})
    with pytest.raises(RequestError, match="pyosys none instead of"):
        compare_identities(ours, {key: ours[key] for key in ours if key != "pyosys"})


def test_the_digest_covers_rtl_and_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for text in ("a", "b"):
        for folder, name in (("rtl", "x.sv"), ("tool", "x.py")):
            (tmp_path / folder).mkdir(exist_ok=True)
            (tmp_path / folder / name).write_text(text)
            monkeypatch.setattr(cluster_module, "HW_DIR", tmp_path / "rtl")
            monkeypatch.setattr(cluster_module, "_SOURCE", tmp_path / "tool")
            cluster_module.source_digest.cache_clear()
            found.append(cluster_module.source_digest())
    cluster_module.source_digest.cache_clear()
    assert len(set(found)) == 4


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--tls-ca {cert}", "--tls-ca needs --scheduler"),
        ("--scheduler tcp://127.0.0.1:9 --tls-ca {cert}", "needs an address with tls://"),
        ("--scheduler tls://127.0.0.1:9", "needs --tls-ca and --tls-cert"),
        ("--scheduler tls://127.0.0.1:9 --tls-ca no/such", "--tls-ca no/such cannot be"),
        ("--scheduler tls://127.0.0.1:9 --tls-ca / --tls-cert /", "cannot be read"),
        ("--scheduler tls://127.0.0.1:9 --tls-ca {key} --tls-cert {key}", "is silent"),
        ("--scheduler ' '", "--scheduler takes an address"),
    ],
)
def test_wrong_options_are_one_sentence(
    tool: Tool,
    own_cache: Path,
    tmp_path: Path,
    certificate: tuple[Path, Path],
    options: str,
    words: str,
) -> None:
    cert, key = certificate
    given = shlex.split(options.format(cert=cert, key=key))
    base = ("compare", "--bits", "32", "--cores", "cs", "--targets", "xc7")
    tool.refuses(words, *base, "-o", tmp_path / "out", *given)


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
