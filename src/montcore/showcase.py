# SPDX-License-Identifier: Apache-2.0
"""What `make run` shows: ``python -m montcore.showcase``.

Verifies smm, measures it for npe = 1 to 8 beside its paper, draws the picture and writes a bundle
that passes its own test elsewhere. Finished figures are in the result store, so that an
interrupted run goes on where it was.

``--datasheet`` rewrites the measured table of hw/smm/README.md and docs/images instead.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.table import Table

from montcore.bundle import BenchOutcome, build, run_bundle_test
from montcore.cores import get_core
from montcore.errors import CheckFailedError, RequestError
from montcore.fields import FIELDS, get_field
from montcore.papers import smm2021
from montcore.paths import HW_DIR, REPO_ROOT, VECTORS_DIR
from montcore.sim.build import RtlBuild
from montcore.synth import synthesise
from montcore.synth.check import measure_cycles
from montcore.terminal import output
from montcore.verify import VerifyResult, verify
from montcore.workers import worker_pool

OUT = REPO_ROOT / "out"
DATASHEET = HW_DIR / "smm" / "README.md"
NPES = tuple(column.npe for column in smm2021.COLUMNS)
VECTOR_FILES = ("openssl-bnmod.txt", "boringssl-p256-montgomery.txt")
RANDOM_PRODUCTS = 200
WORKERS = 2
_MARKS = ("<!-- measured:begin -->", "<!-- measured:end -->")


@dataclass(frozen=True)
class Row:
    """Measured figures of smm, built for 521 bits at w = 32, for one npe.

    Attributes:
        npe: number of processing elements.
        core_cycles: of the fast schedule, for each of the paper's lengths.
        intervals: cycles between results, likewise.
        paper_cycles: of the paper's schedule in our RTL, likewise.
        ge: area in gate equivalents, memory macros apart.
        memory_bits: bits of the memory macros.
        ge_memory: memory macros in gate equivalents.
        tmin_ns: shortest clock period.
        seconds: wall time of the measurement, if it was not in the result store.
    """

    npe: int
    core_cycles: tuple[int, ...]
    intervals: tuple[int, ...]
    paper_cycles: tuple[int, ...]
    ge: float
    memory_bits: int
    ge_memory: float
    tmin_ns: float
    seconds: float

    def millions_per_second(self, period_ns: float, length: int = 256) -> float:
        """Return products in millions a second, back to back, at a clock period."""
        return 1e3 / (period_ns * self.intervals[smm2021.LENGTHS.index(length)])

    @property
    def kge_us(self) -> float:
        """Area times time of one 256-bit product from start to done, in kGE us."""
        cycles = self.core_cycles[smm2021.LENGTHS.index(256)]
        return self.ge * self.tmin_ns * cycles / 1e6

    @property
    def per_second_per_ge(self) -> float:
        """256-bit products a second for each gate equivalent, back to back at Tmin."""
        return self.millions_per_second(self.tmin_ns) * 1e6 / self.ge


def measure(npe: int) -> Row:
    """Measure one npe: synthesis, and cycles by simulation for both schedules.

    Raises:
        CheckFailedError: a product is wrong, or a tool failed.
        RequestError: a tool is missing.
    """
    start = time.monotonic()
    core = get_core("smm")
    bits = smm2021.BUILT_BITS
    config = core.configure({"npe": str(npe), "w": str(smm2021.WORD_BITS)}, bits)
    paper = core.configure(
        {"npe": str(npe), "w": str(smm2021.WORD_BITS), "schedule": "paper"}, bits
    )
    results = [synthesise(core, config, "osu018", length=length) for length in smm2021.LENGTHS]
    last = results[-1]
    if last.ge is None or last.tmin_ns is None or last.ge_memory is None:
        raise CheckFailedError(f"the synthesis of npe = {npe} gave no area or clock")
    return Row(
        npe,
        tuple(_known(result.core_cycles) for result in results),
        tuple(_known(result.interval) for result in results),
        tuple(_paper_cycles(paper, length) for length in smm2021.LENGTHS),
        last.ge,
        last.memory_bits,
        last.ge_memory,
        last.tmin_ns,
        time.monotonic() - start,
    )


def _known(cycles: int | None) -> int:
    if cycles is None:
        raise CheckFailedError("the simulation gave no cycle count")
    return cycles


def _paper_cycles(config: Any, length: int) -> int:
    """Return the cycles of the paper's schedule by simulation.

    Raises:
        CheckFailedError: they are not those of the paper's formula.
    """
    core = get_core("smm")
    rtl = RtlBuild.of_core(core, config)
    measured = measure_cycles(core, config, length, config.npe, rtl).core_cycles
    if measured != core.core_cycles(config, length):
        raise CheckFailedError(
            f"{config.label()}: a product of {length} bits takes {measured} cycles, "
            f"the paper's formula says {core.core_cycles(config, length)}"
        )
    return measured


def measure_all(
    npes: Sequence[int], done: Callable[[Row], None], workers: int = WORKERS
) -> list[Row]:
    """Measure several npe, some at a time, largest first; call `done` with each as it comes.

    Raises:
        CheckFailedError, RequestError: as `measure`; what was finished stays in the result store.
    """
    rows = []
    with worker_pool(workers) as pool:
        waiting = [pool.submit(measure, npe) for npe in sorted(npes, reverse=True)]
        for future in as_completed(waiting):
            rows.append(future.result())
            done(rows[-1])
    return sorted(rows, key=lambda row: row.npe)


def verify_records(name: str) -> tuple[str, VerifyResult]:
    """Verify smm, npe = 4, on a vector file; return what was done and the result."""
    core = get_core("smm")
    path = VECTORS_DIR / name
    bits = _bits_for(path)
    result = verify(core, core.configure({"npe": "4"}, bits), vectors=path, processes=1)
    return f"records of {name}, L = {bits}", result


def verify_field(name: str) -> tuple[str, VerifyResult]:
    """Verify smm, npe = 4, on a field's prime; one core, built for 521 bits, serves them all."""
    core, field = get_core("smm"), get_field(name)
    config = core.configure({"npe": "4"}, smm2021.BUILT_BITS)
    result = verify(core, config, field=field, random_count=RANDOM_PRODUCTS, seed=2021, processes=1)
    return f"{name}: edges and {RANDOM_PRODUCTS} random products", result


