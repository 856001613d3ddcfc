# SPDX-License-Identifier: Apache-2.0
"""A point of comparison: a core, or a unit over a core, in one configuration on one target."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from montcore.compare.entry import BELOW, Entry
from montcore.compare.units import UNITS, Unit
from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.support.digest import digest
from montcore.support.errors import RequestError
from montcore.support.requests import checked
from montcore.support.words import hint, settings_words
from montcore.synth.identity import flow_key
from montcore.synth.options import DEFAULT_OPTIONS, Options, chosen_options
from montcore.synth.target import get_target

#: Targets of a comparison if none are named: the ASIC library and the newest FPGA family.
DEFAULT_TARGETS = ("xc7", "osu018")
#: Devices on which clocks are measured, with what they hold, as nextpnr prints it.
DEVICES: Mapping[str, tuple[str, Mapping[str, int]]] = {
    "ecp5": ("LFE5U-85F", {"lut": 83_640, "dsp": 156}),
    "nexus": ("LIFCL-40", {"lut": 32_256, "dsp": 56}),
    "gatemate": ("CCGM1A1", {"lut": 40_960}),
}


class WidthError(RequestError):
    """No core offers the width."""


@dataclass(frozen=True)
class Point:
    """One point of the design space, as plain values that travel between processes.

    Attributes:
        core: name of the core, or of a unit.
        settings: its parameters except the width, name and value as text; for a unit first the core
            that it is built over, then that core's parameters.
        bits: built width L and length of the products, in bits.
        wires: `PLACED` or `NONE`, as for ``synth --wires``; the default on targets without cells.
    """

    core: str
    settings: tuple[tuple[str, str], ...]
    bits: int
    target: str
    wires: str = DEFAULT_OPTIONS.wires

    @classmethod
    def of(
        cls,
        core: str,
        settings: Mapping[str, str],
        bits: int,
        target: str,
        wires: str | None = None,
    ) -> "Point":
        """Return a point from its non-default parameters.

        Raises:
            RequestError: the core does not have these parameters, or cannot be built with them.
        """
        if core not in UNITS:
            return cls.of_core(get_core(core).configure(settings, bits), target, wires)
        own = {key: value for key, value in settings.items() if key != BELOW}
        return cls.of_core(get_core(settings[BELOW]).configure(own, bits), target, wires, core)

    @classmethod
    def of_core(cls, core: Core, target: str, wires: str | None = None, unit: str = "") -> "Point":
        """Return the point of a configured core, or of a unit over it."""
        settings = tuple((key, str(value)) for key, value in core.settings().items())
        if unit:
            settings = ((BELOW, core.name), *settings)
        # Targets without cells have one kind of point, whatever is said about wires.
        on = get_target(target)
        chosen = chosen_options(wires if on.has_cells else None, usual=on.usual)
        return cls(unit or core.name, settings, core.bits, target, chosen.wires)

    @property
    def options(self) -> Options:
        """The options of its synthesis."""
        return replace(get_target(self.target).usual, wires=self.wires)

    @property
    def unit(self) -> Unit | None:
        """The unit, or None if the point is a multiplier."""
        return UNITS.get(self.core)

    def configured(self) -> Core:
        """Return the core with its parameters; for a unit, the multiplier that it is built over."""
        settings = dict(self.settings)
        name = settings.pop(BELOW) if self.unit else self.core
        return get_core(name).configure(settings, self.bits)

    def about(self) -> Any:
        """Return its figures' dependencies other than flow and harness, as plain values."""
        core, on = self.configured(), get_target(self.target)
        if self.unit:
            design = self.unit.flow(core).design
            parts = [design.about(), design.about(on.technology)]
            return [parts, _sources_digest(tuple(design.files()))]
        return {
            "simulated": core.sv_parameters(),
            "mapped": core.sv_parameters(on.technology),
            "choices": core.flow_choices(on.technology),
            "shared": core.shared_modules if on.shares_modules else (),
            "sources": _sources_digest(tuple(core.sources())),
        }

    def entry(self, **figures: Any) -> Entry:
        """Return an entry of the point with these figures."""
        settings = dict(self.settings)
        return Entry(self.core, settings, self.bits, self.target, command=self.command, **figures)

    @property
    def label(self) -> str:
        """Name of the configuration, without width and target."""
        return " ".join([self.core, *(f"{key}={value}" for key, value in self.settings)])

    @property
    def command(self) -> str:
        """The command that produces the figures again."""
        settings = settings_words(self.settings)
        words = f"montcore synth {self.core}{settings} --bits {self.bits}"
        on = get_target(self.target)
        return f"{words} {on.words}{on.flags(self.options)}"


