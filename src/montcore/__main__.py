# SPDX-License-Identifier: Apache-2.0
"""The command `montcore`, also as `python -m montcore`.

This module imports only what the interpreter has loaded itself, so that an interruption while the
rest is being imported ends as any other does.
"""

import _signal as signal  # type: ignore[import-not-found]
import os
import sys

_INTERRUPTED = 130


def _interrupted(*_: object) -> None:
    os.write(2, b"montcore: interrupted\n")
    os._exit(_INTERRUPTED)


def _open_streams() -> None:
    """Put the null device in the place of closed standard streams.

    Otherwise the next file that is opened, such as the result store, would receive the output.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            # What is written to standard output must not be lost in silence: it cannot be written.
            os.open(os.devnull, os.O_RDWR if number == 2 else os.O_RDONLY)
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115


def main() -> None:
    """Run the command line and exit with its status."""
    signal.signal(signal.SIGINT, _interrupted)
    _open_streams()
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
