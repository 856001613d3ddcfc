# SPDX-License-Identifier: Apache-2.0
"""The part of a liberty file that the flow needs: areas, functions and flip-flops of the cells.

Also writes the flow's additions to the library: timing views of memory macros.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.synth import options


@dataclass(frozen=True)
class Cell:
    """One library cell.

    Attributes:
        name: cell name.
        area: in the library's unit (um2 for osu018).
        inputs: names of the input pins, in the order of the file.
        outputs: function of each output pin, in liberty syntax.
        state: attributes of the ff or latch group (``next_state``, ``clocked_on``, ...), with the
            state variable under ``name`` and its complement under ``inverse``; empty for logic.
        latch: whether the cell is a latch.
        three_state: whether an output can float.
    """

    name: str
    area: float
    inputs: tuple[str, ...]
    outputs: dict[str, str]
    state: dict[str, str] = field(default_factory=dict)
    latch: bool = False
    three_state: bool = False


def group_body(text: str, start: int) -> str:
    """Return the text between the first brace at or after `start` and its closing brace."""
    begin = text.index("{", start)
    depth = 0
    for match in re.compile(r"[{}]").finditer(text, begin):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return text[begin + 1 : match.start()]
    raise RequestError("the liberty file ends inside a group")


def simple_attributes(body: str) -> dict[str, str]:
    """Return the simple attributes at the outermost level of a group."""
    flat, depth = [], 0
    for piece in re.split(r"([{}])", body):
        if piece in "{}" and piece:
            depth += 1 if piece == "{" else -1
        elif depth == 0:
            flat.append(piece)
    found = re.findall(r'(\w+)\s*:\s*(?:"([^"]*)"|([^;\s]+))\s*;', "".join(flat))
    return {key: quoted or plain for key, quoted, plain in found}


@cache
def read_cells(path: Path) -> dict[str, Cell]:
    """Read the cells of a liberty file.

    Raises:
        RequestError: the file is not liberty.
    """
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S).replace("\\\n", "")
    cells: dict[str, Cell] = {}
    for match in re.finditer(r"^\s*cell\s*\(\s*\"?(\w+)\"?\s*\)", text, flags=re.M):
        body = group_body(text, match.end())
        inputs: list[str] = []
        outputs: dict[str, str] = {}
        three_state = False
        for pin in re.finditer(r"\bpin\s*\(\s*\"?(\w+)\"?\s*\)", body):
            values = simple_attributes(group_body(body, pin.end()))
            if values.get("direction") == "input":
                inputs.append(pin.group(1))
            elif "function" in values:
                outputs[pin.group(1)] = values["function"]
            three_state = three_state or "three_state" in values
        kind = re.search(r"\b(ff|latch)\s*\(\s*\"?(\w+)\"?\s*,\s*\"?(\w+)\"?\s*\)", body)
        state: dict[str, str] = {}
        if kind:
            state = simple_attributes(group_body(body, kind.end()))
            state |= {"name": kind.group(2), "inverse": kind.group(3)}
        cells[match.group(1)] = Cell(
            name=match.group(1),
            area=float(simple_attributes(body).get("area", "0")),
            inputs=tuple(inputs),
            outputs=outputs,
            state=state,
            latch=bool(kind and kind.group(1) == "latch"),
            three_state=three_state,
        )
    if not cells:
        raise RequestError(f"{path} is not a liberty file: it has no cells")
    return cells


def verilog_expression(function: str) -> str:
    """Return a liberty function as a Verilog expression (blank means AND, ' means NOT)."""
    tokens = re.findall(r"[A-Za-z_]\w*|[01]|[()!^+*&|']", function)
    out: list[str] = []
    for token in tokens:
        operand_before = bool(out) and (out[-1] == ")" or out[-1][-1].isalnum() or out[-1] == "_")
        if token == "'":
            raise RequestError(f"postfix negation is not supported: {function}")
        if operand_before and (token[0].isalnum() or token in "(!_"):
            out.append("&")
        out.append({"+": "|", "*": "&", "!": "~", "0": "1'b0", "1": "1'b1"}.get(token, token))
    return " ".join(out)


_MACRO_PREFIX = f"{options.MACRO_MODULE}_"


@dataclass(frozen=True, order=True)
class Macro:
    """One size of the black-boxed memory.

    Attributes:
        rows: words.
        width: bits of a word.
    """

    rows: int
    width: int

    @property
    def cell(self) -> str:
        """Name of the library cell for this size."""
        return f"{_MACRO_PREFIX}{self.rows}x{self.width}"

    @classmethod
    def of_cell(cls, cell: str) -> "Macro | None":
        """Return the size of a library cell, or None if it is not a memory."""
        rows, times, width = cell.removeprefix(_MACRO_PREFIX).partition("x")
        is_size = cell.startswith(_MACRO_PREFIX) and times == "x"
        return cls(int(rows), int(width)) if is_size else None

    @property
    def address_bits(self) -> int:
        """Width of the address ports, ``$clog2(Rows)`` but at least 1."""
        return max(1, (self.rows - 1).bit_length())

    @property
    def bits(self) -> int:
        """Memory bits."""
        return self.rows * self.width

    def ports(self) -> list[tuple[str, str, int]]:
        """Return direction, name and width of every port."""
        return [
            ("input", "clk_i", 1),
            ("input", "we_i", 1),
            ("input", "waddr_i", self.address_bits),
            ("input", "wdata_i", self.width),
            ("input", "raddr_i", self.address_bits),
            ("output", "rdata_o", self.width),
        ]


def macro_liberty(macros: Mapping[Macro, float]) -> str:
    """Return a liberty library with the assumed timing of the memory macros (see `options`).

    Paths from a read address, or from the clock edge that writes the word being read, to read data
    take the access time plus a load-dependent part; the write port has a set-up time. The area is
    0 because memory bits are counted separately.

    Args:
        macros: access time of each size in ns.
    """
    sizes = sorted(macros)
    widths = sorted({width for macro in sizes for _, _, width in macro.ports() if width > 1})
    low, high = 0.0, 0.5
    slew_high = options.MACRO_SLEW_NS + options.MACRO_DRIVE_NS_PER_PF * high
    slew = f'values("{options.MACRO_SLEW_NS:.4f}, {slew_high:.4f}");'
    out = [
        "library(montcore_macros) {",
        "  delay_model : table_lookup;",
        '  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1uA";',
        '  pulling_resistance_unit : "1kohm"; leakage_power_unit : "1nW";',
        "  capacitive_load_unit (1,pf);",
        "  slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_rise : 20;",
        "  slew_upper_threshold_pct_fall : 80; slew_lower_threshold_pct_fall : 20;",
        "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;",
        "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;",
        "  nom_process : 1; nom_voltage : 1.8; nom_temperature : 25;",
        "  lu_table_template(load_2) {",
        f'    variable_1 : total_output_net_capacitance; index_1 ("{low}, {high}");',
        "  }",
    ]
    for width in widths:
        out.append(
            f"  type(bus{width}) {{ base_type : array; data_type : bit; bit_width : {width}; "
            f"bit_from : {width - 1}; bit_to : 0; }}"
        )

    def arc(related: str, kind: str, access: float) -> list[str]:
        at_high = access + options.MACRO_DRIVE_NS_PER_PF * high
        delay = f'values("{access:.4f}, {at_high:.4f}");'
        lines = ["      timing() {", f"        {related} {kind}"]
        for name, table in (
            ("cell_rise", delay),
            ("rise_transition", slew),
            ("cell_fall", delay),
            ("fall_transition", slew),
        ):
            lines.append(f"        {name}(load_2) {{ {table} }}")
        return [*lines, "      }"]

    setup = [
        "      timing() {",
        '        related_pin : "clk_i"; timing_type : setup_rising;',
        f'        rise_constraint(scalar) {{ values("{options.MACRO_SETUP_NS:.4f}"); }}',
        f'        fall_constraint(scalar) {{ values("{options.MACRO_SETUP_NS:.4f}"); }}',
        "      }",
    ]
    for macro in sizes:
        out += [f"  cell({macro.cell}) {{", "    area : 0;"]
        for direction, name, width in macro.ports():
            group = f"bus({name}) {{ bus_type : bus{width};" if width > 1 else f"pin({name}) {{"
            out.append(f"    {group} direction : {direction};")
            if name == "clk_i":
                out.append(f"      clock : true; capacitance : {options.MACRO_PIN_PF};")
            elif direction == "input":
                out.append(f"      capacitance : {options.MACRO_PIN_PF};")
                if name != "raddr_i":
                    out += setup
            else:
                out.append("      max_capacitance : 0.98;")
                out += arc(
                    'related_bus_pins : "raddr_i";', "timing_sense : non_unate;", macros[macro]
                )
                out += arc('related_pin : "clk_i";', "timing_type : rising_edge;", macros[macro])
            out.append("    }")
        out.append("  }")
    out.append("}\n")
    return "\n".join(out)


def macro_verilog(macros: Iterable[Macro]) -> tuple[str, str]:
    """Return black boxes of the macro sizes, and the techmap file that instantiates them."""
    boxes, maps = [], []
    for macro in sorted(set(macros)):
        names = ", ".join(name for _, name, _ in macro.ports())
        declarations = "\n".join(
            f"  {direction} [{width - 1}:0] {name};" if width > 1 else f"  {direction} {name};"
            for direction, name, width in macro.ports()
        )
        boxes.append(f"(* blackbox *)\nmodule {macro.cell} ({names});\n{declarations}\nendmodule\n")
        links = ", ".join(f".{name}({name})" for _, name, _ in macro.ports())
        maps.append(
            f'(* techmap_celltype = "{options.MACRO_MODULE}" *)\n'
            f"module _map_{macro.cell} ({names});\n"
            "  parameter Rows = 0;\n  parameter Width = 0;\n"
            f"{declarations}\n"
            f"  wire _TECHMAP_FAIL_ = !(Rows == {macro.rows} && Width == {macro.width});\n"
            f"  {macro.cell} macro ({links});\n"
            "endmodule\n"
        )
    return "\n".join(boxes), "\n".join(maps)
