# SPDX-License-Identifier: Apache-2.0
"""The README's table and picture of cores, from measurements: ``python -m montcore.overview``.

Every registered core stands in it with its small sweep at one width. Finished figures are in the
result store, so that an interrupted run goes on where it was, and one that `montcore compare` has
measured is not measured again.
"""

import sys
from collections.abc import Sequence

from montcore.compare.entry import Entry
from montcore.compare.point import plan
from montcore.compare.sweep import sweep
from montcore.compare.terminal import line, progress
from montcore.errors import CheckFailedError, RequestError
from montcore.markdown import replace_block
from montcore.markdown import table as markdown_table
from montcore.paths import REPO_ROOT

BITS = 256
PICTURE = REPO_ROOT / "docs" / "images" / f"cores-{BITS}"
TARGETS = ("osu018", "xc7")
MARKS = ("<!-- cores:begin -->", "<!-- cores:end -->")
HEADER = (
    *("core", "parameters", "core cycles", "interval", "kGE", "memory bits", "Tmin ns"),
    *("kGE x us", "sustained", "nJ", "xc7 LUT", "xc7 DSP"),
)
#: Figures of osu018, then of xc7, as they stand under `HEADER`.
_FIGURES = (
    (0, "core_cycles", "{:d}"),
    (0, "interval", "{:d}"),
    (0, "ge", "{:.1f}"),
    (0, "memory_bits", "{:d}"),
    (0, "tmin_ns", "{:.2f}"),
    (0, "kge_us", "{:.1f}"),
    (0, "kge_us_sustained", "{:.1f}"),
    (0, "energy_nj", "{:.0f}"),
    (1, "lut", "{:d}"),
    (1, "dsp", "{:d}"),
)


def row(gates: Entry, tables: Entry) -> list[str]:
    """Return the cells of one configuration from its entries on osu018 and xc7.

    A target that failed has dashes; that the point exists is not hidden.
    """
    figures = gates.figures(), tables.figures()
    if figures[0]["ge"] is not None:
        figures[0]["ge"] /= 1e3
    cells = [
        "-" if figures[target][key] is None else form.format(figures[target][key])
        for target, key, form in _FIGURES
    ]
    settings = " ".join(f"{key}={value}" for key, value in gates.params.items())
    return [f"[{gates.core}](hw/{gates.core}/README.md)", settings, *cells]


def table(entries: Sequence[Entry]) -> list[list[str]]:
    """Return the cells of every configuration, by core and in the order of its sweep."""
    by_target = [[entry for entry in entries if entry.target == target] for target in TARGETS]
    tables = {entry.label: entry for entry in by_target[1]}
    gates = sorted(by_target[0], key=lambda entry: entry.core)
    return [row(entry, tables[entry.label]) for entry in gates]


def block(cells: list[list[str]]) -> str:
    """Return the table in Markdown, with what it says and how to get it."""
    lines = [
        f"Built for {BITS} bits, {BITS}-bit products. Area and clock in osu018 (180 nm, register",
        "to register, no wires), memory macros apart; kGE x us for one product and sustained;",
        "nJ a product, sustained, cells only (no wires, clock tree, glitches, memory macros).",
        "",
        *markdown_table(HEADER, cells),
        "",
        "All of it again: `.venv/bin/python -m montcore.overview`; one entry:",
        f"`.venv/bin/montcore synth smm --set npe=8 --bits {BITS} --target osu018`.",
    ]
    return "\n".join(lines)


def main() -> int:
    """Rewrite the table in the README and the picture; return the exit status."""
    from montcore.compare.pictures import area_time  # matplotlib takes a second to load
    from montcore.plots import save

    try:
        points = plan(BITS, targets=TARGETS)
        with progress(len(points)) as done:
            entries = sweep(points, done)
        readme = REPO_ROOT / "README.md"
        readme.write_text(replace_block(readme.read_text(), block(table(entries)), MARKS))
        good = [entry for entry in entries if entry.status == "ok"]
        save(area_time([entry for entry in good if entry.target == TARGETS[0]], BITS), PICTURE)
    except RequestError as error:
        print(f"montcore: {error}", file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(f"montcore: {error}", file=sys.stderr)
        return 1
    failed = [entry for entry in entries if entry.status != "ok"]
    for entry in failed:
        print(line(entry), file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
