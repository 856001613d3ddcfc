# SPDX-License-Identifier: Apache-2.0
"""Identity of figures: the elaborated design, and a flow that a sample confirms."""

from collections.abc import Callable
from pathlib import Path

import pytest

from montcore.synth.design import Design
from montcore_lab.pages.confirm import SAMPLE, Held, same_designs, same_flows
from montcore_lab.papers.elaborated import design_digest

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


def held(
    name: str,
    sources: str = "s1",
    flow: str = "f1",
    elaborate: Callable[[], str] = lambda: "d1",
    wrong: tuple[str, ...] = (),
    asked: list[str] | None = None,
) -> Held:
    """Return a figure measured at s1, f1, d1, whose sources and flow are now s1, f2."""

    def again() -> list[str]:
        if asked is not None:
            asked.append(name)
        return list(wrong)

    return Held(
        command=name,
        bits=int(name.rpartition(" ")[2]),
        sources=sources,
        flow=flow,
        design="d1",
        now=("s1", "f2"),
        elaborate=elaborate,
        again=again,
        keep=lambda *_: None,
    )


def test_only_changed_sources_are_elaborated_and_equal_designs_kept() -> None:
    def never() -> str:
        raise AssertionError

    figures = [
        held("current 1", elaborate=never),
        held("same 2", sources="s0"),
        held("other 3", sources="s0", elaborate=lambda: "d2"),
    ]
    assert same_designs(figures, 2, lambda _: None) == 1
    assert [one.sources for one in figures] == ["s1", "s1", "s0"]


def test_equal_sample_keeps_a_flow_and_a_difference_keeps_none() -> None:
    asked: list[str] = []
    good = [held(f"good {number}", asked=asked) for number in (7, 5, 3, 1)]
    old = held("old 0", sources="s0", asked=asked)
    bad = [held(f"bad {number}", flow="f0", wrong=("ge: 2, not 1",)) for number in (1, 2)]
    found = same_flows([*good, old, *bad], lambda _: None)
    assert asked == ["good 1", "good 3", "good 5"] and len(asked) == SAMPLE
    assert {one.flow for one in (*good, old)} == {"f2"} and {one.flow for one in bad} == {"f0"}
    assert found == ["ge: 2, not 1", "ge: 2, not 1"]


def test_flow_without_a_current_figure_is_not_confirmed() -> None:
    old = [held("old 1", sources="s0"), held("old 2", sources="s0")]
    [said] = same_flows(old, lambda _: None)
    assert "can confirm 2 figures" in said and {one.flow for one in old} == {"f1"}
