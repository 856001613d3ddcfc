# SPDX-License-Identifier: Apache-2.0
"""Comparison: derived figures match the metrics, choices are correct, sweeps resume."""

import errno
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from command_line import Tool
from matplotlib.colors import to_hex

from montcore.compare import atlas, report
from montcore.compare.budget import OBJECTIVES, cost, formula_of, pareto, parse_budget, recommend
from montcore.compare.entry import LUT_PER_DSP, Entry
from montcore.compare.marks import marks_of, ticks
from montcore.compare.measure import point_key
from montcore.compare.pictures import area_time
from montcore.compare.point import survey
from montcore.compare.run import Request, compare, write
from montcore.compare.terminal import line
from montcore.cores import all_cores
from montcore.support.errors import CheckFailedError, RequestError


def gates(core: str, number: int, ge: float, tmin: float, cycles: int, interval: int) -> Entry:
    """Return a point on osu018 with figures that are easy to calculate with."""
    return Entry(
        core,
        {"n": str(number)},
        256,
        "osu018",
        ge=ge,
        ge_memory=100.0,
        memory_bits=67,
        tmin_ns=tmin,
        cycles=cycles + 1,
        core_cycles=cycles,
        interval=interval,
        energy_nj=ge / 1e3,
        word_products=128,
        multipliers=8,
        checked=10,
        command="montcore synth",
    )


def blocks(core: str, number: int, lut: int, dsp: int, interval: int) -> Entry:
    """Return a point on xc7, which has no clock."""
    return Entry(
        core,
        {"n": str(number)},
        256,
        "xc7",
        lut=lut,
        dsp=dsp,
        cycles=24,
        core_cycles=20,
        interval=interval,
    )


SMALL = gates("smm", 1, 20_000, 4.0, 134, 128)
LARGE = gates("smm", 8, 80_000, 4.0, 22, 16)
SLOW = gates("mx", 1, 15_000, 2.0, 600, 600)
WASTE = gates("mx", 2, 90_000, 5.0, 300, 300)
FAILED = replace(gates("op", 1, 1.0, 1.0, 1, 1), status="failed", message="ABC took too long")
ENTRIES = [SMALL, LARGE, SLOW, WASTE, FAILED, blocks("smm", 1, 1800, 7, 128)]


def test_derived_figures_are_those_of_the_metrics() -> None:
    figures = LARGE.figures()
    # Latency is the port's 23 cycles, not the datapath's 22; area is 80 kGE and 0.1 of memory.
    assert figures["kge_us"] == pytest.approx(80.1 * 4e-3 * 23)
    assert figures["kge_us_sustained"] == pytest.approx(80.1 * 4e-3 * 16)
    assert figures["latency_us"] == pytest.approx(0.092)
    assert figures["products_per_second"] == pytest.approx(1e9 / 64)
    assert figures["utilisation"] == pytest.approx(128 / (8 * 23))
    assert figures["utilisation_sustained"] == pytest.approx(1.0)
    assert figures["area"] == 80_100
    assert figures["power_mw"] == pytest.approx(80 / 64 * 1e3)
    fpga = blocks("smm", 1, 1800, 7, 128).figures()
    assert fpga["area"] == 1800 + 7 * LUT_PER_DSP
    assert fpga["latency_us"] is None and fpga["kge_us"] is None
    placed = replace(blocks("smm", 1, 1800, 7, 128), fmax_mhz=100.0)
    assert placed.figures()["dsp_us_sustained"] == pytest.approx(7 * 10e-3 * 128)
    assert placed.figures()["dsp_us"] == pytest.approx(7 * 10e-3 * 24)


def test_core_with_the_shorter_datapath_but_the_longer_latency_is_not_the_fastest() -> None:
    """Example: `dsp` with 86 cycles from start to done and 199 at the port, `cs4` with 144."""
    short_core = replace(blocks("dsp", 1, 3749, 17, 215), cycles=199, core_cycles=86)
    short_port = replace(blocks("cs4", 1, 2687, 0, 130), cycles=144, core_cycles=142)
    (choice,) = recommend([short_core, short_port], [], "latency")
    assert choice.entry is short_port and "latency 144 cycles" in choice.words
    (choice,) = recommend([short_core, short_port], [parse_budget("cycles<=150")], "area")
    assert choice.entry is short_port and choice.fits
    assert "latency 144," in line(short_port) and "142" not in line(short_port)
    with pytest.raises(RequestError, match="cannot bound 'core_cycles'"):
        parse_budget("core_cycles<=90")


