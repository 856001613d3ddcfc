# SPDX-License-Identifier: Apache-2.0
"""All source checks as a table, for ``montcore maintain lint``."""

import os
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from montcore.hdl.programs import MissingToolError
from montcore_lab.lint import all_checks, python, rtl
from montcore_lab.lint.check import Check


@dataclass
class Summary:
    """Outcome of the checks of one rule."""

    done: int = 0
    findings: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one check."""

    check: Check
    findings: list[str]
    not_run: str
    seconds: float


def do(check: Check) -> CheckResult:
    """Run one check."""
    start = time.monotonic()
    findings, not_run = [], ""
    try:
        findings = check.findings()
    except MissingToolError as error:
        not_run = str(error)
    return CheckResult(check, findings, not_run, time.monotonic() - start)


def results(checks: Sequence[Check]) -> Iterator[CheckResult]:
    """Run the checks, one program at a time per processor, and yield their outcomes."""
    yield from (do(check) for check in checks if not check.runs_program)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        yield from pool.map(do, [check for check in checks if check.runs_program])


def run() -> dict[str, Summary]:
    """Run every check, showing progress, and return the summaries by rule."""
    summaries: dict[str, Summary] = defaultdict(Summary)
    checks = all_checks()
    progress = track(
        results(checks), description="checking", total=len(checks), console=Console(stderr=True)
    )
    for result in progress:
        summary = summaries[result.check.rule]
        summary.findings += [f"{result.check.subject}: {text}" for text in result.findings]
        if result.not_run:
            summary.not_run.append(result.not_run)
        else:
            summary.done += 1
        summary.seconds += result.seconds
    return summaries


def show(summaries: dict[str, Summary], console: Console) -> int:
    """Print the table and all findings; return the exit status."""
    table = Table(title="Source checks")
    table.add_column("rule")
    for heading in ("checked", "findings", "seconds"):
        table.add_column(heading, justify="right")
    table.add_column("result")
    for rule, summary in summaries.items():
        if summary.findings:
            result = "[red]failed[/red]"
        elif summary.not_run:
            result = f"[yellow]not run:[/yellow] {escape(summary.not_run[0])}"
        else:
            result = "[green]ok[/green]"
        counts = (str(summary.done), str(len(summary.findings)), f"{summary.seconds:.1f}")
        table.add_row(rule, *counts, result)
    for rule, summary in summaries.items():
        for finding in summary.findings:
            console.print(f"[bold]{rule}[/bold] {escape(finding)}")
    console.print(table)
    return 1 if any(summary.findings for summary in summaries.values()) else 0


def fix(console: Console) -> int:
    """Format the sources in place, print the remaining findings, return the exit status."""
    left = [*python.fix(), *rtl.fix()]
    for text in left:
        console.print(escape(text))
    return 1 if left else 0