def verify_step(console: Console) -> bool:
    """Verify smm on the records of others and on random operands; return whether all is well."""
    table = Table("what", "checked", "refused", "failed", "cycles")
    good = True
    jobs = [(verify_records, name) for name in VECTOR_FILES]
    jobs += [(verify_field, field.name) for field in FIELDS]
    with _bar(console, "verifying", len(jobs)) as step, worker_pool(WORKERS) as pool:
        waiting = [pool.submit(job, name) for job, name in jobs]
        for future in waiting:
            what, result = future.result()
            step(what)
            good = good and result.failed == 0 and result.checked > 0
            cycles = "" if result.cycles_min is None else str(result.cycles_min)
            numbers = (str(n) for n in (result.checked, result.rejected, result.failed))
            table.add_row(what, *numbers, cycles, style="" if result.failed == 0 else "bold red")
            for failure in result.failures:
                console.print(f"FAILED: {failure.what}\n  again: {failure.command}", markup=False)
    console.print(table)
    return good


def _bits_for(path: Path) -> int:
    """Return the built width that the records of a vector file need."""
    from montcore.vectors import read_products

    return max(record.m.bit_length() for record in read_products(path))


def npe_table(rows: Sequence[Row]) -> tuple[list[str], list[list[str]]]:
    """Return the header and the lines of the npe table, ours and the paper's under each other."""
    header = ["npe", "", *(f"{length}" for length in smm2021.LENGTHS)]
    header += ["kGE", "RAM kbit", "Tmin ns", "M/s at 1/Tmin", "M/s at 100 MHz", "/s/GE", "kGE us"]
    lines = []
    for row in rows:
        column = smm2021.column(row.npe)
        at_tmin, slow = row.millions_per_second(row.tmin_ns), row.millions_per_second(10)
        lines.append(
            [
                str(row.npe),
                "ours",
                *(str(cycles) for cycles in row.core_cycles),
                f"{row.ge / 1e3:.1f}",
                f"{row.memory_bits / 1e3:.1f}",
                f"{row.tmin_ns:.2f}",
                f"{at_tmin:.2f}",
                f"{slow:.2f}",
                f"{row.per_second_per_ge:.0f}",
                f"{row.kge_us:.1f}",
            ]
        )
        schedule = [str(cycles) for cycles in row.paper_cycles]
        lines.append(["", "ours, paper's schedule", *schedule, *[""] * 7])
        paper_tmin = smm2021.TMIN_NS
        paper_cycles = column.cycles_at(256)
        assert paper_cycles is not None
        paper_rate = 1e3 / (paper_tmin * paper_cycles)
        lines.append(
            [
                "",
                "paper",
                *("-" if cycles is None else str(cycles) for cycles in column.cycles),
                f"{column.kge:.1f}",
                f"{column.ram_kbits:.1f}",
                f"{paper_tmin:.0f}",
                f"{paper_rate:.2f}",
                f"{column.millions_per_second:.2f}",
                f"{paper_rate * 1e3 / column.kge:.0f}",
                f"{column.kge * paper_cycles * paper_tmin / 1e3:.1f}",
            ]
        )
    return header, lines


