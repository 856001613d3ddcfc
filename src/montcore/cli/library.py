# SPDX-License-Identifier: Apache-2.0
"""The verb `library`: what the flow finds in a cell library that a file describes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from montcore.cli.options import JsonOption
from montcore.cli.output import print_json, steps
from montcore.support.errors import RequestError
from montcore.support.terminal import output, print_words

if TYPE_CHECKING:
    from montcore.synth.asic.library import CellLibrary

ORDER = 60


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    verb = typer.Typer(help="Cell libraries that a file describes.", no_args_is_help=True)
    verb.command()(check)
    app.add_typer(verb, name="library")


def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The description, a TOML file.")],
    json_: JsonOption = False,
) -> int:
    """Say what was found in a library, and what it misses; status 1 if cores cannot be mapped."""
    from montcore.synth.asic.library import cell_library

    with steps(f"reading the library of {file}"):
        known = cell_library(file)
        found, missing, usable = _examined(known)
    if json_:
        print_json({"name": known.name, "usable": usable, "found": found, "missing": missing})
    else:
        for sentence in (*found, *missing):
            print_words(output(), sentence, "" if sentence in found else "yellow")
    return 0 if usable else 1


def _examined(known: "CellLibrary") -> tuple[list[str], list[str], bool]:
    """Return what a library has and what it misses, in sentences, and whether it can be used."""
    from montcore.synth.asic.macros import macros_of
    from montcore.synth.asic.sizing.nldm import read_library

    found, missing = [f"{known.name}: {len(known.cells)} cells are used."], list[str]()
    usable = True

    def needed(text: str, *names: str) -> None:
        nonlocal usable
        try:
            found.append(text.format(*(getattr(known, name) for name in names)))
        except RequestError as error:
            if f"{error}." not in missing:  # an inverter is needed for more than one thing
                missing.append(f"{error}.")
            usable = False

    needed("The gate equivalent is {0}.", "gate")
    needed("The inverter is {0}; {1} drives the clock tree.", "inverter", "clock_driver")
    needed("The buffer of loaded nets is {0}.", "buffer")
    needed("The flip-flop is {0.cell}.", "flip_flop")
    adder, latch = known.full_adder, known.latch
    if adder:
        found.append(f"The full adder is {adder.cell}.")
    else:
        missing.append("There is no full adder: sums are built of gates.")
    if latch:
        found.append(f"The latch is {latch.cell}.")
    else:
        missing.append("There is no latch: `--memory latch` is refused.")
    try:
        known.check_placement()
        row, wire = known.geometry.row, known.wire
        found.append(
            f"Rows are {row:g} um high; a wire has {wire.pf_per_um:.3g} pF and "
            f"{wire.ohm_per_um:.3g} ohm a um."
        )
    except RequestError as error:
        missing.append(f"`--wires placed` is refused: {error}.")
    if usable:
        found += [
            f"The macro {name} has {macro.rows} words of {macro.width} bits and takes "
            f"{macro.ge / 1e3:.2f} kGE."
            for name, (macro, _) in macros_of(known).items()
        ]
        timing = read_library(known)
        found.append(
            f"An inverter that drives four takes {timing.fo4_ns:.3g} ns; transitions in the "
            f"tables reach {timing.max_slew_ns:.3g} ns."
        )
    return found, missing, usable
