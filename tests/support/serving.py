# SPDX-License-Identifier: Apache-2.0
"""A client of an accelerator's server that does not use the driver."""

import errno
import os
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType

import pytest
import sanitizers
from pka_bench import ERROR, slot_at

from montcore.sim.build import FLAGS_VARIABLE
from montcore.soc.registers import SOC_DIR
from montcore.soc.serving import DRIVER
from montcore_lab.clients import run

BEGIN, READ, WRITE, WAIT, KEY = range(1, 6)
VERSION = 1
#: More cycles than any wait needs.
LONG = 0xFFFFFFFF
#: The driver's client, for `ask_by_driver`.
SOURCE = Path(__file__).parent / "driver" / "socket_client.c"
#: Options of a server whose simulator is compiled in seconds.
SMALL = (
    *("--units", "exponentiator", "--core", "smm"),
    *("--set", "npe=1", "--set", "w=32", "--bits", "64"),
)
#: Timeout for an answer, in seconds.
PATIENCE = 60


def ask_by_driver(folder: Path) -> Callable[..., str]:
    """Compile the driver's client, under sanitizers, and return what runs it.

    It takes a socket's path, whose server is trusted and settings of the environment; it returns
    what the client prints: with the default path, ``-``, first this path.
    """
    program = folder / "socket_client"
    sources = [SOURCE, DRIVER / "montcore_pka_socket.c", DRIVER / "montcore_pka.c"]
    includes = [f"-I{DRIVER}", f"-I{SOC_DIR / 'registers'}", "-Wall", "-Wextra", "-Werror"]
    env = sanitizers.compile_program("address", sources, program, *includes)
    kept = {name: value for name, value in env.items() if name != "XDG_RUNTIME_DIR"}

    def ask(path: Path | str, trust: str = "", *, limit_ms: int = 5000, **settings: str) -> str:
        said = run([program, path, trust, str(limit_ms)], {**kept, **settings}).decode()
        return said if path == "-" else said.splitlines()[1]

    return ask


@pytest.fixture(scope="module", autouse=True)
def sanitized() -> Iterator[None]:
    """Compile servers with the sanitizers; `served` fails where one finds something.

    For all tests of a file that imports it. A server has one thread, so that the thread sanitizer
    has nothing to watch. Leaks are not looked for: the search would trace the process, which a
    server forbids.
    """
    with pytest.MonkeyPatch.context() as patch:
        kept = [flag for flag in sanitizers.flags("address") if "sanitize" in flag]
        patch.setenv(FLAGS_VARIABLE, " ".join(["-Og", *kept]))
        for name, value in sanitizers.environment(leaks=False).items():
            patch.setenv(name, value)
        yield


class Client:
    """A connection, to be used in a `with` statement."""

    def __init__(self, path: Path, *, begin: bool = True) -> None:
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.connection.settimeout(PATIENCE)
        # The server's queue may be full for a moment.
        while (error := self.connection.connect_ex(str(path))) == errno.EAGAIN:
            time.sleep(0.02)
        if error:
            raise OSError(error, os.strerror(error), str(path))
        if begin:
            self.send(BEGIN, 0, VERSION)

    @classmethod
    def granted(cls, path: Path) -> "Client":
        """Return a connection whose turn it is."""
        client = cls(path)
        assert client.answer() == (0, VERSION)
        return client

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.connection.close()

    def send(self, what: int, address: int = 0, value: int = 0) -> None:
        """Send a request."""
        self.connection.sendall(struct.pack("<3I", what, address, value))

    def answer(self) -> tuple[int, int]:
        """Return the next answer, status and value.

        Raises:
            ConnectionError: the server has closed the connection.
        """
        data = b""
        while len(data) < 8:
            more = self.connection.recv(8 - len(data))
            if not more:
                raise ConnectionError("closed")
            data += more
        status, value = struct.unpack("<2I", data)
        return status, value

    def read(self, address: int) -> tuple[int, int]:
        """Read a word."""
        self.send(READ, address)
        return self.answer()

    def write(self, address: int, value: int) -> None:
        """Write a word."""
        self.send(WRITE, address, value)

    def put(self, slot: int, value: int, bits: int) -> None:
        """Write a number to a slot."""
        for place in range(0, bits, 32):
            self.write(slot_at(slot) + place // 8, value >> place & 0xFFFFFFFF)

    def ended(self) -> int:
        """Wait for a command's end, a second at most in each request; return its error."""
        busy = 1
        while busy:
            self.send(WAIT, 0, LONG)
            status, state = self.answer()
            assert status == 0
            busy = state & 1
        status, error = self.read(ERROR)
        assert status == 0
        return error

    def closed(self) -> bool:
        """Tell whether the server closes the connection without a further answer."""
        try:
            return self.connection.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False
