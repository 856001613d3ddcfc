# SPDX-License-Identifier: Apache-2.0
"""Area and access time of a memory macro, by its size.

The macros are small register files with one write port and one read port; no free generator of
these exists for osu018. The sources of the model are in `docs/measuring.md`, "Memories". Without
wires (`placement`) it is not used: every memory bit has the same area.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from montcore.synth import options
from montcore.synth.asic.library import cell_library
from montcore.synth.options import NONE, Options

PORTS = 2
FEATURE_UM = 0.18
GATE_DELAY_NS = 0.09
BIT_F2 = 675.0
"""Area of a register bit equivalent in squares of the feature size."""
_ANCHOR_BITS = 1024

_MACRO_PREFIX = f"{options.MACRO_MODULE}_"


@dataclass(frozen=True, order=True)
class Macro:
    """One size of the black-boxed memory."""

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

    def area_ge(self, opts: Options) -> float:
        """Return the area in gate equivalents."""
        if opts.wires == NONE:
            return self.bits * options.GE_PER_MEMORY_BIT
        known = cell_library()
        return area_um2(self) / known.cells[known.gate].area

    def pins(self) -> dict[str, tuple[str, ...]]:
        """Return the pins of each port, lowest bit first, as a netlist names them."""
        return {
            name: tuple(f"{name}[{bit}]" for bit in range(width)) if width > 1 else (name,)
            for _, name, width in self.ports()
        }

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


def area_um2(macro: Macro) -> float:
    """Return the area of a macro in um2."""
    bits = (macro.rows + 3 * PORTS) * (macro.width + 3 * PORTS)
    return bits * BIT_F2 * FEATURE_UM**2


def access_ns(macro: Macro, opts: Options) -> float:
    """Return the time from a read address, or the clock edge of a write, to read data, unloaded."""
    if opts.wires == NONE:
        return options.MACRO_ACCESS_NS
    return options.MACRO_ACCESS_NS + GATE_DELAY_NS * math.log2(macro.bits / _ANCHOR_BITS)
