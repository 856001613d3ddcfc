# SPDX-License-Identifier: Apache-2.0
"""Units over a multiplier as points of a comparison, the formulas of a report, and `make run`."""

import math
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
from command_line import Tool
from measurements import made_up, measured_by
from programs import survivors
from rich.console import Console

from montcore.bundle import run_bundle_test
from montcore.compare import atlas as atlas_module
from montcore.compare import measure as measure_module
from montcore.compare import point as point_module
from montcore.compare import sweep as sweep_module
from montcore.compare.atlas import Atlas
from montcore.compare.budget import recommend
from montcore.compare.entry import Entry
from montcore.compare.formulas import CYCLES, FORMULAS, formula, formula_text
from montcore.compare.marks import axes_of
from montcore.compare.measure import point_key
from montcore.compare.point import Point, digests, survey
from montcore.compare.run import Request
from montcore.compare.units import UNITS
from montcore.cores import all_cores, get_core
from montcore.ecc.design import EngineDesign
from montcore.modexp.design import ExponentiatorDesign
from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR
from montcore.synth.result import SynthResult
from montcore.synth.target import get_target
from montcore.verification.vectors import find_vectors, read_products
from montcore_lab.cli import showcase
from montcore_lab.pages import atlas as filling


def evaluated(core: Any, length: int) -> int:
    names: dict[str, Any] = {"L": length, "ceil": math.ceil}
    for name, words in formula(core):
        names[name] = eval(words, {"__builtins__": {}}, names)
    return int(names[CYCLES])


