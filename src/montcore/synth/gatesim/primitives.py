# SPDX-License-Identifier: Apache-2.0
"""Which models the primitives of each vendor's families have; `fpga_model` simulates with them."""

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_MODELS = Path(__file__).parent / "models"
#: The technology map from DSP blocks to what our models compute.
BLOCK_MAP = _MODELS / "dsp_blocks.v"


@cache
def share() -> Path:
    """Return the folder of Yosys' models and maps."""
    spec = importlib.util.find_spec("pyosys")
    assert spec is not None and spec.origin is not None  # checked with the tool versions
    return Path(spec.origin).parent / "share"


@dataclass(frozen=True)
class Primitives:
    """Models of the primitives of a vendor's families.

    Attributes:
        shared: Yosys' models, relative to its share folder; each defines the look-up tables, which
            stay black boxes here.
        own: our models of what Yosys has only headers of; see the files in `models`.
        flags: options with which Yosys reads its models.
        blocks: DSP blocks, which a technology map of ours replaces.
    """

    shared: str
    own: tuple[str, ...]
    flags: str = ""
    blocks: tuple[str, ...] = ()

    def files(self) -> tuple[Path, ...]:
        """Return the files of all models."""
        return (share() / self.shared, *self.own_files(), *((BLOCK_MAP,) if self.blocks else ()))

    def own_files(self) -> tuple[Path, ...]:
        """Return the files of our models."""
        return tuple(_MODELS / name for name in self.own)


XILINX = Primitives(
    "xilinx/cells_sim.v",
    ("block_memory.v", "xilinx_memories.v", "xilinx_dsp.v"),
    blocks=("DSP48", "DSP48E", "DSP48E1"),
)
# The files of ECP5 include each other twice; what they include adds other names only.
LATTICE = Primitives(
    "lattice/cells_sim_ecp5.v", ("block_memory.v", "lattice_models.v"), "-D NO_INCLUDES"
)
NEXUS = Primitives("nexus/cells_sim.v", ())
# Its tables are no cells of one kind: they are broken down with the rest.
GATEMATE = Primitives("gatemate/cells_sim.v", ("gatemate_models.v",))
