# SPDX-License-Identifier: Apache-2.0
"""A Dask cluster: optionally encrypted, and rejected if its sources differ from ours."""

import importlib
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import Tool
from measurements import made_up
from needs import require
from programs import output_of

from montcore.compare import cluster as cluster_module
from montcore.compare import sweep as sweep_module
from montcore.compare.atlas import Atlas
from montcore.compare.cluster import Cluster, compare_identities, identity
from montcore.compare.entry import Entry
from montcore.compare.measure import stored
from montcore.compare.point import Point, plan
from montcore.support.errors import RequestError
from montcore.synth.store import ResultStore
from montcore_lab.pages import atlas as filling


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
    points = plan(64, cores=["smm"], targets=["xc7"])
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
    points = plan(64, cores=["smm"], targets=["xc7"])
    assert Atlas.load(book.file).states(points) == {"valid": len(points)}


def test_a_worker_with_other_sources_is_refused_and_nothing_is_stored(
    workers: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_module, "measure", measure)
    real = identity("xc7")
    # The worker shares this process, so the client's own identity is changed instead.
    monkeypatch.setattr(sweep_module, "identity", lambda _: {**real, "source": "0123456789abcdef"})
    points = plan(64, cores=["smm"], targets=["xc7"])
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
        ("--scheduler tls://127.0.0.1:9 --tls-ca {key} --tls-cert {key}", "does not answer"),
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
