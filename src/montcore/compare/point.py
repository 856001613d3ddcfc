# SPDX-License-Identifier: Apache-2.0
"""What is compared: one core in one configuration on one target."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from montcore.cores import all_cores, get_core
from montcore.cores.core import ConfiguredCore
from montcore.support.commands import settings_words
from montcore.support.errors import RequestError
from montcore.support.names import hint
from montcore.synth.target import get_target

#: Targets of a comparison if none are named: the ASIC library and the newest FPGA family.
DEFAULT_TARGETS = ("xc7", "osu018")


class WidthError(RequestError):
    """No core offers the width."""


@dataclass(frozen=True)
class Point:
    """One point of the design space, as plain values that travel between processes.

    Attributes:
        core: name of the core.
        settings: its parameters but for the width, name and value as text.
        bits: built width L and length of the products, in bits.
        target: synthesis target.
    """

    core: str
    settings: tuple[tuple[str, str], ...]
    bits: int
    target: str

    @classmethod
    def of(cls, core: str, settings: Mapping[str, str], bits: int, target: str) -> "Point":
        """Return a point from those parameters that are not the core's defaults.

        Raises:
            RequestError: the core does not have them, or cannot be built so.
        """
        return cls.of_core(get_core(core).configure(settings, bits), target)

    @classmethod
    def of_core(cls, core: ConfiguredCore, target: str) -> "Point":
        """Return the point of a configured core."""
        settings = tuple((key, str(value)) for key, value in core.settings().items())
        return cls(core.name, settings, core.bits, target)

    def configured(self) -> ConfiguredCore:
        """Return the core with its parameters."""
        return get_core(self.core).configure(dict(self.settings), self.bits)

    @property
    def label(self) -> str:
        """Name of the configuration, without width and target."""
        return " ".join([self.core, *(f"{key}={value}" for key, value in self.settings)])

    @property
    def command(self) -> str:
        """The command that produces the figures again."""
        settings = settings_words(self.settings)
        return f"montcore synth {self.core}{settings} --bits {self.bits} --target {self.target}"


def choose(given: Sequence[str] | None, known: Sequence[str], what: str) -> list[str]:
    """Return the chosen names in the order given, all if none are.

    Raises:
        RequestError: an unknown name, or nothing left.
    """
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
        points: the points, cheap ones first and no core long before another.
        left_out: cores that are not built so wide or so narrow, and why.
    """

    points: list[Point]
    left_out: dict[str, str]


def plan(
    bits: int,
    *,
    cores: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    full: bool = False,
) -> list[Point]:
    """Return the points of `survey`."""
    return survey(bits, cores=cores, targets=targets, full=full).points


def survey(
    bits: int,
    *,
    cores: Sequence[str] | None = None,
    targets: Sequence[str] | None = None,
    full: bool = False,
) -> Plan:
    """Return the points of a comparison, and the cores that do not offer the width.

    Args:
        bits: built width and length of the products in bits.
        cores: names of cores; None for all.
        targets: names of targets; None for `DEFAULT_TARGETS`.
        full: the cores' full sweeps rather than their small ones.

    Raises:
        RequestError: an unknown core or target.
        WidthError: no core offers the width.
    """
    names = choose(cores, list(all_cores()), "core")
    wanted = list(dict.fromkeys(targets if targets is not None else DEFAULT_TARGETS))
    for target in wanted:
        get_target(target)
    if not wanted:
        raise RequestError("no target is named")
    left_out: dict[str, str] = {}
    queues: list[list[ConfiguredCore]] = []
    for name in names:
        core = get_core(name)
        try:
            core.configure({}, bits)
        except RequestError as error:
            left_out[name] = str(error)
        else:
            queues.append(list(core.points(bits, full)))
    if not any(queues):
        reasons = "; ".join(left_out.values())
        raise WidthError(f"no core can be built for {bits} bits: {reasons}")
    points = []
    # Those of which a point takes seconds come first, those with place and route last.
    for target in sorted(wanted, key=lambda name: get_target(name).effort):
        for rank in range(max(len(queue) for queue in queues)):
            for queue in queues:
                if rank < len(queue):
                    points.append(Point.of_core(queue[rank], target))
    return Plan(points, left_out)
