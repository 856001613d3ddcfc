# SPDX-License-Identifier: Apache-2.0
"""The verb `build`: a self-contained bundle of one configuration."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import show, steps
from montcore.support.errors import RequestError

if TYPE_CHECKING:
    from montcore.bundle.pipeline import BundleKind
    from montcore.soc.design import AcceleratorDesign

ORDER = 40

#: What `build` knows beside the cores.
CURVES = "ecc"
#: What is built behind a bus: `modexp` is the accelerator with an exponentiator.
SYSTEMS = ("pka", "modexp")
#: The curve engine beside an exponentiator, if nothing is said of it.
CURVES_OVER, CURVE_BITS = "smm:npe=8", 256
CLOCKS = ("one", "two")
RESET_STYLES = ("sync", "async")


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(build)


def build(
    core: options.CoreArgument,
    output: Annotated[Path, option("-o --output DIR", "Output folder.")],
    settings: options.SetOption = None,
    field: options.FieldOption = None,
    bits: Annotated[int | None, option("--bits L", "Built width.")] = None,
    target: Annotated[
        str,
        option(
            "--target TARGET",
            "asic (osu018), xc2v, xc4v, xc5v, xc6v, xc7, xcup, ecp5, nexus or gatemate.",
            callback=options.known_target,
        ),
    ] = "xc7",
    library: options.LibraryOption = None,
    synth: Annotated[
        bool, option("--synth", "Measure area and clock on the target for the datasheet.")
    ] = False,
    bus: Annotated[
        str | None,
        option("--bus BUS", "axi4-lite, apb, wishbone, tl-ul; for a multiplier also axi4-stream."),
    ] = None,
    units: Annotated[
        str, option("--units UNITS", "pka: exponentiator, curves, both.")
    ] = options.UNITS[0],
    curves: Annotated[
        str | None,
        option(
            "--curves CORE[:K=V,...]",
            "With --units both: multiplier of the curve engine, with its parameters "
            f"({CURVES_OVER}).",
        ),
    ] = None,
    curve_bits: Annotated[
        int | None, option("--curve-bits L", f"With --units both: its width ({CURVE_BITS}).")
    ] = None,
    clocks: Annotated[
        str,
        option(
            "--clocks CLOCKS",
            "With --bus: one (the bus clock), or two (a separate clock for the accelerator).",
        ),
    ] = CLOCKS[0],
    reset: Annotated[
        str,
        option(
            "--reset STYLE",
            "With --bus: sync; async: asynchronous assertion, synchronised release.",
        ),
    ] = RESET_STYLES[0],
    reset_level: Annotated[
        str,
        option(
            "--reset-level LEVEL",
            "With --bus: active level, low or high; default: the level usual for the bus.",
        ),
    ] = "",
    json_: options.JsonOption = False,
) -> None:
    """Write a self-contained bundle (RTL, test, datasheet) and run its test.

    CORE ecc is the curve engine over --set core=NAME (smm), whose parameters the others are. CORE
    pka or modexp is the accelerator behind --bus, over --set core=NAME (dsp; curves: smm): powers
    and products, operations on curves or both, registers, an operand memory, a C driver. With --bus
    ecc is the accelerator with curves, and a multiplier has registers and operand memory too.
    """
    from montcore.bundle.assemble import CoreBundle
    from montcore.bundle.engine import EngineBundle

    if library is not None:
        target = options.chosen_target(None, library)
    found_field, width = options.field_or_bits(field, bits)
    count = 1 + CLOCKS.index(options.choice("--clocks", clocks, CLOCKS))
    _refuse_units(core, units, curves is not None or curve_bits is not None)
    if core in SYSTEMS or bus is not None:
        from montcore.soc.design import RESET_LEVELS, AcceleratorDesign, Reset
        from montcore.soc.wrapper import BUSES

        if bus is None:
            raise RequestError(f"{core} needs a bus: --bus {' or '.join(BUSES)}")

        over = (curves or CURVES_OVER, CURVE_BITS if curve_bits is None else curve_bits)
        if core in SYSTEMS:
            chosen_units = options.choice(
                "--units", units, options.UNITS if core == "pka" else options.UNITS[:1]
            )
            design = _accelerator(chosen_units, settings, width, over, count)
        elif core == CURVES:
            design = _accelerator("curves", settings, width, over, count)
        else:
            multiplier = options.configure(core, settings, width)
            design = AcceleratorDesign(None, clocks=count, multiplier=multiplier)
        if reset_level:
            options.choice("--reset-level", reset_level, RESET_LEVELS)
        style = options.choice("--reset", reset, RESET_STYLES)
        design = replace(design, reset=Reset(style, reset_level))
        if synth:
            raise RequestError("--synth cannot be combined with --bus; `synth` measures the unit")
        kind = _behind(bus, design, target)
    elif reset != RESET_STYLES[0] or reset_level or count != 1:
        raise RequestError("--clocks, --reset and --reset-level need --bus")
    elif core == CURVES:
        kind = EngineBundle(options.configure_engine(settings, width), target)
    else:
        kind = CoreBundle(options.configure(core, settings, width), found_field, target)
    content = make_bundle(kind, output, synth)
    show(content["name"], content, json_, built(content))


def built(content: dict[str, Any]) -> dict[str, Any]:
    """Return for people what was built and what its test said."""
    said = content["test"].items()
    test = {key: value for key, value in said if key != "output" and value is not None}
    left_out = test.pop("left_out")
    if left_out:
        test["scaled down"] = (
            f"{left_out} operands, each of several cases, were left out because this machine is "
            "busy; `sh run_test.sh` in the folder runs them all"
        )
    return {"folder": content["path"], "built for": content["target"], **test}


def _refuse_units(core: str, units: str, over: bool) -> None:
    """Refuse units where there is no choice, and a curve engine's core where none is added."""
    if core not in SYSTEMS and units != options.UNITS[0] and (core, units) != (CURVES, "curves"):
        raise RequestError(f"--units is only for pka; {core} is a single unit")
    if over and (core != "pka" or units != "both"):
        raise RequestError("--curves and --curve-bits are only for `build pka --units both`")