def test_choice_has_the_figures_and_parameters_that_other_verbs_print() -> None:
    entry = replace(SMALL, params={"npe": "1", "w": "32", "schedule": "fast"})
    (choice,) = recommend([entry], [], "latency")
    found = choice.as_choice()
    wanted = {"target": "osu018", "core": "smm", "latency_cycles": 135, "interval": 128}
    wanted |= {"ge": 20_000, "ge_memory": 100.0, "tmin_ns": 4.0, "lut": None, "dsp": None}
    assert {name: found[name] for name in wanted} == wanted
    assert found["params"] == {"bits": 256, "npe": 1, "w": 32, "schedule": "fast"}
    assert found["latency_us"] == pytest.approx(0.54) and found["from"] == "measured"


def test_front_holds_exactly_the_points_that_no_other_beats() -> None:
    front = pareto(ENTRIES, "interval_us", "area")
    assert [entry.label for entry in front] == [LARGE.label, SMALL.label, SLOW.label]
    for entry in (SMALL, LARGE, SLOW, WASTE):
        beaten = any(
            other.figures()["interval_us"] <= entry.figures()["interval_us"]
            and other.figures()["area"] <= entry.figures()["area"]
            and other is not entry
            for other in (SMALL, LARGE, SLOW, WASTE)
        )
        assert beaten == (entry not in front)


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize(
    "texts", [[], ["ge<=60000"], ["latency_us<=0.6"], ["ge<=60000", "interval<=200"]]
)
def test_recommended_point_is_the_best_that_keeps_the_budgets(
    objective: str, texts: list[str]
) -> None:
    budgets = [parse_budget(text) for text in texts]
    points = [SMALL, LARGE, SLOW, WASTE]
    kept = [p for p in points if all(budget.excess(p) == 0 for budget in budgets)]
    formula = formula_of(points, objective)
    costs = {p.label: cost(p, formula) for p in kept}
    choices = recommend([*points, FAILED], budgets, objective)
    known = [value for value in costs.values() if value is not None]
    if not known:
        assert choices == []  # no point has DSP blocks
        return
    (choice,) = choices
    assert choice.fits and costs[choice.entry.label] == min(known)
    assert choice.entry.label in choice.words


def test_points_are_ranked_by_a_figure_that_half_of_them_have() -> None:
    """One point with a clock leaves no other out; points that are left out are counted."""
    plain = [blocks(core, 1, 2000, 0, 258) for core in ("cs", "rc")]
    clocked = replace(blocks("smm", 8, 3500, 35, 16), fmax_mhz=100.0)
    (choice,) = recommend([*plain, clocked], [parse_budget("dsp<=20")], "area-time")
    assert choice.fits and choice.formula == ("area", "interval")
    (choice,) = recommend([*plain, clocked, clocked], [], "area-time")
    assert choice.words.endswith(" Not ranked: 2 without area x interval_us.")


def test_impossible_budget_names_the_nearest_point() -> None:
    (choice,) = recommend([SMALL, LARGE, SLOW], [parse_budget("ge<=10000")], "area-time")
    assert not choice.fits and choice.entry is SLOW
    assert "ge is 1.5e+04, 50% off ge<=10000" in choice.words
    plain, wide = blocks("cs", 1, 2000, 0, 258), blocks("smm", 8, 3500, 319, 16)
    bounds = [parse_budget("fmax_mhz>=1")]
    (choice,) = recommend([replace(plain, target="ecp5")], bounds, "area-time")
    assert "fmax_mhz is not known for 1 point, since their clock is not known" in choice.words
    points = [replace(one, target="ecp5", fmax_mhz=9.0) for one in (plain, wide)]
    (choice,) = recommend(points, [parse_budget("area<=9e9")], "throughput")
    assert choice.entry.core == "cs" and choice.words.endswith("dsp<=156): 1.")
    (choice,) = recommend(points[1:], [], "area")
    assert not choice.fits and "2.04 times dsp<=156. In area a DSP block is counted as 100 LUT" in (
        choice.words
    )


