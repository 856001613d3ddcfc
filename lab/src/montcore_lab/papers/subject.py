# SPDX-License-Identifier: Apache-2.0
"""Measurable counterpart of a paper's figure."""

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from montcore.compare.entry import Entry
from montcore.compare.measure import keep, measure, stored
from montcore.compare.point import Point
from montcore.support.digest import digest
from montcore.support.errors import CheckFailedError
from montcore.support.words import settings_words
from montcore.synth import identity
from montcore.synth.flow import rtl
from montcore.synth.options import NONE, chosen_options
from montcore.synth.store import ResultStore
from montcore.synth.target import get_target
from montcore_lab.papers.elaborated import Designs, design_digest


def designs_of(point: Point) -> Designs:
    """Return the design for the point's target, and the one whose cycles are simulated."""
    core, on = point.configured(), get_target(point.target)
    if point.unit:
        design = point.unit.flow(core).design
        return [(design.rtl(on), on), (design.rtl(), None)]
    return [(rtl(core, on), on), (rtl(core), None)]


def known_or_measured(point: Point) -> Entry:
    """Return a point's entry from the result store, or measure it and store it."""
    store = ResultStore()
    entry = stored(point, store)
    if entry is None:
        entry = measure(point)
        keep(point, entry, store)
    if entry.status != "ok":
        raise CheckFailedError(entry.message)
    return entry


#: A figure by name; None where there is none.
Figures = Mapping[str, float | int | None]


def measured_by(paper: str, what: str) -> str:
    """Return the command for a measurement without a verb of its own; `what` must be unique."""
    return f"montcore papers --measure --again --paper {paper} --only '{what}'"


class Subject(ABC):
    """One measurement of ours.

    Attributes:
        target: the target whose flow measures it; by default simulation.
    """

    target: str = identity.SIMULATION

    @property
    @abstractmethod
    def command(self) -> str:
        """The command that measures it again; it identifies the subject."""

    @abstractmethod
    def sources(self) -> Sequence[Path]:
        """Return the files that are measured."""

    @abstractmethod
    def parameters(self) -> Mapping[str, object]:
        """Return the build parameters that the command does not state."""

    def designs(self) -> Designs:
        """Return the designs that are measured, each with its target, or None if simulated.

        None are named for a program, whose files alone identify it.
        """
        return ()

    @abstractmethod
    def measure(self) -> Figures:
        """Measure it, or take it from the result store."""

    def digest(self) -> str:
        """Return a hash of command, parameters and files, excluding comments and white space."""
        about = [self.command, json.dumps(self.parameters(), sort_keys=True)]
        return digest(about, self.sources())

    def design_digest(self) -> str:
        """Return `elaborated.design_digest` of the designs, empty if there are none.

        Raises:
            ToolError: a design does not elaborate.
        """
        return design_digest(found) if (found := self.designs()) else ""

    def flow(self) -> Mapping[str, Any]:
        """Return how it is measured."""
        return identity.flow_of(self.target)

    def flow_digest(self) -> str:
        """Return a hash of the flow; `digest` covers the sources."""
        return identity.flow_digest(self.flow())

    def checked_measure(self) -> Figures:
        """Measure it with the tools that the flow names."""
        identity.check_versions(self.flow()["tools"])
        return self.measure()


#: Figures of an entry that concern area, clock, cycles or energy; the rest is bookkeeping.
POINT_FIGURES = (
    *("ge", "ge_memory", "memory_bits", "tmin_ns", "lut", "ff", "dsp", "bram", "fmax_mhz"),
    *("core_cycles", "cycles", "interval", "energy_nj"),
)


@dataclass(frozen=True)
class PointSubject(Subject):
    """A core in one configuration on one target, as measured by `montcore compare`.

    Attributes:
        core: name of the core.
        settings: non-default parameters, name and value.
        bits: built width and length of the products.
        target: synthesis target.
        wires: as for ``synth --wires``; papers give areas and clocks of cells alone.
    """

    core: str
    settings: tuple[tuple[str, str], ...]
    bits: int
    target: str
    wires: str = NONE

    #: The figures kept from an entry.
    kept: ClassVar[tuple[str, ...]] = POINT_FIGURES

    @property
    def point(self) -> Point:
        """The point, with all parameters of the core."""
        return Point.of(self.core, dict(self.settings), self.bits, self.target, self.wires)

    @property
    def command(self) -> str:
        """The command that measures it again."""
        settings = settings_words(self.settings)
        words = f"montcore synth {self.core}{settings} --bits {self.bits} --target {self.target}"
        return words + get_target(self.target).flags(chosen_options(self.wires))

    def sources(self) -> Sequence[Path]:
        """Return the RTL that the configuration may contain."""
        return self.point.configured().sources()

    def designs(self) -> Designs:
        """Return the design for the target, and the one whose cycles are simulated."""
        return designs_of(self.point)

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters on the target, and its flow's choices."""
        core, on = self.point.configured(), get_target(self.target)
        return {**core.sv_parameters(on.technology), **core.flow_choices(on.technology)}

    def entry(self, figures: Mapping[str, Figures]) -> Entry:
        """Return the point with its figures, without figures if it is not measured.

        Args:
            figures: measured figures by command.
        """
        found = figures.get(self.command)
        known: dict[str, Any] = dict(found) if found else {"status": "failed"}
        point = self.point
        known["wires"] = point.wires
        return Entry(self.core, dict(point.settings), self.bits, self.target, **known)

    def measure(self) -> Figures:
        """Measure it, or take it from the result store."""
        figures = known_or_measured(self.point).figures()
        return {name: figures[name] for name in self.kept}
