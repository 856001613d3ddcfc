# SPDX-License-Identifier: Apache-2.0
"""What `make run` shows: ``python -m montcore_lab.cli.showcase [--all]``.

Compares every core at 256 bits on osu018 and xc7 by the figures of the atlas, writes the report,
and takes the core that is recommended: measures it on this machine and compares that with the
atlas, checks it on products that others published, builds it, and runs its own test in a copy
elsewhere. What the atlas lacks is measured first. With ``--all`` everything is measured. Finished
figures are in the result store, so that an interrupted run resumes.
"""

import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from montcore.cli.output import steps
from montcore.support import waiting
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import REPO_ROOT
from montcore.support.terminal import output
from montcore.support.workers import worker_pool
from montcore_lab.papers.page import print_rule

if TYPE_CHECKING:
    from montcore.bundle import BenchOutcome
    from montcore.compare.budget import Choice
    from montcore.compare.entry import Entry
    from montcore.compare.point import Point
    from montcore.compare.run import Comparison, Request
    from montcore.verification.checker import VerifyResult

BITS = 256
#: Set of vectors that the recommended core is checked on: X Y R^-1 mod p and mod n of P-256.
RECORDS = "boringssl-p256-montgomery"
#: Budget of the recommended core: gate equivalents, or look-up tables with each DSP block as 100.
BUDGET = "area<=60000"
WORKERS = 2


@dataclass(frozen=True)
class ShowcaseOutcome:
    """What was shown.

    Attributes:
        comparison: every point, the recommendations and the files of the report.
        records: check of the recommended core on published products.
        bench: what the bundle's own test said.
        bundle: the bundle's folder.
        disagreements: where a measurement on this machine is not what the atlas says.
    """

    comparison: "Comparison"
    records: "VerifyResult"
    bench: "BenchOutcome"
    bundle: Path
    disagreements: tuple[str, ...] = ()

    @property
    def good(self) -> bool:
        """Whether all that was measured and tested is right."""
        return (
            self.records.failed == 0
            and self.records.checked > 0
            and self.comparison.failed == 0
            and self.bench.failed == 0
            and self.bench.passed > 0
            and not self.disagreements
        )


def show(
    console: Console,
    request: "Request",
    folder: Path,
    records: str | Path = RECORDS,
    *,
    everything: bool = False,
) -> ShowcaseOutcome:
    """Compare, recommend, measure, check, build and test.

    Args:
        console: where to.
        request: what is compared; the core recommended for its first target is built.
        folder: for the report and the bundle.
        records: set or file of published products.
        everything: measure every point, whatever the atlas has.

    Raises:
        CheckFailedError, RequestError: as `compare` and `build`.
    """
    from montcore.compare.atlas import origins, recall
    from montcore.compare.measure import with_flip_flops
    from montcore.compare.point import Point, survey
    from montcore.compare.run import compare
    from montcore.compare.terminal import print_choices, print_entries, progress

    print_rule(console, f"1. Every core, {request.bits} bits: {request.command}")
    points = survey(request.bits, cores=request.cores, targets=request.targets).points
    known = recall(points, from_atlas=not everything)
    words = origins(list(known.entries.values()), len(known.missing))
    if known.missing:
        words += "; what is missing is measured now, which may take long"
    console.print(words, highlight=False)

    def answered(found: "Comparison") -> None:
        print_entries(console, found.entries, found.choices)
        print_choices(console, found.choices)

    with progress(points) as done:
        comparison = compare(
            request,
            folder / "report",
            done,
            workers=WORKERS,
            from_atlas=not everything,
            answered=answered,
        )
    if not comparison.choices:
        raise CheckFailedError("no point could be measured, so that no core can be recommended")
    choice = _preferred(comparison.choices)
    entry = choice.entry
    point = Point.of(entry.core, entry.params, request.bits, entry.target, entry.wires)

    print_rule(console, f"2. The recommended core: {point.label}")
    bundle = folder / "core"
    shutil.rmtree(bundle, ignore_errors=True)
    # Synthesis keeps one processor busy for minutes. The checks take the other, and then the second
    # netlist of the measurement.
    with worker_pool(1) as pool:
        beside = pool.submit(_checked_and_built, point, bundle, records)
        twice = entry.ge_flops is not None and not _hindrance(point)
        flops = pool.submit(with_flip_flops, point) if twice else None
        differing = _measured_here(console, point, entry)
        with steps(f"checking it on {records}, building and testing it"):
            checked, bench = beside.result()
            if flops is not None:
                flops.result()
    console.print(
        f"products of {records}: {checked.checked} checked, {checked.rejected} refused "
        f"as they must be, {checked.failed} failed\n"
        f"its bundle's own test, in a copy elsewhere: {bench.passed} passed, {bench.failed} failed",
        highlight=False,
    )
    return ShowcaseOutcome(comparison, checked, bench, bundle, differing)


