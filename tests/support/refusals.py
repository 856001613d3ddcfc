# SPDX-License-Identifier: Apache-2.0
"""What Verilator and Icarus Verilog say of a core with parameters that it may refuse."""

import os
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path

from montcore.hdl.dialects import for_icarus_11
from montcore.sim.toolchain import verilator_root

TIMEOUT = 60
Done = subprocess.CompletedProcess[str]


def run(command: list[str], **environment: str) -> Done:
    """Run a program to its end, whatever its status."""
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
        env={**os.environ, **environment},
    )


def verilator(top: str, sources: Iterable[Path], parameters: Mapping[str, int]) -> Done:
    """Elaborate a top with Verilator."""
    root = verilator_root()
    values = [f"-G{name}={value}" for name, value in parameters.items()]
    flags = ["--lint-only", "-Wno-lint", "-Wno-style", "--top-module", top]
    program = str(root / "bin" / "verilator_bin")
    return run([program, *flags, *values, *map(str, sources)], VERILATOR_ROOT=str(root))


def icarus(folder: Path, top: str, sources: Iterable[Path], parameters: Mapping[str, int]) -> Done:
    """Compile a top with Icarus Verilog and run it; version 11 refuses only at the start."""
    copies = []
    for source in sources:
        copies.append(folder / source.name)
        copies[-1].write_text(for_icarus_11(source.read_text()))
    values = [f"-P{top}.{name}={value}" for name, value in parameters.items()]
    program = folder / f"{top}.vvp"
    command = ["iverilog", "-g2012", "-s", top, "-o", str(program), *values, *map(str, copies)]
    compiled = run(command)
    return compiled if compiled.returncode else run(["vvp", "-n", str(program)])


def refused(done: Done, sentence: str) -> bool:
    """Tell whether a simulator refused with a sentence."""
    return done.returncode != 0 and sentence in done.stdout + done.stderr