@pytest.mark.parametrize("text", ["ge<60000", "ge<=", "price<=3", "ge<=1.2.3", "<=4", "ge==3"])
def test_budget_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(RequestError):
        parse_budget(text)


def test_front_has_all_equal_points_and_none_that_ties_in_one_figure_alone() -> None:
    first, twin = blocks("rc", 1, 1500, 0, 258), blocks("rc", 2, 1500, 0, 258)
    above, right = blocks("cs", 1, 2400, 0, 258), blocks("mx", 1, 1500, 0, 516)
    front = pareto([above, right, first, twin], "interval", "area")
    assert [entry.label for entry in front] == [first.label, twin.label]


def test_line_of_the_front_meets_no_point_that_another_beats() -> None:
    points = [
        blocks("smm", 1, 2600, 7, 128),
        blocks("rc", 1, 1500, 0, 258),
        blocks("cs", 1, 2400, 0, 258),  # ties with rc across, and with smm up
        blocks("op", 1, 3300, 0, 200),
        blocks("mx", 1, 1500, 0, 516),
    ]
    (axes,) = area_time(points, bits=256).axes
    (drawn,) = [item for item in axes.lines if item.get_label() == "Pareto front"]
    corners: Any = drawn.get_path().vertices
    steps = [(float(x), float(y)) for x, y in corners]
    assert steps == [(128, 3300), (128, 1500), (258, 1500)]
    front = {(128.0, 3300.0), (258.0, 1500.0)}
    for entry in points:
        x, y = entry.figures()["interval"], entry.figures()["area"]
        on_line = any(
            min(x0, x1) <= x <= max(x0, x1) and min(y0, y1) <= y <= max(y0, y1)
            for (x0, y0), (x1, y1) in pairwise(steps)
        )
        assert on_line == ((x, y) in front), entry.label


@pytest.mark.parametrize("low", [0.0031, 1.0, 9.7, 130.0, 2389.0, 99_000.0])
@pytest.mark.parametrize("ratio", [1.5625, 1.9, 3.0, 8.0, 40.0, 1e4])
def test_axis_has_three_ticks_however_narrow_its_data_are(low: float, ratio: float) -> None:
    found = ticks(low, low * ratio)
    assert 3 <= len(found) <= 15 and found == sorted(set(found))
    assert low <= found[0] * (1 + 1e-9) and found[-1] <= low * ratio * (1 + 1e-9)


def test_plot_of_equal_points_has_labelled_ticks() -> None:
    (axes,) = area_time(
        [blocks("rc", 1, 1500, 0, 258), blocks("cs", 1, 1501, 0, 259)], bits=256
    ).axes
    axes.figure.canvas.draw()
    for axis in (axes.xaxis, axes.yaxis):
        shown = [label.get_text() for label in axis.get_ticklabels() if label.get_text()]
        low, high = sorted(axis.get_view_interval())
        assert sum(low <= float(text.replace(",", "")) <= high for text in shown) >= 3


def test_core_has_its_own_colour_and_marker_whatever_else_is_shown() -> None:
    everything = marks_of(list(all_cores()))
    looks = [tuple(mark.values()) for mark in everything.values()]
    assert len(set(looks)) == len(looks)
    assert len({core.mark for core in all_cores().values()}) == len(looks)
    for core, mark in everything.items():
        assert marks_of([core, "smm"])[core] == mark
    (axes,) = area_time([blocks("smm", 1, 2600, 7, 128)], bits=256).axes
    colours: Any = axes.collections[0].get_facecolor()
    assert to_hex(colours[0]) == everything["smm"]["colour"]


def test_plan_has_every_core_and_refuses_what_it_cannot() -> None:
    points = survey(128, targets=["xc7", "xc5v"]).points
    assert {point.core for point in points} == set(all_cores())
    assert len(set(points)) == len(points)
    for arguments, words in (
        ({"cores": ["nemo"]}, "there is no core 'nemo'"),
        ({"targets": ["xc99"]}, "there is no synthesis target 'xc99'"),
        ({"cores": []}, "no core is named"),
    ):
        with pytest.raises(RequestError, match=words):
            survey(128, **arguments)


