# SPDX-License-Identifier: Apache-2.0
"""Write docs/nightly.md: the tests of `make nightly`, how many of them have passed, and their time.

Usage: nightly_table.py [--check]. The figures come from the record that `make nightly` keeps of the
tests that pass (tools/run_tests.py); a test that is not in it, or that has passed only before
something changed that it depends on, counts as one that has not run.
"""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from run_tests import NO_TESTS, ROOT, kept_file

from montcore.cli import doctor

PAGE = ROOT / "docs" / "nightly.md"
COMMAND = "`make nightly && .venv/bin/python tools/nightly_table.py`"
HEAD = """# The nightly tests

`make nightly` runs the long sweeps and all formal proofs, on every core of the machine. It resumes
after an interruption: a test that has passed runs again only if something changes that it depends
on. Times are those of single tests, in seconds, with several running at once. A proof or a lint run
whose answer is in the cache is not repeated; its time is then close to zero. Written by
{command} on the sources of
commit {commit}.
"""


def nightly_tests(*options: str) -> list[str]:
    """Return the names of all nightly tests, or of those that remain with some options of pytest.

    Raises:
        subprocess.CalledProcessError: they cannot be collected.
    """
    command = [sys.executable, "-m", "pytest", "-o", "addopts=", "--collect-only", "-q"]
    command += ["-m", "nightly", *options]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, NO_TESTS):
        done.check_returncode()
    return [line for line in done.stdout.splitlines() if re.match(r"\S+\.py::", line)]


def recorded(file: Path) -> dict[str, float]:
    """Return the time in seconds of each test that the record names; the last line counts."""
    text = file.read_text() if file.is_file() else ""
    lines = (line.split(" ", 2) for line in text[: text.rfind("\n") + 1].splitlines())
    return {name: float(seconds) for _, seconds, name in lines}


def folder_of(test: str) -> str:
    """Return the folder of a test's file."""
    return test.partition("::")[0].rpartition("/")[0]


def row(name: str, tests: list[str], times: dict[str, float]) -> str:
    """Return a row of the table: some tests, and the seconds of each that has passed."""
    passed = [times[test] for test in tests if test in times]
    total, longest = (f"{sum(passed):,.0f}", f"{max(passed):,.0f}") if passed else ("", "")
    return f"| {name} | {len(tests)} | {len(passed)} | {total} | {longest} |"


def page(
    tests: list[str], times: dict[str, float], others: set[str], commit: str, absent: list[str]
) -> str:
    """Return the page.

    Args:
        tests: the names of all nightly tests.
        times: the seconds of each that has passed.
        others: those that last passed with other sources or programs.
        commit: the sources, as the page names them.
        absent: the optional programs that this machine does not have.
    """
    folders = sorted({folder_of(name) for name in tests})
    lines = ["| folder | tests | passed | time in s | longest in s |", "|---|--:|--:|--:|--:|"]
    for folder in folders:
        mine = [name for name in tests if folder_of(name) == folder]
        lines.append(row(f"[{folder}](../{folder})", mine, times))
    lines.append(row("all", tests, times))
    missing = [name for name in tests if name not in times]
    lacking = f" ({', '.join(absent)} not installed)" if absent else ""
    for head, names in (
        (
            "Last passed with other sources or programs, and how many choices of parameters:",
            [n for n in missing if n in others],
        ),
        (f"Not passed{lacking}, likewise:", [n for n in missing if n not in others]),
    ):
        if names:
            choices = Counter(name.partition("[")[0] for name in names)
            lines += ["", head, "", *(f"- `{name}`, {n}" for name, n in choices.items())]
    return "\n".join([HEAD.format(command=COMMAND, commit=commit), *lines, ""])


def present_commit() -> str:
    """Return the commit that is checked out, with its date."""
    command = ["git", "log", "-1", "--format=`%h` of %cs"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def main(arguments: list[str]) -> int:
    """Write the page, or with --check tell by the exit status whether all tests have passed."""
    tests, times = nightly_tests(), recorded(kept_file())
    stale = nightly_tests(f"--resume={kept_file()}")
    others = set(times) & set(stale)
    for name in stale:
        times.pop(name, None)
    if "--check" in arguments:
        missing = [name for name in tests if name not in times]
        print("\n".join(missing) or "every nightly test has passed")
        return 1 if missing else 0
    absent = [name for name in doctor.system_names() if not doctor.look_at(name).present]
    PAGE.write_text(page(tests, times, others, present_commit(), absent), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)}: {len(tests)} tests")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
