# SPDX-License-Identifier: Apache-2.0
"""Run pytest on all cores of the machine and close with one line: `tests: N passed, N failed`.

Usage: run_tests.py [--keep] [--core NAME | --changed] [PYTEST ARGUMENT ...]. The exit status is 0
only if at least one test ran and none failed. A run that hangs is stopped after
MONTCORE_TEST_MINUTES (default 60) and has failed.

With --keep each test that passes is kept at once, and as long as nothing changes that it depends on
(tests/support/dependencies.py) later runs leave it out and count it. --core takes the tests of one
core, --changed those that depend on what a branch has changed. Before the last line stand the
slowest tests and the time of each folder of tests/.
"""

import contextlib
import itertools
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The status of pytest when it collected no test.
NO_TESTS = 5
#: The status of a run that reached the time limit.
TIMED_OUT = 124
#: Time for an interrupted pytest to end the processes of its tests.
GRACE_SECONDS = 10
#: Processes that run tests: as many as there are cores, since each takes a quarter of a minute to
#: read all tests; MONTCORE_TEST_WORKERS chooses another number, 0 means none but pytest.
WORKERS = int(os.environ.get("MONTCORE_TEST_WORKERS") or min(4, os.cpu_count() or 1))
SLOWEST = 10
#: The tests but the nightly ones simulate so little that compiling takes longer (sim/build.py):
#: these simulators run as fast as those of -O1, and take a tenth to a third less to compile.
SHORT_SIMULATIONS = {"MONTCORE_SIM_FLAGS": "-Og"}


def read_cases(report: Path) -> list[ElementTree.Element]:
    """Return the test cases of a JUnit report, or none if it is missing or incomplete."""
    try:
        return list(ElementTree.parse(report).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return []


def ended(case: ElementTree.Element) -> str:
    """Return how a test case ended; errors outside a test (imports, fixtures) are failures."""
    if case.find("failure") is not None or case.find("error") is not None:
        return "failed"
    return "passed" if case.find("skipped") is None else "skipped"


def closing_line(passed: int, earlier: int, failed: int, skipped: int) -> str:
    """Return the line that ends a run."""
    of_them = f", {earlier} of them in earlier runs" if earlier else ""
    also = f", {skipped} skipped" if skipped else ""
    return f"tests: {passed + earlier} passed{of_them}, {failed} failed{also}"


def run_pytest(arguments: list[str], report: Path, minutes: float) -> int:
    """Run pytest in its own process group and return its exit status, or TIMED_OUT."""
    command = [sys.executable, "-m", "pytest", "-n", str(WORKERS), "--dist", "worksteal"]
    command += [f"--junitxml={report}", *arguments]
    flags = {} if "nightly" in arguments else SHORT_SIMULATIONS
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        # Workers and the commands that they run would compile the same modules again and again if
        # the environment forbade to keep them. An empty setting is the same as none.
        env=flags | os.environ | {"PYTHONDONTWRITEBYTECODE": ""},
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(timeout=minutes * 60)
    except subprocess.TimeoutExpired:
        print(f"the tests did not end within {minutes:g} minutes and were stopped", flush=True)
        return TIMED_OUT
    finally:
        end(process)


def end(process: "subprocess.Popen[bytes]") -> None:
    """Interrupt pytest if it still runs, so that tests end what they started; kill what is left."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=GRACE_SECONDS)
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def slow_lines(cases: list[ElementTree.Element]) -> list[str]:
    """Return the slowest of some test cases, and the number and time of tests of each room."""
    tests: list[tuple[float, str]] = []
    rooms: dict[str, list[float]] = {}
    for case in cases:
        seconds, place = float(case.get("time", 0)), case.get("classname", "").split(".")
        tests.append((seconds, f"{place[-1]}::{case.get('name')}"))
        # A test of a class has the class behind its file.
        folders = itertools.takewhile(lambda part: not part.startswith("test_"), place)
        rooms.setdefault("/".join(folders).removeprefix("tests/") or ".", []).append(seconds)
    slowest = sorted(tests, reverse=True)[:SLOWEST]
    by_time = sorted(rooms.items(), key=lambda item: -sum(item[1]))
    return [
        "slowest tests:",
        *(f"{seconds:8.1f} s  {name}" for seconds, name in slowest),
        f"time of all {WORKERS} workers by room:",
        *(f"{sum(times):8.1f} s  {name}, {len(times)} tests" for name, times in by_time),
    ]


def cache_folder() -> Path:
    """Return the folder of all that later runs use again."""
    return Path(os.environ.get("MONTCORE_CACHE") or ROOT / ".cache").resolve()


def kept_file() -> Path:
    """Return the file of the tests that have passed, with what they depended on."""
    return cache_folder() / "passed" / "tests.txt"


def left_out(kept: Path) -> int:
    """Return how many tests the run left out because they had passed."""
    with contextlib.suppress(OSError, ValueError):
        return int(kept.with_suffix(".left_out").read_text())
    return 0


def main(arguments: list[str]) -> int:
    """Run the tests, print the closing line and return the exit status."""
    keeping = "--keep" in arguments
    if keeping:
        kept_file().with_suffix(".left_out").unlink(missing_ok=True)
        arguments = [item for item in arguments if item != "--keep"] + [f"--resume={kept_file()}"]
    # A shell starts what it puts into the background with SIGINT ignored, and children inherit
    # that: tests that interrupt a command would wait for ever.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # A terminated run also ends pytest and its workers.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda received, _: sys.exit(128 + received))
    minutes = float(os.environ.get("MONTCORE_TEST_MINUTES", "60"))
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "tests.xml"
        status = run_pytest(arguments, report, minutes)
        cases = read_cases(report)
    if cases:
        print("\n".join(slow_lines(cases)))
    # The report of an interrupted pytest has the tests that it broke off as passed.
    counts = Counter(map(ended, cases if status != TIMED_OUT else []))
    earlier = left_out(kept_file()) if keeping else 0
    nothing_left = earlier and status == NO_TESTS
    if not counts["passed"] and not counts["failed"] and not nothing_left:
        print("no test ran, which counts as a failure")
    if status != 0 and not counts["failed"] and not nothing_left:
        # A crash, a time limit or an empty selection must not look like success.
        counts["failed"] = 1
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"processor time: {(spent.ru_utime + spent.ru_stime) / 60:.1f} minutes")
    print(f"wall time: {(time.monotonic() - start) / 60:.1f} minutes")
    line = closing_line(counts["passed"], earlier, counts["failed"], counts["skipped"])
    print(line, flush=True)
    return 0 if nothing_left or (status == 0 and counts["passed"]) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
