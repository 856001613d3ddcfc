# SPDX-License-Identifier: Apache-2.0
"""Energy per product: exact toggle counts, correctly read powers, correct combination."""

import struct
from pathlib import Path

import numpy as np
import pytest
from asic_tools import needs_asic
from fixture_core import FixtureCore
from programs import output_of

from montcore.sim.toolchain import compile_program
from montcore.support.errors import CheckFailedError
from montcore.synth.asic.energy import CellPower, cell_powers, combine, energy_of, parse_powers
from montcore.synth.asic.library import cell_library
from montcore.synth.flow import synthesise
from montcore.synth.gatesim.gate_model import MODEL
from montcore.synth.gatesim.gate_table import gate_table
from montcore.synth.options import NONE, Options
from montcore.synth.target import MAPPED

#: A counter of two bits: net 3 is the low bit, net 5 the high one.
COUNTER = {
    "ports": {"clk_i": {"direction": "input", "bits": [2]}},
    "cells": {
        "low": {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [4], "Q": [3]}},
        "high": {"type": "DFFPOSX1", "connections": {"CLK": [2], "D": [6], "Q": [5]}},
        "not": {"type": "INVX1", "connections": {"A": [3], "Y": [4]}},
        "sum": {"type": "XOR2X1", "connections": {"A": [3], "B": [5], "Y": [6]}},
    },
    "netnames": {f"n{net}": {"bits": [net]} for net in range(2, 7)},
}
DRIVE = """
#include "gate_model.hpp"
int main(int, char** arguments) {
  std::vector<unsigned char> table(1 << 16);
  std::FILE* file = std::fopen(arguments[1], "rb");
  if (std::fread(table.data(), 1, table.size(), file) == 0) return 1;
  GateModel model(table.data(), 7);
  const uint32_t clock = 2;
  for (int cycle = 0; cycle < std::atoi(arguments[2]); ++cycle) {
    for (int level = 0; level < 2; ++level) {
      model.set_clock(clock, level);
      model.step(&clock, 1);
    }
  }
  model.final();
}
"""


@needs_asic
def test_toggles_of_a_counter_are_those_of_binary_numbers(tmp_path: Path) -> None:
    content, _ = gate_table(COUNTER, cell_library().cells, {})
    (tmp_path / "table").write_bytes(content)
    (tmp_path / "drive.cpp").write_text(DRIVE)
    program = tmp_path / "drive"
    compile_program(tmp_path, [f"-I{MODEL.parent}", "drive.cpp", "-o", program.name])
    counts = []
    for cycles in (8, 40):
        out = tmp_path / f"toggles-{cycles}"
        output_of(program, tmp_path / "table", str(cycles), env={"MONTCORE_TOGGLES": str(out)})
        counts.append(np.fromfile(out, np.uint32).astype(int))
    more = counts[1] - counts[0]
    # The high bit changes every second cycle, and so does the sum bit that precedes it.
    assert more.tolist() == [0, 0, 0, 32, 32, 16, 16]
    assert struct.calcsize("I") * more.size == out.stat().st_size


def test_parts_are_clock_data_and_leakage() -> None:
    quiet = {"r": CellPower(2e-5, 1e-9), "g": CellPower(0.0, 3e-9)}
    busy = {"r": CellPower(5e-5, 1e-9), "g": CellPower(1e-5, 3e-9)}
    outputs = {"r": [3], "g": [4, 5]}
    toggled = np.array([0, 0, 0, 10.0, 4.0, 8.0])
    found = combine(outputs, toggled, quiet, busy, cycles=100, time_ns=400.0)
    # Powers are at 100 MHz: 2e-5 W are 0.2 pJ a cycle; a cell with two outputs counts their mean.
    assert found.clock == pytest.approx(0.2e-3 * 100)
    assert found.data == pytest.approx(0.3e-3 * 10 + 0.1e-3 * 6)
    assert found.leakage == pytest.approx(4e-9 * 400)
    assert found.total == pytest.approx(found.clock + found.data + found.leakage)
    with pytest.raises(CheckFailedError, match="no power of the cell g"):
        combine(outputs, toggled, {"r": quiet["r"]}, busy, 100, 400.0)


def test_report_is_read_by_instance() -> None:
    report = (
        "Warning: macro not found. Creating black box.\n"
        "        Internal       Switching         Leakage           Total\n"
        "           Power           Power           Power           Power\n"
        "----------------------------------------------------------------\n"
        " 2.0e-05 0.5e-05 1.6e-10 2.5e-05 \\u_row.q[3]\n"
        " 0.0 0.0 2.2e-11 2.2e-11 _0012_\n"
        # An internal energy read beyond the edge of the library's table may be negative.
        " -0.25 8.0 2.2e-11 7.75 _0013_\n"
    )
    assert parse_powers(report) == {
        "u_row.q[3]": CellPower(2.5e-05, 1.6e-10),
        "_0012_": CellPower(0.0, 2.2e-11),
        "_0013_": CellPower(7.75, 2.2e-11),
    }


@pytest.mark.nightly  # every run has the toggles and powers below and above
@needs_asic
def test_energy_of_a_netlist(own_results: Path, tmp_path: Path) -> None:
    config = FixtureCore(bits=16, bus=8)
    result = synthesise(config, "osu018", opts=Options(wires=NONE, gate_products=6))
    found = energy_of(config, result)
    assert result.ff is not None and result.interval is not None
    # A flip-flop's clock pin alone, measured without any netlist of ours.
    alone = tmp_path / "alone.v"
    alone.write_text(
        "module alone(clk_i, d, q); input clk_i, d; output q;\n"
        "DFFPOSX1 r(.CLK(clk_i), .D(d), .Q(q)); endmodule\n"
    )
    quiet, busy = cell_powers(alone, "alone", cell_library().liberty, (0.0, 1.0), tmp_path)
    assert [busy] == cell_powers(alone, "alone", cell_library().liberty, (1.0,), tmp_path)
    assert busy["r"].dynamic > quiet["r"].dynamic
    pin = quiet["r"].dynamic * 10
    assert found.clock == pytest.approx(result.ff * result.interval * pin, rel=0.02)
    assert 0.1 < found.data / found.clock < 10 and 0 < found.leakage < 0.01 * found.total
    Path(result.log_dir, MAPPED).unlink()
    with pytest.raises(CheckFailedError, match="no longer in the cache"):
        energy_of(config, result)
