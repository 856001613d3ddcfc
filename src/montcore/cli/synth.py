# SPDX-License-Identifier: Apache-2.0
"""The verb `synth`: area, clock and cycles of one configuration on one target."""

from typing import Annotated

import typer

from montcore.cli.options import CoreArgument, JsonOption, SetOption, complete_target, configure
from montcore.cli.output import print_json, show_pairs, steps
from montcore.support.errors import RequestError

#: Place in the help.
ORDER = 30

#: What `synth` knows beside the cores.
EXPONENTIATOR = "modexp"
CURVES = "ecc"


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(synth)


def synth(
    core: CoreArgument,
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width.")],
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="osu018, xc2v, xc4v, xc5v, xc6v, xc7, ecp5",
            autocompletion=complete_target,
        ),
    ],
    settings: SetOption = None,
    flat: Annotated[
        bool, typer.Option("--flat", help="osu018: map no large module once for all its instances.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Synthesise a core: area, clock and cycles on one target.

    CORE modexp is the exponentiator over --set core=NAME (dsp), whose parameters the others are;
    its cycles are those of one power of the built length, policy constant. CORE ecc is the curve
    engine over --set core=NAME (smm); its cycles are those of k P on the widest curve that fits.
    """
    from montcore.synth import JSON_KEYS, synthesise

    if core in (EXPONENTIATOR, CURVES):
        if flat:
            raise RequestError(f"{core} is mapped flat anyway")
        below = [item for item in settings or [] if not item.startswith("core=")]
        named = [item.removeprefix("core=") for item in settings or [] if item not in below]
        usual = "dsp" if core == EXPONENTIATOR else "smm"
        chosen = configure(named[-1] if named else usual, below, bits)
        title = f"{core} over {chosen.name} {chosen.label()}"
        with steps(f"synthesise {title} for {target}") as step:
            if core == EXPONENTIATOR:
                from montcore.modexp.design import Design
                from montcore.modexp.synthesis import synthesise as synthesise_exponentiator

                result = synthesise_exponentiator(Design(chosen), target, progress=step)
            else:
                from montcore.ecc.design import Design as Engine
                from montcore.ecc.synthesis import synthesise as synthesise_engine

                result = synthesise_engine(Engine(chosen), target, progress=step)
    else:
        chosen = configure(core, settings, bits)
        title = f"{chosen.name} {chosen.label()}"
        with steps(f"synthesise {title} for {target}") as step:
            result = synthesise(chosen, target, flat=flat, progress=step)
    content = {key: getattr(result, key) for key in JSON_KEYS}
    if json_:
        print_json(content)
    else:
        shown = {key: value for key, value in content.items() if value is not None}
        shown |= {f"{name} MHz": value for name, value in result.clocks_mhz.items()}
        show_pairs(title, shown)
