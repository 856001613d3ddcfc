# SPDX-License-Identifier: Apache-2.0
"""Predictions: right where a figure follows a power of the width, with wide errors elsewhere.

A recommendation names what it minimised, and quotes that figure.
"""

import re
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from command_line import Tool
from made_up_library import write_library
from measurements import made_up
from test_compare import LARGE, SLOW, SMALL, blocks

from montcore.compare import atlas as atlas_module
from montcore.compare.atlas import Atlas
from montcore.compare.budget import OBJECTIVES, cost, formula_words, recommend
from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.compare.predict import (
    FROM_ONE,
    FURTHER,
    ORIGIN,
    Evidence,
    deviations,
    grown,
    has_macros,
    predict,
    predictions,
)
from montcore.cores import get_core
from montcore.support.paths import REPO_ROOT
from montcore.synth.target import _REGISTERED, LIBRARIES, all_targets, get_target
from montcore_lab.pages.atlas import checked, deviation, prediction_errors

WIDTHS = (128, 192, 224, 256, 384)


def measured(bits: int, core: str = "cs4", step: float = 1.0) -> Entry:
    """Return a point whose area is a power of the width, from 256 bits on times `step`."""
    built = get_core(core).configure({}, bits)
    area = 2.0 * bits**1.25 * (step if bits >= 256 else 1)
    return made_up(
        Point.of_core(built, "osu018"),
        **{"ge": area, "ge_memory": 0.0, "tmin_ns": 2.0, "ff": 3 * bits, "checked": 9},
        cycles=built.core_cycles(bits) + 2 - (-bits // 32),
        core_cycles=built.core_cycles(bits),
        interval=built.interval(bits),
        wires="placed",
        memory="macro",
    )


def point(bits: int, core: str = "cs4") -> Point:
    return Point.of_core(get_core(core).configure({}, bits), "osu018")


def test_figure_between_two_widths_is_on_their_power_law_and_cycles_on_the_formula() -> None:
    series = {bits: measured(bits) for bits in WIDTHS}
    for bits in (160, 320):
        found = predict(point(bits), series)
        assert found is not None and found.origin == ORIGIN and found.status == "ok"
        assert found.ge == pytest.approx(2.0 * bits**1.25, rel=1e-3)
        built = get_core("cs4").configure({}, bits)
        assert found.core_cycles == built.core_cycles(bits) and found.tmin_ns == 2.0
        assert found.cycles == built.core_cycles(bits) + 2 - (-bits // 32)
        assert found.interval == built.interval(bits) and found.errors["ge"] <= (
            0.05 if bits < 256 else 0.3
        )
        assert found.checked == 0 and found.gate_level_checked == 0 and not found.date


def test_a_figure_beyond_all_widths_grows_as_its_core_does_with_a_wider_error() -> None:
    series = {256: measured(256), 128: measured(128)}
    found = predict(point(1024), series)
    assert found.ge == pytest.approx((series[256].ge or 0) * (1024 + 80) / (256 + 80), rel=1e-3)
    assert found.tmin_ns == 2.0 and found.interval == get_core("cs4").configure({}, 1024).interval(
        1024
    )
    assert found.errors["ge"] == FROM_ONE["ge"] + FURTHER
    # Below eight words there are no macros.
    assert predict(point(64), series).ge == pytest.approx(
        (series[128].ge or 0) * (64 + 80) / (128 + 80), rel=1e-3
    )
    assert predict(point(64), {256: series[256]}).errors["ge"] > 0.5


def test_a_step_beside_a_width_is_in_its_error() -> None:
    stepped = {bits: measured(bits, step=0.6) for bits in (288, 320, 384, 512)}
    stepped[256] = measured(256)
    assert predict(point(448), stepped).errors["ge"] < 0.1  # the step is elsewhere
    assert predict(point(272), stepped).errors["ge"] > 0.15


@pytest.fixture
def book(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Atlas:
    """An atlas with two cores at the widths, but for one point."""
    monkeypatch.setenv(atlas_module.VARIABLE, str(tmp_path / "atlas.json"))
    found = Atlas.load()
    for core in ("cs4", "rc"):
        for bits in WIDTHS:
            if (core, bits) != ("rc", 224):
                found.put(point(bits, core), measured(bits, core))
    found.save()
    return found


def test_a_measured_point_is_never_predicted_and_one_of_earlier_sources_is_evidence(
    book: Atlas,
) -> None:
    def told(bits: int) -> list[str]:
        found = predictions(book, bits, cores=["cs4", "rc"], targets=["osu018"])
        return [entry.core for entry in found]

    assert told(224) == ["rc"]
    for bits in WIDTHS:
        old = point(bits, "cs4")
        book.records[old] = replace(book.records[old], sources="0")
    assert told(224) == ["rc"] and told(320) == ["cs4", "rc"]


def test_a_target_without_points_takes_those_of_another_of_its_kind(book: Atlas) -> None:
    core = get_core("smm").configure({"npe": "4"}, 256)
    there = Point.of_core(core, "xc7")
    figures = {"lut": 3000, "dsp": 16, "cycles": 39, "core_cycles": 38, "interval": 32}
    book.put(there, made_up(there, **figures))
    (found,) = predictions(book, 512, cores=["smm"], targets=["nexus"])
    assert found.target == "nexus" and found.dsp == 16 and (found.lut or 0) > 3000
    assert found.errors["lut"] == 1.0 and found.fmax_mhz is None
    assert predictions(book, 512, cores=["modexp"], targets=["xc7"]) == []  # none is measured
    below = Point.of_core(core, "xc7", unit="modexp")
    book.put(below, made_up(below, lut=4000, dsp=16, cycles=15000))
    known = predictions(book, 512, cores=["modexp"], targets=["osu018", "xc7"])
    assert {entry.target for entry in known} >= {"osu018"} and all(entry.cycles for entry in known)
    assert predictions(book, 512, cores=["smm"], targets=["gatemate"]) == []  # it has no blocks
    units = predictions(book, 256, cores=["modexp"], targets=["osu018"])
    (unit,) = [entry for entry in units if entry.params["core"] == "cs4"]
    # On xc7 the unit has 4,000 tables and 16 blocks of 100, its multiplier 3,000 and 16.
    assert unit.ge == pytest.approx((measured(256).ge or 0) * 5600 / 4600, abs=0.001)
    own = Point.of_core(get_core("cs4").configure({"w": "32"}, 256), "xc7", unit="modexp")
    book.put(own, made_up(own, lut=4000, cycles=15000))
    (unit,) = predictions(book, 512, cores=["modexp"], targets=["nexus"])
    assert unit.errors == {"lut": 1.0, "cycles": 0.2}


def test_energy_and_clock_of_another_library_are_not_told(
    book: Atlas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(_REGISTERED, "other", replace(get_target("osu018"), name="other"))
    at = point(256)
    book.put(at, replace(book.records[at].entry, energy_nj=5.0))
    (found,) = predictions(book, 256, cores=["cs4"], targets=["other"])
    assert found.ge == measured(256).ge and (found.energy_nj, found.tmin_ns) == (None, None)


@pytest.mark.parametrize(
    ("cores", "bits"),
    [
        *(("", bits) for bits in (16, 255, 2048, 4096)),
        *(("modexp", bits) for bits in (100, 4096)),
        *(("ecc", bits) for bits in (192, 255, 521)),
    ],
)
def test_recommend_answers_for_every_width_and_target(bits: int, cores: str, tool: Tool) -> None:
    targets = [name for name in all_targets() if name != "toy"]
    asked = ["recommend", "--bits", str(bits), "--targets", ",".join(targets)]
    if cores:
        asked += ["--cores", cores]
    found = tool.json(*asked)
    told = [choice["target"] for choice in (*found["choices"], *found.get("predictions", ()))]
    assert set(told) == set(targets) and len(told) == len(targets)


def test_recommend_keeps_predictions_apart(book: Atlas, own_cache: Path, tool: Tool) -> None:
    asked = ("recommend", "--bits", "224", "--cores", "cs4,rc", "--targets", "osu018")
    found = tool.json(*asked)
    assert "predictions" not in found and found["missing"] == 1
    found = tool.json(*asked, "--predict")
    assert [choice["core"] for choice in found["choices"]] == ["cs4"]
    assert [choice["from"] for choice in found["predictions"]] == [ORIGIN]
    assert found["predictions"][0]["core"] == "rc" and "ge" in found["predictions"][0]["errors"]
    assert found["points"] == 1 and found["origins"] == {"atlas": 1}
    out = tool(*asked, "--predict")
    assert "predicted, not measured:" in out and "1 point predicted" in out
    assert "with an error of up to" in out and "predicted, +-" in out


def test_a_target_of_which_nothing_is_measured_has_predictions(
    book: Atlas, own_cache: Path, tool: Tool
) -> None:
    found = tool.json("recommend", "--bits", "160", "--cores", "cs4", "--targets", "osu018")
    assert found["choices"] == [] and len(found["predictions"]) == 1


def test_a_described_library_is_predicted_without_a_clock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    monkeypatch.setenv(LIBRARIES, "")
    found = tool("recommend", "--bits", "96", "--library", write_library(tmp_path))
    assert "kGE with memory" in found and "with an error of up to 100% (ge)" in " ".join(
        found.split()
    )
    refused = tool.refuses(
        "no core can be built for 64 bits", "recommend", "--bits", "64", "--cores", "ecc"
    )
    assert refused.count("the narrowest") == 1


def test_nine_of_ten_points_keep_the_error_of_a_prediction_from_one_width() -> None:
    committed = Atlas.load(Path(atlas_module.__file__).with_name("atlas.json"))
    kept: dict[str, list[bool]] = {}
    for (core, settings, target), own in Evidence.of(committed).series.items():
        points = {bits: Point(core, settings, bits, target) for bits in own}
        for one, other in permutations(own, 2):
            if has_macros(points[one]) == has_macros(points[other]):
                found = grown(own[one], points[other])
                for name, off in deviations(found, own[other]).items():
                    kept.setdefault(name, []).append(off <= found.errors.get(name, 0.0))
    for name in FROM_ONE:
        assert len(kept[name]) > 50 and sum(kept[name]) >= 0.9 * len(kept[name]), name


def test_predictions_of_the_committed_atlas_are_as_good_as_measuring_md_says() -> None:
    committed = Atlas.load(Path(atlas_module.__file__).with_name("atlas.json"))
    errors = prediction_errors(committed)
    assert errors["points"] > 100 and errors["median"] < 0.1
    assert errors["within"] / errors["points"] > 0.75
    (found, wanted), *_ = checked(committed)
    assert found.bits == wanted.bits and deviation(wanted, wanted) == 0
    (choice,) = recommend([found], [], "area")
    assert "predicted" in choice.words


@pytest.mark.parametrize(
    ("objective", "quoted", "other"),
    [
        ("area-time", "area x interval_us = {0:.4g} kGE us", "{1:.4g} kGE us"),
        ("latency", "latency_us = {0:.4g} us", "{1:.4g} us"),
        ("throughput", "interval_us = {0:.4g} us", "{1:.4g} us"),
        ("area", "area = {0:.4g} kGE", "{1:.4g} kGE"),
        ("energy", "energy_nj = {0:.4g} nJ a product", "{1:.4g} nJ a product"),
    ],
)
def test_the_sentence_quotes_the_figure_that_was_minimised_for_both(
    objective: str, quoted: str, other: str
) -> None:
    rival = replace(SLOW, core="cs4", params={"w": "32"})
    points = [SMALL, LARGE, rival]
    known = SMALL.figures()
    formula = next(f for f in OBJECTIVES[objective] if all(known[name] is not None for name in f))
    (choice,) = recommend(points, [], objective)
    both = sorted((cost(point, formula) or 0.0, point.core) for point in points)
    own = cost(choice.entry, formula) or 0.0
    foreign = min(value for value, core in both if core != choice.entry.core)
    scale = 1e3 if "area" in formula else 1
    best = "highest" if objective == "throughput" else "least"
    assert f"has the {best} {objective} of the 3 points" in choice.words
    assert quoted.format(own / scale) in choice.words
    assert f"{foreign / own:.3g} times as much, " + other.format(0, foreign / scale) in choice.words


def test_memories_as_flip_flops_lead_where_they_are_measured() -> None:
    costly = replace(SMALL, core="cs4", params={}, ge_flops=9e6, tmin_flops_ns=SMALL.tmin_ns)
    cheap = replace(LARGE, ge_flops=1e3, tmin_flops_ns=LARGE.tmin_ns)
    (choice,) = recommend([costly, cheap, SLOW], [], "area-time")
    assert choice.entry is cheap and "kge_us_flops_sustained = " in choice.words


def test_equal_costs_are_called_equal() -> None:
    twin = replace(SMALL, core="cs4", params={"w": "32"}, ge=(SMALL.ge or 0) + 1)
    (choice,) = recommend([twin, SMALL, LARGE], [], "latency")
    assert choice.entry is LARGE
    (choice,) = recommend([twin, SMALL], [], "latency")
    assert choice.entry is SMALL
    assert " (the same as 1 other with no less area), latency_us = " in choice.words
    assert "The best other core, cs4 w=32, has the same latency_us." in choice.words
    none = [blocks("cs", 1, 900, 0, 128), blocks("smm", 1, 1800, 7, 128)]
    (choice,) = recommend(none, [], "dsp")
    assert "dsp = 0 DSP blocks" in choice.words and "needs 7 DSP blocks." in choice.words


def test_one_formula_ranks_all_points_of_a_target() -> None:
    """A point without a clock has cycles only, which are no microseconds."""
    without = replace(LARGE, core="cs4", params={}, tmin_ns=None, cycles=1, interval=1)
    for objective in ("latency", "throughput", "area-time"):
        (choice,) = recommend([SMALL, without], [], objective)
        assert choice.entry is SMALL


def test_the_help_of_minimise_names_every_formula(tool: Tool) -> None:
    for verb in ("compare", "recommend"):
        text = " ".join(re.sub("[│╭╮╰╯─]", " ", tool(verb, "--help")).split())
        for name, (formula, *_) in OBJECTIVES.items():
            assert f"{name}: {formula_words(formula)}" in text or formula == (name,), name
            # Where another comes first for standard cells alone, the usual one is named too.
            assert name != "area-time" or "else area x interval_us" in text


def test_cells_alone_are_predicted_from_the_same_netlists_without_their_wires(tool: Tool) -> None:
    asked = ["recommend", "--bits", "1024", "--cores", "cs4", "--targets", "osu018"]
    placed, alone = (
        tool.json(*asked, "--wires", wires)["predictions"][0] for wires in ("placed", "none")
    )
    assert (placed["wires"], alone["wires"]) == ("placed", "none")
    assert alone["tmin_ns"] < placed["tmin_ns"] and alone["tmin_ns_no_wires"] is None


def test_an_objective_that_a_target_has_no_figure_for_is_refused(tool: Tool) -> None:
    (words,) = re.findall(
        r"`(recommend .* --predict)`", (REPO_ROOT / "docs/site/tool.md").read_text()
    )
    assert tool.json(*words.split())["predictions"]  # what the page says
    said = tool("recommend", "--bits", "256", "--targets", "xc7", "--minimise", "latency")
    assert re.search("the best +┃ +cycles ┃ known", said)
    asked = ("recommend", "--bits", "256", "--targets", "xc7", "--minimise", "energy")
    tool.refuses("xc7 has no figure that --minimise energy compares", *asked)
