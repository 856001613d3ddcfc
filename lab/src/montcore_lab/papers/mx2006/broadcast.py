# SPDX-License-Identifier: Apache-2.0
"""Rows and arrays alone, in blocks and as a single block, as in mmm-mx-2006."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from montcore.cores import get_core
from montcore.support.paths import PREFIX
from montcore.synth.design import Design
from montcore.synth.options import CELLS
from montcore.synth.target import get_target
from montcore_lab.checkout.modules import needed_by
from montcore_lab.papers.elaborated import Designs
from montcore_lab.papers.subject import Figures, Subject, measured_by

#: 180 nm, without wires.
TARGET = "osu018"
#: Part of the stored figures' digests: there was more than one recipe when they were measured.
RECIPE = "nf-sk"


@dataclass(frozen=True)
class RowAlone(Subject):
    """A row of cells without port, memories and output stage.

    Attributes:
        core: mx, op or cs.
        bits: width of the row.
        block: width of its blocks.
    """

    core: str
    bits: int
    block: int
    #: Its name in the command.
    shape: ClassVar[str] = "row"
    target = TARGET

    @property
    def command(self) -> str:
        """The command that measures it again."""
        what = f"{self.shape} of {self.core} bits={self.bits} block={self.block} {TARGET}"
        return measured_by("mmm-mx-2006", what)

    @property
    def top(self) -> str:
        """Name of the measured module."""
        return f"{PREFIX}{self.core}_row"

    def sources(self) -> Sequence[Path]:
        """Return the module's RTL."""
        return needed_by(self.top, get_core(self.core).sources())

    def parameters(self) -> Mapping[str, object]:
        """Return the row's parameters."""
        return {**dict(self.design().parameters), "recipe": RECIPE}

    @property
    def sizes(self) -> dict[str, int]:
        """The parameters common to these modules."""
        return {"WordBits": self.block, "Words": self.bits // self.block}

    def design(self) -> Design:
        """Return the row."""
        return Design.of(self.top, self.sources(), self.sizes)

    def designs(self) -> Designs:
        """Return the module for the target."""
        return [(self.design(), get_target(TARGET))]

    def measure(self) -> Figures:
        """Synthesise it.

        Raises:
            ToolError: a tool failed.
        """
        from montcore.synth.asic.flow import run_flow

        with tempfile.TemporaryDirectory() as folder:
            found = run_flow(self.design(), Path(folder), CELLS)
        return {"ge": found.ge, "tmin_ns": found.timing.tmin_ns}


@dataclass(frozen=True)
class ArrayAlone(RowAlone):
    """All rows of an array and the logic that feeds them, without the rest of the core."""

    shape: ClassVar[str] = "array"

    @property
    def top(self) -> str:
        """Name of the measured module: `mx` has its own, the others share one."""
        return PREFIX + ("mx_array_grid" if self.core == "mx" else "row_grid")

    def design(self) -> Design:
        """Return the array; the shared module has a parameter that tells the cores apart."""
        precomputed = {} if self.core == "mx" else {"Precomputed": int(self.core == "op")}
        return Design.of(self.top, self.sources(), {**self.sizes, **precomputed})
