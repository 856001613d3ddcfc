# SPDX-License-Identifier: Apache-2.0
"""Simulators of FPGA netlists, from the primitives of each family.

The primitives behave as their models in Yosys (`cells_sim.v`). Where Yosys has no model,
`primitives` names ours; `vendor_cells` restates the memories of all families, and the DSP block of
Virtex-5. Look-up tables are kept as they are in the netlist, so that each bit of their contents is
simulated. Products and sums of words, of which DSP blocks consist, are kept as words. Everything
else is reduced to gates, registers and memories. All state starts with random contents.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.synth.asic.liberty import Cell
from montcore.synth.gatesim import primitives, vendor_cells
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.gatesim.primitives import XILINX, Primitives, share
from montcore.synth.gatesim.vendor_cells import with_models
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import read_json
from montcore.synth.yosys import run_yosys

_RESTATED = "restated.json"

#: Selection of the cells that are reduced to gates: all except products and sums of words.
_GATED = "t:$mul t:$add t:$sub %u %u %n"

#: Yosys' gates in the notation of liberty functions.
_GATES = {
    "$_NOT_": "!A",
    "$_BUF_": "A",
    "$_AND_": "A & B",
    "$_NAND_": "!(A & B)",
    "$_OR_": "A | B",
    "$_NOR_": "!(A | B)",
    "$_XOR_": "A ^ B",
    "$_XNOR_": "!(A ^ B)",
    "$_ANDNOT_": "A & !B",
    "$_ORNOT_": "A | !B",
    "$_MUX_": "(A & !S) | (B & S)",
}


@cache
def gates() -> Mapping[str, Cell]:
    """Return Yosys' gates and its flip-flop as library cells."""
    found = {
        name: Cell(name, 0.0, tuple(pin for pin in "ABS" if pin in function), {"Y": function})
        for name, function in _GATES.items()
    }
    state = {"name": "IQ", "inverse": "IQN", "clocked_on": "C", "next_state": "D"}
    found["$_DFF_P_"] = Cell("$_DFF_P_", 0.0, ("C", "D"), {"Q": "IQ"}, state)
    return found


def restate(netlist: Path, top: str, work: Path) -> Path:
    """Write a netlist in terms of cells that have a model, as JSON, and return the file."""
    file = work / _RESTATED
    commands = [f'read_verilog "{netlist.resolve()}"', f"write_json {file.name}"]
    run_yosys(commands, work, "restated", DEFAULT_OPTIONS)
    content = read_json(file)
    with_models(content["modules"][top])
    file.write_text(json.dumps(content))
    return file


@dataclass(frozen=True)
class FpgaBuild(GateBuild):
    """A simulator of a netlist of an FPGA family; `sources` is its one Verilog file."""

    models: Primitives = XILINX

    def _models(self) -> tuple[Path, ...]:
        code = (__file__, primitives.__file__, vendor_cells.__file__)
        return (*self.models.files(), *map(Path, code))

    def _cells(self) -> Mapping[str, Cell]:
        return gates()

    def _make(self, work: Path) -> None:
        restate(self.sources[0], self.top, work)
        super()._make(work)
        (work / _RESTATED).unlink()

    def _lowering(self) -> list[str]:
        luts = " ".join(f"LUT{size}" for size in range(1, 7))
        models = self.models
        own = " ".join(f'"{path}"' for path in models.own_files())
        return [
            f'read_verilog {models.flags} "{share() / models.shared}"',
            *([f"read_verilog -overwrite {own}"] if own else ()),
            f"blackbox {luts}",
            f"read_json {_RESTATED}",
            # The clock of a DSP block's model has no other edge.
            "select -assert-none t:DSP48* r:IS_*_INVERTED>0 %i",
            f"hierarchy -check -top {self.top}",
            # What is not connected at a DSP block is 0.
            "setattr -set defaultvalue 0 *DSP48*/i:*",
            f"hierarchy -check -top {self.top}",
            "setattr -unset init w:*",
            "proc -noopt",
            # `opt_expr` removes inputs of a $mux that are never chosen, but not those of a $pmux.
            "pmuxtree",
            "setattr -unset init w:*",
            "opt_expr",
            # Remove the unused functions of a block before it is reduced to gates.
            "flatten",
            "setattr -unset src *",
            "opt_expr",
            # Each byte of a word has a write port: merge them into one with an enable for each bit.
            "memory_share",
            "memory_collect",
            "setundef -undriven -random 1",
            f"techmap {_GATED}",
            "opt_expr",
            "dfflegalize -cell $_DFF_P_ x",
            "simplemap",
            # Cleaning takes most of the time here: once is enough.
            "opt_clean -purge",
            # Source locations would be most of the file that is read next.
            "setattr -unset src *",
        ]