def test_points_with_wires_and_without_are_not_confused() -> None:
    placed = survey(32, cores=["rc"], targets=["xc7", "osu018"]).points
    alone = survey(32, cores=["rc"], targets=["xc7", "osu018"], wires="none").points
    assert [point.wires for point in placed] == ["placed"] * len(placed)
    for one, other in zip(placed, alone, strict=True):
        same = one.target == "xc7"
        assert (one == other) is same and (point_key(one) == point_key(other)) is same
        assert one.command.endswith("--target xc7" if same else "--target osu018 --wires placed")
        assert other.command.endswith("--target xc7" if same else "--target osu018 --wires none")
    asked = Request(32, targets=("osu018",), wires="none")
    assert asked.command.endswith("--wires none -o DIR") and asked.as_object()["wires"] == "none"


def test_chart_of_cells_alone_has_no_points_with_wires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The report adds points of the atlas; those of osu018 have wires."""
    file = tmp_path / "atlas.json"
    monkeypatch.setenv(atlas.VARIABLE, str(file))
    book = atlas.Atlas.load(file)
    for point in survey(32, cores=["rc"], targets=["xc7", "osu018"]).points:
        wires = point.wires if point.target == "osu018" else None
        book.put(point, Entry("rc", dict(point.settings), 32, point.target, wires=wires))
    book.save()
    for wires, shown in (("none", {"xc7"}), (None, {"xc7", "osu018"})):
        request = Request(16, cores=("rc",), targets=("osu018",), wires=wires)
        write(request, [], [], tmp_path)
        text = (tmp_path / "report.html").read_text()
        assert set(re.findall(r'"target": "(\w+)"', text)) == shown


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--cores", "nemo"], "there is no core 'nemo'"),
        (["--targets", "nemo"], "there is no synthesis target 'nemo'"),
        (["--budget", "ge<3"], "--budget takes"),
        (["--minimise", "price"], "--minimise takes"),
        (["--wires", "all"], "--wires takes placed or none, not 'all'"),
        (["--wires", "none", "--targets", "xc7"], "--wires is only for ASIC targets, not for xc7"),
    ],
)
def test_wrong_requests_are_one_sentence(
    own_cache: Path, tmp_path: Path, tool: Tool, arguments: list[str], words: str
) -> None:
    base = ["compare", "--bits", "32", "-o", str(tmp_path / "out")]
    if "--cores" not in arguments:
        base += ["--cores", "smm"]
    if "--targets" not in arguments:
        base += ["--targets", "xc7"]
    tool.refuses(words, *base, *arguments)


def test_folder_that_cannot_be_written_is_refused_before_any_work(
    tool: Tool, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    tool.refuses("cannot be written", "compare", "--bits", "32", "-o", tmp_path / "file" / "out")


def test_full_disk_is_one_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("montcore.compare.run.sweep", full)
    with pytest.raises(
        CheckFailedError, match=f"no space is left in {tmp_path}; what was finished is kept"
    ):
        compare(Request(32, ("smm",), ("xc7",)), tmp_path, lambda *_: None)


def test_report_is_one_file_that_asks_for_nothing(tmp_path: Path) -> None:
    wild = replace(FAILED, message='</script><script>alert("x")</script>')
    entries = [*ENTRIES, wild]
    choices = recommend(entries, [], "area-time")
    report.write_html(tmp_path / "r.html", entries, choices, Request(256).as_object())
    text = (tmp_path / "r.html").read_text()
    assert "</script><script>alert" not in text
    outside = [link for link in re.findall(r"https?://[^\s\"']+", text) if "w3.org" not in link]
    assert outside == []
    assert not re.search(r"<(link|img|iframe)\b|\bsrc=", text)


@pytest.mark.nightly
@pytest.mark.parametrize("bits", [2048, 3072, 4096])
def test_a_cheap_core_is_compared_at_the_width_of_rsa(
    tool: Tool, own_cache: Path, tmp_path: Path, bits: int
) -> None:
    words = ("--bits", str(bits), "--cores", "rc,karatsuba", "--targets", "xc7")
    content = tool.json("compare", *words, "-o", tmp_path / "out")
    assert list(content["left_out"]) == ["karatsuba"]
    assert {row["core"] for row in content["results"]} == {"rc"}
    for row in content["results"]:
        assert row["status"] == "ok" and row["lut"] > 0 and row["checked"] > 100
    assert "karatsuba" in (tmp_path / "out" / "report.html").read_text()
    assert tool.json("recommend", *words)["recommendations"][0]["core"] == "rc"
