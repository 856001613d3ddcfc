# SPDX-License-Identifier: Apache-2.0
"""Interruptions while the tool starts, and output that cannot be written, end in one sentence."""

import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from command_line import Tool
from programs import program

from montcore.cli import main as cli
from montcore.compare.measure import point_key
from montcore.compare.point import plan
from montcore.compare.recall import recall
from montcore.synth.store import ResultStore

#: Ends this process by Ctrl-C at the given import after those of the package and of its command.
INTERRUPTED = """
import os, sys
class Hook:
    left = 3 + {number}
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        cls.left -= 1
        if cls.left == 0:
            os.kill(os.getpid(), 2)
sys.meta_path.insert(0, Hook)
sys.argv = ["montcore", {verb}, "--json"]
from montcore.__main__ import main
main()
"""


@pytest.mark.parametrize("number", [0, 1, 2, 3, 5, 10, 20, 40, 80, 150, 250])
@pytest.mark.one_in(3)
def test_an_interruption_at_any_import_is_one_line(number: int) -> None:
    code = INTERRUPTED.format(number=number, verb="'list'")
    done = program(sys.executable, "-c", code)
    assert (done.returncode, done.stdout) == (130, "")
    assert done.stderr == "montcore: interrupted\n"


# ---- output ----------------------------------------------------------------------------------

PRODUCT = ["cs", "--modulus", "f1", "--x", "2", "--y", "3", "--engine", "model"]
VERBS = {
    "help": ["--help"],
    "version": ["--version"],
    "help of a verb": ["verify", "--help"],
    "list": ["list"],
    "mul": ["mul", *PRODUCT],
    "verify": ["verify", "cs", "--bits", "8", "--engine", "model", "--random", "4"],
    "recommend": ["recommend", "--bits", "256", "--targets", "xc7"],
    "build": ["build", "cs", "--bits", "8", "-o", "/dev/null/out"],
}


@pytest.mark.parametrize("json", [False, True], ids=["text", "json"])
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("place", ["/dev/full", "read-only"])
def test_output_that_cannot_be_written_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    verb: str,
    json: bool,
    place: str,
) -> None:
    words = VERBS[verb]
    number = os.open("/dev/null", os.O_RDONLY) if place == "read-only" else -1
    # What is left in the buffer fails again when the file is closed.
    with suppress(OSError), open(number if number >= 0 else place, "w") as stdout:  # noqa: PTH123
        monkeypatch.setattr("sys.stdout", stdout)
        status = cli.run([*words, "--json"] if json and "--" not in words[0] else words)
        monkeypatch.undo()
    said = capsys.readouterr().err.splitlines()
    assert status == (2 if verb == "build" else 1)
    assert said[-1].startswith("montcore: ") and "unexpected" not in said[-1]
    assert all(line.startswith("montcore: verify") for line in said[:-1]), said  # progress


@pytest.mark.parametrize("closed", [">&-", "<&-", "<&- >&- 2>&-", "2>&-"])
@pytest.mark.one_in(2)
def test_closed_streams_receive_no_file(closed: str, own_results: Path) -> None:
    """A file opened first must not get the number of standard output."""
    command = f"{sys.executable} -m montcore recommend --bits 256 --targets xc7 --json {closed}"
    done = program("sh", "-c", command)
    assert done.returncode == (1 if ">&-" in closed.replace("2>&-", "") else 0)
    assert "Traceback" not in done.stdout + done.stderr
    if closed == ">&-":
        assert done.stderr == (
            "montcore: the output cannot be written: standard output is closed\n"
        )


# ---- stores ----------------------------------------------------------------------------------


def test_rows_without_content_are_measured_again(own_results: Path) -> None:
    points = plan(8, cores=["cs"], targets=["xc7"])
    for point in points:
        ResultStore().put(point_key(point), {})
    assert recall(points).missing == list(points)


# ---- schedulers ------------------------------------------------------------------------------


@contextmanager
def server(answer: bytes | None) -> Iterator[str]:
    """Listen on a port; each connection gets the answer, or nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        kept: list[socket.socket] = []

        def serve() -> None:
            try:
                while True:
                    kept.append(listener.accept()[0])
                    if answer is not None:
                        kept[-1].sendall(answer)
            except OSError:
                pass

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}"
        for connection in kept:
            connection.close()


@pytest.mark.parametrize(
    "answer", [None, b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\0" * 64, b"\xff" * 64, "nobody", "x:y"]
)
def test_what_is_no_scheduler_is_one_sentence_in_time(
    own_cache: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    tool: Tool,
    answer: bytes | str | None,
) -> None:
    monkeypatch.setattr("montcore.compare.cluster._TIMEOUT_S", 2)
    words = ["compare", "--bits", "8", "--cores", "cs", "--targets", "xc7", "--scheduler"]
    monkeypatch.chdir(tmp_path)
    if isinstance(answer, str):
        address = "tcp://127.0.0.1:9" if answer == "nobody" else answer
        tool.refuses(f"scheduler {address} does not answer", *words, address, "-o", "out")
    else:
        with server(answer) as address:
            tool.refuses(f"scheduler {address} does not answer", *words, address, "-o", "out")
