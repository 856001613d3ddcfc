# SPDX-License-Identifier: Apache-2.0
"""Simulators of FPGA netlists, from the primitives of each family.

The primitives behave as their models in Yosys (`cells_sim.v`). Where Yosys has no model (the DSP
block of Virtex-5, the multiplier of ECP5, block memories), a file in `models` provides one;
`models/dsp_blocks.v` models those functions of the DSP blocks that the mapped cores use. Look-up
tables are kept as they are in the netlist, so that each bit of their contents is simulated.
Products and sums of words, of which DSP blocks consist, are kept as words. Everything else is
reduced to gates, registers and memories. All state starts with random contents.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.synth.asic.liberty import Cell
from montcore.synth.gatesim import primitives
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.gatesim.primitives import BLOCK_MAP, XILINX, Primitives, share

#: Initial contents of block memories, on which no core relies: here they are random.
_NAMES = ["INIT", "INIT_A", "INIT_B"]
_NAMES += [f"{name}_{row:02X}" for name in ("INIT", "INITP", "INITVAL") for row in range(128)]
_CONTENTS = " ".join(f"-unset {name}" for name in _NAMES)

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


@dataclass(frozen=True)
class FpgaBuild(GateBuild):
    """A simulator of a netlist of an FPGA family; `sources` is its one Verilog file.

    Attributes:
        models: the models of its primitives.
    """

    models: Primitives = XILINX

    def _models(self) -> tuple[Path, ...]:
        return (*self.models.files(), Path(__file__), Path(primitives.__file__))

    def _cells(self) -> Mapping[str, Cell]:
        return gates()

    def _lowering(self) -> list[str]:
        (netlist,) = self.sources
        luts = " ".join(f"LUT{size}" for size in range(1, 7))
        models = self.models
        own = " ".join(f'"{path}"' for path in models.own_files())
        blocks = [f"delete {' '.join(models.blocks)}", f'techmap -map "{BLOCK_MAP}"']
        return [
            f'read_verilog {models.flags} "{share() / models.shared}"',
            *([f"read_verilog -overwrite {own}"] if own else ()),
            f"blackbox {luts}",
            f'read_verilog "{netlist.resolve()}"',
            f"setparam {_CONTENTS} t:RAMB* t:DP16KD",
            *(blocks if models.blocks else ()),
            f"hierarchy -check -top {self.top}",
            "setattr -unset init w:*",
            "proc -noopt",
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
