# SPDX-License-Identifier: Apache-2.0
"""Mutants of the RTL: what is changed, how they are judged, and the page of scores."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Tool

from montcore.support.paths import HW_DIR
from montcore_lab.lint.elaborations import reached
from montcore_lab.mutation import mutants, page
from montcore_lab.mutation.campaign import UNREACHED, Score, campaign, needed
from montcore_lab.mutation.checks import checks_of, files_of, units
from montcore_lab.mutation.equivalence import equivalent
from montcore_lab.mutation.mutants import Mutant

ROW = HW_DIR / "rows" / "cs4" / "rtl" / "montcore_cs4_row.sv"
QUOTIENT = HW_DIR / "rows" / "hr" / "rtl" / "montcore_hr_quotient.sv"
SOURCE = """module small #(
    parameter int Width = 4 + 1
) (
    input  logic clk_i,
    input  logic a_i,
    output logic [Width-1:0] z_o
);
  logic [1:0] count_q;
  assign z_o = (count_q == 2) ? '0 : {Width{a_i & ~clk_i}};
  always_ff @(posedge clk_i) begin
    if (a_i || count_q > 1) count_q <= count_q + 1'b1;
    for (int k = 0; k < 2; k++) assert (k < 3);
  end
endmodule
"""
CHANGES = {
    9: {
        "the choice is negated": "!((count_q == 2)) ?",
        "== becomes !=": "(count_q != 2)",
        "2 becomes 3": "count_q == 3",
        "'0 becomes '1": "? '1 :",
        "& becomes |": "a_i | ~clk_i",
        "~ is dropped": "a_i & clk_i",
    },
    11: {
        "the condition is negated": "!(a_i || count_q > 1)",
        "the condition always holds": "1'b1",
        "the condition never holds": "1'b0",
        "|| becomes &&": "a_i && count_q > 1",
        "> becomes >=": "count_q >= 1",
        "1 becomes 2": "count_q > 2",
        "the register keeps its value": "count_q",
        "+ becomes -": "count_q - 1'b1",
        "1'b1 becomes 1'b0": "count_q + 1'b0",
    },
}


def test_every_operator_of_a_statement_is_changed_and_no_constant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutants, "HW_DIR", tmp_path)
    path = tmp_path / "small.sv"
    path.write_text(SOURCE)
    found: dict[int, dict[str, str]] = {}
    for one in mutants.candidates(path):
        assert one.name not in found.setdefault(one.line, {})
        found[one.line][one.name] = one.new
    assert {line: set(names) for line, names in found.items()} == {
        line: set(names) for line, names in CHANGES.items()
    }
    for line, names in CHANGES.items():
        for name, text in names.items():
            assert text in found[line][name]


def test_all_mutants_stand_in_one_text_and_each_in_its_own(tmp_path: Path) -> None:
    several = mutants.sample([ROW], 30, 1)
    assert len({one.line for one in several}) > 20
    mutants.write_all(several, tmp_path / "all")
    text = (tmp_path / "all" / several[0].file).read_text()
    assert all(f"(montcore_mutant == {number}) ?" in text for number in range(1, 31))
    changed = mutants.write_one(several[0], tmp_path / "one")
    lines = zip(changed.read_text().splitlines(), ROW.read_text().splitlines(), strict=True)
    assert [number for number, (a, b) in enumerate(lines, 1) if a != b] == [several[0].line]


def test_a_sample_may_ask_for_more_than_there_is() -> None:
    every = mutants.sample(files_of("mx"), 10_000, 1)
    assert len(every) == len(set(every)) == len(mutants.sample(files_of("mx"), len(every), 2))


def test_a_branch_that_no_build_has_is_not_equivalent(tmp_path: Path) -> None:
    (four,) = (path for path in files_of("karatsuba") if path.stem == "montcore_karatsuba_four")
    one = mutants.sample([four], 1, 1)[0]
    assert one.branch[0] == four.stem
    reaching = [
        item for item in checks_of("karatsuba")[:3] if one.branch in reached(item.elaboration())
    ]
    assert not equivalent(one, mutants.write_one(one, tmp_path / "hw"), reaching, tmp_path)


def changed_to(path: Path, old: str, new: str) -> Mutant:
    text = path.read_text()
    start = text.index(old)
    file = str(path.relative_to(HW_DIR))
    return Mutant(file, 1, start, start + len(old), old, new, "by hand", (path.stem, ""), 0)


OLD = "low[2] & take[0] & ~clear_i"


@pytest.mark.parametrize(
    ("unit", "path", "old", "new", "same"),
    [
        ("cs4", ROW, OLD, "~clear_i & (take[0] & low[2])", True),
        ("cs4", ROW, OLD, "low[2] & ~take[0] & ~clear_i", False),
        # It is right in the cycle after a reset, before anything depends on it.
        ("hr", QUOTIENT, "count_q  <= '0", "count_q  <= count_q", True),
    ],
)
def test_a_mutant_is_equivalent_only_if_no_output_changes(
    tmp_path: Path, unit: str, path: Path, old: str, new: str, same: bool
) -> None:
    one = changed_to(path, old, new)
    changed = mutants.write_one(one, tmp_path / "changed")
    builds = needed(checks_of(unit), unit)[:1]
    assert equivalent(one, changed, builds, tmp_path) is same


def test_nothing_is_proved_of_a_build_with_two_clocks(tmp_path: Path) -> None:
    double = [one for one in checks_of("dsp") if "clocking=double" in one.label][:1]
    (top,) = (path for path in files_of("dsp") if path.stem == "montcore_dsp")
    one = changed_to(top, "endmodule", "endmodule  // the same")
    assert not equivalent(one, mutants.write_one(one, tmp_path / "changed"), double, tmp_path)


@pytest.mark.parametrize("unit", units())
@pytest.mark.one_in(12)  # the score of a unit is measured by `montcore mutate`
def test_mutants_of_a_unit_are_found(unit: str) -> None:
    score = campaign(unit, 5, 3)
    assert score.mutants == 5 and score.killed.total() >= 3
    assert {path for path in files_of(unit)} >= {HW_DIR / one.file for one in score.survivors}


def test_a_score_and_its_reasons_are_kept(tmp_path: Path) -> None:
    left, right = mutants.sample([ROW], 2, 1)
    score = Score(
        "cs4",
        50,
        1,
        Counter({"all products": 40, "sequences": 7}),
        [right],
        {left: "", right: UNREACHED},
    )
    assert score.share == 47 / 49
    data, written = tmp_path / "mutants.json", tmp_path / "mutation.md"
    page.enter(score, data, written)
    record = json.loads(data.read_text())
    record["cs4"]["survivors"][0] |= {"why": "It is of no use.", "unobservable": True}
    data.write_text(json.dumps(record))
    page.enter(replace(score, survivors={left: ""}), data, written)
    assert "It is of no use." in written.read_text() and "No reason" not in written.read_text()
    assert "| 50 | 40 | 7 | 0 | 0 | 1 | 1 | 0 | 95.9% |" in written.read_text()
    page.enter(replace(score, survivors={replace(left, line=left.line + 1): ""}), data, written)
    assert "No reason" in written.read_text()


def test_the_page_is_written_from_the_record() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.text(json.loads(page.DATA.read_text()))


def test_an_unknown_unit_is_refused(tool: Tool) -> None:
    tool.refuses("UNIT", "mutate", "smn")
