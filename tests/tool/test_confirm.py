# SPDX-License-Identifier: Apache-2.0
"""Identity of figures: the elaborated design, and a flow that a sample confirms."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

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
