# SPDX-License-Identifier: Apache-2.0
"""A described library: what is found in it, the flow over it, and what is refused.

It is one that nobody makes: other names, axes, units and forms of cells than osu018's.
"""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from asic_tools import needs_asic
from command_line import Tool

from montcore.cores import get_core
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.flow import synthesise
from montcore.synth.options import NONE, PLACED
from montcore.synth.target import LIBRARIES, get_target

#: Area, functions of the outputs and strength of each cell without a state.
LOGIC: dict[str, tuple[float, dict[str, str], int]] = {
    "TURN": (1.0, {"z": "x'"}, 1),
    "TURN_FOUR": (2.0, {"z": "x'"}, 4),
    "PASS_TWO": (2.0, {"z": "x"}, 2),
    "PASS_FOUR": (3.0, {"z": "x"}, 4),
    "NO_BOTH": (1.5, {"z": "(x y)'"}, 1),
    "NO_EITHER": (1.5, {"z": "(x + y)'"}, 1),
    "UNEQUAL": (3.0, {"z": "x ^ y"}, 1),
    "NO_BOTH_OR": (2.0, {"z": "!((x & y) | w)"}, 1),
    "ADD_TURNED": (6.0, {"nc": "!((x y) + (x w) + (y w))", "ns": "!(x ^ y ^ w)"}, 1),
}
FLIP_FLOP = "KEEP_TURNED"
_EDGES = "rise", "fall"
_SLEWS, _LOADS = (5.0, 80.0, 400.0), (1.0, 10.0, 60.0, 200.0)


def _table(kind: str, base: float, of_load: float, slow: float) -> str:
    """Return a table with the transition as its first argument, in ps and fF."""
    rows = (
        ", ".join(f"{slow * (base + of_load * c) + 0.2 * s:.4f}" for c in _LOADS) for s in _SLEWS
    )
    values = ", ".join(f'"{row}"' for row in rows)
    return f"{kind} (of_slew) {{ values ({values}) }}\n"


def _arc(source: str, strength: int, about: str, slow: float) -> str:
    delays = "".join(_table(f"cell_{edge}", 12.0, 1.1 / strength, slow) for edge in _EDGES)
    slews = "".join(_table(f"{edge}_transition", 9.0, 1.6 / strength, slow) for edge in _EDGES)
    return f'timing () {{ related_pin : "{source}" {about}\n{delays}{slews}}}\n'


def _input(name: str, more: str = "") -> str:
    return f"pin ({name}) {{ direction : input capacitance : 1.2 {more}}}\n"


def _logic(name: str, slow: float) -> str:
    area, outputs, strength = LOGIC[name]
    text = "".join(outputs.values())
    inputs = [pin for pin in "xyw" if pin in text]
    # An arc for each state of another input, as some libraries have it.
    arcs = "".join(
        _arc(pin, strength, f'timing_sense : non_unate when : "{state}{other}"', slow)
        for pin in inputs
        for other in [p for p in inputs if p != pin][:1]
        for state in ("", "!")
    )
    if inputs == ["x"]:
        sense = "negative" if "'" in text else "positive"
        arcs = _arc("x", strength, f"timing_sense : {sense}_unate", slow)
    pins = "".join(
        f'pin ({out}) {{ direction : output function : "{function}" '
        f"max_capacitance : {60 * strength}\n{arcs}}}\n"
        for out, function in outputs.items()
    )
    return f"cell ({name}) {{ area : {area}\n{''.join(map(_input, inputs))}{pins}}}\n"


