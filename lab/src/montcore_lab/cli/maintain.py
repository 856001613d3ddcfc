# SPDX-License-Identifier: Apache-2.0
"""The verb `maintain`: commands that regenerate pages and sources, check, prove and measure parts.

Users of a core do not need it.
"""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import steps
from montcore.support import waiting
from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.terminal import output as standard_output
from montcore.support.words import duration
from montcore_lab.cli import measure
from montcore_lab.cli.atlas import atlas
from montcore_lab.cli.site import release, site
from montcore_lab.cli.soc import soc

#: Place in the help.
ORDER = 100

CheckOption = Annotated[
    bool, option("--check", "Write nothing; exit status 1 if it is out of date.")
]

OutdatedOption = Annotated[
    bool, option("--check", "List out-of-date figures; exit status 1 if there are any.")
]
AgainOption = Annotated[bool, option("--again", "Also measure figures that are up to date.")]
WriteOption = Annotated[bool, option("--write", "Write the tables from the measured figures.")]


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    maintain = typer.Typer(
        help="Regenerate pages and sources of the repository, check, prove and measure its parts.",
        no_args_is_help=True,
    )
    for verb in (
        atlas,
        figures,
        diagrams,
        reservation,
        schedule,
        fusesoc,
        site,
        release,
        multiplier,
        registers,
        intermediate,
        calibration,
        placement,
        libraries,
        lint,
        prove,
        size,
        soc,
        tls,
    ):
        maintain.command()(verb)
    maintain.add_typer(measure.commands(), name="measure")
    app.add_typer(maintain, name="maintain", rich_help_panel="For people who change montcore")


def _say_written(*paths: Path) -> None:
    for path in paths:
        print(path)


def figures(
    check: OutdatedOption = False,
    write: WriteOption = False,
    list_: Annotated[
        bool, option("--list", "List all figures with the time that each takes.")
    ] = False,
    confirm: Annotated[
        bool,
        option("--confirm", "Measure a sample where the flow's code changed; keep equal figures."),
    ] = False,
    again: AgainOption = False,
    only: options.OnlyOption = None,
    workers: options.WorkersOption = 2,
) -> int:
    """Measure missing and out-of-date figures of all pages; write the pages."""
    from montcore.compare.atlas import Atlas
    from montcore_lab.cli.papers import measurements
    from montcore_lab.pages import confirm as confirming
    from montcore_lab.pages import figures
    from montcore_lab.papers import run as papers_run
    from montcore_lab.papers.ledger import Ledger

    if sum((check, write, confirm, list_)) > 1:
        raise RequestError("--check, --write, --confirm and --list cannot be combined")
    if (check or write or confirm or list_) and (again or only):
        raise RequestError("--again and --only measure; they stand alone")
    ledger = Ledger.load()
    if list_:
        times = figures.estimates(ledger, Atlas.load())
        for command, seconds in sorted(times.items()):
            print("not known" if seconds is None else f"{seconds:7.0f} s", command, sep="  ")
        known = [seconds for seconds in times.values() if seconds is not None]
        hours = sum(known) / workers / 3600
        print(
            f"{len(times)} figures; about {hours:.1f} hours for {len(known)} of them, {workers} at "
            f"a time; the time of {len(times) - len(known)} is not known"
        )
        return 0
    if check:
        with steps("comparing the ledger with the sources"):
            found = figures.complaints(ledger)
        for text in found:
            print(text)
        return 1 if found else 0
    chosen = papers_run.matching(figures.subjects(), only)
    wrong: list[str] = []
    if not write:
        atlas = Atlas.load()
        held = confirming.of_ledger(ledger, figures.subjects()) + confirming.of_atlas(atlas)
        with steps("comparing designs with those that were measured") as step:
            kept = confirming.same_designs(held, workers, step)
            if confirm:
                wrong = confirming.same_flows(held, step)
        ledger.save()
        atlas.save()
        print(f"{kept} figures of changed sources are of the same designs")
    failed = 0
    if not write and not confirm:
        lacking = papers_run.due(ledger, chosen, again)
        with measurements(lacking, ledger, workers) as done:
            failed = papers_run.measure(ledger, lacking, done, workers) if lacking else 0
        figures.drop_strays(ledger)
    figures.write(ledger)
    for text in wrong:
        print(text)
    return 1 if failed or wrong else 0


