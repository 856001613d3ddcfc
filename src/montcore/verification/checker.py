# SPDX-License-Identifier: Apache-2.0
"""Performs and counts the checks of a verification, and describes failures."""

import random
import shlex
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from montcore.cores.core import Core
from montcore.sim.process import PortError
from montcore.sim.simulator import ArrayBatch, ArrayOutcomes, Mode
from montcore.sim.types import Outcome, Product, Status, describe
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import cache_dir
from montcore.support.words import settings_list
from montcore.verification.cases import BadModulus, Case, all_batches, expected_array, product_count
from montcore.verification.constancy import Constancy, describe_product
from montcore.verification.engines import ModelEngine, RtlEngine

#: Maximum failures that are described; further ones are only counted.
MAX_REPORTED = 10
#: Products before the failing one in its wave, if it does not fail alone.
WAVE_CONTEXT = 64
#: Products of the interval measurement, and how many precede the steady state.
INTERVAL_PRODUCTS = 40
INTERVAL_WARM_UP = 8


@dataclass(frozen=True)
class Failure:
    """One failed check: description, the command that reproduces it, and possibly a wave."""

    what: str
    command: str
    wave: Path | None = None


@dataclass
class VerifyResult:
    """Result of a verification.

    Attributes:
        seed: seed of all random choices.
        checked: results that were compared with the specification.
        failed: failed checks of results, refusals and cycle counts.
        rejected: invalid moduli and operands that the core refused with the right status.
        cycles_min: fewest cycles of a product of the full length, from idle; None if none ran.
        cycles_max: most cycles likewise; equal to `cycles_min` unless a check failed.
        failures: the first failures in detail.
    """

    seed: int
    checked: int = 0
    failed: int = 0
    rejected: int = 0
    cycles_min: int | None = None
    cycles_max: int | None = None
    failures: list[Failure] = field(default_factory=list)

    def as_object(self) -> dict[str, int | None]:
        """Return the output of `montcore verify --json`."""
        keys = ("checked", "failed", "rejected", "cycles_min", "cycles_max", "seed")
        return {key: getattr(self, key) for key in keys}


def mul_command(core: Core, product: Product, engine: str = "rtl") -> str:
    """Return the command line that runs one product."""
    words = ["montcore", "mul", core.name, *settings_list(core.settings().items())]
    words += ["--modulus", f"{product.m:#x}", "--bits", str(core.bits)]
    words += ["--length", str(product.length)] if product.length != core.bits else []
    words += ["--x", f"{product.x:#x}", "--y", f"{product.y:#x}"]
    words += ["--engine", engine] if engine != "rtl" else []
    return shlex.join(words)


class _Stopped(Exception):  # noqa: N818 (an order, no error)
    """The first failure was found, and no other is wanted."""


