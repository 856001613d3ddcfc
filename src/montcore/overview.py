# SPDX-License-Identifier: Apache-2.0
"""The table of cores in the README, from measurements: ``python -m montcore.overview``.

Every registered core stands in it with its small sweep at one width. Finished figures are in the
result store, so that an interrupted run goes on where it was.
"""

import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from montcore.cores import all_cores, get_core
from montcore.cores.base import CoreConfig
from montcore.errors import CheckFailedError, RequestError
from montcore.paths import REPO_ROOT
from montcore.showcase import replace_block
from montcore.synth import synthesise

BITS = 256
MARKS = ("<!-- cores:begin -->", "<!-- cores:end -->")
HEADER = (
    *("core", "parameters", "core cycles", "interval", "kGE", "memory bits", "Tmin ns"),
    *("kGE x us", "sustained", "xc7 LUT", "xc7 DSP"),
)


def _row(name: str, config: CoreConfig) -> list[str]:
    """Measure one configuration on osu018 and xc7 and return its cells."""
    core = get_core(name)
    gates = synthesise(core, config, "osu018")
    tables = synthesise(core, config, "xc7")
    if gates.ge is None or gates.tmin_ns is None:
        raise CheckFailedError(f"{name} {config.label()} has no figures on osu018")
    if gates.core_cycles is None or gates.interval is None:
        raise CheckFailedError(f"{name} {config.label()} has no measured cycles")
    kge_us = gates.ge * gates.tmin_ns / 1e6
    settings = " ".join(f"{key}={value}" for key, value in config.settings().items())
    return [
        f"[{name}](hw/{name}/README.md)",
        settings,
        str(gates.core_cycles),
        str(gates.interval),
        f"{gates.ge / 1000:.1f}",
        str(gates.memory_bits),
        f"{gates.tmin_ns:.2f}",
        f"{kge_us * gates.core_cycles:.1f}",
        f"{kge_us * gates.interval:.1f}",
        str(tables.lut),
        str(tables.dsp),
    ]


def rows(workers: int = 2) -> Iterator[list[str]]:
    """Yield the cells of the table, a row for each configuration of each core."""
    points = [(core.name, config) for core in all_cores().values() for config in core.sweep(BITS)]
    with ProcessPoolExecutor(workers) as pool:
        yield from pool.map(_row, *zip(*points, strict=True))


def block(table: list[list[str]]) -> str:
    """Return the table in Markdown between its marks, with what it says and how to get it."""
    lines = [
        MARKS[0],
        f"Built for {BITS} bits, 256-bit products. Area and clock in osu018 (180 nm, register to",
        "register, no wires), memory macros apart; kGE x us for one product and sustained.",
        "",
        f"| {' | '.join(HEADER)} |",
        f"|{' --- |' * len(HEADER)}",
        *(f"| {' | '.join(cells)} |" for cells in table),
        "",
        "All of it again: `.venv/bin/python -m montcore.overview`; one entry:",
        f"`.venv/bin/montcore synth smm --set npe=8 --bits {BITS} --target osu018`.",
        MARKS[1],
    ]
    return "\n".join(lines)


def main() -> int:
    """Rewrite the table in the README; return the exit status."""
    table: list[list[str]] = []
    try:
        for cells in rows():
            print("  ".join(cells), flush=True)
            table.append(cells)
        readme = REPO_ROOT / "README.md"
        readme.write_text(replace_block(readme.read_text(), block(table), MARKS))
    except RequestError as error:
        print(f"montcore: {error}", file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(f"montcore: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
