# SPDX-License-Identifier: Apache-2.0
"""The ASIC flow's area and timing are as documented; netlists that it cannot count are refused."""

import itertools
import json
import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest
from asic_tools import MAC_FILES, MACRO, mac, needs_asic
from cell_models import cell_models
from command_line import Tool

from montcore.support.errors import RequestError
from montcore.synth import options
from montcore.synth.asic import flow
from montcore.synth.asic.flow import Netlist, gate_equivalents
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.memory import Macro
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sizing.timer import Timer
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.asic.sta import time_netlist
from montcore.synth.design import Design
from montcore.synth.options import CELLS, DEFAULT_OPTIONS
from montcore.synth.process import ToolError
from montcore.synth.yosys import run_yosys
from montcore_lab.benches.module import instances, with_nets

pytestmark = needs_asic

#: These tests are about cells; those of placed netlists are in test_synth_placement.
run_flow = partial(flow.run_flow, opts=CELLS)


def sized(macros: tuple[Macro, ...]) -> tuple[tuple[Macro, float], ...]:
    """Return macros with the access time that they have without wires."""
    return tuple((macro, options.MACRO_ACCESS_NS) for macro in macros)


def of_text(work: Path, top: str, text: str, *more: Path, shared: Sequence[str] = ()) -> Netlist:
    """Return the netlist of a top module with some text, and of more files."""
    source = work / f"{top}.sv"
    source.write_text(text)
    return run_flow(Design.of(top, [*more, source], shared=shared), work)


@pytest.fixture(scope="module")
def mapped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Netlist, Netlist]:
    """A 12-bit multiply-accumulate unit, mapped without and with sizing."""
    plain, sized = tmp_path_factory.mktemp("plain"), tmp_path_factory.mktemp("sized")
    return run_flow(mac(12), plain, flat=False), run_flow(mac(12), sized)


def test_area_of_a_register_is_that_of_its_flip_flops(tmp_path: Path) -> None:
    text = "module r(input logic clk_i, input logic [9:0] d_i, output logic [9:0] q_o);\n"
    text += "  logic [9:0] d_q;\n"
    text += "  always_ff @(posedge clk_i) begin d_q <= d_i; q_o <= d_q; end\nendmodule\n"
    netlist = of_text(tmp_path, "r", text)
    assert netlist.cells == {"DFFPOSX1": 20}
    assert netlist.ge == 20 * 4
    assert netlist.timing.tmin_ns is not None and 0.2 < netlist.timing.tmin_ns < 0.5


SHARED = """
module delay #(
  parameter int unsigned Width = 4,
  localparam int unsigned Top = Width - 1
) (input logic clk_i, input logic [Top:0] d_i, output logic [Top:0] q_o);
  always_ff @(posedge clk_i) q_o <= ~d_i;
endmodule
module pair(input logic clk_i, input logic [9:0] d_i, output logic [9:0] q_o);
  logic [9:0] d;
  delay #(.Width(10)) u_first(.clk_i, .d_i, .q_o(d));
  delay #(.Width(7)) u_low(.clk_i, .d_i(d[6:0]), .q_o(q_o[6:0]));
  delay #(.Width(3)) u_high(.clk_i, .d_i(d[9:7]), .q_o(q_o[9:7]));
endmodule
"""


@pytest.mark.nightly  # every run has the flow without shared modules
def test_shared_modules_are_lowered_once_for_each_size_and_then_flat(tmp_path: Path) -> None:
    work, flat = tmp_path / "work", tmp_path / "flat"
    work.mkdir()
    flat.mkdir()
    netlist = of_text(work, "pair", SHARED, shared=["delay"])
    assert netlist.cells["DFFPOSX1"] == 20 and set(netlist.cells) <= {"DFFPOSX1", "INVX1"}
    folders = {path.name for path in work.glob("delay__*/")}
    assert folders == {"delay__0", "delay__1", "delay__2"}
    other = of_text(flat, "pair", SHARED)
    assert other.cells == netlist.cells and other.timing.tmin_ns == netlist.timing.tmin_ns