@pytest.mark.parametrize("name", FORMULAS)
def test_formula_that_is_shown_gives_the_cycles_of_the_core(name: str) -> None:
    core = get_core(name)
    for bits in (192, 256, 384):
        for point in core.points(bits, full=True):
            for length in (bits, bits - 1, bits // 2, bits // 3):
                assert evaluated(point, length) == point.core_cycles(length), point.label()
            assert formula_text(point)
    assert "L" in formula_text(get_core("cs4").configure({}, 256))


def test_unit_is_a_point_over_every_core_that_serves_it() -> None:
    points = survey(256, cores=["ecc"], targets=["xc7"]).points
    below = [point.configured() for point in points]
    assert {core.name for core in below} <= set(all_cores()) and len(below) >= 5
    for point, core in zip(points, below, strict=True):
        assert point.settings[0] == ("core", core.name)
        assert Point.of("ecc", dict(point.settings), 256, "xc7") == point
        assert point.command.startswith(f"montcore synth ecc --set core={core.name} ")
        # Of each core the fastest point, since what surrounds it is the same.
        assert core.core_cycles(256) == min(c.core_cycles(256) for c in type(core).points(256))
    assert len(survey(256, cores=["ecc"], targets=["xc7"], full=True).points) > len(points)
    with pytest.raises(RequestError, match="ecc and cs4 perform different operations"):
        survey(256, cores=["ecc", "cs4"])
    with pytest.raises(RequestError, match="no core can be built for 2048 bits"):
        survey(2048, cores=["ecc"])
    assert not [point for point in survey(256).points if point.unit]


@pytest.mark.parametrize("unit", list(UNITS))
def test_unit_is_stale_with_each_of_its_files_and_with_its_program(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = survey(64 if unit == "modexp" else 128, cores=[unit], targets=["xc7"]).points[0]
    core = point.configured()
    design = ExponentiatorDesign(core) if unit == "modexp" else EngineDesign(core)
    committed = {path for path in design.sources() if path.is_relative_to(HW_DIR)}
    assert set(design.files()) == committed
    before, key = digests(point), point_key(point)
    *others, top = design.files()
    changed = tmp_path / top.name
    changed.write_text(top.read_text() + "\nmodule m; endmodule")
    monkeypatch.setattr(type(design), "files", lambda *_: [*others, changed])
    point_module._sources_digest.cache_clear()
    assert digests(point)[0] != before[0] and point_key(point) != key
    monkeypatch.undo()
    point_module._sources_digest.cache_clear()
    assert digests(point) == before and point_key(point) == key
    about = design.about()
    monkeypatch.setattr(type(design), "about", lambda *_: {**about, "more": 1})
    assert digests(point)[0] != before[0] and point_key(point) != key


@pytest.mark.parametrize("unit", list(UNITS))
def test_flow_of_a_unit_does_what_its_multiplier_asks_for(
    unit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With default packing, the differences of `karatsuba` give a wrong netlist on the 7 series."""
    core = get_core("karatsuba").configure({}, 128)
    seen: list[str] = []

    def synthesised(subject: Any, *_: Any, **__: Any) -> Any:
        seen.append(subject.design.choice("dsp_adders"))

    monkeypatch.setattr("montcore.modexp.unit.synthesise_subject", synthesised)
    flow = UNITS[unit].flow(core)
    flow.synthesise("xc7")
    assert seen == ["after"]
    technology = get_target("xc7").technology
    assert flow.design.about(technology)["choices"] == core.flow_choices(technology)


def engine(core: str, lut: int, cycles: int) -> Entry:
    """Return a curve engine on xc7 that looks measured."""
    return Entry(
        "ecc", {"core": core, "w": "32"}, 256, "xc7", lut=lut, dsp=0, cycles=cycles,
        sign_cycles=cycles // 2, verify_cycles=2 * cycles, checked=4,
    )  # fmt: skip


def test_best_engine_is_found_without_an_interval() -> None:
    entries = [engine("cs4", 7000, 700_000), engine("rc", 5000, 1_300_000)]
    for objective, wanted in (("area-time", "cs4"), ("throughput", "cs4"), ("area", "rc")):
        (choice,) = recommend(entries, [], objective)
        assert choice.entry.multiplier == wanted
        assert "to sign" in choice.words and "None" not in choice.words
        second = {"cs4": "rc", "rc": "cs4"}[wanted]
        assert f"The best other core, ecc core={second} w=32," in choice.words
    content = recommend(entries, [], "area")[0].as_choice()
    assert content["params"]["core"] == "rc" and content["sign_cycles"] == 650_000
    assert axes_of("xc7", entries)[0] == "cycles"
    routed = [replace(entry, fmax_mhz=100.0) for entry in entries]
    assert axes_of("xc7", routed)[0] == "latency_us"
    assert routed[0].figures()["signatures_per_second"] == pytest.approx(1e8 / 350_000)


def test_recommend_answers_for_units_from_the_atlas(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    file = tmp_path / "atlas.json"
    monkeypatch.setenv(atlas_module.VARIABLE, str(file))
    book = Atlas.load()
    points = survey(128, cores=["ecc"], targets=["xc7"]).points
    for number, point in enumerate(points):
        book.put(point, replace(engine("cs4", 7000 + number, 1000), params=dict(point.settings)))
    book.save()
    monkeypatch.setattr(sweep_module, "_here", lambda *_: pytest.fail("nothing is measured"))
    found = tool.json("recommend", "--bits", "128", "--cores", "ecc", "--targets", "xc7")
    assert found["origins"] == {"atlas": len(points)} and found["missing"] == 0
    assert found["choices"][0]["core"] == "ecc" and found["choices"][0]["params"]["core"]
    part = filling.AtlasPart((128,), ("xc7",), ("rc", "ecc"))
    cost = filling.estimate(part, Atlas.load())
    assert (cost.points, cost.valid) == (len(points) + 1, len(points))
    assert filling.seconds_of(Point.of("modexp", {"core": "rc"}, 256, "xc7"), book) > 100


@pytest.mark.nightly  # test_compares_recommends_checks_and_builds has the same flow
def test_small_exponentiator_is_measured_with_its_checks(own_results: Path) -> None:
    """The complete flow of a point: RTL and netlist against Python's powers, area on xc7."""
    point = Point.of("modexp", {"core": "rc", "w": "16"}, 16, "xc7")
    entry = measure_module.measure(point)
    assert entry.status == "ok", entry.message
    assert entry.checked >= 12 and entry.gate_level_checked > 0 and entry.lut and entry.cycles
    assert entry.interval is None and entry.label == "modexp core=rc w=16"


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
    monkeypatch.setenv(atlas_module.VARIABLE, str(tmp_path / "atlas.json"))
    (point,) = survey(16, cores=["rc"], targets=["xc7"]).points
    measured = made_up(point, lut=100, cycles=30, interval=20)
    measured_by(lambda _: measured, monkeypatch)
    text = StringIO()
    book = atlas_module.Atlas.load()
    for lut, differing in ((100, ()), (99, ("lut: 100, not 99",))):
        book.put(point, replace(measured, lut=lut))
        known = book.entry(point)
        assert known is not None and known.origin == atlas_module.ORIGIN
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
    (point, *_) = survey(16, cores=["rc"], targets=["osu018"]).points
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