@cache
def _sources_digest(files: tuple[Path, ...]) -> str:
    return digest((), files)


@checked
def digests(point: Point) -> tuple[str, str]:
    """Return a point's digests: of its sources with their parameters, and of the flow.

    No tool runs.
    """
    text = json.dumps(point.about(), sort_keys=True, default=list)
    return digest([point.command, text]), flow_key(point.target)


def choose(given: Sequence[str] | None, known: Sequence[str], what: str) -> list[str]:
    """Return the chosen names in the given order, all names if none are given."""
    if given is None:
        return list(known)
    for name in given:
        if name not in known:
            raise RequestError(
                f"there is no {what} '{name}'{hint(name, known)}; there are {', '.join(known)}"
            )
    if not given:
        raise RequestError(f"no {what} is named")
    return list(dict.fromkeys(given))


@dataclass(frozen=True)
class Plan:
    """What a comparison measures.

    Attributes:
        points: the points, cheap ones first, alternating between cores.
        left_out: cores that do not support the width, and why.
    """

    points: list[Point]
    left_out: dict[str, str]


def survey(
    bits: int,
    *,
    cores: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    full: bool = False,
    wires: str | None = None,
) -> Plan:
    """Return the points of a comparison, and the cores that do not offer the width.

    Args:
        bits: built width and length of the products in bits.
        cores: names of cores, or of one unit, which is then compared over every core; None for
            all cores.
        targets: names of targets; None for `DEFAULT_TARGETS`.
        full: the cores' full sweeps rather than their small ones.
        wires: as in `Point`, on targets with cells; None for the default.

    Raises:
        WidthError: no core offers the width.
    """
    names = list(all_cores())
    if cores is not None:
        names = choose(cores, [*names, *UNITS], "core")
    wanted = list(dict.fromkeys(targets if targets is not None else DEFAULT_TARGETS))
    for target in wanted:
        get_target(target)
    if not wanted:
        raise RequestError("no target is named")
    queues, left_out = _queues(names, bits, full)
    if not any(queues):
        reasons: dict[str, list[str]] = {}
        for name, text in left_out.items():
            reasons.setdefault(text.rpartition(": ")[2], []).append(name)
        each = "; ".join(f"{', '.join(cores)}: {reason}" for reason, cores in reasons.items())
        raise WidthError(f"no core can be built for {bits} bits: {each}")
    unit = names[0] if names[0] in UNITS else ""
    points = []
    # Targets whose points take seconds come first, those with place and route last.
    for target in sorted(wanted, key=lambda name: get_target(name).effort):
        for core in filter(None, chain.from_iterable(zip_longest(*queues))):
            points.append(Point.of_core(core, target, wires, unit))
    return Plan(points, left_out)


def _queues(names: Sequence[str], bits: int, full: bool) -> tuple[list[list[Core]], dict[str, str]]:
    """Return the configurations of each core or unit's multiplier, and the cores left out."""
    units = [name for name in names if name in UNITS]
    if units and len(names) > 1:
        other = next(name for name in names if name != units[0])
        raise RequestError(
            f"{units[0]} and {other} perform different operations; compare one of them at a time"
        )
    if units:
        over, refused = UNITS[units[0]].over(bits, full)
        return [[core] for core in over], refused
    left_out: dict[str, str] = {}
    queues: list[list[Core]] = []
    for name in names:
        core = get_core(name)
        try:
            core.configure({}, bits)
        except RequestError as error:
            left_out[name] = str(error)
        else:
            queues.append(list(core.points(bits, full)))
    return queues, left_out
