# SPDX-License-Identifier: Apache-2.0
"""Records the timing of the port for each product, and finds data-dependent differences."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from montcore.cores.core import Core
from montcore.sim.simulator import ArrayBatch, ArrayOutcomes
from montcore.sim.types import Outcome, PortTiming, Product

#: Comparisons from the first beat on, in the order in which failures are reported.
_MODULUS_IN, _MODULUS = "modulus coming in", "modulus until the core is at rest"
_OPERANDS_IN, _PRODUCT = "operands coming in", "product until the core is at rest"
_STREAM = "products in a stream"
#: The events of `PortTiming`, in its order.
_EVENTS = (
    "the first beat of X or of the modulus is taken",
    "the last beat of X or of the modulus is taken",
    "the first beat of Y is taken",
    "the last beat of Y is taken",
    "the first result beat or cfg_done_o comes",
    "the last result beat is taken",
    "busy_o falls",
)


@dataclass(frozen=True)
class Violation:
    """A dependence on data or deviation from a formula; `product` reproduces it if one does."""

    what: str
    product: Product | None = None


class Constancy:
    """The cycle counts and port times of one core in one configuration.

    For each distinct count or timing, one product that reproduces it is kept.
    """

    def __init__(self, core: Core) -> None:
        self._core = core
        self._cycles: dict[int, dict[int, Product]] = {}
        self._core_cycles: dict[int, dict[int, Product]] = {}
        self._times: dict[tuple[str, int, int, int], dict[tuple[int, ...], Product]] = {}

    def cycles_of(self, length: int) -> set[int]:
        """Return the distinct cycle counts at a run-time length, for products from idle."""
        return set(self._cycles.get(length, ()))

    def note(self, product: Product, outcome: Outcome, *, refused: bool = False) -> None:
        """Record a product from idle; if its operands were refused, only when they were taken."""
        if not refused:
            self._note_cycles(product, outcome.cycles, outcome.core_cycles)
        self._note_timing(product, outcome.timing, outcome.setup, refused)

    def note_refused_modulus(self, m: int, beats: int, timing: PortTiming) -> None:
        """Record the timing of a refused modulus packet."""
        self._note_time(_MODULUS_IN, beats, timing, Product(0, 0, m, self._core.bits))

    def note_in_stream(self, product: Product, outcome: Outcome, place: int) -> None:
        """Record the product at a position of a stream."""
        if outcome.timing is not None:
            beats = self._core.beats(product.length)
            self._note_time(_STREAM, beats, outcome.timing, product, place)

    def note_array(
        self,
        batch: ArrayBatch,
        x: npt.NDArray[np.uint64],
        y: npt.NDArray[np.uint64],
        outcome: ArrayOutcomes,
    ) -> None:
        """Record the answered products of an array, each from idle."""
        m, length = batch.m, batch.length
        # One product for each distinct pair of counts.
        right = outcome.status == 0
        counts = np.stack((outcome.cycles[right], outcome.core_cycles[right]))
        pairs, first = np.unique(counts, axis=1, return_index=True)
        for place, (cycles, core_cycles) in zip(
            np.flatnonzero(right)[first].tolist(), pairs.T.tolist(), strict=True
        ):
            product = Product(int(x[place]), int(y[place]), m, length)
            self._note_cycles(product, cycles, core_cycles)
        if outcome.timing is None:
            return
        phases = self._core.port_phases
        for phase in range(phases):
            alike = np.flatnonzero(right & (outcome.timing[:, -1] % phases == phase))
            times = outcome.timing[alike]
            other = np.flatnonzero((times[:, :-1] != times[:1, :-1]).any(axis=1))
            for number in (*range(len(alike))[:1], *other[:1].tolist()):
                place = int(alike[number])
                product = Product(int(x[place]), int(y[place]), m, length)
                self._note_timing(
                    product, PortTiming(*times[number].tolist()), outcome.setup, False
                )

    def violations(self) -> Iterator[Violation]:
        """Yield all data dependences, and the counts that differ from the formula."""
        yield from self._cycle_violations()
        yield from self._timing_violations()

    def _note_cycles(self, product: Product, cycles: int, core_cycles: int) -> None:
        self._cycles.setdefault(product.length, {}).setdefault(cycles, product)
        self._core_cycles.setdefault(product.length, {}).setdefault(core_cycles, product)

    def _note_timing(
        self, product: Product, timing: PortTiming | None, setup: PortTiming | None, refused: bool
    ) -> None:
        if timing is None or setup is None:
            return
        beats = self._core.beats(product.length)
        self._note_time(_OPERANDS_IN, beats, timing, product)
        if not refused:
            self._note_time(_PRODUCT, beats, timing, product)
        self._note_time(_MODULUS_IN, beats, setup, product)
        self._note_time(_MODULUS, beats, setup, product)

    def _note_time(
        self, what: str, beats: int, timing: PortTiming, product: Product, place: int = 0
    ) -> None:
        times = timing.loading if what in (_MODULUS_IN, _OPERANDS_IN) else timing.whole
        phase = timing.origin % self._core.port_phases
        self._times.setdefault((what, beats, place, phase), {}).setdefault(times, product)

    def _timing_violations(self) -> Iterator[Violation]:
        """Check that equal numbers of beats give equal port timing, from the first beat on."""
        told: set[tuple[str, int]] = set()
        for (what, beats, _, _), seen in sorted(self._times.items()):
            if len(seen) > 1 and (what, beats) not in told:
                told.add((what, beats))  # once streams differ, they differ from there on
                (one, first), (two, second) = list(seen.items())[:2]
                yield Violation(
                    f"port timing depends on data ({what}, packets of {beats} beats): "
                    f"{_difference(one, two)}; with {describe_product(first)} "
                    f"and with {describe_product(second)}"
                )

    def _cycle_violations(self) -> Iterator[Violation]:
        """Check one cycle count per length; in the datapath it must match the formula."""
        for length, seen in sorted(self._cycles.items()):
            if len(seen) > 1:
                counts = ", ".join(str(value) for value in sorted(seen))
                last = list(seen.values())[-1]
                yield Violation(f"cycles depend on data: {counts} at {length} bits", last)
        for length, seen in sorted(self._core_cycles.items()):
            formula = self._core.core_cycles(length)
            for value, product in sorted(seen.items()):
                if value != formula:
                    yield Violation(
                        f"core_cycles at {length} bits: {value}, the formula gives {formula}",
                        product,
                    )


def describe_product(product: Product) -> str:
    """Return operands, modulus and length, for the description of a failure."""
    return f"x={product.x:#x} y={product.y:#x} m={product.m:#x} length={product.length}"


def _difference(one: tuple[int, ...], two: tuple[int, ...]) -> str:
    # The last fields are digests: two for a complete timing, one for the loading of operands.
    named = len(_EVENTS) if len(one) > len(_EVENTS) else len(one) - 1
    for event, a, b in zip(_EVENTS[:named], one, two, strict=False):
        if a != b:
            return f"{event} after {a} or {b} cycles"
    return "a ready, valid, last, busy, start or done output differs in some cycle"
