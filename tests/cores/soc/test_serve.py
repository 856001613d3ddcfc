# SPDX-License-Identifier: Apache-2.0
"""An accelerator behind a socket: one client at a time, and no data remains for the next."""

import os
import re
import signal
import stat
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)
from pka_bench import COMMAND, CONTROL, LENGTH, LOAD, OPERANDS, POWER, SLOT, STATUS, Y_LENGTH
from serving import BEGIN, KEY, LONG, READ, SMALL, VERSION, WAIT, WRITE, Client, sanitized  # noqa: F401

from montcore.cores import get_core
from montcore.soc.design import AcceleratorDesign
from montcore.soc.held import read_held
from montcore.support.errors import RequestError
from montcore_lab.clients import served

ID = 0x4D504B41
MODULUS = (1 << 64) - 59
#: Seconds that a client of `server` may be idle.
IDLE = 2


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The socket of an accelerator of 64 bits."""
    path = tmp_path_factory.mktemp("serve") / "socket"
    with served(path, *SMALL, "--idle", str(IDLE), "--session", "3"):
        yield path


def begin_power(client: Client) -> None:
    """Load a modulus and begin a power."""
    for slot, value in enumerate((MODULUS, 3, MODULUS - 2)):
        client.put(slot, value, 64)
    client.write(LENGTH, 64)
    client.write(Y_LENGTH, 64)
    client.write(COMMAND, LOAD)
    assert client.ended() == 0
    client.write(COMMAND, POWER | 1 << 8 | 2 << 12 | 3 << 16)


def result(client: Client) -> int:
    assert client.ended() == 0
    words = [client.read(OPERANDS + 3 * SLOT + 4 * at) for at in (0, 1)]
    assert [status for status, _ in words] == [0, 0]
    return words[0][1] | words[1][1] << 32


def test_a_client_works_and_leaves_nothing(server: Path) -> None:
    with Client.granted(server) as client:
        begin_power(client)
        assert result(client) == pow(3, MODULUS - 2, MODULUS)
    with Client.granted(server) as client:
        assert client.read(STATUS) == (0, 0)
        words = [client.read(OPERANDS + SLOT * slot + 4 * at) for slot in range(8) for at in (0, 1)]
        assert set(words) == {(0, 0)}


def test_clients_wait_for_their_turn_and_have_it_in_order(server: Path) -> None:
    with Client.granted(server) as first, Client(server) as second, Client(server) as third:
        assert first.read(0) == (0, ID)
        for waiting in (second, third):
            waiting.connection.settimeout(0.1)
            with pytest.raises(TimeoutError):
                waiting.answer()
            waiting.connection.settimeout(10)
        first.connection.close()
        assert second.answer() == (0, VERSION)
        second.connection.close()
        assert third.answer() == (0, VERSION)


def test_a_refused_access_is_told_once(server: Path) -> None:
    with Client.granted(server) as client:
        assert client.read(0x2000)[0] == 1
        assert client.read(0) == (0, ID)
        client.write(0x10000, 1)
        assert client.read(0)[0] == 1
        assert client.read(0) == (0, ID)
        assert client.read(0x12345678)[0] == 1
        client.send(KEY, 0)
        assert client.answer() == (0, 0)


@pytest.mark.parametrize(
    "requests",
    [[(99, 0, 0)], [(BEGIN, 0, VERSION + 1)], [(BEGIN, 0, VERSION), (99, 0, 0)]],
    ids=["not begun", "another version", "begun"],
)
def test_who_does_not_keep_to_the_protocol_is_dropped(
    server: Path, requests: list[tuple[int, int, int]]
) -> None:
    with Client(server, begin=False) as client:
        for request in requests:
            client.send(*request)
        if len(requests) > 1:
            assert client.answer() == (0, VERSION)
        assert client.closed()
    Client.granted(server).connection.close()


def test_who_is_silent_or_never_ends_is_dropped(server: Path) -> None:
    with Client(server, begin=False) as mute:
        begin = time.monotonic()
        assert mute.closed() and time.monotonic() - begin >= 0.8 * IDLE
    with Client.granted(server) as idle, Client(server) as other:
        assert idle.closed()
        assert other.answer() == (0, VERSION)
    with Client.granted(server) as greedy, Client(server) as other:
        begin = time.monotonic()
        with pytest.raises(ConnectionError):
            while time.monotonic() - begin < 30:
                greedy.read(0)
                time.sleep(0.05)
        assert other.answer() == (0, VERSION)


@pytest.mark.parametrize("begun", [False, True], ids=["before BEGIN", "granted"])
def test_parts_of_a_request_do_not_keep_a_connection(server: Path, begun: bool) -> None:
    with Client(server, begin=begun) as client:
        assert not begun or client.answer() == (0, VERSION)
        begin = time.monotonic()
        with pytest.raises(OSError):
            while time.monotonic() - begin < 4 * IDLE:
                client.connection.send(b"\1")
                time.sleep(IDLE / 2)  # a whole request would take longer
        assert client.closed()


def test_answers_that_are_not_read_hold_the_server_up_and_none_is_lost(server: Path) -> None:
    count = 1000
    requests = ((WRITE, OPERANDS, at, READ, OPERANDS, 0) for at in range(count))
    with Client(server) as client:
        client.connection.sendall(b"".join(struct.pack("<6I", *two) for two in requests))
        assert client.answer() == (0, VERSION)
        assert [client.answer() for _ in range(count)] == [(0, at) for at in range(count)]


def test_requests_behind_waits_are_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    flood = struct.pack("<3I", WAIT, 0, 0) * 512
    with served(path, *SMALL) as server, Client.granted(path) as client:

        def memory() -> int:
            status = Path(f"/proc/{server.pid}/status").read_text()
            return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])

        before, answers = memory(), 0
        client.connection.setblocking(False)
        while answers < 2000:
            with suppress(BlockingIOError):
                client.connection.send(flood)
            with suppress(BlockingIOError):
                answers += len(client.connection.recv(1 << 20)) // 8
        assert memory() - before < 2000


def test_silent_connections_do_not_lock_others_out(server: Path) -> None:
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(Client(server, begin=False))
        begin = time.monotonic()
        with Client.granted(server):
            assert time.monotonic() - begin < IDLE / 2
        # Of one user's connections that wait for their turn there is a limited number.
        crowd = []
        dropped = 0
        for _ in range(140):
            crowd.append(stack.enter_context(Client(server, begin=False)))
            # One too many may be dropped before it can say a word.
            with suppress(ConnectionError):
                crowd[-1].send(BEGIN, 0, VERSION)
        for one in crowd:
            one.connection.settimeout(60 if one is crowd[0] else 0.01)
            dropped += one.closed() if one is not crowd[0] else one.answer() != (0, VERSION)
        assert dropped == 140 - 128


def test_only_its_owner_may_use_the_socket_and_it_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    with served(path, *SMALL) as server:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        with Client.granted(path) as client:
            client.write(CONTROL, 1)
            client.send(WAIT, 0, LONG)
            assert client.answer() == (0, 0)
        # The command has become the server: there is no other process.
        assert b"simulator" in Path(f"/proc/{server.pid}/cmdline").read_bytes().split(b"\0")[0]
    assert (server.sessions, server.abandoned) == (1, 0)
    assert not path.exists()


def test_a_socket_in_use_and_a_file_are_not_taken_over(tmp_path: Path) -> None:
    path = tmp_path / "socket"
    command = [sys.executable, "-m", "montcore", "serve", "--socket", str(path), *SMALL]

    def refused(status: int) -> str:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == status
        assert "cycles" not in done.stdout
        return done.stderr

    with served(path, *SMALL) as server:
        assert refused(1).startswith(f"montcore: cannot listen on {path}: Address already in use")
        Client.granted(path).connection.close()
    path.write_text("a file")
    assert refused(2) == f"montcore: {path} is there, and is not a socket\n"
    assert path.read_text() == "a file"
    path.unlink()
    # The socket left by a killed server is replaced.
    with served(path, *SMALL) as server:
        left = tmp_path / "left"
        os.link(path, left)
    left.rename(path)
    with served(path, *SMALL) as server:
        Client.granted(path).connection.close()
        os.kill(server.pid, signal.SIGHUP)  # as a terminal that is closed
    assert server.sessions == 1 and not path.exists()
    usual = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # as nohup does
    with served(path, *SMALL) as server:
        signal.signal(signal.SIGHUP, usual)
        os.kill(server.pid, signal.SIGHUP)
        Client.granted(path).connection.close()
    assert server.sessions == 1


def test_a_key_to_lock_is_read_with_one_question_and_refused_where_it_does_not_fit(
    tmp_path: Path,
) -> None:
    asked = []

    def passphrase() -> bytes:
        asked.append(1)
        return b"word"

    def written(name: str, key: PrivateKeyTypes) -> Path:
        form = (Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"word"))
        (tmp_path / name).write_bytes(key.private_bytes(*form))
        return tmp_path / name

    curves, powers = (
        AcceleratorDesign(None, get_core("smm").configure({"npe": "2"}, 256)),
        AcceleratorDesign(get_core("smm").configure({"npe": "2"}, 1024)),
    )
    curve_key = ec.generate_private_key(ec.SECP256R1())
    held = read_held(written("p256", curve_key), passphrase)
    assert len(asked) == 1
    held.check(curves)
    with pytest.raises(RequestError, match="this key needs --units curves or both"):
        held.check(powers)
    # The private number is written and cannot be read.
    d = curve_key.private_numbers().private_value
    words = [d >> at & 0xFFFFFFFF for at in range(0, 256, 32)]
    assert [word for at, word in held.writes if at >= 0x8000 + 7 * SLOT] == words
    assert not set(words) & {word for _, word in held.public}
    power_key = rsa.generate_private_key(65537, 1024)
    held = read_held(written("rsa", power_key), passphrase)
    assert len(asked) == 2
    held.check(powers)
    with pytest.raises(RequestError, match="this key needs --units exponentiator or both"):
        held.check(curves)
    with pytest.raises(RequestError, match="a key of 1024 bits needs --bits 1024 or more"):
        held.check(AcceleratorDesign(get_core("smm").configure({"npe": "2"}, 512)))
    assert power_key.private_numbers().d & 0xFFFFFFFF not in {word for _, word in held.public}
    with pytest.raises(RequestError, match="a key on secp224r1 cannot be locked"):
        read_held(written("p224", ec.generate_private_key(ec.SECP224R1())), passphrase)
    with pytest.raises(RequestError, match="Ed25519, not one for ECDSA or ECDH, nor one of RSA"):
        read_held(written("ed", ed25519.Ed25519PrivateKey.generate()), passphrase)
