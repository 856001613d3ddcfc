# SPDX-License-Identifier: Apache-2.0
"""Targets of standard cells: osu018, a 180 nm process, and any library that is described."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montcore.cores.core import Core
from montcore.cores.technology import Technology
from montcore.support.digest import digest
from montcore.support.errors import RequestError
from montcore.synth.asic.description import read_description
from montcore.synth.asic.library import OSU018_DESCRIPTION, CellLibrary, cell_library, corners
from montcore.synth.asic.macros import macros_of
from montcore.synth.asic.sta import sta_version
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, FLOPS, MACRO, NONE, PLACED, Options
from montcore.synth.result import SynthResult
from montcore.synth.target import GATE_FIGURES, Mapped, Progress, Target

if TYPE_CHECKING:
    from montcore.synth.asic.flow import Netlist

#: Recorded versions of the tools from Debian: OpenSTA, and the library (`CellLibrary.version`).
RECORDED = {"opensta": "2.0.17", "osu018": "86f79b2000f1"}


@dataclass(frozen=True, kw_only=True)
class StandardCells(Target):
    """A standard-cell library with the flow of `synth.asic`."""

    description: Path

    @property
    def library(self) -> CellLibrary:
        """The library."""
        return cell_library(self.description)

    @property
    def is_own(self) -> bool:
        """Whether the library is osu018, which every command knows by name."""
        return self.description == OSU018_DESCRIPTION

    @property
    def named(self) -> tuple[str, str]:
        """The option of a command that names the target, and its value."""
        return super().named if self.is_own else ("--library", str(self.description))

    def synthesise(self, design: Design, work: Path, opts: Options, progress: Progress) -> Mapped:
        """Map, size and time a design."""
        from montcore.synth.asic.flow import run_flow
        from montcore.synth.gatesim.gate_model import GateBuild

        netlist = run_flow(design, work, opts, known=self.library, progress=progress)
        build = GateBuild(
            design.top, (netlist.verilog,), macros=netlist.macros, description=self.description
        )
        return Mapped(self.result(netlist, opts), build)

    def result(self, netlist: "Netlist", opts: Options = DEFAULT_OPTIONS) -> SynthResult:
        """Return the figures of a netlist."""
        timing, placement = netlist.timing, {}
        if netlist.physical:
            placement = {
                **netlist.physical.figures,
                "insertion_ns": timing.insertion_ns or 0.0,
                "skew_ns": timing.skew_ns or 0.0,
                "hold_slack_ns": timing.hold_ns or 0.0,
                **{
                    f"hold_slack_{name}_ns": there.hold_ns or 0.0
                    for name, there in netlist.corners.items()
                },
            }
        return SynthResult(
            target=self.name,
            ge=netlist.ge,
            ge_memory=round(sum(macro.area_ge(opts) for macro in netlist.macros), 1),
            tmin_ns=timing.tmin_ns,
            tmin_ns_no_wires=netlist.ideal.tmin_ns,
            corners_ns={name: there.tmin_ns for name, there in netlist.corners.items()},
            tmin_in_ns=timing.in_ns,
            tmin_out_ns=timing.out_ns,
            wires=opts.wires,
            memory=opts.memory,
            ff=netlist.flip_flops,
            memory_bits=sum(macro.bits for macro in netlist.macros),
            cells=netlist.cells,
            placement=placement,
            recipe=netlist.recipe,
        )

    def settings(self, opts: Options) -> dict[str, Any]:
        """Return the wires, the memories and what else figures of a described library depend on."""
        chosen: dict[str, Any] = {"wires": opts.wires, "memory": opts.memory}
        if self.is_own:
            return chosen
        others = {name: other.version for name, other in corners(self.library).items()}
        about = self.library.description
        if opts.wires == PLACED:
            files = [file for file in (about.lef, about.tech_lef) if file]
            chosen |= {"geometry": digest([str(about.site)], files), "wire": self.library.wire}
        if opts.memory == MACRO:
            found = macros_of(self.library).values()
            chosen["macros"] = [(repr(macro), timed.version) for macro, timed in found]
        return {**chosen, "dont_use": about.dont_use, "corners": others}

    def check(self, opts: Options) -> None:
        """Check that there are geometry and wires for a placement, and a model of macros."""
        if opts.memory == MACRO and not self.is_own:
            if not macros_of(self.library):
                raise RequestError(
                    f"the description of {self.name} has no macros; memories are flops or latch"
                )
            if opts.wires == PLACED:
                raise RequestError(
                    "macros of a description are not placed; --wires none times the cells alone"
                )
        if opts.wires == PLACED:
            self.library.check_placement()

    def flags(self, opts: Options) -> str:
        """Return the option for wires, always, and that for memories if it is not the default."""
        memory = "" if opts.memory == self.usual.memory else f" --memory {opts.memory}"
        return f" --wires {opts.wires}{memory}"

    def recorded(self) -> Mapping[str, str]:
        """Return the versions of OpenSTA and of the library."""
        return RECORDED

    def probes(self) -> Mapping[str, Callable[[], str]]:
        """Return the functions that determine the versions of OpenSTA and of the library."""
        return {"opensta": sta_version, self.name: lambda: self.library.version}

    def energy_nj(self, core: Core, result: SynthResult) -> float | None:
        """Return the energy per product in nJ."""
        from montcore.synth.asic import energy

        return round(energy.energy_of(core, result, self.description).total, 3)


def _cells(
    name: str, title: str, description: Path, usual: Options, aliases: tuple[str, ...] = ()
) -> StandardCells:
    return StandardCells(
        name=name,
        title=title,
        technology=Technology(multiplier_trees=True),
        figures=GATE_FIGURES,
        aliases=aliases,
        maps=("asic/maps/memory_latch.v", "asic/maps/osu018.toml"),
        two_clocks=False,
        shares_modules=True,
        has_cells=True,
        usual=usual,
        effort=1,
        description=description,
    )


def described(path: Path) -> StandardCells:
    """Return the target of the library that a file describes; its memories are flip-flops."""
    name = read_description(path).name
    usual = replace(DEFAULT_OPTIONS, wires=NONE, memory=FLOPS)
    return _cells(name, f"an ASIC (the library {name})", path, usual)


_TITLE = "an ASIC (osu018 standard cells, 180 nm)"
OSU018 = _cells("osu018", _TITLE, OSU018_DESCRIPTION, DEFAULT_OPTIONS, ("asic",))
TARGETS = (OSU018,)
