# SPDX-License-Identifier: Apache-2.0
"""Random frames for server and client of the socket, under the address and undefined sanitizers."""

import random
import socket
import struct
import threading
from pathlib import Path

import pytest
from pka_bench import COMMAND, KEY, LENGTH, LOAD, OPERANDS, POWER, PRODUCT, SLOT, STATUS
from serving import BEGIN, READ, SMALL, VERSION, WAIT, WRITE, Client, ask_by_driver, sanitized  # noqa: F401

from montcore_lab.clients import served

#: Clients, and answers of a server, of a run.
QUICK, LONG = 150, 20_000


def frame(rng: random.Random) -> bytes:
    """Return a request, mostly one that there is."""
    registers = [4 * rng.randrange(16), COMMAND, STATUS, LENGTH]
    slots = [base + SLOT * rng.randrange(8) + 4 * rng.randrange(3) for base in (OPERANDS, KEY)]
    address = rng.choice([*registers, *slots, rng.getrandbits(17), rng.getrandbits(32)])
    commands = [LOAD, PRODUCT | 0x32100, POWER | 0x32100]
    value = rng.choice([*commands, rng.getrandbits(6), rng.getrandbits(32)])
    what = rng.choices(
        [READ, WRITE, WAIT, rng.getrandbits(3), rng.getrandbits(32)], [8, 16, 2, 1, 1]
    )
    return struct.pack("<3I", what[0], address, value)


def play(path: Path, rng: random.Random) -> None:
    """Be a client that sends anything and ends in any way."""
    data = b"".join(frame(rng) for _ in range(rng.randrange(60)))
    if rng.randrange(8):
        data = struct.pack("<3I", BEGIN, 0, VERSION) + data
    data = data[: len(data) - rng.randrange(12)] if rng.randrange(2) else data
    with Client(path, begin=False) as client:
        client.connection.settimeout(0.05)
        try:
            while data:
                size = rng.choice([1, 5, 12, 100, len(data)])
                client.connection.sendall(data[:size])
                data = data[size:]
                if rng.randrange(6) == 0:
                    client.connection.recv(rng.choice([1, 8, 4096]))
            while rng.randrange(6) and client.connection.recv(4096):
                pass
            if rng.randrange(2):
                client.connection.shutdown(rng.choice([socket.SHUT_RD, socket.SHUT_WR]))
        except OSError:
            pass  # it was dropped, or there is nothing to read


@pytest.mark.parametrize("count", [QUICK, pytest.param(LONG, marks=pytest.mark.nightly)])
def test_no_frames_bring_the_server_down_or_stay(tmp_path: Path, count: int) -> None:
    rng = random.Random(count)
    path = tmp_path / "socket"
    with served(path, *SMALL, "--idle", "0.5", "--session", "1") as server:
        for at in range(count):
            play(path, rng)
            if at % 10 == 9:
                with Client.granted(path) as client:
                    assert client.read(STATUS) == (0, 0)
                    words = {client.read(OPERANDS + SLOT * slot)[1] for slot in range(8)}
                    assert words == {0}
    assert server.sessions > count // 2


@pytest.mark.parametrize("count", [QUICK // 3, pytest.param(LONG // 10, marks=pytest.mark.nightly)])
def test_no_answers_bring_the_client_down(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, count: int
) -> None:
    rng = random.Random(count)
    ask = ask_by_driver(tmp_path_factory.mktemp("client"))
    path = tmp_path / "false"
    good = struct.pack("<2I", 0, VERSION)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        listener.listen()

        def serve() -> None:
            for _ in range(count):
                with listener.accept()[0] as connection:
                    answers = [good if rng.randrange(2) else rng.randbytes(8) for _ in range(3)]
                    data = (good + b"".join(answers) + rng.randbytes(rng.randrange(100)))[
                        : rng.choice([3, 8, 20, 1000])
                    ]
                    try:
                        for at in range(0, len(data), 7):
                            connection.sendall(data[at : at + 7])
                        if rng.randrange(2):
                            connection.settimeout(0.3)
                            while connection.recv(100):
                                pass
                    except OSError:
                        pass  # it was not interested

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        seen = {ask(path, limit_ms=500).split()[0] for _ in range(count)}
        thread.join(60)
    assert seen == {"granted", "refused", "failed"}
    assert path.exists()
