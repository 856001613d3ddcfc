# SPDX-License-Identifier: Apache-2.0
"""Writes the results of a comparison: results.json, results.csv and report.html."""

import csv
import html
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from string import Template
from types import MappingProxyType
from typing import Any

from montcore.compare.blocks import ALL_DIAGRAMS, diagram
from montcore.compare.budget import BOUNDED, OBJECTIVES, Choice, pareto
from montcore.compare.entry import LUT_PER_DSP, Entry
from montcore.compare.formulas import formula_text
from montcore.compare.marks import axes_of, marks_of
from montcore.compare.point import Point
from montcore.compare.units import UNITS
from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.words import settings_words
from montcore.synth.target import get_target

#: Columns of the CSV file, and of the JSON entries among others.
COLUMNS = (
    *("core", "params", "bits", "target", "status", "cycles", "interval"),
    *("ge", "ge_memory", "memory_bits", "tmin_ns", "lut", "ff", "dsp", "bram", "fmax_mhz"),
    *("wires", "memory", "tmin_ns_no_wires", "tmin_in_ns", "tmin_out_ns"),
    *("ge_flops", "tmin_flops_ns", "kge_us_flops", "kge_us_flops_sustained"),
    *("area", "latency_us", "interval_us", "products_per_second", "kge_us", "kge_us_sustained"),
    *("energy_nj", "power_mw", "dsp_us", "dsp_us_sustained"),
    *("utilisation", "utilisation_sustained", "checked", "rejected"),
    *("gate_level_checked", "command", "date", "origin", "earlier", "message"),
)

#: The scripts of the report, in this order.
SCRIPTS = ("report.js", "report_plot.js", "report_sheet.js", "report_choose.js")
#: The report's name for a multiplier's operation; for a unit it is the unit's name.
PRODUCT = "product"


def rows(entries: Sequence[Entry], choices: Sequence[Choice]) -> list[dict[str, Any]]:
    """Return every entry's figures, and whether it is on its target's front or recommended."""
    front: set[int] = set()
    for target in dict.fromkeys(entry.target for entry in entries):
        points = [entry for entry in entries if entry.target == target]
        time, area, _, _ = axes_of(target, points)
        front |= {id(entry) for entry in pareto(points, time, area)}
    best = {id(choice.entry) for choice in choices}
    return [
        {
            **entry.figures(),
            "label": entry.label,
            "front": id(entry) in front,
            "recommended": id(entry) in best,
        }
        for entry in entries
    ]


def write_json(
    path: Path,
    entries: Sequence[Entry],
    choices: Sequence[Choice],
    request: dict[str, Any],
    left_out: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Write all entries and the excluded cores as one JSON object."""
    content = {
        "request": request,
        "lut_per_dsp": LUT_PER_DSP,
        "recommendations": [choice.as_object() for choice in choices],
        "left_out": dict(left_out),
        "origins": dict(Counter(entry.origin for entry in entries)),
        "results": rows(entries, choices),
    }
    write_whole(path, json.dumps(content, indent=1) + "\n")


def write_csv(path: Path, entries: Sequence[Entry]) -> None:
    """Write one line for each point."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, extrasaction="ignore")
        writer.writeheader()
        for entry in entries:
            params = " ".join(f"{key}={value}" for key, value in entry.params.items())
            writer.writerow({**entry.figures(), "params": params})


def _shown(entry: Entry) -> dict[str, Any]:
    kept = {key: value for key, value in entry.figures().items() if value not in (None, "", {})}
    try:
        point = Point.of(entry.core, entry.params, entry.bits, entry.target, entry.wires)
        text = "" if point.unit else formula_text(point.configured())
    except RequestError:  # figures of a core or configuration that no longer exists
        text = ""
    return {
        **kept,
        "label": entry.label + " †" * entry.earlier,
        "work": entry.core if entry.unit else PRODUCT,
        "multiplier": entry.multiplier,
        "formula": text,
    }


def _axes(entries: Sequence[Entry]) -> dict[str, dict[str, dict[str, str]]]:
    found: dict[str, dict[str, dict[str, str]]] = {}
    for entry in entries:
        work = entry.core if entry.unit else PRODUCT
        if entry.target not in found.setdefault(work, {}):
            own = [one for one in entries if (one.core if one.unit else PRODUCT) == work]
            names = ("time", "area", "timeTitle", "areaTitle")
            found[work][entry.target] = dict(zip(names, axes_of(entry.target, own), strict=True))
    return found


def write_html(
    path: Path,
    entries: Sequence[Entry],
    choices: Sequence[Choice],
    request: dict[str, Any],
    left_out: Mapping[str, str] = MappingProxyType({}),
    others: Sequence[Entry] = (),
) -> None:
    """Write the report: styles, script and data in the one file.

    Args:
        others: further points that the reader can select: other widths, targets and units, and
            predictions.
    """
    folder = files("montcore.compare") / "templates"
    every = [*entries, *others]
    names = dict.fromkeys(name for entry in every for name in (entry.core, entry.multiplier))
    first = entries[0] if entries else None
    data = {
        "bits": request["bits"],
        "work": first.core if first and first.unit else PRODUCT,
        "works": {
            PRODUCT: {"title": "products", "operation": "product"},
            **{
                name: {"title": unit.title, "operation": unit.operation}
                for name, unit in UNITS.items()
            },
        },
        "objective": request["minimise"],
        **{name: request[name] for name in ("budgets", "cores", "full", "wires")},
        "objectives": OBJECTIVES,
        "units": BOUNDED,
        "axes": _axes(every),
        "marks": marks_of([entry.multiplier for entry in every]),
        "diagrams": {name: diagram(name) for name in names if name in ALL_DIAGRAMS},
        "asked": len(entries),
        "rows": [_shown(entry) for entry in every],
    }
    # A "</" inside a script element would end it.
    text = json.dumps(data).replace("</", "<\\/")
    why = "".join(
        f'<p class="{"fits" if choice.fits else "misses"}"><b>{html.escape(choice.target)}</b> '
        f"{html.escape(choice.words)}<br><code>"
        f"{html.escape(_build_command(choice.entry))}</code></p>"
        for choice in choices
    )
    why += "".join(
        f'<p class="misses"><b>{html.escape(core)}</b> is left out: {html.escape(reason)}</p>'
        for core, reason in left_out.items()
    )
    unit = UNITS.get(first.core) if first else None
    what = unit.title if unit else "Montgomery multiplication"
    page = Template((folder / "report.html").read_text(encoding="utf-8")).substitute(
        title=f"{request['bits']}-bit {what}",
        command=html.escape(request["command"]),
        date=html.escape(request["date"]),
        recommendation=why or "<p>No point could be measured.</p>",
        style=(folder / "report.css").read_text(encoding="utf-8"),
        script="\n".join((folder / name).read_text(encoding="utf-8") for name in SCRIPTS),
        data=text,
        lut_per_dsp=LUT_PER_DSP,
    )
    write_whole(path, page)


def _build_command(entry: Entry) -> str:
    settings = settings_words(entry.params.items())
    target = get_target(entry.target).words
    return f"montcore build {entry.core}{settings} --bits {entry.bits} {target} -o DIR"
