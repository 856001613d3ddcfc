# SPDX-License-Identifier: Apache-2.0
"""One run of a compiled simulator: a thread sends commands, answers are read as they arrive."""

import os
import re
import subprocess
import tempfile
import threading
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType

from montcore.sim import wire
from montcore.sim.types import Status, describe
from montcore.support.errors import CheckFailedError, TransientError
from montcore.support.processes import release, start

#: Base of the exit status for faults not tied to a product; the `Status` is added.
EXIT_FAULT = 64
#: Exit status if `montcore_port_checker` found a port rule violated.
EXIT_RULE = 63
_RULE = re.compile(r"%Fatal: .*Assertion failed in (?:TOP\.)?(\S+)\.\w+: (.*)")


class PortError(CheckFailedError):
    """The simulated hardware hung or broke a rule of its port: a fault of the design."""


class SimulatorProcess:
    """A simulator that processes a stream of commands, to be used in a `with` statement."""

    def __init__(
        self,
        executable: Path,
        beat_bytes: int,
        seed: int,
        commands: Iterable[bytes],
        *,
        wave: Path | None = None,
        snapshot: Path | None = None,
        environment: Mapping[str, str] | None = None,
        limit: int | None = None,
    ) -> None:
        arguments = [str(executable), "--beat-bytes", str(beat_bytes), "--seed", str(seed)]
        if wave is not None:
            arguments += ["--wave", str(wave)]
        if snapshot is not None:
            arguments += ["--snapshot", str(snapshot)]
        if limit is not None:
            arguments += ["--sequence", str(limit)]
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 (__exit__ closes it)
        self._process = start(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._stderr,
            env={**os.environ, **(environment or {})},
        )
        self._failure: BaseException | None = None
        self._writer = threading.Thread(target=self._write, args=(commands,), daemon=True)
        self._writer.start()

    def _write(self, commands: Iterable[bytes]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            with stdin:
                for command in commands:
                    stdin.write(command)
        except BrokenPipeError:
            pass  # the simulator ended early; the reader reports the reason
        except BaseException as error:
            self._failure = error
            self._process.kill()

    def read(self, size: int) -> bytes:
        """Return exactly `size` bytes of answers.

        Raises:
            PortError, TransientError: the simulator ended before sending them.
        """
        stdout = self._process.stdout
        assert stdout is not None
        data: bytes = stdout.read(size)
        if len(data) != size:
            self._process.wait()
            self._writer.join()
            if self._failure is not None:
                raise self._failure
            raise self._error()
        return data

    def rest(self) -> bytes:
        """Return all answers until the simulator ends; `finish` tells whether it ended well."""
        stdout = self._process.stdout
        assert stdout is not None
        data: bytes = stdout.read()
        return data

    def finish(self) -> None:
        """Wait for the simulator's end."""
        if self._process.wait() != 0:
            raise self._error()

    def kill(self) -> None:
        """Stop the simulator at once; readers in other threads then fail."""
        self._process.kill()

    def _error(self) -> CheckFailedError:
        status = self._process.returncode - EXIT_FAULT
        if status in list(Status):
            return PortError(f"after the last product of a run: {describe(status)}")
        self._stderr.seek(0)
        said = self._stderr.read().decode(errors="replace").strip()
        rule = _RULE.search(said)
        if self._process.returncode == EXIT_RULE and rule is not None:
            return PortError(f"a rule of the port of {rule.group(1)} is broken: {rule.group(2)}")
        # Whatever else ended it, such as a signal or a full disk, is no verdict on the design.
        how = f"exit status {self._process.returncode}"
        return TransientError(f"the simulator ended early ({how}): {said or 'no message'}")

    def __enter__(self) -> "SimulatorProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        release(self._process)
        self._writer.join()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._stderr.close()


def script(
    executable: Path,
    beat: wire.BeatFormat,
    commands: Sequence[wire.Command],
    seed: int = 0,
    *,
    snapshot: bool = False,
) -> Generator[wire.WireAnswer]:
    """Send commands to a simulator and yield its answers as they arrive; `close` ends it early."""
    runs = [item for item in commands if isinstance(item, wire.WireRun)]
    # Records start with their type; that of a product has as many beats as its run says.
    beats = iter([run.beats for run in runs for _ in run.products])
    count = len(commands) - len(runs) + sum(len(run.products) for run in runs)
    encoded = (command.encode(beat) for command in commands)
    with (
        tempfile.NamedTemporaryFile() as state,
        SimulatorProcess(
            executable,
            beat.beat_bytes,
            seed,
            encoded,
            snapshot=Path(state.name) if snapshot else None,
        ) as process,
    ):
        for left in reversed(range(count)):
            answer = _answer(process, beat, beats)
            if not left:
                process.finish()
            yield answer


def _answer(
    process: SimulatorProcess, beat: wire.BeatFormat, beats: Iterator[int]
) -> wire.WireAnswer:
    """Read one record; `beats` yields the result sizes of the pending products, oldest first."""
    kind, status, _, cycles, core_cycles, interval, *timing = wire.RECORD.unpack(
        process.read(wire.RECORD.size)
    )
    z, state = None, None
    if kind == wire.RecordKind.PRODUCT:
        data = process.read(next(beats) * beat.beat_bytes)
        z = beat.unpack(data) if status == Status.OK else None
    elif kind == wire.RecordKind.SNAPSHOT:
        state = process.read(cycles)
    return wire.WireAnswer(
        wire.RecordKind(kind),
        status,
        cycles,
        core_cycles,
        None if interval == wire.NO_INTERVAL else interval,
        z,
        state,
        tuple(timing),
    )
