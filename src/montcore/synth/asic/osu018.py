# SPDX-License-Identifier: Apache-2.0
"""The target osu018: standard cells of a 180 nm process, OpenSTA for the clock."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from montcore.cores.core import Core
from montcore.cores.technology import Technology
from montcore.synth.asic.recipes import DEFAULT_RECIPES, RECIPES
from montcore.synth.asic.tools import liberty_version, sta_version
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS, MACRO, PLACED, Options, chosen_options
from montcore.synth.result import SynthResult
from montcore.synth.target import GATE_FIGURES, Mapped, Progress, Target

if TYPE_CHECKING:
    from montcore.synth.asic.flow import Netlist

#: Recorded versions of the tools from Debian: OpenSTA, and the cell library (the first digits of
#: its SHA-256).
RECORDED = {"opensta": "2.0.17", "osu018": "86f79b2000f1"}


def pick_best(netlists: "list[Netlist]") -> "Netlist":
    """Return the netlist with the least product of area and period; ties go to the smaller area."""
    return min(netlists, key=lambda item: (item.ge * (item.timing.tmin_ns or 0.0), item.ge))


@dataclass(frozen=True, kw_only=True)
class StandardCells(Target):
    """A standard-cell library with the flow of `synth.asic`."""

    def synthesise(self, design: Design, work: Path, opts: Options, progress: Progress) -> Mapped:
        """Map with every default recipe and keep the best netlist."""
        from montcore.synth.asic.flow import run_flow
        from montcore.synth.gatesim.gate_model import GateBuild

        recipes = [RECIPES[name] for name in DEFAULT_RECIPES]
        netlists = run_flow(design, recipes, work, opts, progress=progress)
        best = pick_best(netlists)
        return Mapped(self.result(best, netlists, opts), GateBuild.of(design.top, best))

    def result(
        self, best: "Netlist", netlists: "list[Netlist]", opts: Options = DEFAULT_OPTIONS
    ) -> SynthResult:
        """Return the figures of the best of several netlists."""
        from montcore.synth.asic.memory import area_ge

        bits = sum(macro.bits for macro in best.macros)
        path = best.timing.paths[0] if best.timing.paths else None
        return SynthResult(
            target=self.name,
            ge=best.ge,
            ge_memory=round(sum(area_ge(macro, opts) for macro in best.macros), 1),
            tmin_ns=best.timing.tmin_ns,
            tmin_ns_no_wires=best.ideal.tmin_ns if best.ideal else best.timing.tmin_ns,
            tmin_in_ns=best.timing.in_ns,
            tmin_out_ns=best.timing.out_ns,
            wires=opts.wires,
            memory=opts.memory,
            ff=sum(count for name, count in best.cells.items() if name.startswith("DFF")),
            memory_bits=bits,
            cells=best.cells,
            recipe=best.recipe,
            candidates=[
                {
                    "recipe": item.recipe,
                    "ge": item.ge,
                    "tmin_ns": item.timing.tmin_ns,
                    "wall_s": round(item.wall_s, 2),
                }
                for item in netlists
            ],
            placement={
                **best.physical.figures(),
                "insertion_ns": best.timing.insertion_ns or 0.0,
                "skew_ns": best.timing.skew_ns or 0.0,
                "hold_slack_ns": best.timing.hold_ns or 0.0,
            }
            if best.physical
            else {},
            critical_path=[
                f"{stage.cell} {stage.instance}/{stage.pin} {stage.delay_ns:.3f}"
                for stage in path.stages
            ]
            if path
            else [],
        )

    def netlist(self, result: SynthResult) -> Path:
        """Return the netlist of the recipe that the figures are taken from."""
        from montcore.synth.asic import energy

        return energy.netlist_of(result)

    def settings(self, opts: Options) -> dict[str, Any]:
        """Return the wires and the memories."""
        return {"wires": opts.wires, "memory": opts.memory}

    def check(self, opts: Options) -> None:
        """Check that the placer is installed if wires are requested.

        Raises:
            RequestError: it is not.
        """
        if opts.wires == PLACED:
            from montcore.synth.asic.placement.place import check_placer

            check_placer()

    def flags(self, opts: Options) -> str:
        """Return the option for wires, always, and that for memories if it is not the default."""
        memory = "" if opts.memory == MACRO else f" --memory {opts.memory}"
        return f" --wires {opts.wires}{memory}"

    def recorded(self) -> Mapping[str, str]:
        """Return the versions of OpenSTA and of the library."""
        return RECORDED

    def probes(self) -> Mapping[str, Callable[[], str]]:
        """Return the functions that determine the versions of OpenSTA and of the library."""
        return {"opensta": sta_version, "osu018": liberty_version}

    def energy_nj(self, core: Core, result: SynthResult) -> float | None:
        """Return the energy per product in nJ."""
        from montcore.synth.asic import energy

        opts = chosen_options(result.wires, result.memory)
        return round(energy.energy_of(core, result, opts).total, 3)


OSU018 = StandardCells(
    name="osu018",
    title="an ASIC (osu018 standard cells, 180 nm)",
    technology=Technology(multiplier_trees=True),
    figures=GATE_FIGURES,
    aliases=("asic",),
    maps=("asic/maps/osu018_fa.v", "asic/maps/ripple.v"),
    two_clocks=False,
    shares_modules=True,
    has_cells=True,
    effort=1,
)
TARGETS = (OSU018,)
