# SPDX-License-Identifier: Apache-2.0
"""The netlist simulator computes the same as a second simulator of the same gates."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from asic_tools import MACRO, needs_asic
from cell_models import cell_models
from programs import output_of

from montcore.cores import all_cores
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth.asic.flow import Netlist, run_flow
from montcore.synth.asic.liberty import truth
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.macros import ClockedMacro
from montcore.synth.asic.memory import Macro
from montcore.synth.asic.standard_cells import OSU018
from montcore.synth.design import Design
from montcore.synth.gatesim.check import refused_products, sample_products
from montcore.synth.gatesim.gate_model import MODEL, GateBuild
from montcore.synth.gatesim.gate_table import gate_table
from montcore.synth.options import CELLS

pytestmark = needs_asic


def verilated(top: str, netlist: Netlist, work: Path) -> RtlBuild:
    """Return the same netlist for Verilator: cell models, and RTL behind the macros."""
    models = work / "cells.v"
    models.write_text(
        cell_models(
            cell_library().cells, (name for name in netlist.cells if Macro.of_cell(name) is None)
        )
    )
    shells = []
    for macro in sorted(set(netlist.macros)):
        ports = ", ".join(
            f"{way} [{width - 1}:0] {name}" if width > 1 else f"{way} {name}"
            for way, name, width in macro.ports()
        )
        links = ", ".join(f".{name}({name})" for _, name, _ in macro.ports())
        shells.append(
            f"module {macro.cell} ({ports});\n"
            f"montcore_ram_macro #(.Rows({macro.rows}), .Width({macro.width})) ram ({links});\n"
            "endmodule\n"
        )
    (work / "shells.v").write_text("\n".join(shells))
    return RtlBuild(top, (MACRO, work / "shells.v", models, netlist.verilog))


@pytest.mark.nightly  # maps a netlist and simulates it twice
@pytest.mark.parametrize(
    ("name", "settings", "bits"),
    [
        ("smm", {"npe": "1", "w": "4"}, 19),
        pytest.param("karatsuba", {}, 8, marks=pytest.mark.nightly),
    ],
)
def test_two_simulators_agree_on_every_product_and_cycle(
    tmp_path: Path, name: str, settings: dict[str, str], bits: int
) -> None:
    config = all_cores()[name].configure(settings, bits)
    design = Design.of(config.top, config.sources(), config.sv_parameters(OSU018.technology))
    netlist = run_flow(design, tmp_path, CELLS)
    assert netlist.macros
    products = sample_products(bits, 12, seed=5)
    products += [product for product, _ in refused_products(bits, seed=5)]
    ours = GateBuild(design.top, (netlist.verilog,), macros=netlist.macros)
    theirs = verilated(design.top, netlist, tmp_path)
    for mode in ("single", "stream"):
        outcomes = [Simulator(config, rtl=build).run(products, mode) for build in (ours, theirs)]
        assert outcomes[0] == outcomes[1]
        assert sum(outcome.z is not None for outcome in outcomes[0]) == 12


def test_truth_tables_of_the_library() -> None:
    """Each function once more, one row at a time, in plain Python."""
    rows: dict[str, Callable[..., bool]] = {
        "NAND3X1": lambda a, b, c: not (a and b and c),
        "AOI22X1": lambda a, b, c, d: not ((a and b) or (c and d)),
        "OAI21X1": lambda a, b, c: not ((a or b) and c),
        "MUX2X1": lambda a, b, s: not (a if s else b),
        "XNOR2X1": lambda a, b: a == b,
        "FAX1": lambda a, b, c: a + b + c >= 2,
    }
    cells = cell_library().cells
    for name, function in rows.items():
        cell = cells[name]
        table = truth(next(iter(cell.outputs.values())), cell.inputs)
        for index in range(1 << len(cell.inputs)):
            bits = [bool(index >> place & 1) for place in range(len(cell.inputs))]
            assert bool(table >> index & 1) == function(*bits), f"{name}, row {index}"
    # The operators of liberty that osu018 does not use, and their order.
    assert truth("A ^ B C", ("A", "B", "C")) == truth("(A ^ B) * C", ("A", "B", "C"))
    assert truth("(A + B)'", ("A", "B")) == truth("!A & !B", ("A", "B")) == 0b0001
    with pytest.raises(RequestError, match="no function of the pins A, B"):
        truth("A B C", ("A", "B"))


def module(cells: dict[str, Any]) -> dict[str, Any]:
    """Return a module with a clock on net 2 and an input on net 3, as Yosys writes it."""
    return {
        "ports": {
            "clk_i": {"direction": "input", "bits": [2]},
            "d_i": {"direction": "input", "bits": [3]},
        },
        "netnames": {"all": {"bits": list(range(2, 8))}},
        "cells": cells,
    }


def cell(kind: str, **pins: int) -> dict[str, Any]:
    return {"type": kind, "connections": {name: [net] for name, net in pins.items()}}


@pytest.mark.parametrize(
    ("cells", "what"),
    [
        ({"a": cell("INVX1", A=4, Y=5), "b": cell("INVX1", A=5, Y=4)}, "2 gates wait"),
        ({"a": cell("DFFPOSX1", CLK=4, D=3, Q=5)}, "does not come straight from a port"),
        ({"a": cell("TBUFX1", A=3, EN=2, Y=5)}, "the cell TBUFX1"),
        ({"a": cell("DFFSR", CLK=2, D=3, R=3, S=3, Q=5)}, "the cell DFFSR"),
        ({"a": cell("DFFNEGX1", CLK=2, D=3, Q=5)}, "the cell DFFNEGX1"),
        ({"a": cell("NOSUCH", A=3, Y=5)}, "the cell NOSUCH"),
    ],
)
def test_what_a_table_cannot_hold_is_refused(cells: dict[str, Any], what: str) -> None:
    with pytest.raises(CheckFailedError, match=what):
        gate_table(module(cells), cell_library().cells, {})


def test_a_table_counts_what_is_in_it_and_names_its_clock() -> None:
    macro = Macro(4, 2)
    made = module({"a": cell("INVX1", A=3, Y=4), "b": cell("DFFPOSX1", CLK=2, D=4, Q=5)})
    made["cells"]["m"] = {
        "type": macro.cell,
        "connections": json.loads(
            '{"clk_i": [2], "we_i": [3], "waddr_i": [3, "0"], "wdata_i": [4, 5],'
            ' "raddr_i": ["1", 5], "rdata_o": [6, 7]}'
        ),
    }
    table, clocks = gate_table(made, cell_library().cells, {macro.cell: macro})
    head = [int.from_bytes(table[4 * i : 4 * i + 4], "little") for i in range(8)]
    assert head == [8, 2, 1, 1, 9, 0, 0, 0] and clocks == {2}
    assert len(table) == 32 + 2 * 24 + 12 + 24 + 9 * 4


#: Writes 3 to row 2, then reads it 64 times, each time while it is written; prints what is read.
CLOCKED = """
#include "gate_model.hpp"
#include "table.h"
int main() {
  GateModel model(kTable, 5);
  const uint32_t clock[] = {2}, in[] = {3, 4, 5, 6, 7, 8, 9}, out[] = {10, 11};
  auto cycle = [&](bool write, unsigned waddr, unsigned wdata, unsigned raddr) {
    const uint8_t bits = write | waddr << 1 | wdata << 3 | raddr << 5;
    model.set(in, 7, &bits);
    model.set_clock(2, 1);
    model.step(clock, 1);
    model.set_clock(2, 0);
    model.step(clock, 1);
    uint8_t word = 0;
    model.get(out, 2, &word);
    return word;
  };
  cycle(true, 2, 3, 0);
  std::printf("%d", cycle(false, 0, 0, 2));
  for (unsigned i = 0; i < 64; ++i) std::printf(" %d", cycle(true, 2, 3, 2));
  std::printf(" %d", cycle(true, 1, 0, 2));
}
"""


def test_a_clocked_macro_returns_random_words_where_it_reads_what_it_writes(tmp_path: Path) -> None:
    joined = {
        **{"clk": ("t",), "we": ("w",), "waddr": ("u[0]", "u[1]"), "wdata": ("d[0]", "d[1]")},
        **{"raddr": ("v[0]", "v[1]"), "rdata": ("q[0]", "q[1]"), "high": ("on",), "low": ()},
    }
    macro = ClockedMacro(4, 2, "MANY", 1.0, tuple(joined.items()))
    made = module({})
    pins = {"t": [2], "w": [3], "u": [4, 5], "d": [6, 7], "v": [8, 9], "q": [10, 11], "on": ["1"]}
    made["cells"] = {"m": {"type": "MANY", "connections": pins}}
    made["netnames"] = {"all": {"bits": list(range(2, 12))}}
    table, _ = gate_table(made, {}, {"MANY": macro})
    values = ",".join(map(str, table))
    (tmp_path / "table.h").write_text(f"alignas(8) const unsigned char kTable[] = {{{values}}};\n")
    (tmp_path / "main.cpp").write_text(CLOCKED)
    program = tmp_path / "main"
    flags = ("-std=c++17", f"-I{MODEL.parent}", "-fsanitize=address,undefined")
    output_of("g++", *flags, "-o", program, tmp_path / "main.cpp")
    first, *same, last = output_of(program).split()
    assert (first, last) == ("3", "3") and set(same) == set("0123")
    made["cells"]["m"]["connections"]["on"] = ["0"]
    with pytest.raises(CheckFailedError, match="MANY of the netlist has two clocks or an untied"):
        gate_table(made, {}, {"MANY": macro})
