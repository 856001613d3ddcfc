# SPDX-License-Identifier: Apache-2.0
"""The verb `modexp`: powers on the exponentiator over a core."""

from typing import Annotated

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import show, steps
from montcore.cores import get_core
from montcore.support.words import parse_number, readable

ORDER = 20


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(modexp)


def modexp(
    core: options.CoreArgument,
    modulus: Annotated[str, option("--modulus HEX", "Odd, at least 3.")],
    base: Annotated[str, option("--base HEX", "Below the modulus.")],
    exponent: Annotated[str, option("--exponent HEX", "At least 1.")],
    settings: options.SetOption = None,
    policy: Annotated[
        str,
        option(
            "--policy constant|sliding|ladder",
            "constant and ladder: the same sequence for every exponent; sliding: public ones.",
        ),
    ] = "constant",
    bits: Annotated[int | None, option("--bits L", "Built width; default: what is needed.")] = None,
    json_: options.JsonOption = False,
) -> None:
    """Raise a number to a power on the exponentiator over a core.

    --set slots=N: an exponentiator for N powers at once, which takes as long for one; --set pair=1:
    a pair over one row of dsp, as for RSA with CRT, likewise.
    """
    from montcore.modexp.design import ExponentiatorDesign
    from montcore.modexp.exponentiator import Exponentiator, Policy, Power

    names = tuple(item.name.lower() for item in Policy)
    chosen_policy = Policy[options.choice("--policy", policy, names).upper()]
    power = Power(
        parse_number("the base", base),
        parse_number("the exponent", exponent),
        parse_number("the modulus", modulus),
    )
    width = bits if bits is not None else max(power.bits, power.e_bits)
    below = options.parse_settings(settings)
    slots, pair = options.take_count(below, "slots"), options.take_pair(below)
    design = ExponentiatorDesign(get_core(core).configure(below, width), slots=slots, pair=pair)
    unit = Exponentiator(design)
    unit.check(power)
    with steps(f"raise to a power on {design.title()}"):
        outcome = unit.power(power, chosen_policy)
    content = {
        "result": f"{outcome.result:#x}",
        "cycles": outcome.cycles,
        "multiplications": outcome.multiplications,
        "policy": policy,
    }
    numbers = {"modulus": power.modulus, "base": power.base, "exponent": power.exponent}
    read = {name: readable(value) for name, value in numbers.items()}
    answer = {**content, "cycles to set up the modulus": outcome.setup_cycles}
    if outcome.result is not None:
        answer["result"] = readable(outcome.result)
    show(f"modexp over {design.title()}", content, json_, {**read, **answer})
