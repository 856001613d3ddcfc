# SPDX-License-Identifier: Apache-2.0
"""Measured figures of pages and datasheets: each from the ledger, with digests that go stale.

A figure's identity is the elaborated design, and a flow that a sample confirms.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from command_line import Tool
from test_compare import LARGE, SMALL, blocks

from montcore.compare import atlas
from montcore.compare.pictures import area_time
from montcore.cores import all_cores
from montcore.support.errors import CheckFailedError
from montcore.synth import identity
from montcore.synth.design import Design
from montcore_lab.checkout.markdown import replace_block
from montcore_lab.pages import datasheets, figures, overview, ranking, status
from montcore_lab.pages.confirm import SAMPLE, Held, same_designs, same_flows
from montcore_lab.pages.ranking import draw
from montcore_lab.papers.elaborated import design_digest
from montcore_lab.papers.ledger import Ledger, Measurement
from montcore_lab.papers.registry import all_papers
from montcore_lab.papers.subject import PointSubject, Subject
from montcore_lab.site import figures as site

VERB = ["maintain", "figures"]
CELLS: dict[str, float | int | None] = {
    **{"cycles": 144, "interval": 130, "ge": 15_400.0, "ge_memory": 3072.0, "tmin_ns": 2.21},
    **{"memory_bits": 2048, "energy_nj": 87.2, "core_cycles": 142},
}
TABLES: dict[str, float | int | None] = {
    **{"cycles": 144, "interval": 130, "lut": 2687, "ff": 1430, "dsp": 5, "bram": 2},
    **{"fmax_mhz": 161.25, "core_cycles": 142},
}
PLACED: dict[str, float | int | None] = {
    **{"cycles": 144, "interval": 130, "ge": 15_000.0, "ge_memory": 3000.0, "tmin_ns": 2.5},
    **{"tmin_ns_no_wires": 2.25, "tmin_in_ns": 1.0, "tmin_out_ns": 1.0, "energy_nj": 128.0},
    **{"ge_flops": 28_000.0, "tmin_flops_ns": 2.0},
}


def entered(subject: Subject, **changed: float | None) -> Measurement:
    """Return made-up figures of a point, with current digests."""
    assert isinstance(subject, PointSubject)
    cells = PLACED if isinstance(subject, ranking.PlacedSubject) else CELLS
    known = cells if subject.target == overview.TARGETS[0] else TABLES
    found = {**known, **changed}
    return Measurement(found, subject.digest(), "2026-01-01", subject.flow_digest())


def of_cs4(target: str, bits: int) -> PointSubject:
    """Return the point of the default parameters of cs4 that has no wires."""
    [found] = [
        subject
        for subject in (*overview.subjects(), *datasheets.subjects())
        if (subject.core, subject.target, subject.bits) == ("cs4", target, bits)
        and dict(subject.settings).get("w", "32") == "32"
    ]
    return found


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """A ledger of its own, and pages without figures: docs/cores.md, and the datasheet of cs4."""
    cores, sheet = tmp_path / "docs" / "cores.md", tmp_path / "hw" / "cs4" / "README.md"
    for path, marks in ((cores, [*overview.MARKS, *ranking.MARKS]), (sheet, datasheets.MARKS)):
        path.parent.mkdir(parents=True)
        path.write_text("\n".join(["before", *marks, "after", ""]))
    monkeypatch.setattr("montcore_lab.papers.ledger.PATH", tmp_path / "figures.json")
    monkeypatch.setenv(atlas.VARIABLE, str(tmp_path / "atlas.json"))
    monkeypatch.setattr(ranking, "PICTURE", tmp_path / "picture")
    monkeypatch.setattr(ranking, "draw", lambda *_: None)
    monkeypatch.setattr(identity, "_code", cache(identity._code))  # listed once in a test
    monkeypatch.setattr(ranking, "PAGE", cores)
    monkeypatch.setattr(overview, "PAGE", cores)
    for module in (figures, datasheets):
        monkeypatch.setattr(module, "REPO_ROOT", tmp_path)
    monkeypatch.setattr(datasheets, "sheets", lambda: {"cs4": sheet})
    monkeypatch.setattr("montcore_lab.pages.peers.subjects", list)
    monkeypatch.setattr("montcore_lab.papers.run.subjects_of", lambda *_: [])
    for name in ("peers.parts", "status.parts"):
        monkeypatch.setattr(f"montcore_lab.pages.{name}", lambda *_: [])
    monkeypatch.setattr("montcore_lab.papers.run.parts", lambda *_: [])
    return {"cores": cores, "cs4": sheet}


def filled() -> Ledger:
    """Return a ledger with every figure."""
    ledger = Ledger.load()
    ledger.entries = {subject.command: entered(subject) for subject in figures.subjects()}
    ledger.save()
    return ledger


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of the rows below the headings of a page's tables."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [line for line in lines if line[0] != "parameters" and not line[0].startswith("---")]


def test_committed_pages_say_what_was_measured_and_mark_what_is_out_of_date() -> None:
    assert figures.mismatches(Ledger.load()) == []


def test_a_command_has_one_figure() -> None:
    papers = [subject for paper in all_papers().values() for subject in paper.subjects()]
    commands = [subject.command for subject in papers]
    assert len(set(commands)) == len(commands) and "\n" not in "".join(commands)
    # What a command means does not depend on the page that shows it.
    by_command: dict[str, tuple[str, str]] = {}
    every = (*overview.subjects(), *datasheets.subjects(), *ranking.subjects())
    for subject in (*every, *papers):
        known = subject.digest(), subject.flow_digest()
        assert by_command.setdefault(subject.command, known) == known


def test_a_measurement_is_one_line_of_the_ledger(pages: dict[str, Path]) -> None:
    ledger = filled()
    assert ledger.path.read_text().count("\n") == len(ledger.entries) + 2
    assert Ledger.load() == ledger


def test_table_has_a_line_for_each_configuration_and_dashes_for_what_failed() -> None:
    fpga = [replace(blocks("smm", n, 1800, 7, 128), interval=None) for n in (1, 8)]
    broken = replace(SMALL, status="failed", ge=None, tmin_ns=None)
    lines = overview.table([fpga[1], LARGE, broken, fpga[0]])
    assert [line[1] for line in lines] == ["n=8", "n=1"]
    assert all(len(line) == len(overview.HEADER) for line in lines)
    # The latency of the port, 23, not the datapath's 22; 80.1 kGE with memory x 4 ns x 23.
    assert lines[0][2:] == ["23", "16", "80.0", "0.1", "4.00", "7.4", "5.1", "80", "1800", "7"]
    assert lines[1][4] == "-" and lines[1][10] == "1800"
    page = "\n".join(["before", *overview.MARKS, "after"])
    text = replace_block(page, overview.block(lines), overview.MARKS)
    assert text.startswith("before\n") and text.endswith("\nafter") and "| n=8 |" in text
    assert "core cycles" not in text


def test_every_core_stands_in_the_table_on_both_targets() -> None:
    found = overview.subjects()
    assert {subject.core for subject in found} == set(all_cores())
    assert len({subject.command for subject in found}) == len(found)
    for target in overview.TARGETS:
        assert sum(subject.target == target for subject in found) == len(found) / 2


def test_pages_are_what_the_ledger_says_and_nothing_else(pages: dict[str, Path]) -> None:
    ledger = filled()
    assert len(figures.complaints(ledger)) == 2  # both pages are empty
    figures.write(ledger)
    assert figures.complaints(ledger) == []
    text = pages["cores"].read_text()
    line = "| [cs4](../hw/rows/cs4/README.md) | w=32 | 144 | 130 | 15.4 | 3.1 | 2.21 | 5.9 | 5.3 |"
    assert f"{line} 87 | 2687 | 5 |" in text and text.startswith("before\n")
    assert "| 15.0 | 3.0 | 2.50 | 2.25 |" in text and "†" not in text
    # (15.4 + 3.072) kGE x 2.21 ns x 144; with wires (15 + 3) x 2.5 x 144, as flip-flops 28 x 2.
    rows = rows_of(pages["cs4"].read_text())
    cells = ["15.4", "3.1", "2.21", "144", "130", "5.88", "5.31"]
    assert ["w=32", "1024", "macros", "no", *cells] in rows
    wires = ["15.0", "3.0", "2.50", "144", "130", "6.48", "5.85"]
    assert ["w=32", "256", "macros", "yes", *wires] in rows
    assert ["w=32", "256", "flip-flops", "yes", "28.0", "0.0", *["2.00", "144", "130"]] == next(
        row[:9] for row in rows if row[2] == "flip-flops"
    )
    assert ["w=32", "256", "ecp5", "2,687", "1,430", "5", "2", "161.2"] in rows
    assert "(../../docs/measuring.md)" in pages["cs4"].read_text()
    pages["cores"].write_text(text.replace("| 144 | 130 | 15.4 |", "| 144 | 130 | 15.3 |", 1))
    [said] = figures.complaints(ledger)
    assert said.startswith("docs/cores.md is not what the ledger says")
    ledger.entries["montcore synth of nothing"] = next(iter(ledger.entries.values()))
    assert "in the ledger, but in no table: montcore synth of nothing" in figures.mismatches(ledger)
    pages["cs4"].write_text("no marks")
    with pytest.raises(CheckFailedError, match="lacks the marks"):
        figures.write(ledger)


def test_marks_and_their_legends_are_all_that_age_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mark may be missing in a page, and any other difference is found."""

    def pages_with(fault: str) -> dict[Path, str]:
        monkeypatch.setattr(Ledger, "fault", lambda *_: fault)
        return figures.pages(Ledger.load())

    fresh, old = pages_with(""), pages_with("measured with earlier sources")
    assert fresh != old
    for path, text in fresh.items():
        assert figures.unmarked(text) == figures.unmarked(old[path]), path
    assert figures.unmarked("| 1 † | 2 |") != figures.unmarked("| 1 | 3 |")


