# SPDX-License-Identifier: Apache-2.0
"""Memory macros of a described library: memories that become macros, and what is refused."""

from dataclasses import replace
from pathlib import Path

import pytest
from asic_tools import needs_asic
from cell_models import cell_models
from command_line import Tool
from made_up_library import add_macro, write_library
from mapping import simulated
from needs import needs

from montcore.support.paths import REPO_ROOT, module_files
from montcore.synth.asic.flow import run_flow
from montcore.synth.asic.library import cell_library
from montcore.synth.design import Design
from montcore.synth.options import CELLS, MACRO
from montcore.synth.target import LIBRARIES

#: A macro of `add_macro`, and a memory of 16 words of 12 bits with the module's own name.
BEHAVIOUR = """
module MANY (input tw, tr, put, on, input [7:0] off, in, input [2:0] row_w, row_r,
  output reg [7:0] out);
  reg [7:0] rows [0:7];
  always @(posedge tr) if (on && off === 0) out <= rows[row_r];
  always @(posedge tw) if (on && put) rows[row_w] <= in;
endmodule
module montcore_block_ram (input clk_i, we_i, input [3:0] waddr_i, raddr_i, input [11:0] wdata_i,
  output [11:0] rdata_o);
  wire parity;
  memory_top top (.*);
endmodule
"""
MEMORY_TOP = """
module memory_top #(parameter bit Apart = 1) (input clk_i, we_i, input [3:0] waddr_i, raddr_i,
  input [11:0] wdata_i, output [11:0] rdata_o, output logic parity);
  montcore_block_ram #(.Rows(16), .Width(12), .Apart(Apart)) ram (.*);
  always_ff @(posedge clk_i) parity <= ^rdata_o;
endmodule
"""

pytestmark = needs_asic


@pytest.fixture(autouse=True)
def _no_other_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIBRARIES, "")


@needs("iverilog")
def test_a_memory_becomes_macros_beside_and_above_each_other(tmp_path: Path) -> None:
    # The models of cells know no inversion behind an operand.
    before = {"(x y)'": "!(x y)", "(x + y)'": "!(x + y)", "x'": "!x"}
    known = cell_library(add_macro(write_library(tmp_path, before)))
    top = tmp_path / "memory_top.sv"
    top.write_text(MEMORY_TOP)
    files = [*module_files(["pkg", "ram_macro", "block_ram"]), top]
    options = replace(CELLS, memory=MACRO)
    work = tmp_path / "apart"
    work.mkdir()
    netlist = run_flow(Design.of("memory_top", files), work, options, known=known)
    assert netlist.cells["MANY"] == 4 == len(netlist.macros) and netlist.flip_flops < 12
    # The macro's clock to its word is at least 20 x 12 ps.
    assert netlist.timing.tmin_ns and netlist.timing.tmin_ns > 0.24 and not netlist.corners
    models = tmp_path / "models.v"
    used = (name for name in netlist.cells if name in known.cells)
    models.write_text(cell_models(known.cells, used) + BEHAVIOUR)
    bench = REPO_ROOT / "tests" / "support" / "rtl" / "block_ram_bench.v"
    values = {"Rows": 16, "Width": 12, "AddrBits": 4}
    said = simulated("block_ram_bench", (bench, models, netlist.verilog), tmp_path, values)
    assert "PASS" in said, said
    # A read in the cycle of a write returns the old word: no macro does that.
    kept = tmp_path / "kept"
    kept.mkdir()
    asked = Design.of("memory_top", files, {"Apart": 0})
    netlist = run_flow(asked, kept, options, known=known)
    assert not netlist.macros and netlist.flip_flops > 16 * 12


@pytest.mark.nightly  # maps an exponentiator
def test_the_tables_of_an_exponentiator_are_macros(tmp_path: Path, tool: Tool) -> None:
    path = add_macro(write_library(tmp_path))
    asked = ["synth", "modexp", "--bits", "16", "--set", "core=cs", "--set", "w=16"]
    found = tool.json(*asked, "--library", path, "--memory", "macro")
    flops = tool.json(*asked, "--library", path)
    assert found["memory"] == "macro" and found["ge_memory"] > 0 and found["ff"] < flops["ff"]
    assert found["ge"] + found["ge_memory"] < flops["ge"]


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"many.lib": "nowhere.lib"}, "nowhere.lib cannot be read"),
        ({"cell (MANY)": "cell (FEW)"}, "has no cell MANY"),
        ({"MACRO MANY": "MACRO FEW", "END MANY": "END FEW"}, "many.lef has no cell MANY"),
        ({'we = "put"': 'we = "take"'}, "has no input pin take in"),
        ({'"on"': "[]"}, "the input on of the macro MANY is in no port"),
        ({"words = 8": "words = 16"}, "waddr of the macro MANY has 3 pins, and 16 words"),
        ({'"off"': '["off", "on"]'}, "the pin on of the macro MANY is in two ports"),
        ({'["tw", "tr"]': '["tr", "tw"]'}, "has no timing from the rising edge of tw"),
        ({"bit_to : 0": "bit_to : x"}, "has no input pin row_w in"),
        (
            {"bit_from : 2 bit_to : 0": "bit_from : 3 bit_to : 1"},
            "row_r of the macro MANY does not",
        ),
        ({"area : 300": ""}, "the macro MANY has no area in"),
        ({"MANY": "TURN"}, "the macro TURN has the name of another cell of made_up"),
        ({"PIN tw": "PIN t", "END tw": "END t"}, "has no pin tw in"),
        ({"bits = 8": "bits = 0"}, "macro.0.bits of"),
    ],
)
def test_a_macro_that_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, tool: Tool, changes: dict[str, str], what: str
) -> None:
    path = add_macro(write_library(tmp_path), changes)
    asked = ["synth", "cs", "--bits", "8", "--library", str(path), "--memory", "macro"]
    tool.refuses(what, *asked)


def test_macros_are_refused_where_there_are_none_or_wires_are_asked(
    tmp_path: Path, tool: Tool
) -> None:
    asked = ["synth", "cs", "--bits", "8", "--memory", "macro", "--library"]
    tool.refuses("the description of made_up has no macros", *asked, write_library(tmp_path))
    folder = tmp_path / "with_macro"
    folder.mkdir()
    path = add_macro(write_library(folder, keys={"name": '"with_macro"'}))
    tool.refuses("macros of a description are not placed", *asked, path, "--wires", "placed")
    assert "The macro MANY has 8 words of 8 bits and takes 0.20 kGE." in tool(
        "library", "check", path
    )