def test_shared_module_with_a_memory_is_refused(tmp_path: Path) -> None:
    text = (
        "module t(input logic clk_i, input logic we_i, input logic [4:0] a_i,\n"
        "         input logic [7:0] b_i, output logic [10:0] z_o, output logic [7:0] h_o);\n"
        "  synth_mac #(.Width(8)) u(.clk_i, .a_i(b_i), .b_i, .we_i, .waddr_i(a_i), .raddr_i(a_i),\n"
        "    .z_o, .h_o);\nendmodule\n"
    )
    with pytest.raises(ToolError, match="synth_mac is shared, but holds memory macros"):
        of_text(tmp_path, "t", text, *MAC_FILES, shared=["synth_mac"])


def test_full_adders_are_found_and_the_area_is_in_range(mapped: tuple[Netlist, Netlist]) -> None:
    for netlist in mapped:
        # 10 rows of 12 bits are reduced by full adders; a wrong extraction finds far fewer.
        assert 110 <= netlist.cells["FAX1"] <= 170
        assert 1250 <= netlist.ge <= 1600
        # 12 + 12 operand, 24 + 24 product and 15 + 12 result bits; 7 carry bits are always 0.
        assert netlist.cells["DFFPOSX1"] == 99 - 7


def test_memory_bits_are_counted_apart_and_paths_through_them_are_timed(
    mapped: tuple[Netlist, Netlist],
) -> None:
    netlist = mapped[1]
    assert netlist.macros == (Macro(17, 12),)
    assert netlist.cells["montcore_ram_macro_17x12"] == 1
    assert netlist.macros[0].bits == 17 * 12
    assert gate_equivalents({"montcore_ram_macro_17x12": 1, "NAND2X1": 3}, cell_library()) == 3
    # Delay, time and cell of each pin: clock and output of the memory, ..., and where it ends.
    row = r"([\d.]+) +([\d.]+) [\^v] \S+/\S+ \((\w+)\)$"
    report = netlist.timing.report.partition("data arrival time")[0]
    _, (delay, _, cell), *_, (_, arrival, _) = re.findall(row, report, re.M)
    assert cell == "montcore_ram_macro_17x12"
    assert options.MACRO_ACCESS_NS < float(delay) < options.MACRO_ACCESS_NS + 0.3
    (setup,) = re.findall(r"-([\d.]+) +[\d.]+   library setup time", netlist.timing.report)
    tmin = netlist.timing.tmin_ns
    assert float(arrival) + float(setup) == pytest.approx(tmin, abs=1e-3)


def test_memories_of_several_sizes_keep_all_their_bits(tmp_path: Path) -> None:
    # Yosys takes the first size of a black box for all instances and cuts the wider ones.
    text = (
        "module two(input logic clk_i, we_i, input logic [4:0] a_i, input logic [6:0] d_i,\n"
        "           output logic [6:0] wide_o, output logic [2:0] narrow_o);\n"
        "  montcore_ram_macro #(.Rows(9), .Width(3)) u_narrow (.clk_i, .we_i, .waddr_i(a_i[3:0]),\n"
        "    .wdata_i(d_i[2:0]), .raddr_i(a_i[3:0]), .rdata_o(narrow_o));\n"
        "  montcore_ram_macro #(.Rows(20), .Width(7)) u_wide (.clk_i, .we_i, .waddr_i(a_i),\n"
        "    .wdata_i(d_i), .raddr_i(a_i), .rdata_o(wide_o));\nendmodule\n"
    )
    netlist = of_text(tmp_path, "two", text, MACRO)
    assert netlist.macros == (Macro(9, 3), Macro(20, 7))
    pins = {item.cell: item.pins for item in instances(netlist.verilog)}
    assert pins["montcore_ram_macro_20x7"]["raddr_i"] == "a_i"
    assert pins["montcore_ram_macro_20x7"]["wdata_i"] == "d_i"
    assert pins["montcore_ram_macro_20x7"]["rdata_o"] == "wide_o"
    assert pins["montcore_ram_macro_9x3"]["rdata_o"] == "narrow_o"


def test_a_cut_connection_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "cut.v").write_text(
        "(* blackbox *) module box(input [3:0] a); endmodule\n"
        "module t(input [7:0] a); box b(.a(a)); endmodule\n"
    )
    with pytest.raises(ToolError, match=r"changed the width of a port: .*from 8 bits to 4 bits"):
        run_yosys(["read_verilog cut.v", "hierarchy -check -top t"], tmp_path, "x", DEFAULT_OPTIONS)


