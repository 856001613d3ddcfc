# SPDX-License-Identifier: Apache-2.0
"""The command `montcore`, also as `python -m montcore`.

This module imports next to nothing, so that an interruption while the rest is being imported ends
as any other does.
"""

import os
import signal
import sys

_INTERRUPTED = 130


def _interrupted(*_: object) -> None:
    os.write(2, b"montcore: interrupted\n")
    os._exit(_INTERRUPTED)


def main() -> None:
    """Run the command line and exit with its status."""
    signal.signal(signal.SIGINT, _interrupted)
    from montcore.cli.main import run

    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        status = run(sys.argv[1:])
    except KeyboardInterrupt:  # before or after the part of `run` that takes it
        _interrupted()
    finally:
        # Only the interpreter's shutdown is left; interrupting it would print a traceback.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


if __name__ == "__main__":
    main()
