# SPDX-License-Identifier: Apache-2.0
"""A client gives keys only to a server that it trusts; who may connect; no image of its memory."""

import errno
import grp
import math
import multiprocessing
import os
import pwd
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection as Pipe
from pathlib import Path

import pytest
from serving import SMALL, VERSION, Client, ask_by_driver, sanitized  # noqa: F401

from montcore.soc.serving import Access, check_socket, default_socket
from montcore.support.errors import RequestError
from montcore.support.processes import running
from montcore_lab.clients import served

FOLDER = "XDG_RUNTIME_DIR"
ME, GROUP = os.geteuid(), os.getegid()
#: A user that is not the tests', and whose processes the tests can start if they run as root.
OTHER = pwd.getpwnam("nobody").pw_uid
BEGIN = bytes.fromhex("01000000 00000000 01000000")
Ask = Callable[..., str]


@contextmanager
def other_user(work: Callable[[Pipe], None], groups: Sequence[int] = ()) -> Iterator[Pipe]:
    """Do some work in a process of another user, which the tests can start if they run as root."""
    fork = multiprocessing.get_context("fork")
    here, there = fork.Pipe()

    def run() -> None:
        os.setgroups(groups)
        os.setresgid(OTHER, OTHER, OTHER)
        os.setresuid(OTHER, OTHER, OTHER)
        work(there)

    process = fork.Process(target=run)
    process.start()
    yield here
    process.join(60)
    assert process.exitcode == 0


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """The driver's client; see `ask_by_driver`."""
    return ask_by_driver(tmp_path_factory.mktemp("client"))


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that every user can enter and write to."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        Path(folder).chmod(0o777)
        yield Path(folder)


@dataclass
class FalseServer:
    """What a server that is none was sent."""

    path: Path
    got: bytes = b""


@pytest.fixture
def false_server(tmp_path: Path) -> Iterator[FalseServer]:
    """A server of the tests' user; it hangs up after what it is sent first."""
    server = FalseServer(tmp_path / "false")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(server.path))
        listener.listen()

        def serve() -> None:
            while True:
                try:
                    connection = listener.accept()[0]
                except OSError:
                    return
                with connection:
                    server.got += connection.recv(100)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server
        listener.shutdown(socket.SHUT_RDWR)
        thread.join()


NAMES = (pwd.getpwuid(ME).pw_name, ":" + grp.getgrgid(GROUP).gr_name)
REFUSED = f"refused {errno.EPERM}"


@pytest.mark.parametrize("trust", ["", str(ME), f":{GROUP}", *NAMES])
def test_a_client_speaks_to_a_server_of_whom_it_trusts(
    ask: Ask, false_server: FalseServer, trust: str
) -> None:
    assert ask(false_server.path, trust) == f"refused {errno.ECONNRESET}"
    assert false_server.got == BEGIN


@pytest.mark.parametrize("trust", [str(ME + 1), f":{GROUP + 1}", str(OTHER)])
def test_a_client_sends_nothing_to_another_server(
    ask: Ask, false_server: FalseServer, trust: str
) -> None:
    assert ask(false_server.path, trust) == REFUSED
    assert false_server.got == b""


@pytest.mark.parametrize("trust", ["no-such-user", ":no-such-group", "12x", "99999999999", ":"])
def test_a_setting_that_names_nobody_is_an_error(ask: Ask, trust: str) -> None:
    assert ask("/nowhere", trust) == "unknown"


def test_a_server_of_another_user_is_sent_nothing_unless_it_is_named(
    ask: Ask, public: Path
) -> None:
    if ME != 0:
        return  # the tests above make the same comparison with another number
    for trust, expected, sent in (("", REFUSED, b""), ("nobody", "refused", BEGIN)):
        path = public / f"false{len(sent)}"

        def serve(pipe: Pipe, path: Path = path) -> None:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(str(path))
                listener.listen()
                pipe.send("listening")
                with listener.accept()[0] as connection:
                    pipe.send(connection.recv(100))

        with other_user(serve) as server:
            server.recv()
            assert ask(path, trust).startswith(expected)
            assert server.recv() == sent