def calibration() -> None:
    """Route ten small blocks with qrouter; compare estimated and routed wires."""
    from montcore.synth.target import get_target
    from montcore_lab.calibration import run as calibration

    with steps("estimated wires against routed ones") as step:
        found = calibration.measure(step)
    write_whole(calibration.PAGE, calibration.page(found, get_target("osu018").versions()))
    _say_written(calibration.PAGE)


def placement(
    core: options.CoreArgument,
    settings: options.SetOption = None,
    bits: Annotated[int, option("--bits L", "Built width.")] = 256,
) -> None:
    """Draw the placement of a core, cells coloured by module, for its datasheet."""
    from montcore_lab.pages.placement import draw_core

    chosen = options.configure(core, settings, bits)
    with steps(f"placing {chosen.name} {chosen.label()}") as step:
        path = draw_core(chosen, step)
    _say_written(path)


def libraries(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="Has each library's files in a folder of its name."),
    ],
    write: Annotated[
        bool, option("--write", "Measure all cores, with and without wires; write the page.")
    ] = False,
) -> int:
    """Measure cores on other cell libraries; compare with the committed figures."""
    from montcore.synth.options import NONE, PLACED
    from montcore_lab.pages import libraries

    wires, count = (
        ((NONE, PLACED), len(libraries.CORES)) if write else ((NONE,), libraries.COMPARED)
    )
    measured, differing = 0, list[str]()
    with steps("cores on other cell libraries") as step:
        for found in libraries.measure(folder, wires, count, step):
            measured += 1
            differing += libraries.differences([found])
            area_time = f"{found.kge:.2f} kGE {found.tmin_ns:.3f} ns {found.kge_us:.2f} kGE us"
            print(f"{area_time}: {found.command}", flush=True)
            if write:  # each at once: the next may take long
                write_whole(libraries.DATA, libraries.save([found]))
    for text in differing:
        print(text)
    print(f"{measured} measured, {len(differing)} figures differ from the committed ones")
    if not write:
        return 1 if differing else 0
    write_whole(libraries.PAGE, libraries.page(list(libraries.load().values())))
    _say_written(libraries.DATA, libraries.PAGE)
    return 0


def diagrams() -> None:
    """Draw the timing diagram of smm from a simulation."""
    from montcore_lab.pages.diagrams import smm_timing

    with steps("drawing the timing diagram of smm"):
        path = smm_timing()
    _say_written(path)


def reservation(
    output: Annotated[
        Path | None, option("-o --output STEM", "Path of the picture, no suffix.")
    ] = None,
) -> None:
    """Draw the reservation table of the array of mx from a simulation."""
    from montcore_lab.pages import reservation

    with steps("drawing the reservation table of mx"):
        paths = reservation.draw(output or reservation.PICTURE)
    _say_written(*paths)


def schedule(
    output: Annotated[
        Path | None, option("-o --output STEM", "Path of the picture, no suffix.")
    ] = None,
) -> None:
    """Draw the schedule of a point addition on the curve engine over a core."""
    from montcore.cores import get_core
    from montcore.ecc import picture
    from montcore.ecc.design import EngineDesign
    from montcore.support.paths import REPO_ROOT

    engine = EngineDesign(get_core("smm").configure({"npe": "8"}, 256))
    stem = output or REPO_ROOT / "docs" / "images" / "ecc-schedule"
    _say_written(*picture.draw(engine, stem))


def _renew(files: Mapping[Path, str], check: bool) -> int:
    """Write those of the generated files that are out of date; return the exit status."""
    from montcore_lab.generated import outdated

    found = outdated(files)
    if not check:
        for path, text in found.items():
            write_whole(path, text)
    _say_written(*found)
    return 1 if check and found else 0