def _flip_flop(slow: float) -> str:
    limit = "".join(
        f'{edge}_constraint (scalar) {{ values ("20") }}\n' for edge in ("rise", "fall")
    )
    setup = "".join(
        f"timing () {{ related_pin : t timing_type : {kind}_rising\n{limit}}}\n"
        for kind in ("setup", "hold")
    )
    out = _arc("t", 1, "timing_type : rising_edge timing_sense : non_unate", slow)
    return (
        f"cell ({FLIP_FLOP}) {{ area : 9\n"
        'ff (I, NI) { clocked_on : t next_state : d clear : "!clear_n" }\n'
        f"{_input('t', 'clock : true ')}{_input('d', setup)}{_input('clear_n')}"
        f'pin (nq) {{ direction : output function : "NI" max_capacitance : 60\n{out}}}\n}}\n'
    )


def _geometry() -> tuple[str, str]:
    """Return LEF files of the cells, in rows of 1 um, and of the layers, with the site."""
    pins = {
        name: ["x", "y", "w", *outputs][-len(outputs) - 3 :]
        for name, (_, outputs, _) in LOGIC.items()
    } | {FLIP_FLOP: ["t", "d", "clear_n", "nq"]}
    cells = "".join(
        f"MACRO {name}\n  CLASS CORE ;\n  SIZE {LOGIC.get(name, (9.0,))[0] * 0.4:g} BY 1 ;\n"
        "  SITE bed ;\n"
        + "".join(
            f"  PIN {pin}\n    PORT\n      LAYER one ;\n        RECT 0.{k} 0.2 0.{k + 1} 0.4 ;\n"
            f"    END\n  END {pin}\n"
            for k, pin in enumerate(names)
        )
        + f"END {name}\n"
        for name, names in pins.items()
    )
    layers = "".join(
        f"LAYER {name}\n  TYPE ROUTING ;\n  WIDTH 0.1 ;\n  RESISTANCE RPERSQ 0.5 ;\n"
        f"  CAPACITANCE CPERSQDIST {surface} ;\n  EDGECAPACITANCE 5e-5 ;\nEND {name}\n"
        for name, surface in (("one", 9), ("two", 1e-3), ("three", 3e-3), ("four", 9))
    )
    return cells, f"SITE bed\n  SIZE 0.1 BY 1 ;\nEND bed\n{layers}"


def write_library(
    folder: Path,
    changes: Mapping[str, str] | None = None,
    geometry: Mapping[str, str] | None = None,
    keys: Mapping[str, str] | None = None,
) -> Path:
    """Write the library's files, one compressed, and its description; return that one's path.

    Args:
        folder: where to write.
        changes: text in the liberty files, and what stands there instead.
        geometry: the same in the LEF files.
        keys: further keys of the description, as TOML.
    """
    head = (
        "library (L) {\ndelay_model : table_lookup\ntime_unit : 1ps\nvoltage_unit : 1V\n"
        "current_unit : 1uA\npulling_resistance_unit : 1kohm\nleakage_power_unit : 1nW\n"
        "capacitive_load_unit (1, ff)\nnom_voltage : 1\nnom_process : 1\nnom_temperature : 25\n"
        + "".join(
            f"{end}_threshold_pct_{edge} : {share}\n"
            for end, share in (
                ("input", 50),
                ("output", 50),
                ("slew_lower", 20),
                ("slew_upper", 80),
            )
            for edge in _EDGES
        )
        + "default_wire_load : small\nwire_load (small) { capacitance : 5 slope : 9 }\n"
        "lu_table_template (of_slew) {\nvariable_1 : input_net_transition\n"
        "variable_2 : total_output_net_capacitance\n"
        f'index_1 ("{", ".join(map(str, _SLEWS))}")\n'
        f'index_2 ("{", ".join(map(str, _LOADS))}")\n}}\n'
    )
    logic, registers = "".join(_logic(name, 1) for name in LOGIC), _flip_flop(1)
    for old, new in (changes or {}).items():
        assert old in logic + registers
        logic, registers = logic.replace(old, new), registers.replace(old, new)
    (folder / "logic.lib").write_text(f"{head}{logic}}}\n")
    (folder / "registers.lib.gz").write_bytes(gzip.compress(f"{head}{registers}}}\n".encode()))
    # Another corner: what a cell adds to a transition takes twice as long.
    slow = "".join(_logic(name, 2) for name in LOGIC) + _flip_flop(2)
    (folder / "slow.lib").write_text(f"{head}{slow}}}\n")
    for name, content in zip(("cells.lef", "layers.lef"), _geometry(), strict=True):
        for old, new in (geometry or {}).items():
            content = content.replace(old, new)
        (folder / name).write_text(content)
    usual = {
        "name": '"made_up"',
        "liberty": '["logic.lib", "registers.lib.gz"]',
        "lef": '"cells.lef"',
        "tech_lef": '"layers.lef"',
        "top_layer": '"three"',
    }
    lines = {**usual, **(keys or {})}
    path = folder / "made_up.toml"
    text = "".join(f"{key} = {value}\n" for key, value in lines.items())
    path.write_text(f'{text}[corners]\nslow = ["slow.lib"]\n')
    return path


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


