# SPDX-License-Identifier: Apache-2.0
"""The verb `build`: a self-contained bundle of one configuration."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montcore.cli.options import (
    UNITS,
    CoreArgument,
    FieldOption,
    JsonOption,
    SetOption,
    choice,
    configure,
    configure_below,
    configure_engine,
    configure_words,
    field_or_bits,
    split_count,
    split_pair,
)
from montcore.cli.output import print_json, show_pairs, steps
from montcore.cores.core import Core
from montcore.model.fields import Field
from montcore.support.errors import RequestError

if TYPE_CHECKING:
    from montcore.bundle import BundleResult
    from montcore.ecc.design import EngineDesign
    from montcore.soc.design import AcceleratorDesign

#: Place in the help.
ORDER = 40

#: What `build` knows beside the cores.
CURVES = "ecc"
#: What is built behind a bus: `modexp` is the accelerator with an exponentiator.
SYSTEMS = ("pka", "modexp")
#: The curve engine beside an exponentiator, if nothing is said of it.
CURVES_OVER, CURVE_BITS = "smm:npe=8", 256
#: What `--clocks` takes.
CLOCKS = ("one", "two")
#: What `--reset` takes.
RESET_STYLES = ("sync", "async")


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(build)


def build(
    core: CoreArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Output folder.")],
    settings: SetOption = None,
    field: FieldOption = None,
    bits: Annotated[int | None, typer.Option("--bits", metavar="L", help="Built width.")] = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="Target of the build: asic (osu018), xc2v, xc4v, xc5v, xc6v, xc7, ecp5.",
        ),
    ] = "xc7",
    synth: Annotated[
        bool,
        typer.Option("--synth", help="Measure area and clock on the target for the datasheet."),
    ] = False,
    bus: Annotated[
        str | None,
        typer.Option(
            "--bus",
            metavar="BUS",
            help="axi4-lite, apb, wishbone, tl-ul; for a multiplier also axi4-stream.",
        ),
    ] = None,
    units: Annotated[
        str,
        typer.Option("--units", metavar="UNITS", help="pka: exponentiator, curves, both."),
    ] = UNITS[0],
    curves: Annotated[
        str | None,
        typer.Option(
            "--curves",
            metavar="CORE[:K=V,...]",
            help="With --units both: multiplier of the curve engine, with its parameters "
            f"({CURVES_OVER}).",
        ),
    ] = None,
    curve_bits: Annotated[
        int | None,
        typer.Option(
            "--curve-bits", metavar="L", help=f"With --units both: its width ({CURVE_BITS})."
        ),
    ] = None,
    clocks: Annotated[
        str,
        typer.Option(
            "--clocks",
            metavar="CLOCKS",
            help="With --bus: one (the bus clock), or two (a separate clock for the accelerator).",
        ),
    ] = CLOCKS[0],
    reset: Annotated[
        str,
        typer.Option(
            "--reset",
            metavar="STYLE",
            help="With --bus: sync; async: asynchronous assertion, synchronised release.",
        ),
    ] = RESET_STYLES[0],
    reset_level: Annotated[
        str,
        typer.Option(
            "--reset-level",
            metavar="LEVEL",
            help="With --bus: active level, low or high; default: the level usual for the bus.",
        ),
    ] = "",
    json_: JsonOption = False,
) -> None:
    """Write a self-contained bundle (RTL, test, datasheet) and run its test.

    CORE ecc is the curve engine over --set core=NAME (smm), whose parameters the others are. CORE
    pka or modexp is the accelerator behind --bus, over --set core=NAME (dsp; curves: smm): powers
    and products, operations on curves or both, registers, an operand memory, a C driver. With --bus
    ecc is the accelerator with curves, and a multiplier has registers and operand memory too.
    """
    found_field, width = field_or_bits(field, bits)
    count = 1 + CLOCKS.index(choice("--clocks", clocks, CLOCKS))
    _refuse_units(core, units, curves is not None or curve_bits is not None)
    if core in SYSTEMS or bus is not None:
        over = (curves or CURVES_OVER, CURVE_BITS if curve_bits is None else curve_bits)
        if core in SYSTEMS:
            chosen_units = choice("--units", units, UNITS if core == "pka" else UNITS[:1])
            design = _accelerator(chosen_units, settings, width, over, count)
        elif core == CURVES:
            design = _accelerator("curves", settings, width, over, count)
        else:
            design = _multiplier(configure(core, settings, width), count)
        system = make_system(
            core, _with_reset(design, reset, reset_level), bus, output, target, synth
        )
        if json_:
            print_json(system)
        else:
            print_built(system)
        return
    if reset != RESET_STYLES[0] or reset_level or count != 1:
        raise RequestError("--clocks, --reset and --reset-level need --bus")
    if core == CURVES:
        content = make_engine(configure_engine(settings, width), output, target, synth)
    else:
        chosen = configure(core, settings, width)
        content = make_bundle(chosen, output, target, found_field, synth)
    if json_:
        print_json(content)
    else:
        print_built(content)


def print_built(content: dict[str, Any]) -> None:
    """Print for people what was built and what its test said."""
    test = {key: value for key, value in content["test"].items() if key != "output"}
    left_out = test.pop("left_out")
    if left_out:
        test["scaled down"] = (
            f"{left_out} cases were left out because this machine is busy; "
            "`sh run_test.sh` in the folder runs them all"
        )
    folder = {"folder": content["path"], "built for": content["target"]}
    show_pairs(content["name"], {**folder, **test})


def _refuse_units(core: str, units: str, over: bool) -> None:
    """Refuse units of what has none to choose from, and a curve engine's core where none is added.

    Raises:
        RequestError: `--units` is for `pka`; `--curves` and `--curve-bits` are for both units.
    """
    if core not in SYSTEMS and units != UNITS[0] and (core, units) != (CURVES, "curves"):
        raise RequestError(f"--units is only for pka; {core} is a single unit")
    if over and (core != "pka" or units != "both"):
        raise RequestError("--curves and --curve-bits are only for `build pka --units both`")


def _accelerator(
    units: str, settings: list[str] | None, bits: int, over: tuple[str, int], clocks: int
) -> "AcceleratorDesign":
    """Return the accelerator that is asked for; `over`: core and width of curves beside it."""
    from montcore.soc.design import AcceleratorDesign

    settings = _one_at_a_time(settings)
    if units == "curves":
        return AcceleratorDesign(None, configure_below("smm", settings, bits), clocks)
    core = configure_below("dsp", settings, bits)
    if units == "exponentiator":
        return AcceleratorDesign(core, clocks=clocks)
    return AcceleratorDesign(core, configure_words(*over), clocks)


def _one_at_a_time(settings: list[str] | None) -> list[str]:
    """Return the settings without ``slots=1``, ``contexts=1``, ``pair=0``, which is what there is.

    Raises:
        RequestError: they ask for more.
    """
    left, pair = split_pair(settings)
    counts = {"pair": 1 if pair else 0}
    for name in ("slots", "contexts"):
        left, counts[name] = split_count(left, name)
    usual = {"pair": 0, "slots": 1, "contexts": 1}
    for name, count in counts.items():
        if count != usual[name]:
            verb = "ecc" if name == "contexts" else "modexp"
            raise RequestError(
                f"an accelerator behind a bus runs one command at a time, so it does not support "
                f"{name}; `montcore synth {verb} --set {name}={count}` builds and measures the "
                "unit alone"
            )
    return left


def _with_reset(design: "AcceleratorDesign", style: str, level: str) -> "AcceleratorDesign":
    """Return a design with a style of reset."""
    from montcore.soc.design import RESET_LEVELS, Reset

    if level:
        choice("--reset-level", level, RESET_LEVELS)
    return replace(design, reset=Reset(choice("--reset", style, RESET_STYLES), level))


def _multiplier(core: Core, clocks: int) -> "AcceleratorDesign":
    """Return a multiplier by itself with registers and operand memory."""
    from montcore.soc.design import AcceleratorDesign

    return AcceleratorDesign(None, clocks=clocks, multiplier=core)


def make_system(
    core: str,
    design: "AcceleratorDesign",
    bus: str | None,
    output: Path,
    target: str,
    synth: bool,
) -> dict[str, Any]:
    """Build the bundle of an accelerator behind a bus; return what `build --json` prints."""
    from montcore.bundle.stream import build_stream
    from montcore.bundle.system import build_system
    from montcore.soc.wrapper import STREAM

    if bus is None:
        raise RequestError(f"{core} needs a bus; name it with --bus")
    if synth:
        raise RequestError("--synth cannot be combined with --bus; `synth` measures the unit")
    with steps(f"build {core} behind {bus}") as step:
        if bus == STREAM and design.multiplier is not None:
            if design.clocks != 1:
                raise RequestError(
                    f"{STREAM} has only the multiplier's clock; it does not support --clocks two"
                )
            result = build_stream(
                design.multiplier, output, target=target, reset=design.reset, progress=step
            )
        else:
            result = build_system(design, bus, output, target=target, progress=step)
    return {
        "path": str(result.path),
        "name": result.name,
        "target": result.target,
        "test": asdict(result.test),
        "synth": None,
        "files": list(result.files),
    }


def make_bundle(
    core: Core, output: Path, target: str, field: Field | None, synth: bool
) -> dict[str, Any]:
    """Build a bundle and return what `build --json` prints."""
    from montcore.bundle import build as build_bundle

    with steps(f"build {core.name} {core.label()}") as step:
        result = build_bundle(core, output, target=target, field=field, synth=synth, progress=step)
    return _content(result)


def make_engine(design: "EngineDesign", output: Path, target: str, synth: bool) -> dict[str, Any]:
    """Build the bundle of a curve engine over a core; return what `build --json` prints."""
    from montcore.bundle.engine import build_engine

    with steps(f"build ecc over {design.title()}") as step:
        result = build_engine(design, output, target=target, synth=synth, progress=step)
    return _content(result)


def _content(result: "BundleResult") -> dict[str, Any]:
    from montcore.synth.result import JSON_KEYS

    return {
        "path": str(result.path),
        "name": result.name,
        "target": result.target,
        "test": asdict(result.test),
        "synth": result.synthesis and {key: getattr(result.synthesis, key) for key in JSON_KEYS},
        "files": list(result.files),
    }