class Checker:
    """Collects the checks of one core in one configuration, and then performs them.

    Args:
        command: the command that repeats the whole verification.
    """

    def __init__(
        self,
        core: Core,
        engine: RtlEngine | ModelEngine,
        command: str,
        seed: int,
        stop: bool = False,
    ) -> None:
        self._core = core
        self._engine = engine
        self._command = command
        self._phases: list[tuple[int, Callable[[], None]]] = []
        self._advance: Callable[[int], None] = lambda _: None
        self._constancy = Constancy(core)
        self._waves = 0
        self._stop = stop
        self.result = VerifyResult(seed)

    def plan_cases(self, cases: list[Case], mode: Mode, *, gaps: bool = False) -> None:
        """Compare these products with their expected answers."""
        self.plan_made(len(cases), lambda: cases, mode, gaps=gaps)

    def plan_made(
        self, count: int, make: Callable[[], list[Case]], mode: Mode, *, gaps: bool = False
    ) -> None:
        """Compare `count` products that are generated when needed."""
        if count:
            self._phases.append((count, lambda: self._check_cases(make(), mode, gaps)))

    def plan_refused(self, moduli: list[BadModulus]) -> None:
        """Offer these moduli, which the core must refuse, and a product after each."""
        if moduli:
            self._phases.append((len(moduli), lambda: self._check_refused(moduli)))

    def plan_interval(self, rng: random.Random) -> None:
        """Compare the cycles between results with the core's formula (RTL only)."""
        if self._engine.name == "rtl":
            seed = rng.getrandbits(32)
            self._phases.append((2 * INTERVAL_PRODUCTS, lambda: self._check_interval(seed)))

    def plan_exhaustive(self) -> None:
        """Run every product of the built width."""
        self._phases.append((product_count(self._core.bits), self._check_all))

    def work(self, progress: Callable[[int, int], None] | None) -> VerifyResult:
        """Perform all planned checks and return their result."""
        total = sum(count for count, _ in self._phases)
        done = 0

        def advance(count: int) -> None:
            nonlocal done
            done += count
            if progress is not None:
                progress(done, total)

        self._advance = advance
        advance(0)
        with suppress(_Stopped):
            self._do_phases()
        cycles = self._constancy.cycles_of(self._core.bits)
        self.result.cycles_min = min(cycles, default=None)
        self.result.cycles_max = max(cycles, default=None)
        return self.result

    def _do_phases(self) -> None:
        for _, phase in self._phases:
            try:
                phase()
            except PortError as error:
                # The design is at fault; the other phases are still useful.
                self._fail(str(error))
        for found in self._constancy.violations():
            product = found.product
            self._fail(
                found.what, mul_command(self._core, product, self._engine.name) if product else None
            )

    def _check_cases(self, cases: list[Case], mode: Mode, gaps: bool) -> None:
        products = [case.product for case in cases]
        outcomes = self._engine.run(products, mode, gaps, self._advance)
        for index, (case, outcome) in enumerate(zip(cases, outcomes, strict=True)):
            if case.error == Status.OK:
                self.result.checked += 1
            if outcome.error != case.error or outcome.z != case.z:
                self._fail_case(case, outcome, products, index, mode, gaps)
            elif case.error != Status.OK:
                self.result.rejected += 1
                if mode == "single" and not gaps and case.error == Status.OPERAND_RANGE:
                    self._constancy.note(case.product, outcome, refused=True)
            elif mode == "single" and not gaps:
                self._constancy.note(case.product, outcome)

    def _check_refused(self, moduli: Sequence[BadModulus]) -> None:
        for bad, seen in zip(moduli, self._engine.refuse(moduli, self._advance), strict=True):
            status, after = seen.status, seen.after
            wanted = " or ".join(f"'{describe(item)}'" for item in bad.statuses)
            if status not in bad.statuses:
                self._fail(f"modulus {bad.m:#x}: expected {wanted}, not '{describe(status)}'")
            elif after != Status.NO_MODULUS:
                self._fail(
                    f"a product after the refused modulus {bad.m:#x}: expected "
                    f"'{describe(Status.NO_MODULUS)}', the core says '{describe(after)}'"
                )
            else:
                self.result.rejected += 1
            if seen.timing is not None:
                self._constancy.note_refused_modulus(bad.m, seen.beats, seen.timing)

    def _check_interval(self, seed: int) -> None:
        rng = random.Random(seed)
        bits = self._core.bits
        formula = self._core.interval(bits)
        seen: set[int | None] = set()
        # Two moduli, so that the times of overlapping products can also be compared.
        for top in (1 << (bits - 1), 0):
            m = max(3, rng.getrandbits(bits) | 1 | top)
            products = [
                Product(rng.randrange(m), rng.randrange(m), m, bits)
                for _ in range(INTERVAL_PRODUCTS)
            ]
            outcomes = self._engine.run(products, "stream", False, self._advance)
            seen |= {outcome.interval for outcome in outcomes[INTERVAL_WARM_UP:]}
            for place, (product, outcome) in enumerate(zip(products, outcomes, strict=True)):
                if outcome.error == Status.OK:
                    self._constancy.note_in_stream(product, outcome, place)
        if seen != {formula}:
            told = ", ".join(str(value) for value in sorted(value or 0 for value in seen))
            self._fail(f"interval of results: {told} cycles, the core's formula gives {formula}")

    def _check_all(self) -> None:
        def check(batch: ArrayBatch, outcome: ArrayOutcomes) -> None:
            m, length = batch.m, batch.length
            x, y = batch.operands()
            z = expected_array(self._core, batch, x, y)
            wrong = np.flatnonzero((outcome.status != 0) | (outcome.z != z))
            self.result.checked += len(x)
            for place in wrong[:MAX_REPORTED].tolist():
                product = Product(int(x[place]), int(y[place]), m, length)
                self._fail_case(
                    Case(product, int(z[place])), _outcome(outcome, place), [product], 0, "single"
                )
            self.result.failed += max(0, len(wrong) - MAX_REPORTED)
            self._constancy.note_array(batch, x, y, outcome)
            self._advance(len(x))

        self._engine.run_batches(all_batches(self._core.bits), check)

    def _fail(self, what: str, command: str | None = None, wave: Path | None = None) -> None:
        self.result.failed += 1
        if len(self.result.failures) < MAX_REPORTED:
            self.result.failures.append(Failure(what, command or self._command, wave))
        if self._stop:
            raise _Stopped

    def _fail_case(
        self,
        case: Case,
        outcome: Outcome,
        products: Sequence[Product],
        index: int,
        mode: Mode,
        gaps: bool = False,
    ) -> None:
        if len(self.result.failures) >= MAX_REPORTED or outcome.error == Status.SKIPPED:
            self.result.failed += 1
            return
        product = case.product
        wanted = f"{case.z:#x}" if case.z is not None else f"'{describe(case.error)}'"
        got = f"{outcome.z:#x}" if outcome.z is not None else f"'{describe(outcome.error)}'"
        try:
            alone, wave = False, None
            if not self._stop:
                alone, wave = self._alone_and_wave(case, products, index, mode, gaps)
        except (CheckFailedError, RequestError, OSError):
            alone, wave = False, None  # the failure stands without them
        how = mode + (", with gaps" if gaps else "")
        self._fail(
            f"{describe_product(product)}: expected {wanted}, got {got} ({how})",
            mul_command(self._core, product, self._engine.name) if alone else None,
            wave,
        )

    def _alone_and_wave(
        self, case: Case, products: Sequence[Product], index: int, mode: Mode, gaps: bool
    ) -> tuple[bool, Path | None]:
        """Return whether the case also fails alone, and a wave of the failure."""
        again = self._engine.run([case.product], "single", False, lambda _: None)[0]
        alone = again.error != case.error or again.z != case.z
        if self._waves or not isinstance(self._engine, RtlEngine):
            return alone, None
        self._waves += 1
        name = f"{self._core.name}-{self._core.label()}".replace(" ", "-").replace("=", "")
        path = cache_dir() / "waves" / f"{name}.fst"
        if alone:
            self._engine.wave([case.product], "single", False, path)
        else:
            group = [
                product
                for product in products[: index + 1]
                if (product.m, product.length) == (case.product.m, case.product.length)
            ]
            self._engine.wave(group[-WAVE_CONTEXT:], mode, gaps, path)
        return alone, path


def _outcome(outcomes: ArrayOutcomes, place: int) -> Outcome:
    status = int(outcomes.status[place])
    return Outcome(
        int(outcomes.z[place]) if status == 0 else None,
        status,
        int(outcomes.cycles[place]),
        int(outcomes.core_cycles[place]),
        None,
    )
