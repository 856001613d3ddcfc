# SPDX-License-Identifier: Apache-2.0
"""Elaborates a core's top with given parameters, to see whether a simulator rejects them."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from montcore.cores.contract import Refusal
from montcore.cores.core import Core
from montcore.sim.toolchain import verilator_root
from montcore_lab.lint.dialects import copies_for_icarus_11

TIMEOUT_S = 60


def unchecked(core: type[Core], refusal: Refusal) -> Core:
    """Return the core with parameters that its configuration would reject."""
    settings: dict[str, Any] = {**refusal.settings}
    return core.model_construct(bits=refusal.bits, **settings)


def verilator_says(top: str, sources: Sequence[Path], parameters: Mapping[str, int]) -> str:
    """Return Verilator's message if it refuses to elaborate a top, otherwise an empty string."""
    root = verilator_root()
    return _run(
        [
            str(root / "bin" / "verilator_bin"),
            *("--lint-only", "-Wno-lint", "-Wno-style", "--top-module", top),
            *(f"-G{name}={value}" for name, value in parameters.items()),
            *map(str, sources),
        ],
        VERILATOR_ROOT=str(root),
    )


def icarus_says(
    top: str, sources: Sequence[Path], parameters: Mapping[str, int], folder: Path
) -> str:
    """Return Icarus Verilog's message if it rejects a top, otherwise an empty string.

    Version 11 reports the error only at the start of the run.
    """
    copies = copies_for_icarus_11(sources, folder)
    values = [f"-P{top}.{name}={value}" for name, value in parameters.items()]
    program = str(folder / "top.vvp")
    words = ["iverilog", "-g2012", "-s", top, "-o", program, *values, *map(str, copies)]
    return _run(words) or _run(["vvp", "-n", program])


def _run(words: Sequence[str], **environment: str) -> str:
    done = subprocess.run(
        words,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
        env={**os.environ, **environment},
    )
    return (
        (done.stdout + done.stderr or f"exit status {done.returncode}") if done.returncode else ""
    )
