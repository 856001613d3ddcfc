# SPDX-License-Identifier: Apache-2.0
"""smm with 1 to 8 processing elements, for Table 1 and Figures 7 and 8 of its paper."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.cores import get_core
from montcore.cores.core import ConfiguredCore
from montcore.sim.build import RtlBuild
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore.synth import SynthResult, get_target, identity, synthesise
from montcore.synth.flow import rtl
from montcore.synth.gatesim.check import measure_cycles
from montcore.synth.options import CELLS
from montcore_lab.papers.elaborated import Designs
from montcore_lab.papers.smm2021 import published as smm2021
from montcore_lab.papers.subject import Figures, Subject, measured_by

PICTURE = REPO_ROOT / "docs" / "images" / "smm-npe"
_LENGTH = 256
#: 180 nm, like the paper.
_TARGET = "osu018"


class _BuiltSubject(Subject):
    """A build for Table 1, on the target of its technology."""

    @abstractmethod
    def configured(self) -> list[ConfiguredCore]:
        """Return the configurations that are measured."""

    def sources(self) -> Sequence[Path]:
        """Return the RTL that the configurations may contain."""
        own = {path for core in self.configured() for path in core.sources()}
        return [path for path in get_core("smm").sources() if path in own]

    def designs(self) -> Designs:
        """Return the designs for the target, and those whose cycles are simulated."""
        every = self.configured()
        on = get_target(_TARGET)
        return [*((rtl(core, on), on) for core in every), *((rtl(core), None) for core in every)]

    def flow(self) -> Mapping[str, object]:
        """Return the flow of the target."""
        return identity.flow_of(_TARGET)


@dataclass(frozen=True)
class NpeSubject(_BuiltSubject):
    """The figures of Table 1 for one number of processing elements, with the fast schedule.

    Attributes:
        npe: number of processing elements.
    """

    npe: int

    @property
    def command(self) -> str:
        """The command that measures it again."""
        return measured_by("smm-2021", f"Table 1 npe={self.npe}")

    def configured(self) -> list[ConfiguredCore]:
        """Return both schedules, with our element."""
        return [_configured(self.npe, schedule) for schedule in ("fast", "paper")]

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters with both schedules."""
        technology = get_target(_TARGET).technology
        return {
            schedule: _configured(self.npe, schedule).sv_parameters(technology)
            for schedule in ("fast", "paper")
        }

    def measure(self) -> Figures:
        """Measure synthesis, and cycles by simulation for both schedules.

        Raises:
            CheckFailedError: a product is wrong, a tool failed, or the paper's schedule does not
                take the paper's cycles.
            RequestError: a tool is missing.
        """
        fast = _configured(self.npe, "fast")
        results = {
            length: synthesise(fast, _TARGET, length=length, opts=CELLS)
            for length in smm2021.LENGTHS
        }
        found = _area_and_clock(results[_LENGTH])
        for length, result in results.items():
            found[f"fast_{length}"] = result.core_cycles
            found[f"interval_{length}"] = result.interval
            found[f"paper_{length}"] = _paper_cycles(self.npe, length)
        return found


@dataclass(frozen=True)
class CircuitSubject(_BuiltSubject):
    """The figures with the paper's schedule and one of the two circuits of its elements.

    Attributes:
        npe: number of processing elements.
        element: ``ours``, or ``paper``, as drawn in the paper.
    """

    npe: int
    element: str

    @property
    def command(self) -> str:
        """The command that measures it again."""
        what = f"Table 1 schedule=paper element={self.element} n={self.npe}"
        return measured_by("smm-2021", what)

    def configured(self) -> list[ConfiguredCore]:
        """Return the paper's schedule with the element."""
        return [_configured(self.npe, "paper", self.element)]

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters."""
        technology = get_target(_TARGET).technology
        return _configured(self.npe, "paper", self.element).sv_parameters(technology)

    def measure(self) -> Figures:
        """Measure synthesis, and cycles by simulation.

        Raises:
            CheckFailedError: a product is wrong, a tool failed, or the cycles are not the paper's.
            RequestError: a tool is missing.
        """
        core = _configured(self.npe, "paper", self.element)
        result = synthesise(core, _TARGET, length=_LENGTH, opts=CELLS)
        found = _area_and_clock(result)
        found["interval"], found["core_cycles"] = result.interval, result.core_cycles
        for length in smm2021.LENGTHS:
            found[f"cycles_{length}"] = _paper_cycles(self.npe, length, self.element)
        return found


def draw(figures: Mapping[str, Figures]) -> list[Path]:
    """Draw Figures 7 and 8 with our results and the paper's, if all of ours are measured.

    Args:
        figures: measured figures by the command of their subject.

    Returns:
        the files written: none, or the PNG.
    """
    from montcore.support.plots import save
    from montcore_lab.papers.smm2021.figure import (  # matplotlib takes a second to load
        PlottedPoint,
        npe_figure,
    )

    measured: list[tuple[int, Any, Any]] = [
        (
            column.npe,
            figures.get(NpeSubject(column.npe).command),
            figures.get(CircuitSubject(column.npe, "ours").command),
        )
        for column in smm2021.COLUMNS
    ]
    if any(fast is None or same is None for _, fast, same in measured):
        return []
    points = [
        PlottedPoint(
            npe,
            core_cycles=fast[f"fast_{_LENGTH}"],
            paper_cycles=same["core_cycles"],
            paper_ge=same["ge"],
            paper_ge_memory=same["ge_memory"],
            paper_tmin_ns=same["tmin_ns"],
            interval=fast[f"interval_{_LENGTH}"],
            ge=fast["ge"],
            ge_memory=fast["ge_memory"],
            tmin_ns=fast["tmin_ns"],
        )
        for npe, fast, same in measured
    ]
    return save(npe_figure(points), PICTURE)


def _area_and_clock(result: SynthResult) -> dict[str, float | int | None]:
    return {
        "ge": result.ge,
        "ge_memory": result.ge_memory,
        "ram_kbits": result.memory_bits / 1e3,
        "tmin_ns": result.tmin_ns,
    }


def _configured(npe: int, schedule: str, element: str = "ours") -> ConfiguredCore:
    settings = {
        "npe": str(npe),
        "w": str(smm2021.WORD_BITS),
        "schedule": schedule,
        "element": element,
    }
    return get_core("smm").configure(settings, smm2021.BUILT_BITS)


def _paper_cycles(npe: int, length: int, element: str = "ours") -> int:
    """Return the cycles of the paper's schedule by simulation.

    Raises:
        CheckFailedError: they differ from the paper's formula.
    """
    core = _configured(npe, "paper", element)
    measured = measure_cycles(core, length, npe, RtlBuild.of_core(core)).core_cycles
    if measured is None or measured != core.core_cycles(length):
        raise CheckFailedError(
            f"{core.label()}: a product of {length} bits takes {measured} cycles, "
            f"the paper's formula says {core.core_cycles(length)}"
        )
    return measured
