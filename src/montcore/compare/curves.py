# SPDX-License-Identifier: Apache-2.0
"""Curve engines over several cores: signatures per second against area, as a table."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import NamedTuple

from rich.console import Console

from montcore.ecc.bench import interval, measure
from montcore.ecc.design import EngineDesign, title_of
from montcore.ecc.engine import Engine
from montcore.ecc.program import Operation
from montcore.ecc.synthesis import EngineFlow, widest_curve
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.terminal import print_table
from montcore.synth import options
from montcore.synth.target import Progress, get_target


@dataclass(frozen=True)
class Rate:
    """Figures of an engine over one core on one target.

    Attributes:
        curve: the widest short Weierstrass curve that fits.
        area: area of engine, program and multiplier: GE of the cells, or look-up tables.
        memory: GE of memory macros, or block memories.
        sign_interval: average cycles between back-to-back signatures, including clearing and
            loading.
    """

    core: str
    label: str
    contexts: int
    target: str
    curve: str
    area: float
    memory: float
    period_ns: float
    sign: int
    verify: int
    multiply: int
    sign_interval: int
    verify_interval: int

    @property
    def title(self) -> str:
        """The core with its parameters and the number of contexts."""
        return title_of(self.core, self.label, self.contexts)

    @property
    def signatures_per_s(self) -> float:
        """Signatures per second at the shortest period, one after the other."""
        return 1e9 / (self.period_ns * self.sign_interval)

    @property
    def verifications_per_s(self) -> float:
        """Verified signatures per second at the shortest period, one after the other."""
        return 1e9 / (self.period_ns * self.verify_interval)

    def to_json(self) -> dict[str, object]:
        """Return all figures."""
        return {
            **asdict(self),
            "signatures_per_s": round(self.signatures_per_s, 1),
            "verifications_per_s": round(self.verifications_per_s, 1),
        }


class _Cycles(NamedTuple):
    sign: int
    verify: int
    multiply: int
    sign_interval: int
    verify_interval: int


def _cycles(flow: EngineFlow) -> _Cycles:

    def simulated() -> _Cycles:
        unit, curve = Engine(flow.design), widest_curve(flow.design.length)
        cycles = measure(unit, curve).cycles
        intervals = (interval(unit, curve, what) for what in (Operation.SIGN, Operation.VERIFY))
        return _Cycles(cycles["sign"], cycles["verify"], cycles["multiply"], *intervals)

    found: _Cycles = flow.remembered("cycles and intervals of signatures", 0, simulated, _Cycles)
    return found


def rates(
    designs: Iterable[EngineDesign],
    target: str,
    progress: Progress | None = None,
    opts: options.Options = options.DEFAULT_OPTIONS,
) -> list[Rate]:
    """Return the figures of engines, fastest first."""
    on = get_target(target)
    if not (on.has_cells or on.technology.routed):
        raise RequestError(f"{target} is mapped only and gives no clock")
    found = []
    for design in designs:
        core = design.core
        flow = EngineFlow(design)
        result = flow.synthesise(target, progress=progress, opts=opts)
        if result.period_ns is None:
            raise CheckFailedError(f"the flow found no clock of the engine over {core.name}")
        rate = Rate(
            core.name,
            core.label(),
            design.contexts,
            target,
            widest_curve(design.length).name,
            float((result.ge if on.has_cells else result.lut) or 0),
            float((result.ge_memory if on.has_cells else result.bram) or 0),
            round(result.period_ns, 4),
            *_cycles(flow),
        )
        found.append(rate)
    return sorted(found, key=lambda rate: -rate.signatures_per_s)


def print_rates(console: Console, found: Sequence[Rate], *, wide: bool = False) -> None:
    """Print the figures as a table; `wide`: all columns."""
    asic = get_target(found[0].target).has_cells
    areas = ("cells kGE", "memory kGE") if asic else ("look-up tables", "block memories")
    numbers = (*areas, "period ns", "sign cycles", "verify cycles", "signatures/s", "verified/s")
    scale = 1e3 if asic else 1.0
    rows = [
        [
            rate.title,
            f"{rate.area / scale:,.1f}",
            f"{rate.memory / scale:,.1f}",
            f"{rate.period_ns:.2f}",
            str(rate.sign),
            str(rate.verify),
            f"{rate.signatures_per_s:,.0f}",
            f"{rate.verifications_per_s:,.0f}",
        ]
        for rate in found
    ]
    title = f"Curve engines, {found[0].curve}, {found[0].target}"
    how = partial(print_table, spare=numbers[4:2:-1], verb="ec compare", wide=wide)
    how(console, title, ["core", *numbers], rows, right=numbers, prose=["core"])
