# SPDX-License-Identifier: Apache-2.0
"""Functions for the site's templates: figures of docs/cores.md, charts, commands, examples."""

import importlib.metadata
import os
import shlex
import subprocess
import sys
from functools import cache

from montcore.compare import atlas
from montcore.compare.blocks import Arrow, Box, draw
from montcore.compare.budget import cost, formula_of, parse_budget
from montcore.compare.entry import Entry
from montcore.compare.formulas import formula_text
from montcore.cores import all_cores, get_core
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.markdown import table
from montcore_lab.pages import overview, ranking
from montcore_lab.papers.ledger import Ledger
from montcore_lab.site import examples

#: The standard-cell target and the FPGA target of docs/cores.md.
_GATES, _TABLES = overview.TARGETS
_SUSTAINED = "{kge_us_flops_sustained:.1f} kGE us"
#: A criterion; the target, objective and budget of `recommend` for it; the figure shown.
WANTS = (
    ("ASIC: least area", _GATES, "area", "", "{area:,.0f} GE"),
    ("ASIC: shortest time of one product", _GATES, "latency", "", "{latency_us:.3f} us"),
    ("ASIC: the same in 60 kGE", _GATES, "latency", "area<=60000", "{latency_us:.3f} us"),
    ("ASIC: most products for the area", _GATES, "area-time", "", _SUSTAINED),
    ("ASIC: the same in 60 kGE", _GATES, "area-time", "area<=60000", _SUSTAINED),
    ("ASIC: least energy", _GATES, "energy", "", "{energy_nj:.0f} nJ a product"),
    ("FPGA: fewest tables and blocks", _TABLES, "area", "", "{lut:,} LUT, {dsp} DSP"),
    ("FPGA: fewest cycles of one product", _TABLES, "latency", "", "{cycles} cycles"),
    ("FPGA: most products for the area", _TABLES, "area-time", "", "every {interval} cycles"),
    (
        "FPGA: the same without DSP blocks",
        _TABLES,
        "area-time",
        "dsp<=0",
        "every {interval} cycles",
    ),
)


@cache
def _entries() -> tuple[tuple[Entry, bool], ...]:
    """Return the points of docs/cores.md, and whether each is out of date; cells have wires."""
    ledger = Ledger.load()
    tables = [subject for subject in overview.subjects() if subject.target == _TABLES]
    return (*overview.entries(ledger, ranking.subjects()), *overview.entries(ledger, tables))


def best(target: str, objective: str, budget: str = "") -> tuple[Entry, bool]:
    """Return the point of docs/cores.md that `recommend` selects, and if it is out of date.

    Args:
        target: the target.
        objective: as for `recommend --minimise`.
        budget: as for `recommend --budget`; empty for none.

    Raises:
        CheckFailedError: nothing is measured.
    """
    bound = parse_budget(budget) if budget else None
    here = [(entry, stale) for entry, stale in _entries() if entry.target == target]
    formula = formula_of((entry for entry, _ in here), objective)
    ranked = [
        (value, stale, entry)
        for entry, stale in here
        if (bound is None or bound.excess(entry) == 0)
        and (value := cost(entry, formula)) is not None
    ]
    if not ranked:
        raise CheckFailedError(f"docs/cores.md has no figure for {objective} on {target}")
    _, stale, entry = min(ranked, key=lambda item: item[0])
    return entry, stale


def _leaf(target: str, objective: str, budget: str, words: str) -> tuple[str, str]:
    entry, stale = best(target, objective, budget)
    shown = words.format(**entry.figures())
    return entry.label, shown + (f" {overview.STALE}" if stale else "")


def choice_table() -> str:
    """Return the best core for each criterion, with its figure, as a table."""
    rows = []
    for want, target, objective, budget, words in WANTS:
        label, figure = _leaf(target, objective, budget, words)
        asked = f" --budget '{budget}'" if budget else ""
        core = label.split()[0]
        rows.append(
            [
                want,
                f"[{label}]({_datasheet(core)})",
                figure,
                f"`recommend --bits 256 --targets {target} --minimise {objective}{asked}`",
            ]
        )
    return "\n".join(table(("criterion", "core", "figure at 256 bits", "command"), rows))


