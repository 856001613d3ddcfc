# SPDX-License-Identifier: Apache-2.0
"""The simulation models of each vendor's primitives, for `fpga_model`."""

import importlib.util
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_FOLDER = Path(__file__).parents[1]


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
            are black boxes here.
        own: our models of primitives that Yosys only declares, and of what `vendor_cells` makes of
            others, relative to the folder of this layer.
        flags: options with which Yosys reads its models.
    """

    shared: str
    own: tuple[str, ...]
    flags: str = ""

    def files(self) -> tuple[Path, ...]:
        """Return the files of all models."""
        return (share() / self.shared, *self.own_files())

    def own_files(self) -> tuple[Path, ...]:
        """Return the files of our models."""
        return tuple(_FOLDER / name for name in self.own)


_MEMORIES = "gatesim/models/memories.v"
XILINX = Primitives("xilinx/cells_sim.v", (_MEMORIES, "gatesim/models/dsp48e2.v"))
# The ECP5 models include files twice; those files only define names that are not used here.
LATTICE = Primitives(
    "lattice/cells_sim_ecp5.v", (_MEMORIES, "fpga/maps/ecp5_dsp.v"), "-D NO_INCLUDES"
)
NEXUS = Primitives("nexus/cells_sim.v", ())
# GateMate has several kinds of look-up table: they are reduced to gates with the rest.
GATEMATE = Primitives("gatemate/cells_sim.v", ("gatesim/models/gatemate_models.v",))
