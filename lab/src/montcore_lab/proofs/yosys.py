# SPDX-License-Identifier: Apache-2.0
"""A ``yosys`` program for SymbiYosys: ``python -m montcore_lab.proofs.yosys -ql LOG SCRIPT``.

The pyosys package has no program, only the library, and the WebAssembly build of Yosys takes a
minute or more to compile at its first start. The proofs therefore use the library.
"""

import ctypes
import os
import resource
import signal
import sys

_PR_SET_PDEATHSIG = 1
_CPU_LIMIT_S = 3600


def main(arguments: list[str]) -> int:
    """Run the script SCRIPT with all output in the file LOG, and return the exit status."""
    if len(arguments) != 3 or arguments[0] != "-ql":
        print("usage: python -m montcore_lab.proofs.yosys -ql LOG SCRIPT", file=sys.stderr)
        return 2
    # This process must not survive SymbiYosys.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_CPU, (_CPU_LIMIT_S, _CPU_LIMIT_S))
    # The library writes to the standard streams; its log is a file here.
    log = os.open(arguments[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(log, 1)
    os.dup2(log, 2)
    from pyosys import libyosys

    design = libyosys.Design()
    libyosys.run_pass(f"script {arguments[2]}", design)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
