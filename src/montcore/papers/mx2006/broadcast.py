# SPDX-License-Identifier: Apache-2.0
"""Rows alone, in blocks and as one block of the whole width, as mmm-mx-2006 broadcasts."""

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores import get_core
from montcore.papers.subject import Figures, Subject, measured_by
from montcore.synth import identity
from montcore.synth.asic.recipes import RECIPES
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS

#: 180 nm, without wires, by a recipe that flattens.
TARGET = "osu018"
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

    @property
    def command(self) -> str:
        """The command that measures it again."""
        what = f"row of {self.core} bits={self.bits} block={self.block} {TARGET}"
        return measured_by("mmm-mx-2006", what)

    def sources(self) -> Sequence[Path]:
        """Return the core's RTL."""
        return get_core(self.core).sources()

    def parameters(self) -> Mapping[str, object]:
        """Return the row's parameters."""
        return {**dict(self.design().parameters), "recipe": RECIPE}

    def design(self) -> Design:
        """Return the row."""
        parameters = {"WordBits": self.block, "Words": self.bits // self.block}
        return Design.of(f"montcore_{self.core}_row", self.sources(), parameters)

    def flow(self) -> Mapping[str, object]:
        """Return the target's flow."""
        return identity.flow_of(TARGET)

    def measure(self) -> Figures:
        """Synthesise it with one recipe.

        Raises:
            ToolError: a tool failed.
        """
        from montcore.synth.asic.flow import run_flow

        with tempfile.TemporaryDirectory() as folder:
            (found,) = run_flow(
                self.design(),
                [RECIPES[RECIPE]],
                Path(folder),
                DEFAULT_OPTIONS,
                progress=lambda _: None,
            )
        return {"ge": found.ge, "tmin_ns": found.timing.tmin_ns}
