# SPDX-License-Identifier: Apache-2.0
"""A described library: what is found in it, the flow over it, and what is refused."""

import hashlib
import re
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

import pytest
from asic_tools import needs_asic
from command_line import Tool
from made_up_library import FLIP_FLOP, LOGIC, write_library

from montcore.cores import get_core
from montcore.synth.asic.library import CellLibrary, cell_library
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.flow import synthesise
from montcore.synth.options import DEFAULT_OPTIONS, NONE, PLACED
from montcore.synth.process import ToolError
from montcore.synth.result import SynthResult
from montcore.synth.target import LIBRARIES, get_target
from montcore.synth.yosys import run_yosys

pytestmark = needs_asic


@pytest.fixture(autouse=True)
def _no_other_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(LIBRARIES, "")


def test_cells_are_found_by_what_they_do(tmp_path: Path) -> None:
    known = cell_library(write_library(tmp_path, keys={"dont_use": '["PASS_F*"]'}))
    assert set(known.cells) == {*LOGIC, FLIP_FLOP} - {"PASS_FOUR"}
    assert (known.gate, known.inverter, known.buffer) == ("NO_BOTH", "TURN", "PASS_TWO")
    assert known.clock_driver == "TURN_FOUR" and known.drives["TURN"] == ("TURN", "TURN_FOUR")
    assert known.swaps["NO_BOTH_OR"] == (("x", "y"),)
    flop, adder = known.flip_flop, known.full_adder
    assert (flop.cell, flop.out, flop.inverted) == (FLIP_FLOP, "nq", True)
    assert flop.ties == (("clear_n", 1),)
    assert adder is not None and (adder.carry, adder.sum) == ("nc", "ns")
    assert adder.carry_inverted and adder.sum_inverted and known.latch is None


@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("name", ["osu018", "made up"])
def test_yosys_reads_the_same_functions(name: str, wrong: bool, tmp_path: Path) -> None:
    """Cells are chosen and simulated by our reading, and mapped by that of Yosys."""
    known = cell_library() if name == "osu018" else cell_library(write_library(tmp_path))
    ours, checks = functions(known)
    if wrong:
        ours = ours.replace("(.C(C), .D(D)", "(.C(C), .D(!D)", 1)
    (tmp_path / "ours.v").write_text(ours)
    commands = [
        f'read_liberty -ignore_miss_func "{known.liberty}"',
        "read_verilog -icells ours.v",
        "proc",
        "flatten",
        "async2sync",
        *checks,
        "equiv_simple same_*",
        "equiv_induct same_*",
        "equiv_status -assert same_*",
    ]
    with pytest.raises(ToolError) if wrong else nullcontext():
        run_yosys(commands, tmp_path, "functions", DEFAULT_OPTIONS)


def functions(known: CellLibrary) -> tuple[str, list[str]]:
    """Return modules of what we read of each cell, and commands that put Yosys' reading beside."""
    text, checks = "", list[str]()
    for name, tables in known.tables.items():
        cell = known.cells[name]
        row = ", ".join(reversed(cell.inputs)) or "1'b0"  # of a tie cell
        text += f"module our_{name}({', '.join((*cell.inputs, *cell.outputs))});\n"
        text += "".join(f"input {pin};\n" for pin in cell.inputs)
        for pin, table in zip(cell.outputs, tables, strict=True):
            rows = 2 ** len(cell.inputs)
            text += f"output {pin};\nwire [{rows - 1}:0] t_{pin} = {rows}'d{table};\n"
            text += f"assign {pin} = t_{pin}[{{{row}}}];\n"
        text += "endmodule\n"
        checks.append(f"equiv_make our_{name} {name} same_{name}")
    # Cells with a state by what is mapped to them: a register of Yosys.
    maps = known.register_map(latches=known.latch is not None)
    for name in re.findall(r"^module \\(\$_\w+_)", maps, re.M):
        plain = name.strip("$_")
        pins = {"DFF": "CD", "DLATCH": "ED"}[plain.split("_")[0]] + "R" * plain.endswith(("0", "1"))
        text += f"module our_{plain}(input {', '.join(pins)}, output Q);\n  \\{name} q "
        text += f"({''.join(f'.{pin}({pin}), ' for pin in pins)}.Q(Q));\nendmodule\n"
        checks.append(f"equiv_make our_{plain} map_{plain} same_{plain}")
    maps = re.sub(r"^module \\\$_(\w+)_ ", r"module map_\1 ", maps, flags=re.M)
    return text + maps, checks


def test_tables_are_read_in_ns_and_pf_with_the_load_first(tmp_path: Path) -> None:
    timing = read_library(cell_library(write_library(tmp_path)))
    cell = timing.cells["NO_BOTH"]
    assert cell.caps == pytest.approx({"x": 0.0012, "y": 0.0012})
    assert len(cell.arcs) == 2  # those of both states of the other input are one
    # 12 + 0.2 x 80 + 1.1 x 10 ps.
    assert timing.tables.at(cell.arcs[0].delay[0], 0.01, 0.08) == pytest.approx(0.039)
    assert timing.max_slew_ns == pytest.approx(0.4)
    assert timing.cells[FLIP_FLOP].setups["d"] and timing.cells[FLIP_FLOP].clock == "t"


@pytest.mark.nightly  # every run has it placed, below
def test_a_core_is_mapped_timed_and_simulated(
    tmp_path: Path, own_results: Path, tool: Tool
) -> None:
    path = write_library(tmp_path)
    found = tool.json("synth", "cs", "--bits", "8", "--set", "w=8", "--library", str(path))
    assert (found["target"], found["wires"], found["memory"]) == ("made_up", "none", "flops")
    assert found["ge"] > 500 and 0.05 < found["tmin_ns"] < 2 and found["ff"] > 50
    check_netlist(own_results)
    core, on = get_core("cs").configure({"w": "8"}, 8), get_target("made_up")
    again = synthesise(core, on.name, opts=on.usual)
    assert again.cached and again.tmin_ns == found["tmin_ns"]
    check_corners(again, found["tmin_ns"])


