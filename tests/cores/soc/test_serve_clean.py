# SPDX-License-Identifier: Apache-2.0
"""Nothing of a client stays in the accelerator, however the client ends; a locked key does.

Server and client take random frames, under the address and undefined sanitizers.
"""

import random
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pka_bench as pka
import pytest
from pka_bench import COMMAND, KEY, LENGTH, LOAD, OPERANDS, POWER, PRODUCT, SLOT, STATUS, slot_at
from serving import BEGIN, LONG, READ, SMALL, VERSION, WAIT, WRITE, Client, ask_by_driver, sanitized  # noqa: F401

from montcore.ecc.curves import get_curve
from montcore.ecc.program import Operation
from montcore_lab.clients import run, served

#: Seconds that a client may be idle, and have the accelerator while others wait.
IDLE, SESSION = 0.5, 1.5
#: Both units, of a key of 1024 bits and of P-256, with multipliers that are compiled in seconds.
UNITS = (
    *("--core", "smm", "--set", "npe=1", "--set", "w=64", "--bits", "1024"),
    *("--curves", "smm:npe=4,w=64"),
)
BUSY = 1
SCALAR = 14
P256 = get_curve("prime256v1")
#: A prime that a client keeps secret, as one does in the middle of an operation with CRT.
PRIME = (1 << 512) - 569
BITS = PRIME.bit_length()
INFINITY = 17
SECRET = 0x5EC2E7


@dataclass(frozen=True)
class ServedResource:
    """A server, and what it has locked."""

    path: Path
    locked: str


@pytest.fixture(scope="module", params=["none", "rsa", "ec"])
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServedResource]:
    """An accelerator with both units, and a key of each kind or none."""
    folder = tmp_path_factory.mktemp("clean")
    key = folder / "key.pem"
    commands = {
        "rsa": ["openssl", "genrsa", "-out", str(key), "1024"],
        "ec": ["openssl", "ecparam", "-genkey", "-name", "prime256v1", "-out", str(key)],
    }
    options = [*UNITS, "--idle", str(IDLE), "--session", str(SESSION)]
    if request.param in commands:
        run(commands[request.param])
        options += ["--key", str(key)]
    with served(folder / "socket", *options):
        yield ServedResource(folder / "socket", request.param)


def do(client: Client, op: int, x: int = 0, y: int = 0, z: int = 0, operation: int = 0) -> int:
    client.write(pka.COMMAND, op | x << 8 | y << 12 | z << 16 | operation << 20)
    return client.ended()


def load_curve(client: Client) -> int:
    numbers = (P256.p, P256.n, P256.a, P256.b, P256.x, P256.y)
    for at, value in enumerate(numbers):
        client.put(at, value, 256)
    client.write(pka.LENGTH, 256)
    client.write(pka.Y_LENGTH, 256)
    client.write(pka.CURVE, P256.columns | P256.windows << 8 | P256.family << 20)
    return do(client, pka.LOAD_CURVE)


def fill(client: Client) -> None:
    """Use every resource, and leave a power under way."""
    assert load_curve(client) == 0
    client.put(SCALAR, SECRET, 256)
    assert do(client, pka.POINT, SCALAR, 0, 6, Operation.BASE) == 0
    client.put(0, PRIME, BITS)
    client.write(pka.LENGTH, BITS)
    assert do(client, pka.LOAD) == 0
    for slot in range(1, 8):
        client.put(slot, PRIME - 2 - slot, BITS)
    client.put(SCALAR, SECRET, 256)
    client.write(pka.Y_LENGTH, BITS)
    client.write(pka.ENABLE, 3)
    client.write(0, 0)  # refused: sets a bit of the interrupts
    client.write(pka.COMMAND, pka.POWER | 1 << 8 | 2 << 12 | 3 << 16)
    assert client.read(pka.STATUS)[1] & BUSY


def close(client: Client, path: Path) -> None:
    client.connection.close()


def close_after_results(client: Client, path: Path) -> None:
    assert client.ended() == 0
    client.connection.close()