def test_a_core_without_figures_has_the_command_that_measures_them(pages: dict[str, Path]) -> None:
    figures.write(Ledger.load())
    text = pages["cs4"].read_text()
    assert rows_of(text) == [] and "Not measured: `montcore maintain figures`." in text


def test_figure_goes_stale_with_its_sources_and_with_its_flow(
    pages: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    subject, ledger = of_cs4("xc7", 256), filled()
    figures.write(ledger)
    good = ledger.entries[subject.command]
    for changed, words in (
        (replace(good, digest="0"), "measured with earlier sources: montcore synth"),
        (replace(good, flow="0"), "measured with an earlier flow: montcore synth"),
    ):
        ledger.entries[subject.command] = changed
        [said] = figures.complaints(ledger)  # pages need not have the mark
        assert said.startswith(words) and subject.command in said
        marked = figures.pages(ledger)
        assert "| w=32 † | 144 | 130 |" in marked[pages["cores"]]
        assert ["w=32 †", "256", "xc7"] in [row[:3] for row in rows_of(marked[pages["cs4"]])]
        assert all("† Measured on earlier sources" in text for text in marked.values())
    del ledger.entries[subject.command]
    assert figures.complaints(ledger)[0] == f"not measured: {subject.command}"
    ledger.entries[subject.command] = good
    real = identity.flow_of
    other: dict[str, Any] = {"osu018": {"code": "0"}}
    monkeypatch.setattr(identity, "flow_of", lambda target: other.get(target) or real(target))
    stale = [line for line in figures.complaints(ledger) if line.startswith("measured")]
    assert stale and all("earlier flow" in line and "osu018" in line for line in stale)


@pytest.mark.nightly  # every run has what goes stale, and when
def test_run_measures_only_what_is_due_and_check_measures_nothing(
    pages: dict[str, Path], monkeypatch: pytest.MonkeyPatch, tool: Tool
) -> None:
    asked: list[str] = []

    def measured(book: Ledger, lacking: Sequence[Subject], done: Any, _workers: int) -> int:
        for item in lacking:
            asked.append(item.command)
            book.entries[item.command] = entered(item)
            book.save()
            done(item, "")
        return 0

    monkeypatch.setattr("montcore_lab.papers.run.measure", measured)
    tool(*VERB, "--only", "cs4 --bits 1024 --target osu018")
    assert asked == ["montcore synth cs4 --bits 1024 --target osu018 --wires none"]
    assert len(rows_of(pages["cs4"].read_text())) == 1
    out = tool(*VERB, "--check", status=1)
    assert "not measured: montcore synth cs4 --bits 64" in out and len(asked) == 1
    tool(*VERB)
    assert sorted(asked) == sorted(subject.command for subject in figures.subjects())
    tool(*VERB, "--check")
    tool(*VERB)
    assert len(asked) == len(figures.subjects())
    good = pages["cs4"].read_text()
    pages["cs4"].write_text(good.replace("| 2.50 |", "| 2.40 |", 1))
    tool(*VERB, "--check", status=1)
    tool(*VERB, "--write")
    assert pages["cs4"].read_text() == good


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--check", "--again"], "they stand alone"),
        (["--write", "--only", "cs4"], "they stand alone"),
        (["--check", "--confirm"], "cannot be combined"),
        (["--only", "nosuchcore"], "no measurement has 'nosuchcore' in its command"),
    ],
)
def test_options_that_do_not_fit_are_refused(words: list[str], said: str, tool: Tool) -> None:
    tool.refuses(said, *VERB, *words)


