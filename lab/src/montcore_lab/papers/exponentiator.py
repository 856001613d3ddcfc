# SPDX-License-Identifier: Apache-2.0
"""Measurements of the exponentiator that several papers use: area, clock, time of a power."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.synthesis import ExponentiatorFlow
from montcore.support.paths import HW_DIR
from montcore.support.words import settings_words
from montcore.synth.target import get_target
from montcore_lab.papers.elaborated import Designs
from montcore_lab.papers.subject import POINT_FIGURES, Figures, Subject


class OfExponentiator(Subject):
    """A measurement of the exponentiator over a core."""

    @abstractmethod
    def design(self) -> ExponentiatorDesign:
        """Return the exponentiator."""

    def sources(self) -> Sequence[Path]:
        """Return the RTL of the exponentiator and of the core, without the generated multiplier."""
        return [path for path in self.design().sources() if path.is_relative_to(HW_DIR)]

    def designs(self) -> Designs:
        """Return the design that is simulated."""
        return [(self.design().rtl(), None)]

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters, and the generated multiplier."""
        return {**self.design().parameters(), "multiplier": self.design().multiplier()}


@dataclass(frozen=True)
class ExponentiatorArea(OfExponentiator):
    """Resources of the exponentiator over a core, and the cycles of its longest constant power.

    Attributes:
        core: name of the core.
        settings: non-default parameters of the core, name and value.
        bits: built width.
        target: synthesis target.
    """

    core: str
    settings: tuple[tuple[str, str], ...]
    bits: int
    target: str

    @property
    def command(self) -> str:
        """The command that measures it again."""
        settings = settings_words((("core", self.core), *self.settings))
        return f"montcore synth modexp{settings} --bits {self.bits} --target {self.target}"

    def design(self) -> ExponentiatorDesign:
        """Return the exponentiator."""
        return ExponentiatorDesign(get_core(self.core).configure(dict(self.settings), self.bits))

    def designs(self) -> Designs:
        """Return the design for the target, and the one whose cycles are simulated."""
        on = get_target(self.target)
        return [(self.design().rtl(on), on), *super().designs()]

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters, and the multiplier in the target's style."""
        multiplier = self.design().multiplier(get_target(self.target).technology)
        return {**super().parameters(), "multiplier": multiplier}

    def measure(self) -> Figures:
        """Synthesise it, or read the result store."""
        found = ExponentiatorFlow(self.design()).synthesise(self.target)
        return {name: getattr(found, name) for name in POINT_FIGURES if name != "energy_nj"}