def kill(client: Client, path: Path) -> None:
    """Let another process have the connection, and kill it while it waits for the command."""
    number = client.connection.fileno()
    client.send(WAIT, 0, LONG)
    with subprocess.Popen(["sleep", "1000"], pass_fds=[number]) as process:
        client.connection.close()
        process.kill()


def stop_reading(client: Client, path: Path) -> None:
    with pytest.raises(OSError):
        for _ in range(2000):
            client.send(WAIT, 0, 0)
        time.sleep(4 * IDLE)
        while True:
            client.answer()


def fall_silent(client: Client, path: Path) -> None:
    assert client.closed()


def break_the_protocol(client: Client, path: Path) -> None:
    client.send(99)
    assert client.closed()


def send_half_a_request(client: Client, path: Path) -> None:
    client.connection.sendall(b"\3\0\0\0\0\x40")
    client.connection.shutdown(socket.SHUT_WR)
    assert client.closed()


def stay_too_long(client: Client, path: Path) -> None:
    with Client(path) as other, pytest.raises(ConnectionError):
        while True:
            client.write(pka.COMMAND, pka.POWER | 1 << 8 | 2 << 12 | 3 << 16)
            client.send(WAIT, 0, 100)
            client.answer()
            other.connection.settimeout(60)


WAYS = [
    close,
    close_after_results,
    kill,
    stop_reading,
    fall_silent,
    break_the_protocol,
    send_half_a_request,
    stay_too_long,
]


# The numbers of servers and of ways share no divisor with each other: every way is in each run,
# and every server has some.
@pytest.mark.one_in(3)
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_nothing_of_a_client_is_left_however_it_ends(
    server: ServedResource, way: Callable[[Client, Path], None]
) -> None:
    with Client.granted(server.path) as client:
        fill(client)
        way(client, server.path)
    with Client.granted(server.path) as client:
        kind = {"none": 0, "rsa": pka.LOCKED, "ec": pka.LOCKED | pka.KEY_KIND | 1 << 8}[
            server.locked
        ]
        registers = [
            pka.STATUS,
            pka.ERROR,
            pka.INTR,
            pka.ENABLE,
            pka.LENGTH,
            pka.Y_LENGTH,
            pka.CURVE,
        ]
        assert [client.read(at) for at in registers] == [(0, kind)] + [(0, 0)] * 6
        cycles = client.read(pka.CYCLES)
        words = {client.read(slot_at(slot) + at)[1] for slot in range(8) for at in range(0, 256, 4)}
        assert words == {0}
        # The last modulus would give away the prime: 1 - 2^512 mod p by a product, then a gcd.
        client.write(pka.Y_LENGTH, BITS)
        for op in (pka.PRODUCT, pka.POWER):
            assert do(client, op, 1, 2, 3) == pka.NO_MODULUS
        assert do(client, pka.POINT, SCALAR, 0, 6, Operation.BASE) == pka.NO_CURVE
        assert load_curve(client) == 0
        assert do(client, pka.POINT, SCALAR, 0, 6, Operation.BASE) == INFINITY
        # The key, if any, is as it was; another one cannot be used.
        assert do(client, pka.KEY_POWER, 1, 0, 3) == (
            pka.NO_MODULUS if server.locked == "rsa" else pka.BAD_KEY
        )
        assert do(client, pka.KEY_LOAD) == (0 if server.locked == "rsa" else pka.BAD_KEY)
        assert do(client, pka.KEY_CURVE) == (0 if server.locked == "ec" else pka.BAD_KEY)
        use = do(client, pka.KEY_POINT, 0, 0, 6, Operation.BASE)
        assert use == (0 if server.locked == "ec" else pka.BAD_KEY)
    with Client.granted(server.path) as client:
        assert client.read(pka.CYCLES) == cycles


#: Clients, and answers of a server, of a run.
QUICK, MANY = 150, 20_000


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


@pytest.mark.parametrize("count", [QUICK, pytest.param(MANY, marks=pytest.mark.nightly)])
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


@pytest.mark.parametrize("count", [QUICK // 3, pytest.param(MANY // 10, marks=pytest.mark.nightly)])
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
