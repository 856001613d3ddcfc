# SPDX-License-Identifier: Apache-2.0
"""Run Yosys commands through the driver module, each script kept beside its log."""

import sys
from collections.abc import Sequence
from pathlib import Path

from montcore.synth.options import Options
from montcore.synth.process import run_tool


def run_yosys(commands: Sequence[str], work: Path, name: str, opts: Options) -> float:
    """Run Yosys commands as ``NAME.ys`` with log ``NAME.log`` and return the wall time in s.

    Raises:
        ToolError: Yosys failed.
        ToolTimeoutError: it did not end; it and its ABC were killed.
    """
    script = work / f"{name}.ys"
    script.write_text("\n".join(commands) + "\n")
    return run_tool(
        [
            sys.executable,
            "-m",
            "montcore.synth.yosys_driver",
            str(script),
            str(int(opts.yosys_timeout_s) + 1),
        ],
        cwd=work,
        log=work / f"{name}.log",
        timeout=opts.yosys_timeout_s,
    )
