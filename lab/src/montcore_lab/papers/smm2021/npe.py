# SPDX-License-Identifier: Apache-2.0
"""smm with 1 to 8 processing elements, for Table 1 and Figures 7 and 8 of its paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.sim.build import RtlBuild
from montcore.support.errors import CheckFailedError
from montcore.synth.flow import rtl, synthesise
from montcore.synth.gatesim.check import measure_cycles
from montcore.synth.options import CELLS
from montcore.synth.target import get_target
from montcore_lab.papers.elaborated import Designs
from montcore_lab.papers.smm2021 import published as smm2021
from montcore_lab.papers.subject import Figures, Subject, measured_by

_LENGTH = 256
#: 180 nm, like the paper.
_TARGET = "osu018"


@dataclass(frozen=True)
class SmmColumn(Subject):
    """Our figures of a column of Table 1.

    Attributes:
        npe: number of processing elements.
        element: elements of the paper's schedule, ``ours`` or ``paper``, as drawn in the paper;
            empty for the fast schedule, with the cycles of the paper's schedule beside it.
    """

    npe: int
    element: str = ""
    target = _TARGET

    @property
    def command(self) -> str:
        """The command that measures it again."""
        what = f"schedule=paper element={self.element} n=" if self.element else "npe="
        return measured_by("smm-2021", f"Table 1 {what}{self.npe}")

    def configured(self) -> dict[str, Core]:
        """Return the configurations that are measured, by schedule."""
        schedules = ("paper",) if self.element else ("fast", "paper")
        return {name: _configured(self.npe, name, self.element or "ours") for name in schedules}

    def sources(self) -> Sequence[Path]:
        """Return the RTL that the configurations may contain."""
        own = {path for core in self.configured().values() for path in core.sources()}
        return [path for path in get_core("smm").sources() if path in own]

    def designs(self) -> Designs:
        """Return the designs for the target, and those whose cycles are simulated."""
        every, on = self.configured().values(), get_target(_TARGET)
        return [*((rtl(core, on), on) for core in every), *((rtl(core), None) for core in every)]

    def parameters(self) -> Mapping[str, object]:
        """Return the top module's parameters, by schedule if there are two."""
        technology = get_target(_TARGET).technology
        found = {name: core.sv_parameters(technology) for name, core in self.configured().items()}
        return found["paper"] if self.element else found

    def measure(self) -> Figures:
        """Measure synthesis, and cycles by simulation.

        Raises:
            CheckFailedError: a product is wrong, a tool failed, or the paper's schedule does not
                take the paper's cycles.
            RequestError: a tool is missing.
        """
        core, *_ = self.configured().values()
        result = synthesise(core, _TARGET, length=_LENGTH, opts=CELLS)
        found = {
            "ge": result.ge,
            "ge_memory": result.ge_memory,
            "ram_kbits": result.memory_bits / 1e3,
            "tmin_ns": result.tmin_ns,
        }
        if self.element:
            found |= {"interval": result.interval, "core_cycles": result.core_cycles}
        for length in smm2021.LENGTHS:
            cycles = _paper_cycles(self.npe, length, self.element or "ours")
            if self.element:
                found[f"cycles_{length}"] = cycles
            else:
                fast = synthesise(core, _TARGET, length=length, opts=CELLS)
                found |= {
                    f"fast_{length}": fast.core_cycles,
                    f"interval_{length}": fast.interval,
                    f"paper_{length}": cycles,
                }
        return found


def _configured(npe: int, schedule: str, element: str = "ours") -> Core:
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
