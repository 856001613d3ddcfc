# SPDX-License-Identifier: Apache-2.0
"""The verb `mutate`: which of many small faults of a unit's RTL its checks find."""

from typing import Annotated

import typer

from montcore.cli.options import JsonOption, WorkersOption, choice, option
from montcore.cli.output import print_json
from montcore.support.terminal import output, print_table, print_words

#: Place in the help.
ORDER = 66


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(mutate)


def mutate(
    unit: Annotated[str, typer.Argument(metavar="UNIT", help="A core, or part of the hardware.")],
    count: Annotated[int, option("--count N", "Mutants, of different lines first.", min=1)] = 200,
    seed: Annotated[int, option("--seed S", "Choice of the mutants.", min=0)] = 1,
    keep: Annotated[bool, option("--keep", "Write the result to docs/mutation.md.")] = False,
    workers: WorkersOption = 2,
    json_: JsonOption = False,
) -> int:
    """Change the RTL of a unit in many small ways, and count what the checks find.

    Each mutant is judged by all products of a small width, random sequences of packets, random
    products and the rules of the port, and if nothing finds it by a proof that it changes nothing.
    A stopped run resumes.
    """
    from montcore_lab.mutation.campaign import campaign
    from montcore_lab.mutation.checks import units
    from montcore_lab.mutation.page import enter

    choice("UNIT", unit, units())
    score = campaign(unit, count, seed, workers=workers)
    if keep:
        enter(score)
    if json_:
        print_json({
            **{"unit": unit, "seed": seed, "mutants": score.mutants, "killed": score.killed},
            **{"equivalent": len(score.equivalent), "share": round(score.share, 4)},
            "survivors": [one.key for one in score.survivors],
        })  # fmt: skip
        return 0
    console = output()
    rows = [
        [f"{one.file}:{one.line}", one.name, " ".join(one.old.split()), why]
        for one, why in score.survivors.items()
    ]
    if rows:
        print_table(
            console,
            "survivors",
            ("line", "change", "of", "reason"),
            rows,
            prose=("change", "of", "reason"),
        )
    by = ", ".join(f"{number} by {kind}" for kind, number in score.killed.items())
    print_words(
        console,
        f"{unit}: {score.mutants} mutants: {score.killed.total()} killed ({by}), "
        f"{len(score.equivalent)} equivalent, {len(score.survivors)} survived; "
        f"{score.share:.1%} of those that change something are found",
    )
    return 0
