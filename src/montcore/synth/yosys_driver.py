# SPDX-License-Identifier: Apache-2.0
"""Run one Yosys script in this process: ``python -m montcore.synth.yosys_driver SCRIPT SECONDS``.

The pyosys package has no ``yosys`` program, only the library. The driver is meant to be started by
`montcore.synth.process.run_tool`. If its parent is killed without cleaning up, the kernel kills the
driver too (parent-death signal) and limits the processor time of an orphaned ABC.
"""

import ctypes
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Run the script in the first argument, limited to the second argument's CPU seconds."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    limit = int(sys.argv[2])
    resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
    from pyosys import libyosys

    design = libyosys.Design()
    libyosys.run_pass(f"script {sys.argv[1]}", design)


if __name__ == "__main__":
    main()
