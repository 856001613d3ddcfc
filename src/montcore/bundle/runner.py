# SPDX-License-Identifier: Apache-2.0
"""Runs a bundle's own test as a user would, and parses its output."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from montcore.sim.toolchain import verilator_root
from montcore.support.errors import CheckFailedError, RequestError, TransientError
from montcore.support.processes import running
from montcore.support.requests import checked

Engine = Literal["icarus", "verilator"]
Waves = Literal["", "port", "all"]
TIMEOUT_SECONDS = 300
#: Time limit of the light test that replaces one that was too slow. If a core hangs, the test bench
#: ends earlier.
LIGHT_TIMEOUT_SECONDS = 1800
#: Time that `build` spends on a bundle's own test; a longer test is scaled down.
PATIENCE_S = 45.0

_SUMMARY = re.compile(r"^(\d+) passed, (\d+) failed$", re.MULTILINE)
_MEASURED = re.compile(
    r"^measured: cycles (-?\d+)(?:, core_cycles (-?\d+), interval (-?\d+))?$", re.MULTILINE
)


class TooSlowError(TransientError):
    """A bundle's test was stopped at its time limit."""


@dataclass(frozen=True)
class BenchOutcome:
    """Outcome of a bundle's test.

    Attributes:
        passed: cases that passed (each counts once per phase).
        cycles: from the last operand beat to the first result beat, at the built width.
        core_cycles: from start to done inside the datapath; None if a bus is before it.
        interval: cycles between consecutive results; None if there were too few.
        left_out: cases of the bundle's test that this run skipped because they would have taken
            longer than `PATIENCE_S`; 0 if it ran all.
    """

    engine: Engine
    passed: int
    failed: int
    cycles: int
    core_cycles: int | None
    interval: int | None
    output: str
    left_out: int = 0

    @property
    def summary(self) -> str:
        """The test's last line, and the number of cases that this run skipped."""
        scaled = f" ({self.left_out} cases left out to save time)" if self.left_out else ""
        return f"{self.passed} passed, {self.failed} failed{scaled}"


def check_passed(outcome: BenchOutcome) -> None:
    """Check that a test passed."""
    if outcome.failed or not outcome.passed:
        raise CheckFailedError(
            f"the bundle's own test failed: {outcome.passed} passed, {outcome.failed} failed: "
            + " | ".join(outcome.output.splitlines()[:4])
        )


@cache
def available_engine() -> Engine:
    """Return the simulator to use here: Icarus Verilog 11 or 12, or else the pinned Verilator.

    Later versions of Icarus Verilog refuse choices between enum values without a cast, which
    version 11 does not know.
    """
    program = shutil.which("iverilog")
    if program is None:
        return "verilator"
    done = subprocess.run([program, "-V"], capture_output=True, text=True, check=False)
    return "icarus" if re.search(r"version 1[12]\.", done.stdout) else "verilator"


@checked
def run_bundle_test(
    folder: Path,
    engine: Engine | None = None,
    *,
    setting: str = "",
    waves: Waves = "",
    work: Path | None = None,
    seconds: float = TIMEOUT_SECONDS,
) -> BenchOutcome:
    """Run ``run_test.sh`` of a bundle.

    Args:
        engine: the simulator; None for any available one.
        setting: ``NAME=VALUE`` of a wrapper parameter, or empty.
        waves: write ``waves.vcd`` into the working folder: ``port``, or ``all`` signals.
        work: working folder; ``build`` in the bundle by default.

    Raises:
        RequestError: the folder is no bundle.
        TooSlowError: the time limit was reached.
        CheckFailedError: the test did not complete.
    """
    if not (folder / "run_test.sh").is_file():
        raise RequestError(f"{folder} is no bundle: it has no run_test.sh")
    engine = engine or available_engine()
    environment = {**os.environ, "SIM": engine, **_verilator_environment(engine)}
    environment |= {"SET": setting, "WAVES": waves}
    if work is not None:
        environment["BUILD"] = str(work)
    with running(
        ["sh", "run_test.sh"],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            raise TooSlowError(f"the test did not end within {seconds:g} s with {engine}") from None
    summary, measured = _SUMMARY.search(output), _MEASURED.search(output)
    if summary is None or measured is None:
        raise CheckFailedError(
            f"the bundle's test did not run with {engine}: {' | '.join(output.split(chr(10))[-4:])}"
        )
    passed, failed = (int(text) for text in summary.groups())
    if (process.returncode == 0) != (passed > 0 and failed == 0):
        raise CheckFailedError(
            f"the bundle's test printed '{summary.group()}' but ended with {process.returncode}"
        )
    cycles, *others = (int(text) for text in measured.groups("-1"))
    core_cycles, interval = (number if number > 0 else None for number in others)
    return BenchOutcome(engine, passed, failed, cycles, core_cycles, interval, output)


def _verilator_environment(engine: Engine) -> Mapping[str, str]:
    if engine != "verilator":
        return {}
    root = verilator_root()
    path = f"{root / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    return {"VERILATOR_ROOT": str(root), "PATH": path}
