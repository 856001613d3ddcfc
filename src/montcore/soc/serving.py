# SPDX-License-Identifier: Apache-2.0
"""An accelerator behind a local socket: a simulator that serves local programs."""

import ctypes
import grp
import os
import re
import resource
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.rsa.commands import PASSPHRASE_VARIABLE
from montcore.sim.build import build_simulator
from montcore.soc.design import AcceleratorDesign
from montcore.soc.held import HeldKey
from montcore.soc.wrapper import find_bus, top
from montcore.support.digest import content_key
from montcore.support.errors import RequestError
from montcore.support.files import generated_file
from montcore.support.paths import PREFIX, REPO_ROOT

DRIVER = REPO_ROOT / "sw" / "driver"
SERVER = DRIVER / "montcore_pka_serve.cpp"
#: C headers of the server; the key of a simulator covers its C++ headers.
_HEADERS = ("montcore_pka.h", "montcore_pka_socket.h", "montcore_pka_registers.h")
_NAME = "pka_serve_top"
#: Longest path of a socket on Linux, in bytes.
LONGEST_PATH = 107
#: Bounds of a server's time limits, in seconds.
SHORTEST_S, LONGEST_S = 0.1, 86400.0
_PR_SET_DUMPABLE = 4


def serving_program(design: AcceleratorDesign) -> Path:
    """Return the server's program for an accelerator, from the cache or built."""
    bus = find_bus("axi4-lite")
    name = f"{PREFIX}{_NAME}"
    made = generated_file(_NAME, top(design, bus, name))
    digest = content_key({}, tuple(DRIVER / file for file in _HEADERS))[:8]
    return build_simulator(
        name,
        [*design.sources(shell=bus.shell), made],
        {},
        [f"-D{item}" for item in design.defines],
        harness=SERVER,
        defines=(*design.defines, f"MONTCORE_SERVE_SOURCES=0x{digest}"),
    )


def default_socket() -> Path:
    """Return the path of the user's own socket, in a folder that only the user may enter.

    It is ``montcore/montcore.sock`` in XDG_RUNTIME_DIR, without this variable
    ``montcore-UID/montcore.sock`` in ``/tmp``; the driver's montcore_pka_socket_default agrees. The
    folder is created.
    """
    run_time = Path(os.environ.get("XDG_RUNTIME_DIR", ""))
    own = run_time / "montcore"
    if not run_time.is_absolute():
        own = Path("/tmp", f"montcore-{os.geteuid()}")
    try:
        own.mkdir(mode=0o700, exist_ok=True)
        found = own.lstat()
    except OSError as error:
        raise RequestError(f"{own} cannot be created: {error.strerror}; give --socket") from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise RequestError(f"{own} must be a folder of yours with mode 0700; or give --socket")
    return own / "montcore.sock"


@dataclass(frozen=True)
class Access:
    """Who may connect to a server, and for how long.

    Attributes:
        idle_s: seconds that a client may be idle while it holds the accelerator.
        session_s: seconds that a client may hold it while others wait.
        group: group of the socket, by name or number; empty: the process's own.
        mode: permissions of the socket, octal; empty: 0600, or with a group 0660.
    """

    idle_s: float = 10
    session_s: float = 120
    group: str = ""
    mode: str = ""

    def words(self) -> list[str]:
        """Return the options of the server's program."""
        for option, seconds in (("--idle", self.idle_s), ("--session", self.session_s)):
            if not SHORTEST_S <= seconds <= LONGEST_S:  # nor is it nan
                raise RequestError(
                    f"{option} takes {SHORTEST_S} to {LONGEST_S:.0f} seconds, not {seconds}"
                )
        group = -1
        if self.group.isdecimal():
            group = int(self.group)
        elif self.group:
            try:
                group = grp.getgrnam(self.group).gr_gid
            except KeyError:
                raise RequestError(f"there is no group '{self.group}'") from None
        if group >= (1 << 32) - 1:
            raise RequestError(f"there is no group {group}")
        mode = self.mode or ("0660" if self.group else "0600")
        if not re.fullmatch("0?[67][0-7]{2}", mode):
            raise RequestError(f"--mode takes an octal mode from 600 to 777, not '{mode}'")
        if self.group and not int(mode, 8) & 0o020:
            raise RequestError(
                f"with --mode {mode} no member of the group {self.group} can connect, which takes"
                " write permission, as in 0660"
            )
        limits = [str(round(1000 * seconds)) for seconds in (self.idle_s, self.session_s)]
        words = ["--mode", mode, "--group", str(group)]
        return [*words, "--idle", limits[0], "--session", limits[1]]


def check_socket(path: Path, access: Access) -> None:
    """Reject a path at which a server cannot create its socket, or others cannot reach it."""
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise RequestError(f"the path {path} is too long for a socket ({LONGEST_PATH} bytes)")
    if not path.parent.is_dir():
        raise RequestError(f"there is no folder {path.parent}")
    if path.exists() and not path.is_socket():
        raise RequestError(f"{path} is there, and is not a socket")
    if access.group or int(access.mode or "0", 8) & 0o022:
        for folder in path.parents:
            if not folder.stat().st_mode & 0o011:
                raise RequestError(f"only its owner can enter {folder}: give another --socket")


def serving_command(program: Path, socket: Path, access: Access) -> list[str]:
    """Return the command line of a server, which creates and removes the socket."""
    return [str(program), "--socket", str(socket), *access.words()]


def forbid_core_dumps() -> None:
    """Forbid images of this process's memory, which is about to hold a key; also by a debugger."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def become_server(command: Sequence[str], key: HeldKey | None = None) -> None:
    """Replace this process by a server, so that it receives signals and no process is left."""
    words = list(command)
    if key is not None:
        reading, writing = os.pipe()
        # A pipe holds 64 KiB, a key takes a few, so that no reader is needed yet.
        os.write(writing, key.text())
        os.close(writing)
        os.set_inheritable(reading, True)
        words += ["--key-fd", str(reading)]
    kept = {name: value for name, value in os.environ.items() if name != PASSPHRASE_VARIABLE}
    os.execve(words[0], words, kept)
