# SPDX-License-Identifier: Apache-2.0
"""A cell library that nobody makes: other names, axes, units and forms of cells than osu018's."""

import gzip
from collections.abc import Mapping
from pathlib import Path

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


def add_macro(description: Path, changes: Mapping[str, str] | None = None) -> Path:
    """Add a macro of eight words of eight bits to a library; return its description.

    Args:
        description: the description of the library.
        changes: text in the macro's files and in its description, and what stands there instead.
    """
    head = (description.parent / "logic.lib").read_text().partition("cell (")[0]
    limit = "".join(f'{edge}_constraint (scalar) {{ values ("30") }}\n' for edge in _EDGES)
    setup = f"timing () {{ related_pin : tw timing_type : setup_rising\n{limit}}}\n"

    def bus(name: str, kind: str, direction: str, more: str) -> str:
        return (
            f"bus ({name}) {{ bus_type : {kind} direction : {direction} capacitance : 2\n{more}}}\n"
        )

    cell = (
        "".join(
            f"type ({name}) {{ base_type : array data_type : bit bit_width : {width} "
            f"bit_from : {width - 1} bit_to : 0 }}\n"
            for name, width in (("row", 3), ("word", 8))
        )
        + "cell (MANY) { area : 300\n"
        + "".join(_input(name, "clock : true ") for name in ("tw", "tr"))
        + _input("put", setup)
        + _input("on")
        + bus("off", "word", "input", "")
        + bus("row_w", "row", "input", setup)
        + bus("row_r", "row", "input", setup.replace("tw", "tr"))
        + bus("in", "word", "input", setup)
        + bus("unused", "word", "output", "")
        + bus("out", "word", "output", _arc("tr", 1, "timing_type : rising_edge", 20))
        + "}\n}\n"
    )
    buses = [f"{name}[{bit}]" for name in ("off", "in", "out") for bit in range(8)]
    buses += [f"{name}[{bit}]" for name in ("row_w", "row_r") for bit in range(3)]
    geometry = "".join(f"  PIN {pin}\n  END {pin}\n" for pin in ["tw", "tr", "put", "on", *buses])
    keys = (
        '[[macro]]\nname = "MANY"\nliberty = "many.lib"\nlef = "many.lef"\nwords = 8\nbits = 8\n'
        'ports = { clk = ["tw", "tr"], we = "put", waddr = "row_w", wdata = "in", raddr = "row_r", '
        'rdata = "out", high = "on", low = "off" }\n'
    )
    texts = {
        "many.lib": head + cell,
        "many.lef": f"MACRO MANY\n{geometry}END MANY\n",
        description.name: description.read_text() + keys,
    }
    for name, text in texts.items():
        for old, new in (changes or {}).items():
            text = text.replace(old, new)
        (description.parent / name).write_text(text)
    return description
