# SPDX-License-Identifier: Apache-2.0
"""Simulators of netlists of the FPGA families, from the families' own primitives.

The primitives behave as their models in Yosys (`cells_sim.v`) say. Where Yosys has none (the DSP
block of Virtex-5, the multiplier of ECP5, block memories), `models/fpga_models.v` has one;
`models/dsp_blocks.v` has of the DSP blocks what the mapped cores use. Look-up tables stay as
they are in the netlist, so that each bit of their contents is used, and products and sums of words,
of which DSP blocks consist, stay words; everything else is broken down into gates, registers and
memories. All of them start with random contents.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.synth.asic.liberty import Cell
from montcore.synth.gatesim.gate_model import GateBuild

_OWN_MODELS = Path(__file__).parent / "models" / "fpga_models.v"
#: The map of Xilinx' DSP blocks to a module of `_OWN_MODELS`.
_DSP_BLOCKS = Path(__file__).parent / "models" / "dsp_blocks.v"
_DSP_NAMES = "DSP48 DSP48E DSP48E1"
#: The families' models; each defines the tables, which stay black boxes here.
_SHARED = {"ecp5": "lattice/cells_sim_ecp5.v"}
_XILINX = "xilinx/cells_sim.v"

#: First contents of block memories, which no core relies on: they start with random ones here.
_NAMES = ["INIT", "INIT_A", "INIT_B"]
_NAMES += [f"{name}_{row:02X}" for name in ("INIT", "INITP", "INITVAL") for row in range(128)]
_CONTENTS = " ".join(f"-unset {name}" for name in _NAMES)

#: What is broken down into gates: everything but products and sums, which are nodes of the model.
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
def _share() -> Path:
    spec = importlib.util.find_spec("pyosys")
    assert spec is not None and spec.origin is not None  # checked with the tool versions
    return Path(spec.origin).parent / "share"


def primitives(family: str) -> Path:
    """Return Yosys' models of the primitives of a family."""
    return _share() / _SHARED.get(family, _XILINX)


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
        family: the synthesis target.
    """

    family: str = ""

    def _models(self) -> tuple[Path, ...]:
        return (
            primitives(self.family),
            _OWN_MODELS,
            _DSP_BLOCKS,
            Path(__file__),
        )

    def _cells(self) -> Mapping[str, Cell]:
        return gates()

    def _lowering(self) -> list[str]:
        (netlist,) = self.sources
        luts = " ".join(f"LUT{size}" for size in range(1, 7))
        xilinx = self.family != "ecp5"
        # The files of ECP5 include each other twice; what they include adds other names only.
        include = "" if xilinx else "-D NO_INCLUDES"
        own = "XILINX" if xilinx else "ECP5"
        blocks = [f"delete {_DSP_NAMES}", f'techmap -map "{_DSP_BLOCKS}"'] if xilinx else []
        return [
            f'read_verilog {include} "{primitives(self.family)}"',
            f'read_verilog -overwrite -D {own} "{_OWN_MODELS}"',
            f"blackbox {luts}",
            f'read_verilog "{netlist.resolve()}"',
            f"setparam {_CONTENTS} t:RAMB* t:DP16KD",
            *blocks,
            f"hierarchy -check -top {self.top}",
            "setattr -unset init w:*",
            "proc -noopt",
            "setattr -unset init w:*",
            "opt_expr",
            # What a block is not configured for goes before it is broken down into gates.
            "flatten",
            "setattr -unset src *",
            "opt_expr",
            # Each byte of a word has a write port: one with an enable for each bit is left.
            "memory_share",
            "memory_collect",
            "setundef -undriven -random 1",
            f"techmap {_GATED}",
            "opt_expr",
            "dfflegalize -cell $_DFF_P_ x",
            "simplemap",
            # Cleaning is what takes time here: once is enough.
            "opt_clean -purge",
            # Where each gate comes from would be most of the file that is read next.
            "setattr -unset src *",
        ]
