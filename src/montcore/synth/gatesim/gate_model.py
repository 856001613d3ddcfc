# SPDX-License-Identifier: Apache-2.0
"""Simulators of mapped netlists: a table of gates and a loop, so that no netlist is compiled.

The netlist is a list of truth tables (`gate_table.py`) that `gate_model.hpp` walks through, behind
the same ports and the same harness as a Verilated model. The functions of the cells come from the
liberty file, or are those of Yosys' own gates, look-up tables and memories (`fpga_model.py`).
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.sim.build import HARNESS_FILES, HARNESS_MODEL, RtlBuild, fast_flags, main_object
from montcore.sim.programs import cached_program
from montcore.sim.toolchain import Tools, compile_program, toolchain
from montcore.support.errors import CheckFailedError
from montcore.synth.asic.liberty import Cell
from montcore.synth.asic.library import OSU018_DESCRIPTION, cell_library
from montcore.synth.asic.memory import Macro
from montcore.synth.gatesim.gate_table import driven_by_cells, gate_table, net_number
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import read_json
from montcore.synth.yosys import run_yosys

MODEL = Path(__file__).with_name("gate_model.hpp")
_TABLE = Path(__file__).with_name("gate_table.py")
_OUTPUTS = "outputs.json"


def model_header(ports: Mapping[str, Any], table: Path, clocks: frozenset[int]) -> str:
    """Return the C++ class that has the ports of a module and evaluates its table."""
    members, nets, sets, gets = [], [], [], []
    for name, port in ports.items():
        bits = port["bits"]
        if len(bits) > 64:
            kind = f"VlWide<{-(-len(bits) // 32)}>"
        else:
            kind = next(f"uint{size}_t" for size in (8, 16, 32, 64) if len(bits) <= size)
        numbers = ", ".join(str(net_number(bit)) for bit in bits)
        members.append(f"  {kind} {name}{{}};")
        nets.append(f"  static constexpr uint32_t n_{name}[] = {{{numbers}}};")
        if clocks.intersection(bits):
            sets.append(f"    model_.set_clock({net_number(bits[0])}, {name});")
        elif port["direction"] == "input":
            sets.append(f"    model_.set(n_{name}, {len(bits)}, &{name});")
        else:
            gets.append(f"    model_.get(n_{name}, {len(bits)}, &{name});")
    return "\n".join(
        (
            "#pragma once",
            f'#include "{MODEL.name}"',
            'asm(".section .rodata\\n.balign 8\\ngate_table:\\n"',
            f'    ".incbin \\"{table}\\"\\n.previous\\n");',
            'extern const unsigned char gate_table[] asm("gate_table");',
            "class Vdut {",
            " public:",
            "  explicit Vdut(VerilatedContext* context) : model_(gate_table, context->seed()) {}",
            *members,
            "  void eval() {",
            *sets,
            f"    model_.step(n_clocks, {len(clocks)});",
            *gets,
            "  }",
            "  void final() { model_.final(); }",
            " private:",
            *nets,
            f"  static constexpr uint32_t n_clocks[] = {{{', '.join(map(str, sorted(clocks)))}}};",
            "  GateModel model_;",
            "};\n",
        )
    )


@dataclass(frozen=True)
class GateBuild(RtlBuild):
    """A simulator of a mapped netlist; `sources` is its one Verilog file."""

    macros: tuple[Macro, ...] = ()
    description: Path = OSU018_DESCRIPTION

    def executable(self, *, wave: bool = False, snapshot: bool = False) -> Path:
        """Return the simulator, from the cache or built.

        Raises:
            CheckFailedError: a wave or a snapshot is requested, which this simulator cannot write,
                or the netlist has a cell that the table cannot represent.
        """
        if wave or snapshot:
            raise CheckFailedError("the simulator of a netlist writes no waves and no snapshots")
        (netlist,) = self.sources
        digest = hashlib.sha256()
        for file in (netlist, *HARNESS_FILES, MODEL, Path(__file__), _TABLE, *self._models()):
            digest.update(hashlib.sha256(file.read_bytes()).digest())
        for text in (self.top, toolchain(), *fast_flags(), str(sorted(set(self.macros)))):
            digest.update(text.encode() + b"\0")
        return cached_program(self.top, digest.hexdigest()[:20], self._make)

    def _models(self) -> tuple[Path, ...]:
        return (cell_library(self.description).liberty,)

    def _cells(self) -> Mapping[str, Cell]:
        return cell_library(self.description).cells

    def _lowering(self) -> list[str]:
        (netlist,) = self.sources
        return [f'read_verilog "{netlist.resolve()}"']

    def _make(self, work: Path) -> None:
        run_yosys([*self._lowering(), "write_json netlist.json"], work, "json", DEFAULT_OPTIONS)
        module = read_json(work / "netlist.json")["modules"][self.top]
        table = work / "gates.bin"
        macros = {macro.cell: macro for macro in self.macros}
        content, clocks = gate_table(module, self._cells(), macros)
        table.write_bytes(content)
        (work / "Vdut.h").write_text(model_header(module["ports"], table, clocks))
        # The harness includes Verilator's header; the model's defines the parts that it needs.
        (work / "verilated.h").write_text('#include "Vdut.h"\n')
        main = main_object(Tools(work, os.environ))
        harness = [f"-I{work}", f"-I{MODEL.parent}", str(HARNESS_MODEL), str(main)]
        compile_program(work, [*fast_flags(), *harness, "-o", str(work / "simulator")])
        outputs = driven_by_cells(module, self._cells())
        (work / _OUTPUTS).write_text(json.dumps(outputs))
        for large in ("netlist.json", "gates.bin"):
            (work / large).unlink()

    def outputs(self) -> dict[str, list[int]]:
        """Return the nets that each library cell drives, by the name of its instance."""
        found: dict[str, list[int]] = json.loads(
            (self.executable().parent / _OUTPUTS).read_text(encoding="utf-8")
        )
        return found
