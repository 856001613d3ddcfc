# SPDX-License-Identifier: Apache-2.0
"""Units over a multiplier as points of a comparison, and the formulas that a report shows."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command_line import Tool

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
from montcore.compare.point import Point, digests, plan
from montcore.compare.units import UNITS
from montcore.cores import all_cores, get_core
from montcore.ecc.design import EngineDesign
from montcore.modexp.design import ExponentiatorDesign
from montcore.support.errors import RequestError
from montcore.support.paths import HW_DIR
from montcore.synth.target import get_target
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
    points = plan(256, cores=["ecc"], targets=["xc7"])
    below = [point.configured() for point in points]
    assert {core.name for core in below} <= set(all_cores()) and len(below) >= 5
    for point, core in zip(points, below, strict=True):
        assert point.settings[0] == ("core", core.name)
        assert Point.of("ecc", dict(point.settings), 256, "xc7") == point
        assert point.command.startswith(f"montcore synth ecc --set core={core.name} ")
        # Of each core the fastest point, since what surrounds it is the same.
        assert core.core_cycles(256) == min(c.core_cycles(256) for c in type(core).points(256))
    assert len(plan(256, cores=["ecc"], targets=["xc7"], full=True)) > len(points)
    with pytest.raises(RequestError, match="ecc and cs4 perform different operations"):
        plan(256, cores=["ecc", "cs4"])
    with pytest.raises(RequestError, match="no core can be built for 2048 bits"):
        plan(2048, cores=["ecc"])
    assert not [point for point in plan(256) if point.unit]


@pytest.mark.parametrize("unit", list(UNITS))
def test_unit_is_stale_with_each_of_its_files_and_with_its_program(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = plan(64 if unit == "modexp" else 128, cores=[unit], targets=["xc7"])[0]
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
    points = plan(128, cores=["ecc"], targets=["xc7"])
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


@pytest.mark.nightly  # test_showcase.py has the same flow for a product
def test_small_exponentiator_is_measured_with_its_checks(own_results: Path) -> None:
    """The complete flow of a point: RTL and netlist against Python's powers, area on xc7."""
    point = Point.of("modexp", {"core": "rc", "w": "16"}, 16, "xc7")
    entry = measure_module.measure(point)
    assert entry.status == "ok", entry.message
    assert entry.checked >= 12 and entry.gate_level_checked > 0 and entry.lut and entry.cycles
    assert entry.interval is None and entry.label == "modexp core=rc w=16"
