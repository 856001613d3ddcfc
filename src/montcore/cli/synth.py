# SPDX-License-Identifier: Apache-2.0
"""The verb `synth`: area, clock and cycles of one configuration on one target."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import show, steps
from montcore.cores.core import Core
from montcore.support.errors import RequestError

if TYPE_CHECKING:
    from montcore.ecc.design import EngineDesign
    from montcore.modexp.design import ExponentiatorDesign
    from montcore.modexp.unit import UnitFlow

ORDER = 30


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(synth)


def synth(
    core: options.CoreArgument,
    bits: Annotated[int, option("--bits L", "Built width.")],
    target: Annotated[
        str | None,
        option(
            "--target TARGET",
            "osu018, xc2v, xc4v, xc5v, xc6v, xc7, xcup, ecp5, nexus, gatemate",
            autocompletion=options.complete_target,
            callback=options.known_target,
        ),
    ] = None,
    library: options.LibraryOption = None,
    settings: options.SetOption = None,
    flat: Annotated[
        bool, option("--flat", "osu018: synthesise every instance of a large module separately.")
    ] = False,
    wires: Annotated[
        str | None,
        option(
            "--wires placed|none",
            "osu018: placed (default): with wires and clock tree of a placement, which takes "
            "minutes; none: cells only.",
        ),
    ] = None,
    memory: Annotated[
        str | None,
        option(
            "--memory macro|latch|flops",
            "osu018: memories as macros, as arrays of latches, as flip-flops.",
        ),
    ] = None,
    seeds: Annotated[
        int | None,
        option("--seeds", "ecp5, nexus, gatemate: seeds of the placement; 5 by default.", min=1),
    ] = None,
    json_: options.JsonOption = False,
) -> None:
    """Synthesise a core: area, clock and cycles on one target.

    CORE modexp is the exponentiator over --set core=NAME (dsp), whose parameters the others are;
    --set slots=N: for N powers at once; --set pair=1: two exponentiators over one row of dsp. Its
    cycles are those of one power of the built length, policy constant. CORE ecc is the curve engine
    over --set core=NAME (smm); its cycles are those of k P on the widest curve that fits.
    """
    from montcore.compare.atlas import lasts
    from montcore.compare.point import Point
    from montcore.compare.units import UNITS
    from montcore.synth.flow import synthesise
    from montcore.synth.target import get_target, options_here

    target = options.chosen_target(target, library)
    opts = options_here(target, wires, memory)
    if (wires or memory) and not get_target(target).has_cells:
        raise RequestError(f"--wires and --memory are only for ASIC targets, not for {target}")
    if seeds is not None:
        if not get_target(target).technology.routed:
            raise RequestError(f"{target} is not placed and routed")
        opts = replace(opts, nextpnr_seeds=tuple(range(1, seeds + 1)))
    title, chosen = options.configure_any(core, settings, bits)
    if flat and not isinstance(chosen, Core):
        raise RequestError(f"{core} is always mapped flat; --flat has no effect")
    multiplier = chosen if isinstance(chosen, Core) else chosen.core
    points = [Point.of_core(multiplier, target, wires, core if core in UNITS else "")]
    with steps(f"synthesise {title} for {target}", lasts(points, share=(seeds or 5) / 5)) as step:
        if isinstance(chosen, Core):
            result = synthesise(chosen, target, flat=flat, progress=step, opts=opts)
        else:
            result = _flow(chosen).synthesise(target, progress=step, opts=opts)
    content = result.to_json()
    shown = {key: value for key, value in content.items() if value is not None}
    shown |= {f"{name} MHz": value for name, value in result.clocks_mhz.items()}
    shown |= {f"tmin_ns, {name} corner": value for name, value in result.corners_ns.items()}
    shown |= {key: result.placement[key] for key in result.placement if key.startswith("hold_")}
    shown |= {f"seed {seed} MHz": value for seed, value in result.seeds_mhz.items()}
    if result.recipe:
        shown["recipe"] = result.recipe
    if result.levels is not None:
        shown |= {"longest path": ", ".join(result.critical_path)}
    show(title, content, json_, shown)


def _flow(unit: "ExponentiatorDesign | EngineDesign") -> "UnitFlow":
    from montcore.ecc.design import EngineDesign
    from montcore.ecc.synthesis import EngineFlow
    from montcore.modexp.synthesis import ExponentiatorFlow

    return EngineFlow(unit) if isinstance(unit, EngineDesign) else ExponentiatorFlow(unit)
