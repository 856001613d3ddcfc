# SPDX-License-Identifier: Apache-2.0
"""The two ways of running a product: the simulated hardware, and the cycle-exact Python model."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock
from typing import Literal

import numpy as np

from montcore.cores.core import Core
from montcore.model.spec import check_operands
from montcore.sim import wire
from montcore.sim.simulator import ArrayBatch, ArrayOutcomes, Mode, Simulator
from montcore.sim.types import Outcome, PortTiming, Product, Status
from montcore.verification.cases import BadModulus, modulus_statuses

Engine = Literal["rtl", "model"]
Advance = Callable[[int], None]
TakeBatch = Callable[[ArrayBatch, ArrayOutcomes], None]


@dataclass(frozen=True)
class ModulusAnswer:
    """Answers to a modulus that must be refused.

    Attributes:
        after: status of a product sent after it.
        timing: timing of the packet at the port; None from a model.
    """

    status: int
    after: int
    beats: int = 0
    timing: PortTiming | None = None


class RtlEngine:
    """Simulation of the core's RTL."""

    name: Engine = "rtl"

    def __init__(self, core: Core, seed: int, processes: int) -> None:
        self._core = core
        self._seed = seed
        self._processes = processes

    def _simulator(self, *, gaps: bool = False, processes: int = 1) -> Simulator:
        return Simulator(self._core, gaps=gaps, seed=self._seed, processes=processes)

    def run(
        self, products: Sequence[Product], mode: Mode, gaps: bool, advance: Advance
    ) -> list[Outcome]:
        """Run the products and return their outcomes in order."""
        simulator = self._simulator(gaps=gaps, processes=self._processes)
        return simulator.run(products, mode, progress=advance)

    def refuse(self, moduli: Sequence[BadModulus], advance: Advance) -> list[ModulusAnswer]:
        """Offer each modulus, then a product; return both statuses."""
        width = self._core.bus_width
        built = self._core.beats(self._core.bits)
        simulator = self._simulator()
        limit = simulator.limit(self._core.bits)
        commands: list[wire.Command] = []
        for bad in moduli:
            # A modulus that is too long may need more beats than the core supports.
            beats = max(built, -(-bad.m.bit_length() // width))
            probe = wire.Operands(0, 0, built, built)
            commands.append(wire.Configure(bad.m, beats, limit))
            commands.append(wire.WireRun([probe], built, wire.RunFlag.FORCE, limit))
        answers = simulator.script(commands)
        advance(len(moduli))
        return [
            ModulusAnswer(
                modulus.status, product.status, command.beats, PortTiming(*modulus.timing)
            )
            for command, modulus, product in zip(
                commands[::2], answers[::2], answers[1::2], strict=True
            )
            if isinstance(command, wire.Configure)
        ]

    def run_batches(self, batches: Sequence[ArrayBatch], take: TakeBatch) -> None:
        """Run complete arrays of small products from idle; processes share the batches.

        Args:
            take: called with each array and its outcomes, one at a time, in any order.
        """
        self._simulator().prepare()  # in this thread, where an interrupt stops it
        taking, stop = Lock(), Event()

        def run(share: Sequence[ArrayBatch]) -> None:
            outcomes = self._simulator().run_array_batches(share, "single")
            for batch, outcome in zip(share, outcomes, strict=False):
                if stop.is_set():
                    return
                with taking:
                    take(batch, outcome)

        with ThreadPoolExecutor(max_workers=self._processes) as pool:
            shares = (batches[start :: self._processes] for start in range(self._processes))
            workers = [pool.submit(run, share) for share in shares]
            try:
                for worker in workers:
                    worker.result()
            finally:
                stop.set()

    def wave(self, products: Sequence[Product], mode: Mode, gaps: bool, path: Path) -> None:
        """Write an FST wave of the products."""
        self._simulator(gaps=gaps).trace(products, mode, path)


class ModelEngine:
    """The core's Python model; it never receives what the hardware would refuse."""

    name: Engine = "model"

    def __init__(self, core: Core) -> None:
        self._core = core

    def run(
        self, products: Sequence[Product], mode: Mode, gaps: bool, advance: Advance
    ) -> list[Outcome]:
        """Run the products; the model has neither streams nor gaps, so these have no effect."""
        del mode, gaps
        outcomes = []
        for product in products:
            outcomes.append(self._run_one(product))
            advance(1)
        return outcomes

    def _run_one(self, product: Product) -> Outcome:
        x, y, m = product.x, product.y, product.m
        try:
            check_operands(x, y, m)
        except ValueError:
            return Outcome(None, Status.OPERAND_RANGE, 0, 0, None)
        result = self._core.run_model(x, y, m, product.length)
        return Outcome(result.z, Status.OK, result.cycles, result.core_cycles, None)

    def refuse(self, moduli: Sequence[BadModulus], advance: Advance) -> list[ModulusAnswer]:
        """Return the model's precondition check of each modulus."""
        advance(len(moduli))
        return [
            ModulusAnswer(modulus_statuses(bad.m, self._core.bits)[0], Status.NO_MODULUS)
            for bad in moduli
        ]

    def run_batches(self, batches: Sequence[ArrayBatch], take: TakeBatch) -> None:
        """Run complete arrays of small products one by one."""
        for batch in batches:
            xs, ys = batch.operands()
            outcomes = [
                self._run_one(Product(x, y, batch.m, batch.length))
                for x, y in zip(xs.tolist(), ys.tolist(), strict=True)
            ]
            found = ArrayOutcomes(
                np.array([outcome.z or 0 for outcome in outcomes], np.uint64),
                np.array([outcome.error for outcome in outcomes], np.uint8),
                np.array([outcome.cycles for outcome in outcomes], np.uint32),
                np.array([outcome.core_cycles for outcome in outcomes], np.uint32),
            )
            take(batch, found)


def make_engine(
    name: Engine, core: Core, *, seed: int = 0, processes: int = 1
) -> RtlEngine | ModelEngine:
    """Return the engine of that name for a core in one configuration."""
    if name == "model":
        return ModelEngine(core)
    return RtlEngine(core, seed, processes)