def test_all_figures_are_listed_with_their_time(pages: dict[str, Path], tool: Tool) -> None:
    ledger = filled()
    first = next(iter(ledger.entries))
    ledger.entries[first] = replace(ledger.entries[first], seconds=7200.0)
    ledger.save()
    *lines, total = tool(*VERB, "--list").splitlines()
    assert f"   7200 s  {first}" in lines and len(lines) == len(ledger.entries)
    assert total.startswith(f"{len(lines)} figures; about ") and "2 at a time" in total


def test_ranking_is_in_the_order_of_area_and_time_with_dashes_for_what_is_not_measured() -> None:
    ledger = Ledger()
    every = ranking.subjects()
    assert {subject.core for subject in every} == set(all_cores())
    for subject in every:
        if subject.core == "cs4":
            ledger.entries[subject.command] = entered(subject)
        if subject.core == "rc":
            changed = {"ge_flops": 20_000.0, "tmin_flops_ns": 2.25, "energy_nj": None}
            ledger.entries[subject.command] = entered(subject, tmin_ns=5.0, **changed)
    lines = ranking.table(ledger, frozenset())
    # 18 kGE x 2.5 ns x 144 cycles; 28 kGE x 2 ns x 144.
    cs4 = ["28.0", "2.00", "8.1", "7.3", "15.0", "3.0", "2.50", "2.25", "6.5", "5.9", "128"]
    rc = ["20.0", "2.25", "6.5", "5.9", "15.0", "3.0", "5.00", "2.25", "13.0", "11.7", "-"]
    assert [line[0].partition("]")[0] for line in lines[:2]] == ["[rc", "[cs4"]
    assert lines[0][2:] == rc and lines[1][2:] == cs4
    assert all(line[2:] == ["-"] * 11 for line in lines[2:])
    orders = [ranking.order(ledger, figure) for figure in (ranking.MACROS, ranking.FLIP_FLOPS)]
    assert orders == [["cs4", "rc"], ["rc", "cs4"]]


