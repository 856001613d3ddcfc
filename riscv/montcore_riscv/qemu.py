# SPDX-License-Identifier: Apache-2.0
"""Runs functions of the RISC-V library under QEMU's user mode, many calls in one process."""

import os
import shutil
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from montcore.support.errors import RequestError
from montcore.support.needed import system_remedy
from montcore_riscv.calls import Call
from montcore_riscv.exchange import exchange
from montcore_riscv.toolchain import RISCV_DIR, BuildTarget, build_program

QEMU = "qemu-riscv32"
#: Start-up code and main program.
SOURCES = ("test/qemu_start.S", "test/qemu.c")


@dataclass(frozen=True)
class QemuAnswer:
    """Result of a call: a0, the memory read back, and whether it kept the calling convention."""

    value: int
    memory: bytes
    convention_kept: bool


def emulator() -> str:
    """Return QEMU's user mode.

    Raises:
        RequestError: it is not installed.
    """
    found = shutil.which(os.environ.get("MONTCORE_QEMU_RISCV32") or QEMU)
    if found is None:
        raise RequestError(
            f"{QEMU} is not installed, without which no RISC-V program can be run here: "
            f"{system_remedy('qemu-user')}"
        )
    return found


class Emulator:
    """The library under QEMU's user mode; `run` executes many calls in one process."""

    def __init__(self, target: BuildTarget | None = None) -> None:
        """Build the program, or take it from the cache.

        Raises:
            RequestError: compiler or emulator are missing.
        """
        self._qemu = emulator()
        sources = [RISCV_DIR / name for name in SOURCES]
        self._path, self.program = build_program(sources, target or BuildTarget())
        #: Address of the memory that is free for operands.
        self.arena = self.program.address("arena")

    def run(self, calls: Iterable[Call], timeout: float = 600) -> Iterator[QemuAnswer]:
        """Run calls one after the other and yield the answers in order.

        Args:
            calls: may be a generator; it is consumed by another thread.
            timeout: seconds for all of them together.

        Raises:
            CheckFailedError: the program crashed, or did not end in time.
        """
        command = [self._qemu, str(self._path)]
        for _, answer in exchange(QEMU, command, calls, self._encode, head=8, seconds=timeout):
            value, flags = struct.unpack_from("<II", answer)
            yield QemuAnswer(value, answer[8:], flags == 0)

    def _encode(self, call: Call) -> bytes:
        values = [value & 0xFFFFFFFF for value in call.arguments]
        header = struct.pack(
            "<12I",
            self.program.address(call.function),
            *values,
            *(0 for _ in range(8 - len(values))),
            len(call.memory),
            call.out_at,
            call.out_bytes,
        )
        return header + call.memory
