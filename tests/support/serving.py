# SPDX-License-Identifier: Apache-2.0
"""A client of an accelerator's server that does not use the driver."""

import socket
import struct
from pathlib import Path
from types import TracebackType

BEGIN, READ, WRITE, WAIT, KEY = range(1, 6)
VERSION = 1
#: Options of a server whose simulator is compiled in seconds.
SMALL = (
    *("--units", "exponentiator", "--core", "smm"),
    *("--set", "npe=1", "--set", "w=32", "--bits", "64"),
)
#: Timeout for an answer, in seconds.
PATIENCE = 60


class Client:
    """A connection, to be used in a `with` statement."""

    def __init__(self, path: Path, *, begin: bool = True) -> None:
        self.connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.connection.settimeout(PATIENCE)
        self.connection.connect(str(path))
        if begin:
            self.send(BEGIN, 0, VERSION)

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

    def closed(self) -> bool:
        """Tell whether the server closes the connection without a further answer."""
        try:
            return self.connection.recv(1) == b""
        except ConnectionResetError:
            return True
        except TimeoutError:
            return False