def fusesoc(check: CheckOption = False) -> int:
    """Write the file lists of the FuseSoC packages from the folders."""
    from montcore_lab.lint.fusesoc import core_files

    return _renew(core_files(), check)


def multiplier(check: CheckOption = False) -> int:
    """Write the generated modules of the default builds of modexp and ecc."""
    from montcore_lab.generated import modules, outdated
    from montcore_lab.lint import rtl

    found = outdated(modules())
    status = _renew(found, check)
    if found and not check:
        rtl.fix()
    return status


def registers(
    check: CheckOption = False,
    html: Annotated[
        Path | None, option("--html DIR", "Write the registers' pages there instead.")
    ] = None,
) -> int:
    """Write the C files generated from the accelerator's register description and the curves."""
    from montcore.bundle.parts import check_output
    from montcore_lab.generated import c_files, write_html

    if html is None:
        return _renew(c_files(), check)
    check_output(html)
    write_html(html)
    _say_written(html / "index.html")
    return 0


def intermediate(check: CheckOption = False) -> int:
    """Write vectors/steps.json: the intermediate values of products of every core."""
    from montcore_lab.generated import step_vectors

    return _renew(step_vectors(), check)


def lint(
    fix: Annotated[
        bool, option("--fix", "Format Python and SystemVerilog in place instead.")
    ] = False,
) -> int:
    """Run every source check and show a table."""
    from montcore_lab.lint import table

    console = standard_output()
    return table.fix(console) if fix else table.show(table.run(), console)


def prove(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME ...]", help="Parts of labels, e.g. smm_fast; default: all."),
    ] = None,
    quick: Annotated[bool, option("--quick", "Only those of make test.")] = False,
    again: Annotated[
        bool, option("--again", "Also run proofs that an earlier run has finished.")
    ] = False,
) -> int:
    """Check theorems and formal proofs and show a table; an interrupted run resumes."""
    from montcore_lab.proofs import table

    return table.show(standard_output(), names or [], quick, again)


def size(
    at: Annotated[str | None, option("--at COMMIT", "A commit; default: the checkout.")] = None,
    wide: options.WideOption = False,
    json_: options.JsonOption = False,
) -> None:
    """Count the lines of text by room and kind."""
    from montcore.cli.output import print_json
    from montcore.support.terminal import print_table
    from montcore_lab import size as counting

    found = counting.sizes(at)
    if json_:
        rooms = {one.room: {"files": one.files, "lines": dict(one.lines)} for one in found}
        print_json({"rooms": rooms, "lines": sum(one.lines.total() for one in found)})
        return
    kinds = [*dict.fromkeys(counting.KINDS.values()), "other"]
    counts = {
        one.room: [one.files, one.lines.total(), *(one.lines[kind] for kind in kinds)]
        for one in found
    }
    counts["in all"] = [sum(column) for column in zip(*counts.values(), strict=True)]
    cells = [[room, *(f"{count:,}" for count in row)] for room, row in counts.items()]
    how = partial(print_table, standard_output(), verb="maintain size", wide=wide)
    how("lines", ("room", "files", "lines", *kinds), cells, right=kinds, spare=kinds[::-1])


def tls(
    handshakes: Annotated[
        int, option("--handshakes N", "Consecutive handshakes with each key.", min=1)
    ] = 100,
) -> None:
    """Serve a simulated accelerator, use its keys with openssl, print a table."""
    from montcore.support.terminal import print_table
    from montcore_lab import tls as chain

    seconds = 66 + 1.5 * handshakes
    lasts = waiting.Lasts(f"in all about {duration(seconds)} of processor time", seconds)
    with steps("TLS", lasts) as step:
        rows, server = chain.handshakes(handshakes, step)
    lines = [[row.step, str(row.done), f"{row.seconds:.1f}"] for row in rows]
    lines.append(["in all", "", f"{sum(row.seconds for row in rows):.1f}"])
    console = standard_output()
    print_table(console, "TLS", ("step", "times", "seconds"), lines, prose=("step",))
    print(
        f"{server.sessions} sessions of the accelerator, {server.abandoned} abandoned; "
        f"{server.commands} commands, {server.cycles} cycles"
    )