def test_tables_are_read_in_ns_and_pf_with_the_load_first(tmp_path: Path) -> None:
    timing = read_library(cell_library(write_library(tmp_path)))
    cell = timing.cells["NO_BOTH"]
    assert cell.caps == pytest.approx({"x": 0.0012, "y": 0.0012})
    assert len(cell.arcs) == 2  # those of both states of the other input are one
    # 12 + 0.2 x 80 + 1.1 x 10 ps.
    assert timing.tables.at(cell.arcs[0].delay[0], 0.01, 0.08) == pytest.approx(0.039)
    assert timing.max_slew_ns == pytest.approx(0.4)
    assert timing.cells[FLIP_FLOP].setups["d"] and timing.cells[FLIP_FLOP].clock == "t"


def test_a_core_is_mapped_timed_and_simulated(
    tmp_path: Path, own_results: Path, tool: Tool
) -> None:
    path = write_library(tmp_path)
    found = tool.json("synth", "cs", "--bits", "8", "--set", "w=8", "--library", str(path))
    assert (found["target"], found["wires"], found["memory"]) == ("made_up", "none", "flops")
    assert found["ge"] > 500 and 0.05 < found["tmin_ns"] < 2 and found["ff"] > 50
    netlist = next((own_results / "synth").glob("*/mapped.v")).read_text()
    assert "ADD_TURNED" in netlist and FLIP_FLOP in netlist and "DFF" not in netlist
    core, on = get_core("cs").configure({"w": "8"}, 8), get_target("made_up")
    again = synthesise(core, on.name, opts=on.usual)
    assert again.cached and again.tmin_ns == found["tmin_ns"]
    assert again.corners_ns.keys() == {"slow"}
    assert 1.5 < (again.corners_ns["slow"] or 0) / found["tmin_ns"] < 2
    # Files of another corner are part of what a result is known by.
    slow = hashlib.sha256((tmp_path / "slow.lib").read_bytes()).hexdigest()[:12]
    assert on.settings(on.usual)["corners"] == {"slow": slow}
    # A comparison and a bundle take it under the same name.
    assert get_target("made_up").words == f"--library {path}"


@pytest.mark.parametrize(
    ("changes", "keys", "what"),
    [
        ({}, {"liberty": '["nowhere.lib"]'}, "nowhere.lib does not exist"),
        ({}, {"names": '"x"'}, "is wrong: Extra inputs"),
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
    on = get_target("made_up")
    wire = cell_library(path).wire
    # The layers above the first, up to the third: 0.1 um of the surface and two edges.
    assert wire == pytest.approx(((1e-4 + 1e-4 + 3e-4 + 1e-4) / 2, 5.0))
    core = get_core("cs").configure({"w": "8"}, 8)
    again = synthesise(core, on.name, opts=replace(on.usual, wires=PLACED))
    assert again.cached and again.tmin_ns == found["tmin_ns"]
    assert 1.5 < (again.corners_ns["slow"] or 0) / found["tmin_ns"] < 2
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
