# SPDX-License-Identifier: Apache-2.0
"""An accelerator behind a local socket: a simulator that serves local programs."""

import os
from collections.abc import Sequence
from pathlib import Path

from montcore.modexp.design import generated_file
from montcore.sim.build import build_simulator
from montcore.soc.design import Design
from montcore.soc.held import HeldKey
from montcore.soc.registers import SOC_DIR
from montcore.soc.wrapper import find_bus, top
from montcore.support.digest import content_key
from montcore.support.errors import RequestError
from montcore.support.paths import PREFIX, REPO_ROOT

DRIVER = REPO_ROOT / "sw" / "driver"
SERVER = DRIVER / "montcore_pka_serve.cpp"
#: Headers of the server, and the C file that it is compiled with.
_HEADERS = ("montcore_pka.h", "montcore_pka_socket.h", "montcore_pka_verilated.hpp")
_NAME = "pka_serve_top"
#: Longest path of a socket on Linux, in bytes.
LONGEST_PATH = 107


def serving_program(design: Design) -> Path:
    """Return the server's program for an accelerator, from the cache or built.

    Raises:
        BuildError: a tool rejected the sources or is missing.
    """
    bus = find_bus("axi4-lite")
    name = f"{PREFIX}{_NAME}"
    made = generated_file(_NAME, top(design, bus, name))
    registers = SOC_DIR / "registers" / "montcore_pka_registers.h"
    digest = content_key({}, (*(DRIVER / file for file in _HEADERS), registers))[:8]
    return build_simulator(
        name,
        [*design.sources(shell=bus.shell), made],
        {},
        [f"-D{item}" for item in design.defines],
        harness=SERVER,
        defines=(*design.defines, f"MONTCORE_SERVE_SOURCES=0x{digest}"),
    )


def serving_command(program: Path, socket: Path, idle_s: float, session_s: float) -> list[str]:
    """Return the command line of a server.

    Args:
        program: see `serving_program`.
        socket: path of the socket, which the server creates and removes.
        idle_s: seconds that a client may be idle while it holds the accelerator.
        session_s: seconds that a client may hold it while others wait.

    Raises:
        RequestError: the path is too long for a socket.
    """
    if len(os.fsencode(socket)) > LONGEST_PATH:
        raise RequestError(f"the path {socket} is too long for a socket ({LONGEST_PATH} bytes)")
    limits = ["--idle", str(round(idle_s * 1000)), "--session", str(round(session_s * 1000))]
    return [str(program), "--socket", str(socket), *limits]


def become_server(command: Sequence[str], key: HeldKey | None = None) -> None:
    """Replace this process by a server, so that it receives signals and no process is left.

    Args:
        command: see `serving_command`.
        key: key to lock in the accelerator first.
    """
    words = list(command)
    if key is not None:
        reading, writing = os.pipe()
        # A pipe holds 64 KiB, a key takes a few, so that no reader is needed yet.
        os.write(writing, key.text())
        os.close(writing)
        os.set_inheritable(reading, True)
        words += ["--key-fd", str(reading)]
    os.execv(words[0], words)