def test_a_link_and_what_is_no_socket_are_not_spoken_to(
    ask: Ask, false_server: FalseServer, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(false_server.path)
    assert ask(link) == f"refused {errno.ELOOP}"
    assert false_server.got == b""
    (tmp_path / "file").write_text("a file")
    assert ask(tmp_path / "file") == f"refused {errno.ECONNREFUSED}"
    assert ask(tmp_path / "absent") == f"refused {errno.ENOENT}"
    if ME == 0:
        os.chown(false_server.path, OTHER, GROUP)
        assert ask(false_server.path) == REFUSED
        assert false_server.got == b""


def test_server_and_client_meet_in_a_folder_of_the_user(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ask("-").splitlines()[0] == str(Path("/tmp", f"montcore-{ME}", "montcore.sock"))
    assert (
        ask("-", XDG_RUNTIME_DIR="relative")
        .splitlines()[0]
        .startswith(str(Path("/tmp", "montcore-")))
    )
    monkeypatch.setenv(FOLDER, str(tmp_path))
    path = tmp_path / "montcore" / "montcore.sock"
    assert default_socket() == path
    with served(None, *SMALL) as server:
        assert server.socket == path
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert ask("-", XDG_RUNTIME_DIR=str(tmp_path)) == f"{path}\ngranted 4d504b41 0\n"
        assert ask(path) == "granted 4d504b41 0"
    # Nothing that another user may have put there is used.
    folder = path.parent
    folder.rmdir()
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(RequestError, match="must be a folder of yours with mode 0700"):
        default_socket()
    folder.unlink()
    folder.write_text("")
    with pytest.raises(RequestError, match="cannot be created: File exists"):
        default_socket()
    folder.unlink()
    for mode in (0o770, 0o701):
        folder.mkdir()
        folder.chmod(mode)
        with pytest.raises(RequestError, match="must be a folder of yours with mode 0700"):
            default_socket()
        folder.rmdir()
    if ME == 0:
        folder.mkdir(mode=0o700)
        os.chown(folder, OTHER, GROUP)
        with pytest.raises(RequestError, match="must be a folder of yours"):
            default_socket()


def connects(path: Path, groups: Sequence[int] = ()) -> bool:
    """Tell whether another user with these groups can connect."""

    def connect(pipe: Pipe) -> None:
        with socket.socket(socket.AF_UNIX) as connection:
            pipe.send(connection.connect_ex(str(path)))

    with other_user(connect, groups) as pipe:
        found = pipe.recv()
    assert found in (0, errno.EACCES)
    return bool(found == 0)


def test_a_group_may_be_let_in(ask: Ask, public: Path) -> None:
    path = public / "socket"
    group = 4242 if ME == 0 else GROUP
    with served(path, *SMALL, "--group", str(group)):
        status = path.stat()
        assert (stat.S_IMODE(status.st_mode), status.st_gid) == (0o660, group)
        assert ME != 0 or (connects(path, [group]), connects(path)) == (True, False)
    with served(path, *SMALL, "--group", NAMES[1][1:], "--mode", "0666"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o666
        assert ME != 0 or connects(path)


def test_users_have_their_turn_in_turns(public: Path) -> None:
    if ME != 0:
        return  # it takes two users
    path = public / "socket"

    def take_turn(pipe: Pipe) -> None:
        with Client(path) as client:
            pipe.send("begun")
            pipe.send(client.answer())

    with served(path, *SMALL, "--mode", "666"):
        mine = [Client(path) for _ in range(3)]
        mine[0].answer()
        with other_user(take_turn) as other:
            other.recv()
            time.sleep(0.5)  # the server hears all that have come
            mine[0].connection.close()
            assert other.recv() == (0, VERSION)
        for client in mine[1:]:
            assert client.answer() == (0, VERSION)
            client.connection.close()


@pytest.mark.parametrize("seconds", [math.inf, -math.inf, math.nan, 1e10, 0.0, 86401.0])
@pytest.mark.parametrize("name", ["idle", "session"])
def test_limits_that_are_none_are_refused(name: str, seconds: float) -> None:
    with pytest.raises(RequestError, match=f"--{name} takes 0.1 to 86400 seconds, not"):
        (Access(seconds) if name == "idle" else Access(session_s=seconds)).words()


@pytest.mark.parametrize("mode", ["0888", "400", "1600", "-1", "rw"])
def test_modes_that_shut_the_owner_out_or_are_none_are_refused(mode: str) -> None:
    with pytest.raises(RequestError, match="--mode takes an octal mode from 600 to 777"):
        Access(mode=mode).words()


@pytest.mark.parametrize("mode", ["0600", "640", "0606"])
def test_who_could_not_connect_is_not_promised_it(mode: str, public: Path) -> None:
    with pytest.raises(RequestError, match=f"--mode {mode} no member of the group {GROUP} can"):
        Access(group=str(GROUP), mode=mode).words()
    (public / "shut").mkdir(mode=0o700)
    path = public / "shut" / "socket"
    for access in (Access(group=str(GROUP)), Access(mode="0666")):
        with pytest.raises(RequestError, match=f"only its owner can enter {path.parent}: give an"):
            check_socket(path, access)
        check_socket(public / "socket", access)
    check_socket(path, Access())


def test_a_refusal_is_one_sentence() -> None:
    for words in (
        *("--session inf --group nobodys", "--units curves --bits 1", "--units curves --core smm"),
        *("--units exponentiator --curves smm", "--units curves --bits 9 --curve-bits 8"),
    ):
        command = [sys.executable, "-m", "montcore", "serve", *words.split()]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    with pytest.raises(RequestError, match="there is no group 'nobodys'"):
        Access(group="nobodys").words()
    with pytest.raises(RequestError, match="there is no group 4294967295"):
        Access(group="4294967295").words()


def test_no_image_of_the_servers_memory_can_be_taken(
    public: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_shut(process: int) -> bool:
        """Tell whether only root may look into a process."""
        return Path(f"/proc/{process}/environ").stat().st_uid == 0

    monkeypatch.setenv("MONTCORE_PASSPHRASE", "word")
    with served(tmp_path / "socket", *SMALL) as server:
        limits = Path(f"/proc/{server.pid}/limits").read_text()
        assert "Max core file size        0                    0  " in limits
        assert is_shut(server.pid)
        if ME != 0:
            return
        assert b"MONTCORE_PASSPHRASE" not in Path(f"/proc/{server.pid}/environ").read_bytes()
        program = Path(f"/proc/{server.pid}/exe").resolve()
    # All of root's processes look so; the server of another user shows whether its own user may.
    copy = shutil.copy(program, public / "server")
    words = [str(copy), "--socket", str(public / "socket"), "--mode", "600", "--group", "-1"]
    words += ["--idle", "1000", "--session", "1000"]
    with running(words, user=OTHER, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().startswith(b"listening")
        assert is_shut(other.pid)
