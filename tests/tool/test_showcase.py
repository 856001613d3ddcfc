# SPDX-License-Identifier: Apache-2.0
"""Output of `make run`, on a comparison that takes seconds; and its interruption."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from functools import partial
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from measurements import made_up, measured_by
from programs import survivors
from rich.console import Console

from montcore.bundle import run_bundle_test
from montcore.compare import atlas
from montcore.compare import measure as measure_module
from montcore.compare.point import plan
from montcore.compare.run import Request
from montcore.support.errors import RequestError
from montcore.synth.result import SynthResult
from montcore.verification.vectors import find_vectors, read_products
from montcore_lab.cli import showcase


# Every run synthesises for xc7 in test_tool_json.py; only nightly runs test with Verilator.
@pytest.mark.parametrize("measures", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_compares_recommends_checks_and_builds(
    measures: bool, own_results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not measures:
        figures = {"lut": 100, "dsp": 0, "cycles": 30, "core_cycles": 28, "interval": 20}
        measured_by(lambda point: made_up(point, **figures), monkeypatch)
        quick = partial(run_bundle_test, engine="icarus")
        monkeypatch.setattr("montcore.bundle.run_bundle_test", lambda folder, _: quick(folder))
    text = StringIO()
    records = tmp_path / "records.txt"
    records.write_text(f"ModMul = {30 * 50 % 193:x}\nA = 1e\nB = 32\nM = c1\n")
    request, console = Request(8, ("rc",), ("xc7",)), Console(file=text, width=160)
    found = showcase.show(console, request, tmp_path, records)
    said = text.getvalue()
    assert found.good and found.bench.passed > 0
    assert found.records.checked == 1
    assert (tmp_path / "report" / "report.html").is_file()
    assert list(found.bundle.glob("rtl/*.sv"))
    best = found.comparison.choices[0].entry
    assert f"2. The recommended core: {best.label}" in said
    assert f"{found.bench.passed} passed, 0 failed" in said
    assert not replace(found, bench=replace(found.bench, failed=1)).good
    text.truncate(0)
    assert not replace(found, records=replace(found.records, checked=0)).good
    with pytest.raises(RequestError, match="neither a file of test vectors nor one of the sets"):
        showcase.show(console, request, tmp_path, tmp_path / "not there")


def test_recommended_core_is_measured_and_compared_with_the_atlas(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(atlas.VARIABLE, str(tmp_path / "atlas.json"))
    (point,) = plan(16, cores=["rc"], targets=["xc7"])
    measured = made_up(point, lut=100, cycles=30, interval=20)
    measured_by(lambda _: measured, monkeypatch)
    text = StringIO()
    book = atlas.Atlas.load()
    for lut, differing in ((100, ()), (99, ("lut: 100, not 99",))):
        book.put(point, replace(measured, lut=lut))
        known = book.entry(point)
        assert known is not None and known.origin == atlas.ORIGIN
        found = showcase._measured_here(Console(file=text, width=160), point, known)
        assert found == differing
    said = text.getvalue()
    assert "as in the atlas" in said and "differs from the atlas in lut: 100, not 99" in said
    assert showcase._measured_here(Console(file=text), point, measured) == ()


def test_netlist_made_beside_the_measurement_is_the_one_that_it_asks_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With memories as flip-flops; with another option it would be made twice."""
    asked: list[Any] = []

    def synthesised(core: Any, target: str, **options: Any) -> SynthResult:
        asked.append((core.label(), target, options["opts"]))
        return SynthResult(target, wires="placed", memory_bits=64)

    monkeypatch.setattr("montcore.synth.flow.synthesise", synthesised)
    (point, *_) = plan(16, cores=["rc"], targets=["osu018"])
    measure_module.with_flip_flops(point)
    measure_module._as_flops(point, SynthResult("osu018", wires="placed", memory_bits=64))
    assert asked[0] == asked[1] and asked[0][2].memory == "flops"


def test_checks_a_set_of_the_repository_by_default() -> None:
    assert len(read_products(find_vectors(showcase.RECORDS))) == 57


def test_ctrl_c_ends_the_comparison_and_its_workers(tmp_path: Path) -> None:
    code = (
        "import os, sys, time\n"
        "from pathlib import Path\n"
        "from rich.console import Console\n"
        "from montcore_lab.cli import showcase\n"
        "from montcore.compare import sweep\n"
        "from montcore.compare.run import Request\n"
        "def slow(point):\n"
        "    os.write(1, f'worker {os.getpid()}\\n'.encode())\n"
        "    time.sleep(60)\n"
        "sweep.measure = slow\n"
        "try:\n"
        "    showcase.show(Console(file=sys.stderr), Request(64, ('smm',), ('xc7',)),"
        " Path(sys.argv[1]))\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(130)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "MONTCORE_CACHE": str(tmp_path / "cache")},
    )
    assert process.stdout is not None
    workers = [int(process.stdout.readline().split()[1]) for _ in range(2)]
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=20) == 130
    assert survivors(workers) == []
    process.stdout.close()