def test_tuning_shortens_the_clock_and_respects_loads(
    mapped: tuple[Netlist, Netlist], tmp_path: Path
) -> None:
    plain, tuned = mapped
    assert plain.timing.tmin_ns is not None and tuned.timing.tmin_ns is not None
    assert tuned.timing.tmin_ns < 0.97 * plain.timing.tmin_ns
    assert tuned.ge * tuned.timing.tmin_ns < 0.97 * plain.ge * plain.timing.tmin_ns
    netlist = _editable(tuned, tmp_path)
    library = read_library(cell_library(), sized(tuned.macros))
    timer = Timer(netlist, library)
    bits = {bit for gate in netlist.gates for bit in gate.pins.values() if bit >= 0}
    driven = {bit: place for bit in bits if (place := timer.driver(bit)) is not None}
    assert len(driven) > 100
    for bit, (gate, pin) in driven.items():
        load = sum(timer.cell(sink).caps[name] for sink, name in timer.sinks(bit))
        assert timer.load(bit) == pytest.approx(load)
        assert load <= timer.cell(gate).max_load[pin]
    assert timer.overloaded() == []


def _editable(netlist: Netlist, tmp_path: Path) -> EditableNetlist:
    commands = [
        f"read_liberty -lib -ignore_miss_func {cell_library().liberty}",
        f"read_verilog {netlist.verilog.with_name('macro_boxes.v')} {netlist.verilog}",
        "write_json n.json",
    ]
    run_yosys(commands, tmp_path, "json", DEFAULT_OPTIONS)
    return EditableNetlist(tmp_path / "n.json", "synth_mac")


def test_own_timer_agrees_with_opensta(mapped: tuple[Netlist, Netlist], tmp_path: Path) -> None:
    for netlist in mapped:
        editable = _editable(netlist, tmp_path)
        timer = Timer(editable, read_library(cell_library(), sized(netlist.macros)))
        assert timer.period == pytest.approx(netlist.timing.tmin_ns, rel=0.02)


def test_restored_edits_leave_no_trace(mapped: tuple[Netlist, Netlist], tmp_path: Path) -> None:
    plain, _ = mapped
    editable = _editable(plain, tmp_path)
    before = [(gate.name, gate.cell, dict(gate.pins)) for gate in editable.gates]
    state = editable.mark()
    tuner = Tuner(editable, read_library(cell_library(), sized(plain.macros)))
    tuner.run(Limits(rounds=2))
    assert [(gate.name, gate.cell, gate.pins) for gate in editable.gates] != before
    editable.rewind(state)
    assert [(gate.name, gate.cell, gate.pins) for gate in editable.gates] == before


def test_constant_moves_with_the_pin_it_is_exchanged_with(tmp_path: Path) -> None:
    """A full adder with a constant input: exchanged inputs, restored inputs, and the file."""
    pins = {"A": ["1"], "B": [2], "C": ["0"], "YC": [3], "YS": [4]}
    ports = {"b": ("input", 2), "yc": ("output", 3), "ys": ("output", 4)}
    module = {
        "ports": {name: {"direction": way, "bits": [bit]} for name, (way, bit) in ports.items()},
        "netnames": {name: {"bits": [bit]} for name, (_, bit) in ports.items()},
        "cells": {"fa": {"type": "FAX1", "connections": pins}},
    }
    file, written = tmp_path / "fa.json", tmp_path / "written.json"
    file.write_text(json.dumps({"modules": {"top": module}}))

    def connections() -> dict[str, list[int | str]]:
        netlist.write(written)
        found = json.loads(written.read_text())["modules"]["top"]["cells"]["fa"]["connections"]
        assert isinstance(found, dict)
        return found

    netlist = EditableNetlist(file, "top")
    assert connections() == pins
    before, wiring = netlist.mark(), netlist.gates[0].pins
    for a, b, c in itertools.permutations("ABC"):
        netlist.replace(0, "FAX1", {**wiring, "A": wiring[a], "B": wiring[b], "C": wiring[c]})
        assert connections() == {**pins, "A": pins[a], "B": pins[b], "C": pins[c]}
    netlist.rewind(before)
    assert connections() == pins


def test_cells_that_cannot_be_counted_are_refused() -> None:
    with pytest.raises(ToolError, match="whose area is not known"):
        gate_equivalents({"LATCH": 2}, cell_library())
    # 5.6 by 10 um, from the layouts: osu018's liberty file has no area of latches.
    assert gate_equivalents({"LATCH": 3}, cell_library(), latches=True) == 7
    with pytest.raises(ToolError, match="not in the library"):
        gate_equivalents({"NAND9X1": 1}, cell_library())
    with pytest.raises(RequestError, match="no functional model can be made of the cell LATCH"):
        cell_models(cell_library().cells, ["LATCH"])