def print_table(console: Console, rows: Sequence[Row]) -> None:
    """Print the npe table in two halves, so that it fits into 80 columns."""
    header, lines = npe_table(rows)
    first = 2 + len(smm2021.LENGTHS)
    _print_half(console, "cycles of a product, by bits", header[:first], lines)
    without_cycles = [line[:2] + line[first:] for line in lines if any(line[first:])]
    _print_half(console, "area and speed, 256 bits", header[:2] + header[first:], without_cycles)
    console.print(
        "Cycles: RTL simulation, start to done. Area: logic, all registers and the port included; "
        "memory apart. Rates: 256-bit products back to back (ours), one at a time (the paper).",
        style="dim",
    )


def _print_half(
    console: Console, title: str, header: Sequence[str], lines: Sequence[Sequence[str]]
) -> None:
    table = Table(title=f"smm, L = 521, w = 32: {title}", title_justify="left")
    for name in header:
        table.add_column(name, justify="left" if name == "" else "right")
    for line in lines:
        style = {"ours": "bold cyan", "paper": "yellow"}.get(line[1], "green")
        table.add_row(*line[: len(header)], style=style, end_section=line[1] == "paper")
    console.print(table)


def draw(rows: Sequence[Row], stem: Path) -> tuple[Path, Path]:
    """Draw the picture; return the paths of PNG and SVG."""
    from montcore.plots import Point, npe_figure, save  # matplotlib takes a second to load

    where = smm2021.LENGTHS.index(256)
    points = [
        Point(
            row.npe,
            row.core_cycles[where],
            row.paper_cycles[where],
            row.intervals[where],
            row.ge,
            row.ge_memory,
            row.tmin_ns,
        )
        for row in rows
    ]
    return save(npe_figure(points), stem)


def bundle_step(console: Console, output: Path) -> BenchOutcome:
    """Write the bundle of the README and run its test on a copy outside of the checkout."""
    core, field = get_core("smm"), get_field("p256r1")
    shutil.rmtree(output, ignore_errors=True)
    with console.status("building") as status:
        result = build(
            core,
            core.configure({"npe": "4"}, field.bits),
            output,
            field=field,
            progress=lambda text: status.update(text),
        )
        with tempfile.TemporaryDirectory() as elsewhere:
            copy = Path(shutil.copytree(output, Path(elsewhere) / result.name))
            status.update("testing a copy outside of the checkout")
            return run_bundle_test(copy)


@contextmanager
def _bar(console: Console, text: str, total: int) -> Iterator[Callable[[str], None]]:
    """Show a progress bar; yield what moves it by one step and names the step that ended."""
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as progress:
        task = progress.add_task(text, total=total)

        def step(_: str) -> None:
            progress.advance(task)

        yield step


