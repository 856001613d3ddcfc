# SPDX-License-Identifier: Apache-2.0
"""``python -m montcore.lint [--fix]``: run every source check, or format the sources in place."""

import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from montcore.lint import all_checks, python, rtl
from montcore.lint.check import MissingToolError
from montcore.terminal import output


@dataclass
class Summary:
    """What became of the checks of one rule."""

    done: int = 0
    findings: list[str] = field(default_factory=list)
    not_run: list[str] = field(default_factory=list)
    seconds: float = 0.0


def run() -> dict[str, Summary]:
    """Run every check, showing progress, and return the summaries by rule."""
    summaries: dict[str, Summary] = defaultdict(Summary)
    checks = all_checks()
    for check in track(checks, description="checking", console=Console(stderr=True)):
        summary = summaries[check.rule]
        start = time.monotonic()
        try:
            summary.findings += [f"{check.subject}: {text}" for text in check.findings()]
            summary.done += 1
        except MissingToolError as error:
            summary.not_run.append(str(error))
        summary.seconds += time.monotonic() - start
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


def main(arguments: list[str]) -> int:
    """Run the command and return the exit status."""
    console = output()
    if arguments == ["--fix"]:
        left = [*python.fix(), *rtl.fix()]
        for text in left:
            console.print(escape(text))
        return 1 if left else 0
    if arguments:
        console.print("usage: python -m montcore.lint [--fix]")
        return 2
    return show(run(), console)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