def _checked_and_built(
    point: "Point", bundle: Path, records: str | Path
) -> "tuple[VerifyResult, BenchOutcome]":
    """Check a core on published products, build it, and test a copy outside of the checkout.

    Raises:
        CheckFailedError, RequestError: as `verify` and `build`.
    """
    from montcore.bundle import build, run_bundle_test
    from montcore.verification.run import verify

    core = point.configured()
    checked = verify(core, vectors=records, processes=1)
    build(core, bundle, target=point.target)
    with tempfile.TemporaryDirectory() as elsewhere:
        copy = Path(shutil.copytree(bundle, Path(elsewhere) / "copy"))
        # Icarus Verilog needs minutes for the largest cores.
        return checked, run_bundle_test(copy, "verilator")


def _hindrance(point: "Point") -> str:
    """Return why this machine cannot measure a point; empty if it can."""
    from montcore.synth.target import check_target

    try:
        check_target(point.target)
    except RequestError as error:
        return str(error)
    return ""


def _measured_here(console: Console, point: "Point", entry: "Entry") -> tuple[str, ...]:
    """Measure a point that is out of the atlas; return where this machine finds other figures.

    Raises:
        CheckFailedError, RequestError: as `compare`.
    """
    from montcore.compare.atlas import ORIGIN, differences
    from montcore.compare.sweep import sweep

    if entry.origin != ORIGIN:
        return ()
    if hindrance := _hindrance(point):
        console.print(f"not measured on this machine: {hindrance}", highlight=False)
        return ()
    start = time.monotonic()
    with steps(f"measuring it on this machine: {point.command}"):
        (found,) = sweep([point], lambda *_: None, workers=1, from_atlas=False)
    if found.status != "ok":
        raise CheckFailedError(found.message)
    differing = differences(found, entry)
    took = f"measured on this machine in {time.monotonic() - start:.0f} s"
    agrees = f"differs from the atlas in {'; '.join(differing)}" if differing else "as in the atlas"
    if differing and entry.earlier:
        agrees += "; a difference is expected, as that figure is of earlier sources"
    console.print(f"{took}: {agrees}", highlight=False)
    return () if entry.earlier else tuple(differing)


def _preferred(choices: "tuple[Choice, ...]") -> "Choice":
    """Return the choice of the target with a clock, the first one otherwise."""
    return next((item for item in choices if item.entry.period_ns is not None), choices[0])


def main() -> int:
    """Run the showcase; exit status 0 all well, 1 a check failed, 2 something is missing."""
    from montcore.compare.budget import parse_budget
    from montcore.compare.run import Request

    console = output()
    waiting.switch_on()
    start = time.monotonic()
    folder = REPO_ROOT / "out"
    try:
        request = Request(BITS, targets=("osu018", "xc7"), budgets=(parse_budget(BUDGET),))
        found = show(console, request, folder, everything="--all" in sys.argv[1:])
    except KeyboardInterrupt:
        console.print("interrupted; what was measured is kept, and the next run resumes")
        return 130
    except RequestError as error:
        print(error, file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(error, file=sys.stderr)
        return 1
    from montcore.compare.atlas import origins

    print_rule(console, "Summary")
    entries = found.comparison.entries
    console.print(
        f"{origins(entries)}; {found.comparison.failed} failed\n"
        f"{sum(entry.checked for entry in entries)} products of their RTL and "
        f"{sum(entry.gate_level_checked for entry in entries)} of their netlists were right\n"
        f"report, for any browser: {(folder / 'report' / 'report.html').relative_to(REPO_ROOT)}\n"
        f"the recommended core:    {found.bundle.relative_to(REPO_ROOT)}\n"
        f"{'all is well' if found.good else 'SOMETHING FAILED'}; took "
        f"{(time.monotonic() - start) / 60:.1f} minutes",
        highlight=False,
    )
    return 0 if found.good else 1


if __name__ == "__main__":
    sys.exit(main())