def test_the_plot_and_the_table_of_choices_have_wires(pages: dict[str, Path]) -> None:
    draw(filled())
    assert ranking.PICTURE.with_suffix(".png").is_file()
    site._entries.cache_clear()
    entry, stale = site.best("osu018", "area")
    assert (entry.ge, entry.tmin_ns, stale) == (15_000.0, 2.5, False)
    assert "osu018, with wires: lower left" in area_time([entry], bits=256).axes[0].get_title(
        "left"
    )
    alone = area_time([replace(entry, wires="none")], bits=256)
    assert "osu018: lower left" in alone.axes[0].get_title("left")
    site._entries.cache_clear()


def test_every_core_has_a_datasheet_with_its_points() -> None:
    found = datasheets.found(Ledger.load())
    assert datasheets.sheets().keys() == all_cores().keys() == found.keys()
    wanted = [point for core in all_cores().values() for point in core.datasheet_points]
    commands = {subject.command for subject in datasheets.subjects()}
    assert len(commands) == len(wanted) + len(datasheets.FPGA_POINTS)
    assert {subject.core for subject in datasheets.subjects()} == set(all_cores())


def test_a_point_stands_once_in_a_datasheet() -> None:
    found = datasheets.found(Ledger.load())
    for points in found.values():
        entries = [point.entry for point in points]
        keys = [(entry.label, entry.bits, entry.target, entry.wires) for entry in entries]
        assert len(keys) == len(set(keys))
    # Rows of a paper's tables are in the datasheets of their cores.
    assert all(any(point.entry.target == "xc2v" for point in found[core]) for core in ("cs", "mx"))


def test_a_target_with_earlier_figures_alone_is_marked_in_the_readme() -> None:
    subject, ledger = of_cs4("xc7", 256), Ledger()
    ledger.entries = {subject.command: entered(subject)}
    assert status.measured(ledger, [subject]) == {("cs4", "xc7"): True}
    ledger.entries = {subject.command: replace(entered(subject), digest="0")}
    known = status.measured(ledger, [subject])
    (cs4,) = (item for item in status.statuses(known) if item.core == "cs4")
    assert cs4.cells()[-1] == "xc7 †"