def _measure_step(console: Console) -> list[Row]:
    """Measure all npe, printing each as it comes."""
    with _bar(console, "measuring", len(NPES)) as step:

        def done(row: Row) -> None:
            console.print(
                f"  npe {row.npe}: {row.ge / 1e3:6.1f} kGE  {row.tmin_ns:5.2f} ns  "
                f"{row.core_cycles[2]:4d} cycles  {row.kge_us:5.1f} kGE us  ({row.seconds:.0f} s)",
                highlight=False,
            )
            step("")

        return measure_all(NPES, done)


def show(console: Console) -> int:
    """Run all steps and return the exit status."""
    start = time.monotonic()
    console.rule("[bold]1. Verification: smm, npe = 4, records of others and random products")
    good = verify_step(console)
    console.rule("[bold]2. npe = 1 to 8: cycles, area, clock beside the paper's")
    rows = _measure_step(console)
    print_table(console, rows)
    console.rule("[bold]3. The picture")
    png, svg = draw(rows, OUT / "smm-npe")
    console.print(f"{png.relative_to(REPO_ROOT)}, {svg.relative_to(REPO_ROOT)}")
    console.rule("[bold]4. A bundle: montcore build smm --set npe=4 --field p256r1 -o DIR")
    folder = OUT / "smm_p256r1_npe4"
    outcome = bundle_step(console, folder)
    line = f"{outcome.passed} passed, {outcome.failed} failed"
    console.print(f"{folder.relative_to(REPO_ROOT)}: its own test, in a copy elsewhere: {line}")
    console.rule("[bold]Summary")
    good = good and outcome.failed == 0 and outcome.passed > 0
    best = min(rows, key=lambda row: row.kge_us)
    console.print(
        f"verification and bundle: {'all passed' if good else 'FAILED'}\n"
        f"least area x time: npe {best.npe}, {best.kge_us:.1f} kGE us for 256 bits\n"
        f"picture: {png.relative_to(REPO_ROOT)}\nbundle:  {folder.relative_to(REPO_ROOT)}\n"
        f"took {(time.monotonic() - start) / 60:.1f} minutes",
        highlight=False,
    )
    return 0 if good else 1


def datasheet_block(rows: Sequence[Row]) -> str:
    """Return the measured part of the datasheet, Markdown between its marks."""
    header, lines = npe_table(rows)
    table = [
        f"| {' | '.join(name or 'schedule' for name in header)} |",
        f"|{' --- |' * len(header)}",
        *(f"| {' | '.join(line)} |" for line in lines),
    ]
    return "\n".join([_MARKS[0], *table, _MARKS[1]])


def replace_block(text: str, block: str, marks: tuple[str, str] = _MARKS) -> str:
    """Return a page with the part between its marks replaced.

    Raises:
        CheckFailedError: the page does not have both marks.
    """
    before, first, rest = text.partition(marks[0])
    _, second, after = rest.partition(marks[1])
    if not first or not second:
        raise CheckFailedError(f"the page lacks the marks {marks[0]} and {marks[1]}")
    return before + block + after


def refresh_documents(console: Console) -> int:
    """Rewrite the datasheet's table, its timing diagram and the picture from measurements."""
    from montcore.diagram import smm_timing

    rows = _measure_step(console)
    page = DATASHEET.read_text(encoding="utf-8")
    DATASHEET.write_text(replace_block(page, datasheet_block(rows)), encoding="utf-8")
    images = REPO_ROOT / "docs" / "images"
    written = [DATASHEET, *draw(rows, images / "smm-npe"), smm_timing(images / "smm-timing.svg")]
    for path in written:
        console.print(str(path.relative_to(REPO_ROOT)))
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the showcase; exit status 0 all well, 1 a check failed, 2 something is missing."""
    parser = argparse.ArgumentParser(prog="python -m montcore.showcase")
    parser.add_argument(
        "--datasheet", action="store_true", help="rewrite the measured parts of the documents"
    )
    chosen = parser.parse_args(arguments)
    console = output()
    try:
        return refresh_documents(console) if chosen.datasheet else show(console)
    except KeyboardInterrupt:
        console.print("interrupted; what was measured is kept, and the next run goes on from there")
        return 130
    except RequestError as error:
        print(error, file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