def _accelerator(
    units: str, settings: list[str] | None, bits: int, over: tuple[str, int], clocks: int
) -> "AcceleratorDesign":
    from montcore.soc.design import AcceleratorDesign

    below = _one_at_a_time(settings)
    if units == "curves":
        return AcceleratorDesign(None, options.configure_over("smm", below, bits), clocks)
    core = options.configure_over("dsp", below, bits)
    if units == "exponentiator":
        return AcceleratorDesign(core, clocks=clocks)
    return AcceleratorDesign(core, options.configure_words(*over), clocks)


def _one_at_a_time(settings: list[str] | None) -> dict[str, str]:
    """Return the parameters without ``slots=1``, ``contexts=1`` and ``pair=0``, the only values."""
    left = options.parse_settings(settings)
    for name, usual in (("pair", 0), ("slots", 1), ("contexts", 1)):
        count = int(options.take_pair(left)) if name == "pair" else options.take_count(left, name)
        if count != usual:
            verb = "ecc" if name == "contexts" else "modexp"
            raise RequestError(
                f"an accelerator behind a bus runs one command at a time, so it does not support "
                f"{name}; `montcore synth {verb} --set {name}={count}` builds and measures the "
                "unit alone"
            )
    return left


def _behind(bus: str, design: "AcceleratorDesign", target: str) -> "BundleKind":
    """Return the bundle of an accelerator behind a bus, or of a multiplier behind streams."""
    from montcore.bundle.stream import StreamBundle
    from montcore.bundle.system import SystemBundle
    from montcore.soc.wrapper import STREAM

    if bus != STREAM or design.multiplier is None:
        return SystemBundle(design, bus, target)
    if design.clocks != 1:
        raise RequestError(f"{STREAM} has one clock: --clocks two is for other buses")
    return StreamBundle(design.multiplier, design.reset, target)


def make_bundle(kind: "BundleKind", output: Path, synth: bool = False) -> dict[str, Any]:
    """Build a bundle and return what `build --json` prints."""
    from montcore.bundle.pipeline import make

    with steps(f"build {kind.name}") as step:
        result = make(kind, output, synth=synth, progress=step)
    return {
        "path": str(result.path),
        "name": result.name,
        "target": result.target,
        "test": asdict(result.test),
        "synth": result.synthesis and result.synthesis.to_json(),
        "files": list(result.files),
    }