def unit_table() -> str:
    """Return the exponentiators and curve engines of the atlas at 256 bits, fastest first."""
    found = [
        entry
        for entry in atlas.current().marked()
        if entry.multiplier != entry.core and entry.bits == overview.BITS
    ]
    found.sort(key=lambda entry: (entry.core, entry.target, entry.cycles or 0))
    rows = [
        [
            entry.label + f" {overview.STALE}" * entry.earlier,
            entry.target,
            f"{entry.cycles:,}",
            f"{entry.sign_cycles:,}" if entry.sign_cycles else "",
            f"{entry.area:,.0f} GE" if entry.ge else f"{entry.lut:,} LUT, {entry.dsp} DSP",
        ]
        for entry in found
    ]
    heads = ("unit", "target", "cycles", "cycles to sign", "area")
    return "\n".join(table(heads, rows)) if rows else "*No valid point at present.*"


def choice_chart() -> str:
    """Return `choice_table` as a decision chart, in SVG."""
    boxes = [Box("start", 0, 4.5, ("256-bit products", "target?"), "port")]
    arrows = []
    for kind, column_row, target in (("ASIC", 2.5, _GATES), ("FPGA", 7.5, _TABLES)):
        boxes.append(Box(kind, 1, column_row, (kind, f"figures of {target}"), "port"))
        arrows.append(Arrow("start", kind))
    for row, (want, target, objective, budget, words) in enumerate(WANTS):
        kind, _, wanted = want.partition(": ")
        label, figure = _leaf(target, objective, budget, words)
        boxes.append(Box(f"w{row}", 2, row, _wrapped(wanted), "memory"))
        boxes.append(Box(f"l{row}", 3, row, (*_wrapped(label), figure), "core"))
        arrows += [Arrow(kind, f"w{row}"), Arrow(f"w{row}", f"l{row}")]
    return draw(boxes, arrows, "Which core to choose, by criterion")


def _wrapped(text: str) -> tuple[str, ...]:
    """Return a text in at most two lines, broken near the middle."""
    words = text.split()
    if len(text) <= 20 or len(words) < 2:
        return (text,)
    cut = min(range(1, len(words)), key=lambda n: abs(len(" ".join(words[:n])) - len(text) / 2))
    return " ".join(words[:cut]), " ".join(words[cut:])


def figure(core: str, name: str, target: str = _GATES, form: str = "{:.1f}", **params: str) -> str:
    """Return a figure of docs/cores.md, with a mark if it is out of date.

    Raises:
        CheckFailedError: there is no such figure.
    """
    for entry, stale in _entries():
        own = entry.core == core and entry.target == target
        if own and all(entry.params.get(key) == value for key, value in params.items()):
            value = entry.figures()[name]
            if value is not None:
                return form.format(value) + (f" {overview.STALE}" if stale else "")
    raise CheckFailedError(f"docs/cores.md has no {name} of {core} {params} on {target}")


def _datasheet(core: str) -> str:
    """Return the path of a core's datasheet from the pages of the site."""
    return f"../../{get_core(core).folder().relative_to(REPO_ROOT)}/README.md"


def core_list() -> str:
    """Return every registered core with its description and origin."""
    rows = [
        [f"[{name}]({_datasheet(name)})", core.title, core.paper]
        for name, core in all_cores().items()
    ]
    return "\n".join(table(("core", "architecture", "source"), rows))


def shell(command: str, lines: int = 0) -> str:
    """Run a command of the tool and return it with its output, as a block of a page.

    Args:
        command: begins with ``montcore``.
        lines: number of lines shown; 0 for all.

    Raises:
        CheckFailedError: it failed.
    """
    program, *words = shlex.split(command)
    assert program == "montcore", command
    done = subprocess.run(
        [sys.executable, "-m", "montcore", *words],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "COLUMNS": "84"},
    )
    if done.returncode:
        raise CheckFailedError(f"{command}: {done.stderr.strip()}")
    shown = done.stdout.rstrip().splitlines()
    cut = [*shown[:lines], "..."] if lines and len(shown) > lines else shown
    return "\n".join(["```console", f"$ {command}", *cut, "```"])


def theory(core: str) -> str:
    """Return picture, cycle formula and worked example of an architecture."""
    about = get_core(core)
    small, wide = (about.configure({}, bits) for bits in (256, 512))
    cycles = ", ".join(
        f"{item.core_cycles(item.bits)} at {item.bits} bits" for item in (small, wide)
    )
    return "\n".join(
        [
            f"![Block diagram of {core}](images/blocks-{core}.svg)",
            "",
            f"Cycles from start to done in the datapath, for a modulus of L bits "
            f"({small.label() or 'as built by default'}): `{formula_text(small)}`. "
            f"That is {cycles}. Details are in the datasheet of [{core}]({_datasheet(core)}).",
            "",
            examples.markdown(core),
        ]
    )


def release() -> str:
    """Return the version of this package."""
    return importlib.metadata.version("montcore")