def test_latch_in_the_rtl_fails(tmp_path: Path) -> None:
    text = "module l(input logic clk_i, en_i, d_i, output logic q_o);\n"
    text += "  always_latch if (en_i) q_o = d_i;\nendmodule\n"
    with pytest.raises(ToolError, match=r"latch|LATCH"):
        of_text(tmp_path, "l", text)


def test_sta_error_is_not_taken_for_a_result(
    mapped: tuple[Netlist, Netlist], tmp_path: Path
) -> None:
    # OpenSTA stops reading at the error and still prints a slack.
    text = mapped[1].verilog.read_text()
    broken = tmp_path / "broken.v"
    broken.write_text(text.replace("endmodule", "  assign {a, b = ;\nendmodule", 1))
    about = cell_library(), [mapped[1].verilog.with_name("macros.lib")]
    with pytest.raises(ToolError, match="sta"):
        time_netlist(broken, "synth_mac", "clk_i", *about, tmp_path)


def test_design_without_registers_has_no_clock(tmp_path: Path) -> None:
    text = "module c(input logic clk_i, a_i, output logic z_o, q_o);\n"
    text += "  assign z_o = ~a_i;\n  always_ff @(posedge clk_i) q_o <= a_i;\nendmodule\n"
    assert of_text(tmp_path, "c", text).timing.tmin_ns is None


REPORT = """
Startpoint: _10_ (rising edge-triggered flip-flop clocked by clk)
Endpoint: u_ram.macro
          (rising edge-triggered flip-flop clocked by clk)

      Cap      Slew     Delay      Time   Description
-------------------------------------------------------------------------------
             0.0000    0.0000    0.0000 ^ _10_/CLK (DFFPOSX1)
   0.0613    0.0973    0.2173    0.2173 v _10_/Q (DFFPOSX1)
   0.0425    0.1202    0.2732    0.4905 ^ _2_/YS (FAX1)
             0.1202    0.0000    0.4905 ^ u_ram.macro/wdata_i[3] (montcore_ram_macro_8x4)
                                 0.4905   data arrival time
                      -0.3000  999.7000   library setup time
                              999.2095   slack (MET)
"""


def test_pins_of_a_path_have_the_names_of_their_nets() -> None:
    nets = {("_10_", "Q"): "count_q[3]", ("u_ram.macro", "wdata_i[3]"): "word"}
    lines = with_nets(REPORT, nets).splitlines()
    assert [line.split("(")[1] for line in lines if "/" in line] == [
        *("DFFPOSX1)", "DFFPOSX1)  count_q[3]", "FAX1)", "montcore_ram_macro_8x4)  word")
    ]
    assert [line.partition("  count_q[3]")[0].removesuffix("  word") for line in lines] == (
        REPORT.splitlines()
    )


def test_netlist_reader_sees_every_cell(mapped: tuple[Netlist, Netlist]) -> None:
    netlist = mapped[1]
    assert sum(1 for _ in instances(netlist.verilog)) == sum(netlist.cells.values())


MODULE = ["maintain", "measure", "module"]


def test_quick_prints_area_clock_and_path(tool: Tool) -> None:
    arguments = ["--top", "synth_mac", "--set", "Width=4", "--by-module"]
    out = tool(*MODULE, *arguments, *MAC_FILES)
    assert re.search(r"GE +\d+\.\d +Tmin +\d\.\d+ ns .* memory 68 bits = 102 GE", out)
    assert re.search(r"rdata_o\[\d+\] \(montcore_ram_macro_17x4\)", out)
    assert "GE each" in out


def test_quick_refuses_a_bad_request(tool: Tool) -> None:
    source = str(MAC_FILES[1])
    for words, said in (
        (["--set", "Width", source], "--set takes NAME=VALUE"),
        (["--set", "Width=wide", source], "the parameter Width is a number, not 'wide'"),
        (["--target", "vax", source], "there is no synthesis target 'vax'; the targets are"),
        (["absent.sv"], "absent.sv does not exist"),
    ):
        tool.refuses(said, *MODULE, "--top", "t", *words)
