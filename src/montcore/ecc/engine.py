# SPDX-License-Identifier: Apache-2.0
"""Runs operations through the simulated curve engine."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from montcore.ecc.curves import Curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.isa import EngineStatus
from montcore.ecc.model import EngineModel, Random
from montcore.ecc.program import Operation
from montcore.sim import wire
from montcore.sim.build import RtlBuild
from montcore.sim.process import script
from montcore.sim.types import describe
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.requests import checked

#: Cycles without progress after which the harness gives up.
_LIMIT = 40_000_000


@checked
@dataclass(frozen=True)
class EngineRequest:
    """One operation.

    Attributes:
        x: its scalars, or other secrets.
        y: its points and other public numbers.
    """

    operation: Operation
    x: tuple[int, ...]
    y: tuple[int, ...] = ()


@dataclass(frozen=True)
class Result:
    """The hardware's answer to a request.

    Attributes:
        x: first number, 0 unless the status is OK.
        y: second number.
        cycles: from the last operand beat to the first result beat.
        interval: cycles since the previous result, in a `stream`.
        timing: of the port, as in `montcore.sim.types.PortTiming`.
    """

    status: EngineStatus
    x: int
    y: int
    cycles: int
    interval: int
    timing: tuple[int, ...] = ()


@checked
class Engine:
    """A simulated curve engine.

    Args:
        seed: random seed of the registers' contents before reset.
        rtl: sources to simulate instead of the design's own, such as a netlist.
    """

    def __init__(self, design: EngineDesign, *, seed: int = 0, rtl: RtlBuild | None = None) -> None:
        self.design = design
        self._rtl = rtl or design.build()
        self._seed = seed
        self._beat = wire.BeatFormat(design.width)
        #: Cycles of the last set-up of a curve.
        self.set_up_cycles = 0

    def prepare(self) -> Path:
        """Compile the simulator unless the cache has it; return the executable."""
        return self._rtl.executable()

    def check(self, curve: Curve) -> None:
        """Reject a curve that is too wide.

        Raises:
            RequestError: the curve is wider than the engine.
        """
        if curve.bits > self.design.length:
            raise RequestError(
                f"curve {curve.name} has {curve.bits} bits, "
                f"more than the {self.design.length} that were built"
            )

    def run(self, curve: Curve, requests: Iterable[EngineRequest]) -> Iterator[Result]:
        """Load a curve, run operations one after the other, each from rest; yield their results.

        Raises:
            RequestError: the curve is wider than the engine.
            CheckFailedError: the curve was refused, or the simulator crashed or hung.
        """
        return self._results(curve, [self.request(curve, [item]) for item in requests])

    def stream(self, curve: Curve, requests: Sequence[EngineRequest]) -> list[Result]:
        """Load a curve, run operations as fast as the engine accepts them; return their results.

        The `interval` of the first one is 0.

        Raises:
            RequestError: the curve is wider than the engine.
            CheckFailedError: as `run`.
        """
        together = self.request(curve, requests, wire.RunFlag.STREAM)
        return list(self._results(curve, [together]))

    def _results(self, curve: Curve, commands: Sequence[wire.WireRun]) -> Iterator[Result]:
        self.check(curve)
        load = self.configuration(curve)
        bits = self.design.beats(curve.bits) * self.design.width
        with closing(script(self.prepare(), self._beat, [load, *commands], self._seed)) as answers:
            loaded = next(answers)
            if loaded.status:
                raise CheckFailedError(
                    f"the engine refused the curve {curve.name}: cfg_error_o = {loaded.status}"
                )
            self.set_up_cycles = loaded.cycles
            for answer in answers:
                if answer.z is None:
                    raise CheckFailedError(f"the engine gave no answer: {describe(answer.status)}")
                status = EngineStatus(answer.z & (1 << self.design.width) - 1)
                numbers = answer.z >> self.design.width
                x, y = numbers & (1 << bits) - 1, numbers >> bits
                yield Result(status, x, y, answer.cycles, answer.interval or 0, answer.timing)

    def single(self, curve: Curve, item: EngineRequest) -> Result:
        """Run one operation."""
        (result,) = self.run(curve, [item])
        return result

    def model(self, curve: Curve) -> EngineModel:
        """Return the model of this engine with the randomness of its simulation."""
        return EngineModel(
            self.design.program,
            curve,
            self.design.core.r_bits(curve.bits),
            Random(1, self.design.width),
            self.design.beats(curve.bits),
        )

    def configuration(self, curve: Curve, mode: int = 0, *, trace: bool = False) -> wire.Configure:
        """Return the harness command that loads a curve.

        Args:
            mode: behaviour of the source of randomness, see `montcore_ecc_bench`.
            trace: print every product, sum and instruction.
        """
        packet, beats = curve_packet(self.design, curve)
        packet |= mode << 28 | trace << 27
        return wire.Configure(packet, beats, _LIMIT)

    def request(
        self, curve: Curve, items: Sequence[EngineRequest], flags: wire.RunFlag = wire.SINGLE
    ) -> wire.WireRun:
        """Return the harness command for operations, by default each from rest."""
        operands = []
        for item in items:
            (x, x_beats), (y, y_beats) = operand_packets(self.design, curve, item)
            operands.append(wire.Operands(x, y, max(1, x_beats), y_beats))
        return wire.WireRun(operands, 1 + 2 * self.design.beats(curve.bits), flags, _LIMIT)


def curve_packet(design: EngineDesign, curve: Curve) -> tuple[int, int]:
    """Return the packet of a curve, first beat in the low bits, and its number of beats."""
    width, beats = design.width, design.beats(curve.bits)
    first = curve.p.bit_length() | curve.n.bit_length() << 10 | curve.family << 20
    first |= curve.public << 23
    second = curve.columns | curve.windows << 8
    numbers = (curve.p, curve.n, curve.a, curve.b, curve.x, curve.y)
    packet = first | second << width | _joined(numbers, beats * width) << 2 * width
    return packet, 2 + len(numbers) * beats


def operand_packets(
    design: EngineDesign, curve: Curve, item: EngineRequest
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return packets x and y of an operation, first beat in the low bits, and their beats."""
    width, beats = design.width, design.beats(curve.bits)
    if min((0, *item.x, *item.y)) < 0 or max((0, *item.x, *item.y)) >> beats * width:
        raise RequestError(f"the numbers of an operation have at most {beats * width} bits")
    y = int(item.operation) | _joined(item.y, beats * width) << width
    return (_joined(item.x, beats * width), len(item.x) * beats), (y, 1 + len(item.y) * beats)


def _joined(numbers: Sequence[int], bits: int) -> int:
    return sum(value << index * bits for index, value in enumerate(numbers))
