# SPDX-License-Identifier: Apache-2.0
"""Terminal output of `montcore compare` and `montcore recommend`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial

from rich.console import Console
from rich.text import Text

from montcore.compare.budget import Choice, amount, formula_words
from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.compare.predict import ORIGIN as PREDICTED
from montcore.compare.sweep import Done
from montcore.support import waiting
from montcore.support.terminal import print_table, print_words
from montcore.synth.options import NONE

_FIGURES = (
    ("latency", "cycles", "{:,.0f}"),
    ("interval", "interval", "{:,.0f}"),
    ("sign", "sign_cycles", "{:,.0f}"),
    ("verify", "verify_cycles", "{:,.0f}"),
    ("GE", "ge", "{:,.0f}"),
    ("mem. GE", "ge_memory", "{:,.0f}"),
    ("Tmin ns", "tmin_ns", "{:.2f}"),
    ("no wires", "tmin_ns_no_wires", "{:.2f}"),
    ("LUT", "lut", "{:,.0f}"),
    ("FF", "ff", "{:,.0f}"),
    ("DSP", "dsp", "{:,.0f}"),
    ("fmax MHz", "fmax_mhz", "{:.1f}"),
    ("kGE us, flops", "kge_us_flops", "{:.2f}"),
    ("kGE us", "kge_us", "{:.2f}"),
    ("sustained", "kge_us_sustained", "{:.2f}"),
    ("nJ", "energy_nj", "{:.1f}"),
    ("signs/s", "signatures_per_second", "{:,.0f}"),
    ("use", "utilisation_sustained", "{:.0%}"),
)
#: What a narrow table leaves out, in this order.
_SPARE = (
    *("checked", "use", "no wires", "kGE us, flops", "nJ", "sustained", "FF", "mem. GE"),
    *("verify", "interval", "DSP"),
)
#: What a dagger and a star behind a point mean.
EARLIER = "† measured on earlier sources or by an earlier flow"
BEST = "* recommended below"


def line(entry: Entry) -> str:
    """Return one line about a point, to print when it completes."""
    if entry.status != "ok":
        return f"{entry.label} on {entry.target}: FAILED: {entry.message}"
    figures = entry.figures()
    shown = [
        f"{title} {form.format(figures[key])}"
        for title, key, form in _FIGURES
        if figures[key] is not None
    ]
    return f"{entry.label} on {entry.target}: {', '.join(shown)}"


@contextmanager
def progress(points: Iterable[Point]) -> Iterator[Done]:
    """Show each point as it is measured; yield the function that reports it."""
    missing, measured = len(set(points)), 0
    words = f"gathering the figures of {missing} point{'s' * (missing != 1)}"
    with waiting.waiting(words, waiting.Lasts("some seconds")):

        def done(point: Point, entry: Entry, running: int) -> None:
            nonlocal missing, measured
            if running < 0:
                missing -= 1
                return
            measured += 1
            words = f"{measured} of {missing}: {line(entry)}"
            waiting.say(words, "" if entry.status == "ok" else "red")

        yield done


def print_entries(
    console: Console, entries: Sequence[Entry], choices: Sequence[Choice], *, wide: bool = False
) -> None:
    """Print a table for each target, best first, the recommended marked; `wide`: all columns."""
    best = {id(choice.entry) for choice in choices if choice.fits}
    for target in dict.fromkeys(entry.target for entry in entries):
        points = [entry for entry in entries if entry.target == target]
        figures = [entry.figures() for entry in points]
        shown = [item for item in _FIGURES if any(one[item[1]] is not None for one in figures)]
        numbers = [*(title for title, _, _ in shown), "checked"]
        rows: list[list[str]] = []
        styles = []
        for entry in sorted(points, key=lambda entry: entry.interval or entry.cycles or 1 << 60):
            if entry.status != "ok":
                rows.append([f"{entry.label} (failed)", *("" for _ in numbers)])
                styles.append("red")
                continue
            own = entry.figures()
            cells = ["" if own[key] is None else form.format(own[key]) for _, key, form in shown]
            mark = " *" if id(entry) in best else ""
            rows.append([entry.label + " †" * entry.earlier + mark, *cells, str(entry.checked)])
            styles.append("bold green" if mark else "")
        wires = ", without wires" if {entry.wires for entry in points} == {NONE} else ""
        title = f"{points[0].bits} bits on {target}{wires}"
        first = "core and parameters"
        how = partial(print_table, spare=_SPARE, verb="compare", wide=wide, styles=styles)
        how(console, title, [first, *numbers], rows, right=numbers, prose=[first])
    if any(entry.earlier for entry in entries):
        print_words(console, EARLIER)
    if best:
        print_words(console, BEST)
    for entry in entries:
        if entry.status != "ok":
            print_words(console, line(entry), "red")


def print_left_out(console: Console, left_out: Mapping[str, str]) -> None:
    """Name the cores that do not offer the width."""
    for core, reason in left_out.items():
        print_words(console, f"{core} is left out: {reason}", "yellow")


def print_choices(console: Console, choices: Sequence[Choice]) -> None:
    """Print the recommendation of each target in words."""
    for choice in choices:
        style = "green" if choice.fits else "yellow"
        text = Text(f"{choice.target}: ", style=f"bold {style}").append(choice.words, style="none")
        console.print(text, highlight=False)
        rows = [
            [
                entry.label,
                amount(entry, choice.formula).partition(" with")[0],
                _cycles(entry),
                _known(entry),
            ]
            for entry in choice.best
        ]
        heads = ["the best", formula_words(choice.formula), "cycles", "known"]
        if heads[1] == heads[2]:
            heads, rows = [heads[0], *heads[2:]], [[row[0], *row[2:]] for row in rows]
        print_table(console, "", heads, rows, right=heads[1:-1], prose=heads[:1])
        if choice.entry.origin != "measured" or choice.entry.earlier:
            print_words(console, f"to measure the first one here: {choice.entry.command}")


def _cycles(entry: Entry) -> str:
    return f"{entry.cycles or 0:,}" + (f", every {entry.interval:,}" if entry.interval else "")


def _known(entry: Entry) -> str:
    if entry.origin == PREDICTED:
        return f"predicted, +-{max(entry.errors.values(), default=0.0):.0%}"
    return f"{'earlier,' if entry.earlier else 'measured'} {entry.date[:10]}"
