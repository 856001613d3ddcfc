# SPDX-License-Identifier: Apache-2.0
"""Runs products through a core's RTL, or a netlist of it, and measures each of them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from montcore.cores.core import Core
from montcore.sim import wire
from montcore.sim.build import RtlBuild
from montcore.sim.process import SimulatorProcess, script
from montcore.sim.types import Outcome, PortTiming, Product, Status

Mode = Literal["single", "stream"]
Progress = Callable[[int], None]

#: Products per command; in stream mode the interval of its first product is unknown.
CHUNK = 8192


@dataclass(frozen=True)
class ArrayBatch:
    """Products of one modulus below 2^64 whose operands are generated when needed."""

    m: int
    length: int
    count: int
    operands: Callable[[], tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]]


@dataclass(frozen=True)
class ArrayOutcomes:
    """Outcomes of products of one modulus as arrays, for numbers below 2^64."""

    z: npt.NDArray[np.uint64]
    status: npt.NDArray[np.uint8]
    cycles: npt.NDArray[np.uint32]
    core_cycles: npt.NDArray[np.uint32]
    timing: npt.NDArray[np.uint32] | None = None
    setup: PortTiming | None = None


@dataclass(frozen=True)
class _Piece:
    """Products of one modulus for one process; `where` holds their positions in the batch."""

    m: int
    length: int
    where: Sequence[int]


class Simulator:
    """The simulation of one core in one configuration; each call starts its own processes.

    Args:
        gaps: insert random gaps into the operand streams and random back-pressure on the results.
        seed: seed of the gaps and of the registers' contents before reset.
        rtl: what to simulate instead of the core's RTL, for instance a netlist.
    """

    def __init__(
        self,
        core: Core,
        *,
        gaps: bool = False,
        seed: int = 0,
        rtl: RtlBuild | None = None,
        processes: int = 1,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._core = core
        self._gaps = gaps
        self._seed = seed
        self._rtl = rtl or RtlBuild.of_core(core)
        self._processes = max(1, processes)
        self._environment = environment
        self._beat = wire.BeatFormat(core.bus_width)

    def prepare(self) -> Path:
        """Compile the simulator unless the cache has it; return the executable."""
        return self._rtl.executable()

    def run(
        self,
        products: Sequence[Product],
        mode: Mode = "single",
        *,
        progress: Progress | None = None,
    ) -> list[Outcome]:
        """Run the products, grouped by modulus, and return their outcomes in the given order.

        Args:
            products: the products; x and y must fit into the beats of their length.
            mode: ``single``: one product at a time, each from idle; ``stream``: operands as fast
                as the core accepts them, which measures the interval.
            progress: called with the number of products completed since the last call.
        """
        executable = self.prepare()
        outcomes: list[Outcome | None] = [None] * len(products)
        shares = self._shares(products, self._processes)

        def read(share: list[_Piece], process: SimulatorProcess) -> None:
            for chunk, found in self._read_share(share, process):
                for index, outcome in zip(chunk, found, strict=True):
                    outcomes[index] = outcome
                if progress is not None:
                    progress(len(chunk))

        with ExitStack() as stack:
            running = [
                stack.enter_context(
                    SimulatorProcess(
                        executable,
                        self._beat.beat_bytes,
                        self._seed + number,
                        self._commands(products, share, mode),
                        environment=self._environment,
                    )
                )
                for number, share in enumerate(shares)
            ]
            if len(running) == 1:
                read(shares[0], running[0])
            else:
                _read_all(shares, running, read)
        return [outcome for outcome in outcomes if outcome is not None]

    def run_array_batches(
        self,
        batches: Sequence[ArrayBatch],
        mode: Mode = "stream",
    ) -> Iterator[ArrayOutcomes]:
        """Run batches one after the other in a single process, without Python objects."""

        def commands() -> Iterator[bytes]:
            for batch in batches:
                beats = self._core.beats(batch.length)
                limit = self.limit(batch.length)
                yield self._configure(batch.m, beats, limit, mode)
                yield wire.run_header(self._flags(mode), beats, batch.count, limit)
                yield wire.encode_arrays(*batch.operands(), beats, self._beat)

        with SimulatorProcess(
            self.prepare(), self._beat.beat_bytes, self._seed, commands()
        ) as process:
            for batch in batches:
                _, setup = _read_configured(process)
                beats = self._core.beats(batch.length)
                layout = wire.product_record(beats, self._beat)
                table = np.frombuffer(process.read(layout.itemsize * batch.count), layout)
                yield ArrayOutcomes(
                    wire.decode_arrays(table["z"], beats, self._beat),
                    table["status"],
                    table["cycles"],
                    table["core_cycles"],
                    table["timing"],
                    setup,
                )
            process.finish()

    def trace(self, products: Sequence[Product], mode: Mode, path: Path) -> list[Outcome]:
        """Run the products of one modulus and write an FST wave to `path`."""
        (share,) = self._shares(products, 1)
        path.parent.mkdir(parents=True, exist_ok=True)
        with SimulatorProcess(
            self._rtl.executable(wave=True),
            self._beat.beat_bytes,
            self._seed,
            self._commands(products, share, mode),
            wave=path,
        ) as process:
            return [item for _, found in self._read_share(share, process) for item in found]

    def script(
        self, commands: Sequence[wire.Command], *, snapshot: bool = False
    ) -> list[wire.WireAnswer]:
        """Run harness commands unchanged, and return all answers.

        Tests use it to send packets of the wrong length, and to zeroize or reset during a run.
        """
        executable = self._rtl.executable(snapshot=snapshot)
        return list(script(executable, self._beat, commands, self._seed, snapshot=snapshot))

    def limit(self, length: int) -> int:
        """Return the watchdog's limit in cycles, far above the duration of any product."""
        beats = self._core.beats(length)
        cycles = 4096 + 64 * (beats + self._core.core_cycles(length))
        return cycles * 8 if self._gaps else cycles

    def _configure(self, m: int, beats: int, limit: int, mode: Mode) -> bytes:
        # In a stream the first operands already wait while the core is being set up.
        deferred = mode == "stream"
        return wire.Configure(m, beats, limit, deferred=deferred).encode(self._beat)

    def _flags(self, mode: Mode) -> int:
        flags = wire.RunFlag.STREAM if mode == "stream" else wire.SINGLE
        return int(flags | (wire.RunFlag.GAPS if self._gaps else wire.SINGLE))

    def _shares(self, products: Sequence[Product], count: int) -> list[list[_Piece]]:
        """Group by modulus and distribute the groups, large ones split, among the processes."""
        groups: dict[tuple[int, int], list[int]] = {}
        for index, product in enumerate(products):
            groups.setdefault((product.m, product.length), []).append(index)
        largest = max(256, -(-len(products) // count))
        pieces = [
            _Piece(m, length, where[start : start + largest])
            for (m, length), where in groups.items()
            for start in range(0, len(where), largest)
        ]
        shares: list[list[_Piece]] = [[] for _ in range(count)]
        load = [0] * count
        for piece in sorted(pieces, key=lambda item: -len(item.where)):
            target = load.index(min(load))
            shares[target].append(piece)
            load[target] += len(piece.where)
        return [share for share in shares if share] or [[]]

    def _commands(
        self, products: Sequence[Product], share: Iterable[_Piece], mode: Mode
    ) -> Iterator[bytes]:
        for piece in share:
            beats = self._core.beats(piece.length)
            limit = self.limit(piece.length)
            yield self._configure(piece.m, beats, limit, mode)
            for chunk in _chunks(piece.where):
                operands = [(products[index].x, products[index].y) for index in chunk]
                yield wire.run_header(self._flags(mode), beats, len(chunk), limit)
                yield wire.encode_products(operands, beats, self._beat)

    def _read_share(
        self, share: Iterable[_Piece], process: SimulatorProcess
    ) -> Iterator[tuple[Sequence[int], list[Outcome]]]:
        for piece in share:
            refused, setup = _read_configured(process)
            for chunk in _chunks(piece.where):
                found = self._read_chunk(process, piece.length, len(chunk), refused, setup)
                yield chunk, list(found)
        process.finish()

    def _read_chunk(
        self, process: SimulatorProcess, length: int, count: int, refused: int, setup: PortTiming
    ) -> Iterator[Outcome]:
        """Read outcomes; without a modulus, they have the status with which it was `refused`."""
        beats = self._core.beats(length)
        layout = wire.product_record(beats, self._beat)
        data = process.read(layout.itemsize * count)
        table = np.frombuffer(data, layout)
        size, head = layout.itemsize, wire.RECORD.size
        rows = zip(
            range(head, len(data), size),
            table["status"].tolist(),
            table["cycles"].tolist(),
            table["core_cycles"].tolist(),
            table["interval"].tolist(),
            table["timing"].tolist(),
            strict=True,
        )
        for start, own_status, cycles, core_cycles, interval, timing in rows:
            status = refused if own_status == Status.NO_MODULUS and refused else own_status
            yield Outcome(
                self._beat.unpack(data[start : start + size - head]) if status == 0 else None,
                status,
                cycles,
                core_cycles,
                None if interval == wire.NO_INTERVAL else interval,
                PortTiming(*timing),
                setup,
            )


def _read_configured(process: SimulatorProcess) -> tuple[int, PortTiming]:
    _, status, _, _, _, _, *timing = wire.RECORD.unpack(process.read(wire.RECORD.size))
    return int(status), PortTiming(*timing)


def _chunks(where: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(where), CHUNK):
        yield where[start : start + CHUNK]


def _read_all(
    shares: Sequence[list[_Piece]],
    running: Sequence[SimulatorProcess],
    read: Callable[[list[_Piece], SimulatorProcess], None],
) -> None:
    """Read all processes in parallel; a failure of one terminates all of them."""
    with ThreadPoolExecutor(max_workers=len(running)) as pool:
        waiting = [
            pool.submit(read, share, process)
            for share, process in zip(shares, running, strict=True)
        ]
        try:
            for future in waiting:
                future.result()
        except BaseException:
            for process in running:
                process.kill()
            raise