def check_netlist(results: Path) -> None:
    """Check that the netlist of the only result is one of cells of the library."""
    netlist = next((results / "synth").glob("*/mapped.v")).read_text()
    assert "ADD_TURNED" in netlist and FLIP_FLOP in netlist and "DFF" not in netlist


def check_corners(found: SynthResult, usual_ns: float) -> None:
    """Check the period at the other corner against that at the usual one."""
    assert found.corners_ns.keys() == {"slow"}
    assert 1.5 < (found.corners_ns["slow"] or 0) / usual_ns < 2


@pytest.mark.parametrize(
    ("changes", "keys", "what"),
    [
        ({}, {"liberty": '["nowhere.lib"]'}, "nowhere.lib does not exist"),
        ({}, {"names": '"x"'}, "is wrong: Extra inputs"),
        ({}, {"liberty": '"a.lib"'}, "is wrong: it is a list"),
        ({}, {"name": "["}, "is not TOML"),
        ({}, {"dont_use": '["*"]'}, "no cell of the library made_up can be used"),
        ({"clocked_on : t": 'clocked_on : "!t"'}, {}, "has no flip-flop of a rising edge"),
        ({"(x y)'": "x"}, {}, "has no NAND of two inputs"),
        ({"cell (TURN)": "cell TURN"}, {}, "has a brace too many"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(
    tmp_path: Path, tool: Tool, changes: dict[str, str], keys: dict[str, str], what: str
) -> None:
    path = write_library(tmp_path, changes, keys=keys)
    synth = ["synth", "cs", "--bits", "8", "--library", str(path)]
    tool.refuses(what, *synth)


def test_a_core_is_placed_with_wires_and_a_clock_tree(
    tmp_path: Path, own_results: Path, tool: Tool
) -> None:
    path = write_library(tmp_path)
    found = tool.json(
        "synth", "cs", "--bits", "8", "--set", "w=8", "--library", str(path), "--wires", "placed"
    )
    assert found["wires"] == "placed" and found["tmin_ns_no_wires"] < found["tmin_ns"]
    assert found["memory"] == "flops" and found["ge"] > 500 and found["ff"] > 50
    check_netlist(own_results)
    on = get_target("made_up")
    # A comparison and a bundle take it under the same name.
    assert on.words == f"--library {path}"
    # Files of another corner are part of what a result is known by.
    slow = hashlib.sha256((tmp_path / "slow.lib").read_bytes()).hexdigest()[:12]
    assert on.settings(on.usual)["corners"] == {"slow": slow}
    wire = cell_library(path).wire
    # The layers above the first, up to the third: 0.1 um of the surface and two edges.
    assert wire == pytest.approx(((1e-4 + 1e-4 + 3e-4 + 1e-4) / 2, 5.0))
    core = get_core("cs").configure({"w": "8"}, 8)
    again = synthesise(core, on.name, opts=replace(on.usual, wires=PLACED))
    assert again.cached and again.tmin_ns == found["tmin_ns"]
    check_corners(again, found["tmin_ns"])
    assert 0 < again.placement["hold_slack_ns"] < again.placement["hold_slack_slow_ns"]
    # Another site or other wires are another result.
    described = on.settings(replace(on.usual, wires=PLACED))
    assert described["wire"] == wire and described["geometry"]
    assert "wire" not in on.settings(replace(on.usual, wires=NONE))


@pytest.mark.parametrize(
    ("geometry", "keys", "what"),
    [
        ({}, {"lef": '"nowhere.lef"'}, "nowhere.lef cannot be read"),
        (
            {"MACRO TURN\n": "MACRO TURNED\n", "END TURN\n": "END TURNED\n"},
            {},
            "TURN of made_up is",
        ),
        ({"SIZE 0.8 BY 1 ": "SIZE 0.8 BY 2 "}, {}, "is 2 um high in rows of 1 um"),
        ({"PIN clear_n": "PIN clear", "END clear_n": "END clear"}, {}, "has no pin clear_n"),
        ({}, {"site": '"meadow"'}, "it has no site meadow"),
        ({}, {"top_layer": '"five"'}, "has no routing layer five above the first"),
        (
            {"CPERSQDIST": "OTHER", "EDGECAP": "OTHER"},
            {},
            "needs wire_pf_per_um and wire_ohm_per_um",
        ),
        ({"WIDTH 0.1 ;": ""}, {}, "the layer one of"),
    ],
)
def test_what_cannot_be_placed_is_refused_in_one_sentence(
    tmp_path: Path, tool: Tool, geometry: dict[str, str], keys: dict[str, str], what: str
) -> None:
    path = write_library(tmp_path, geometry=geometry, keys=keys)
    synth = ["synth", "cs", "--bits", "8", "--library", str(path), "--wires", "placed"]
    tool.refuses(what, *synth)
    assert what in " ".join(tool.json("library", "check", str(path))["missing"])


def test_the_verb_says_what_is_found_and_what_is_not(tmp_path: Path, tool: Tool) -> None:
    said = tool("library", "check", str(write_library(tmp_path)))
    assert "The gate equivalent is NO_BOTH." in said and "There is no latch" in said
    assert "Rows are 1 um high" in said
    folder = tmp_path / "without_nand"
    folder.mkdir()
    path = write_library(folder, {"(x y)'": "x"})
    found = tool.json("library", "check", path, status=1)
    assert not found["usable"] and "has no NAND of two inputs" in str(found["missing"])