def test_a_measurement_is_estimated_once_by_its_area_where_its_time_is_not_known(
    pages: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    del pages
    known, like = (of_cs4("osu018", bits) for bits in (256, 1024))
    same = replace(known, settings=() if known.settings else (("w", "32"),))
    assert same.command != known.command
    monkeypatch.setattr(figures, "subjects", lambda: [known, same, like])
    ledger = Ledger.load()
    ledger.entries[known.command] = replace(entered(known, ge=10_000.0), seconds=60.0)
    ledger.entries[like.command] = entered(like, ge=25_000.0)
    expected = {known.command: 60.0, like.command: 150.0}
    assert figures.estimates(ledger, atlas.Atlas.load()) == expected


TEXT = """// a remark
module adder (input logic clk_i, input logic [3:0] a_i, output logic [3:0] s_o);
  logic [3:0] kept;
  always_ff @(posedge clk_i) kept <= a_i + 4'd3;
  assign s_o = ~kept;
endmodule
"""
SPLIT = """module inner (input logic clk_i, input logic [3:0] number_i, output logic [3:0] sum_o);


  always_ff @(posedge clk_i) sum_o <= number_i + 4'd3;
endmodule
module adder (input logic clk_i, input logic [3:0] a_i, output logic [3:0] s_o);
  logic [3:0] sum;
  inner u_inner (.clk_i, .number_i(a_i), .sum_o(sum));
  assign s_o = ~sum;
endmodule
"""


def digest_of(folder: Path, text: str, name: str = "adder.sv") -> str:
    """Return the digest of a design in a file of its own."""
    path = folder / name
    path.write_text(text)
    return design_digest([(Design.of("adder", [path]), None)])


def test_names_files_comments_and_hierarchy_are_no_part_of_a_design(
    tmp_path: Path, own_cache: Path
) -> None:
    known = digest_of(tmp_path, TEXT)
    assert digest_of(tmp_path, TEXT.replace("kept", "other"), "moved.sv") == known
    assert digest_of(tmp_path, SPLIT) == known


@pytest.mark.parametrize("change", [("4'd3", "4'd5"), ("posedge", "negedge"), ("s_o", "t_o")])
def test_values_clocks_and_ports_are(
    change: tuple[str, str], tmp_path: Path, own_cache: Path
) -> None:
    assert digest_of(tmp_path, TEXT.replace(*change)) != digest_of(tmp_path, TEXT)


def test_choices_of_the_flow_are(tmp_path: Path, own_cache: Path) -> None:
    path = tmp_path / "adder.sv"
    path.write_text(TEXT)
    plain = Design.of("adder", [path])
    chosen = Design.of("adder", [path], choices={"router": "router2"})
    assert design_digest([(plain, None)]) != design_digest([(chosen, None)])


#: A figure measured at s1, f1, d1, whose sources and flow are now s1, f2.
FIGURE = Held("", 0, "s1", "f1", "d1", ("s1", "f2"), lambda: "d1", list, lambda *_: None)


def held(name: str, **changed: Any) -> Held:
    """Return a figure with a width, the last word of its name, and other changes."""
    return replace(FIGURE, command=name, bits=int(name.split()[-1]), **changed)


def test_only_changed_sources_are_elaborated_and_equal_designs_kept() -> None:
    figures = [
        held("current 1", elaborate=lambda: pytest.fail("elaborated")),
        held("same 2", sources="s0"),
        held("other 3", sources="s0", elaborate=lambda: "d2"),
    ]
    assert same_designs(figures, 2, lambda _: None) == 1
    assert [one.sources for one in figures] == ["s1", "s1", "s0"]


def test_equal_sample_keeps_a_flow_and_a_difference_keeps_none() -> None:
    again = [Mock(return_value=[]) for _ in range(5)]
    good = [held(f"good {n}", again=again[n // 2 + 1]) for n in (7, 5, 3, 1)]
    old = held("old 0", sources="s0", again=again[0])
    bad = [held(f"bad {n}", flow="f0", again=lambda: ["ge: 2, not 1"]) for n in (1, 2)]
    found = same_flows([*good, old, *bad], lambda _: None)
    assert [one.call_count for one in again] == [0, 1, 1, 1, 0] and SAMPLE == 3
    assert {one.flow for one in (*good, old)} == {"f2"} and {one.flow for one in bad} == {"f0"}
    assert found == ["ge: 2, not 1", "ge: 2, not 1"]


def test_flow_without_a_current_figure_is_not_confirmed() -> None:
    old = [held("old 1", sources="s0"), held("old 2", sources="s0")]
    [said] = same_flows(old, lambda _: None)
    assert "can confirm 2 figures" in said and {one.flow for one in old} == {"f1"}
