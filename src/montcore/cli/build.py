# SPDX-License-Identifier: Apache-2.0
"""The verb `build`: a self-contained bundle of one configuration."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montcore.cli.options import (
    CoreArgument,
    FieldOption,
    JsonOption,
    SetOption,
    configure,
    configure_below,
    field_or_bits,
)
from montcore.cli.output import print_json, show_pairs, steps
from montcore.cores.core import ConfiguredCore
from montcore.model.fields import Field

if TYPE_CHECKING:
    from montcore.bundle import BundleResult

#: Place in the help.
ORDER = 40

#: What `build` knows beside the cores.
CURVES = "ecc"


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(build)


def build(
    core: CoreArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to make.")],
    settings: SetOption = None,
    field: FieldOption = None,
    bits: Annotated[int | None, typer.Option("--bits", metavar="L", help="Built width.")] = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="What it is built for: asic (osu018), xc2v, xc4v, xc5v, xc6v, xc7, ecp5.",
        ),
    ] = "xc7",
    synth: Annotated[
        bool,
        typer.Option("--synth", help="Measure area and clock on the target for the datasheet."),
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Write a self-contained bundle: RTL, test, datasheet; its own test is run.

    CORE ecc is the curve engine over --set core=NAME (smm), whose parameters the others are.
    """
    found_field, width = field_or_bits(field, bits)
    if core == CURVES:
        content = make_engine(configure_below("smm", settings, width), output, target, synth)
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


def make_bundle(
    core: ConfiguredCore, output: Path, target: str, field: Field | None, synth: bool
) -> dict[str, Any]:
    """Build a bundle and return what `build --json` prints."""
    from montcore.bundle import build as build_bundle

    with steps(f"build {core.name} {core.label()}") as step:
        result = build_bundle(core, output, target=target, field=field, synth=synth, progress=step)
    return _content(result)


def make_engine(core: ConfiguredCore, output: Path, target: str, synth: bool) -> dict[str, Any]:
    """Build the bundle of a curve engine over a core; return what `build --json` prints."""
    from montcore.bundle.engine import build_engine
    from montcore.ecc.design import Design

    with steps(f"build ecc over {core.name} {core.label()}") as step:
        result = build_engine(Design(core), output, target=target, synth=synth, progress=step)
    return _content(result)


def _content(result: "BundleResult") -> dict[str, Any]:
    from montcore.synth import JSON_KEYS

    return {
        "path": str(result.path),
        "name": result.name,
        "target": result.target,
        "test": asdict(result.test),
        "synth": result.synthesis and {key: getattr(result.synthesis, key) for key in JSON_KEYS},
        "files": list(result.files),
    }
