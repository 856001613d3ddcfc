# SPDX-License-Identifier: Apache-2.0
"""All source checks as a table, for ``montcore maintain lint``."""

import os
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from rich.console import Console
from rich.markup import escape
from rich.progress import track

from montcore.hdl.programs import MissingToolError
from montcore.support.terminal import new_console, print_table
from montcore_lab.lint import contracts, python, rtl, text
from montcore_lab.lint.check import Check


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one check."""

    rule: str
    findings: list[str]
    not_run: str
    seconds: float


def all_checks() -> list[Check]:
    """Return every source check of the repository, cheap ones first.

    Each is small, names its subject and returns its findings. The tops and their parameters come
    from the core registry, the files from the checkout, so that nothing is listed by hand.
    """
    return [*text.checks(), *contracts.checks(), *python.checks(), *rtl.checks()]


def do(check: Check) -> CheckResult:
    """Run one check."""
    start = time.monotonic()
    findings, not_run = [], ""
    try:
        findings = [f"{check.subject}: {text}" for text in check.findings()]
    except MissingToolError as error:
        not_run = str(error)
    return CheckResult(check.rule, findings, not_run, time.monotonic() - start)


def run() -> dict[str, list[CheckResult]]:
    """Run every check, one at a time per processor; return the outcomes by rule."""
    checks = all_checks()
    found: dict[str, list[CheckResult]] = defaultdict(list)
    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        console = new_console(stderr=True)
        for result in track(pool.map(do, checks), "checking", total=len(checks), console=console):
            found[result.rule].append(result)
    return found


def show(found: dict[str, list[CheckResult]], console: Console) -> int:
    """Print all findings and the table; return the exit status."""
    rows, styles = [], []
    failed = 0
    for rule, results in found.items():
        findings = [text for result in results for text in result.findings]
        not_run = [result.not_run for result in results if result.not_run]
        for finding in findings:
            console.print(f"[bold]{rule}[/bold] {escape(finding)}")
        outcome = "failed" if findings else f"not run: {not_run[0]}" if not_run else "ok"
        seconds = sum(result.seconds for result in results)
        done = len(results) - len(not_run)
        rows.append([rule, str(done), str(len(findings)), f"{seconds:.1f}", outcome])
        styles.append("red" if findings else "yellow" if not_run else "")
        failed += len(findings)
    headings = ("rule", "checked", "findings", "seconds", "result")
    print_table(console, "Source checks", headings, rows, right=headings[1:4], styles=styles)
    return 1 if failed else 0


def fix(console: Console) -> int:
    """Format the sources in place, print the remaining findings, return the exit status."""
    left = [*python.fix(), *rtl.fix()]
    for line in left:
        console.print(escape(line))
    return 1 if left else 0
