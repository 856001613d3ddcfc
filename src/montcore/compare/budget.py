# SPDX-License-Identifier: Apache-2.0
"""Budgets and objectives, and the choice of the best point."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from montcore.compare.entry import BELOW, LUT_PER_DSP, Entry
from montcore.compare.point import DEVICES, Point
from montcore.support.errors import RequestError
from montcore.support.requests import checked
from montcore.support.words import hint
from montcore.synth.target import get_target

#: Figures that a budget may bound, with their readable units.
BOUNDED = {
    "ge": "GE",
    "ge_memory": "GE of memory",
    "area": "of area",
    "tmin_ns": "ns",
    "lut": "LUT",
    "ff": "FF",
    "dsp": "DSP blocks",
    "bram": "block memories",
    "fmax_mhz": "MHz",
    "cycles": "cycles",
    "interval": "cycles",
    "latency_us": "us",
    "interval_us": "us",
    "products_per_second": "products a second",
    "signatures_per_second": "signatures a second",
    "kge_us": "kGE us",
    "kge_us_sustained": "kGE us",
    "kge_us_flops": "kGE us with memories as flip-flops",
    "kge_us_flops_sustained": "kGE us with memories as flip-flops",
    "energy_nj": "nJ a product",
    "power_mw": "mW",
    "dsp_us": "DSP us",
    "dsp_us_sustained": "DSP us",
}

#: Figures whose product is minimised.
Formula = tuple[str, ...]
#: Time between results: in cycles without a clock (Xilinx families); the latency for a unit, which
#: performs one operation at a time.
_INTERVALS = ("interval_us", "interval", "latency_us", "cycles")
#: Values of `--minimise`, with formulas: the first that any of the points has ranks all of them.
OBJECTIVES: dict[str, tuple[Formula, ...]] = {
    "latency": (("latency_us",), ("cycles",)),
    "throughput": tuple((name,) for name in _INTERVALS),
    "area": (("area",),),
    # Memories as flip-flops lead: every library has these, and macros are a model.
    "area-time": (("kge_us_flops_sustained",), *(("area", name) for name in _INTERVALS)),
    "dsp": (("dsp",),),
    "energy": (("energy_nj",),),
}
#: Costs whose ratio is nearer to 1 are equal: figures are products of rounded ones.
_EQUAL = 1e-9
#: Points that a choice lists.
_LISTED = 5

#: Figures of a choice in `recommend --json`, after the latency in cycles.
CHOICE_FIGURES = (
    *("interval", "ge", "ge_memory", "lut", "ff", "dsp", "bram", "tmin_ns", "fmax_mhz"),
    *("wires", "memory", "tmin_ns_no_wires", "kge_us_flops"),
    *("latency_us", "interval_us", "area", "kge_us", "kge_us_sustained", "energy_nj"),
    *("sign_cycles", "verify_cycles", "signatures_per_second"),
)

_KINDS = {"macro": "macros", "latch": "latches", "flops": "flip-flops"}

_BUDGET = re.compile(r"\s*(\w+)\s*(<=|>=)\s*((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*", re.A)


@checked
@dataclass(frozen=True)
class Budget:
    """A bound on one figure, e.g. ``ge<=60000``."""

    figure: str
    relation: Literal["<=", ">="]
    limit: float

    def __post_init__(self) -> None:
        """Check the figure."""
        if self.figure not in BOUNDED:
            raise RequestError(
                f"a budget cannot bound '{self.figure}'{hint(self.figure, BOUNDED)}; it can bound "
                f"{', '.join(BOUNDED)}"
            )

    def __str__(self) -> str:
        return f"{self.figure}{self.relation}{self.limit:g}"

    def excess(self, entry: Entry) -> float | None:
        """Return how far a point exceeds the bound, as a fraction of it; 0 if it does not.

        None: the point has no such figure.
        """
        found = entry.figures()[self.figure]
        if found is None:
            return None
        over = float(found) - self.limit
        return max(0.0, over if self.relation == "<=" else -over) / max(self.limit, 1e-12)


@checked
def parse_budget(text: str) -> Budget:
    """Return the bound given by a text such as ``dsp<=40``.

    Raises:
        RequestError: the text is not a bound, or names no figure.
    """
    found = _BUDGET.fullmatch(text)
    if found is None:
        raise RequestError(f"--budget takes FIGURE<=NUMBER or FIGURE>=NUMBER, not '{text}'")
    figure, relation, number = found.groups()
    limit = float(number)
    if not math.isfinite(limit):
        raise RequestError(f"--budget {text}: {number} is too large")
    return Budget(figure, ">=" if relation == ">=" else "<=", limit)


def target_figures(target: str) -> set[str]:
    """Return the names of the figures that points of a target have, measured and derived."""
    counted = ("cycles", "core_cycles", "interval", "sign_cycles")
    measured = (*counted, *get_target(target).figures)
    example = Entry("", {}, 1, target, **dict.fromkeys(measured, 1))  # type: ignore[arg-type]
    return {name for name, value in example.figures().items() if value is not None}


def check_budgets(budgets: Sequence[Budget], targets: Iterable[str]) -> None:
    """Check that every target has the figures that budgets bound."""
    for target in targets:
        known = target_figures(target)
        for budget in budgets:
            if budget.figure not in known:
                possible = ", ".join(name for name in BOUNDED if name in known)
                raise RequestError(
                    f"{target} has no figure '{budget.figure}', which {budget} bounds; name "
                    f"other targets with --targets, or bound one of {possible}"
                )


def check_objective(name: str) -> str:
    """Return the objective."""
    if name not in OBJECTIVES:
        raise RequestError(
            f"--minimise takes {', '.join(OBJECTIVES)}, not '{name}'{hint(name, OBJECTIVES)}"
        )
    return name


def check_figures(objective: str, targets: Iterable[str]) -> None:
    """Check that targets have the figures of an objective."""
    for target in targets:
        known = target_figures(target)
        if not any(known.issuperset(formula) for formula in OBJECTIVES[objective]):
            raise RequestError(f"{target} has no figure that --minimise {objective} compares")


def cost(entry: Entry, formula: Formula) -> float | None:
    """Return the value of a formula, or None if the point lacks one of its figures."""
    figures = entry.figures()
    values = [figures[name] for name in formula]
    return None if None in values else math.prod(values)


def formula_of(entries: Iterable[Entry], objective: str) -> Formula:
    """Return the formula that ranks points: the first that half of them have, or the commonest."""
    points, formulas = list(entries), OBJECTIVES[check_objective(objective)]
    having = [sum(cost(point, item) is not None for point in points) for item in formulas]
    enough = min(max(having), len(points) / 2)
    return next(item for item, n in zip(formulas, having, strict=True) if n >= enough)


def formula_words(formula: Formula) -> str:
    """Return a formula in words, e.g. ``area x interval_us``."""
    return " x ".join(formula)


def amount(entry: Entry, formula: Formula) -> str:
    """Return the value of a formula with its unit, areas in kGE or look-up tables."""
    value, units = cost(entry, formula) or 0.0, [BOUNDED[name] for name in formula]
    if "area" in formula:
        value /= 1 if entry.ge is None else 1e3
        units[formula.index("area")] = "LUT" if entry.ge is None else "kGE"
    number = f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
    return f"{number} {' '.join(units)}"


@dataclass(frozen=True)
class Choice:
    """The recommended point of a target.

    Attributes:
        target: the target.
        entry: the best point within all budgets or, if `fits` is false, the nearest one.
        fits: whether it is within all budgets.
        words: the reason, in two or three sentences.
        formula: figures whose product was minimised.
        best: the best points, the nearest ones if none is within all budgets; the best first.
    """

    target: str
    entry: Entry
    fits: bool
    words: str
    formula: Formula = ()
    best: tuple[Entry, ...] = ()

    def as_choice(self) -> dict[str, Any]:
        """Return the point with its figures, for ``choices`` in `recommend --json`.

        ``params`` are those of `mul --json`; ``from`` states whether the figures are from the
        atlas, were measured by this installation, or are predicted, with ``errors`` as fractions;
        ``earlier`` is the date of figures of earlier sources.
        """
        entry = self.entry
        point = Point.of(entry.core, entry.params, entry.bits, entry.target, entry.wires)
        figures = entry.figures()
        below = {BELOW: entry.multiplier} if entry.unit else {}
        return {
            "target": self.target,
            "core": entry.core,
            "params": {**below, **point.configured().params()},
            "latency_cycles": entry.cycles,
            **{name: figures[name] for name in CHOICE_FIGURES},
            "within_budget": self.fits,
            "why": self.words,
            "from": entry.origin,
            **({"earlier": entry.date[:10]} if entry.earlier else {}),
            **({"errors": entry.errors} if entry.errors else {}),
        }

    def as_object(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "target": self.target,
            "core": self.entry.core,
            "params": self.entry.params,
            "within_budget": self.fits,
            "why": self.words,
        }


@checked
def recommend(entries: Iterable[Entry], budgets: Sequence[Budget], objective: str) -> list[Choice]:
    """Return the best point for each target, in the order in which targets appear.

    Raises:
        RequestError: a budget bounds a figure that a target here lacks, or there is no such
            objective.
    """
    check_objective(objective)
    usable = [entry for entry in entries if entry.status == "ok"]
    check_budgets(budgets, dict.fromkeys(entry.target for entry in usable))
    choices = []
    for target in dict.fromkeys(entry.target for entry in usable):
        every = [entry for entry in usable if entry.target == target]
        device, room = DEVICES.get(target, ("", {}))
        limits = [Budget(name, "<=", number) for name, number in room.items()]
        held = [one for one in every if not any(limit.excess(one) for limit in limits)]
        points, bounds = (held, budgets) if held else (every, [*budgets, *limits])
        formula = formula_of(points, objective)
        ranked = [(value, entry) for entry in points if (value := cost(entry, formula)) is not None]
        if ranked:
            choice = _choose(target, ranked, bounds, objective, formula)
            words = [choice.words]
            named = (*formula, *(item.figure for item in budgets))
            if "area" in named and any(one.ge is None and one.dsp for one in points):
                words.append(f"In area a DSP block is counted as {LUT_PER_DSP} LUT.")
            for item in budgets:
                clocks = [one.period_ns for _, one in ranked if item.excess(one) is None]
                if clocks:
                    why = "" if any(clocks) else ", since their clock is not known"
                    points_of = f"{len(clocks)} point{'s' if len(clocks) > 1 else ''}"
                    words.append(f"{item.figure} is not known for {points_of}{why}.")
            if large := len(every) - len(held):
                words.append(f"Larger than {device} ({', '.join(map(str, limits))}): {large}.")
            if rest := len(points) - len(ranked):
                words.append(f"Not ranked: {rest} without {formula_words(formula)}.")
            choices.append(replace(choice, words=" ".join(words)))
    return choices


def _choose(
    target: str,
    ranked: list[tuple[float, Entry]],
    budgets: Sequence[Budget],
    objective: str,
    formula: Formula,
) -> Choice:
    fitting = [item for item in ranked if _misses(item[1], budgets) == 0]
    if fitting:
        least = min(value for value, _ in fitting)
        equal = [entry for value, entry in fitting if math.isclose(value, least, rel_tol=_EQUAL)]
        best = min(equal, key=lambda entry: entry.area or 0.0)
        others = [(value, entry) for value, entry in fitting if entry is not best]
        words = _why(best, len(equal) - 1, others, len(ranked), objective, formula)
        rest = sorted(others, key=lambda item: (item[0], item[1].area or 0.0))
        table = best, *(entry for _, entry in rest[: _LISTED - 1])
        return Choice(target, best, True, words, formula, table)
    near = sorted(ranked, key=lambda item: (_misses(item[1], budgets), item[0]))[:_LISTED]
    nearest = near[0][1]
    off = "; ".join(said for budget in budgets if (said := _off(budget, nearest)))
    kind = "" if nearest.errors else "measured "
    words = f"No {kind}point on {target} keeps every budget. The nearest is {nearest.label}: {off}."
    return Choice(target, nearest, False, words, formula, tuple(entry for _, entry in near))


def _off(budget: Budget, entry: Entry) -> str:
    """Return how a point misses a budget, or nothing if it keeps it."""
    excess = budget.excess(entry)
    if excess is None:
        return f"{budget.figure} is not known"
    if excess == 0:
        return ""
    how = f"{excess:.0%} off" if excess <= 1 else f"{excess + 1:.3g} times"
    figure = entry.figures()[budget.figure]
    return f"{budget.figure} is {figure:.4g}, {how if budget.limit else 'not'} {budget}"


def _misses(entry: Entry, budgets: Sequence[Budget]) -> float:
    # A point that lacks a figure of its target (a core without a clock path) cannot meet a bound.
    misses = [budget.excess(entry) for budget in budgets]
    return sum(math.inf if miss is None else miss for miss in misses)


def _why(
    best: Entry,
    equals: int,
    others: list[tuple[float, Entry]],
    total: int,
    objective: str,
    formula: Formula,
) -> str:
    """Return why a point is best: what was minimised, further figures, the next core."""
    figures = best.figures()
    facts = [f"latency {best.cycles} cycles"]
    if best.interval is not None:
        facts.append(f"one product every {best.interval}")
    if best.sign_cycles is not None:
        facts.append(f"{best.sign_cycles} to sign, {best.verify_cycles} to verify")
    if best.ge is not None and best.area is not None:
        kind = f" as {_KINDS[best.memory]}" if best.memory and best.ge_memory else ""
        clock = f" at {best.tmin_ns:.2f} ns" if best.tmin_ns else ""
        facts.append(f"{best.area / 1e3:.1f} kGE with memory{kind}{clock}")
    if figures["kge_us_flops"] is not None and best.ge_memory:
        one, other = figures["kge_us_flops"], figures["kge_us"]
        facts.append(
            f"{one:.1f} kGE us of latency with memories as flip-flops ({other:.1f} with a model of "
            "macros)"
        )
    if best.lut is not None:
        facts.append(f"{best.lut} LUT and {best.dsp} DSP blocks")
    if best.energy_nj is not None:
        facts.append(f"{best.energy_nj:.1f} nJ a product")
    if figures["products_per_second"]:
        facts.append(f"{figures['products_per_second'] / 1e6:.2f} million products a second")
    if figures["signatures_per_second"]:
        facts.append(f"{figures['signatures_per_second']:.0f} signatures a second")
    known = "predicted" if best.origin == "predicted" else "measured"
    among = f"{total} point{'s' if total > 1 else ''} {known}"
    if len(others) + 1 < total:
        kept = f"{len(others) + 1} points that keep" if others else "1 point that keeps"
        among = f"{kept} the budgets (of {total} {known})"
    if best.errors:
        worst = max(best.errors, key=lambda name: best.errors[name])
        facts.append(f"each with an error of up to {best.errors[worst]:.0%} ({worst})")
    if best.earlier:
        facts.append(f"measured on earlier sources, {best.date[:10]}")
    name = formula_words(formula)
    # Throughput is the one objective that is not itself small.
    most = "highest throughput" if objective == "throughput" else f"least {objective}"
    others_too = f"{equals} other{'s' if equals > 1 else ''}"
    shared = f" (the same as {others_too} with no less area)" if equals else ""
    words = [
        f"{best.label} has the {most} of the {among}{shared}, {name} = "
        f"{amount(best, formula)}: {', '.join(facts)}."
    ]
    foreign = [item for item in others if item[1].multiplier != best.multiplier]
    if foreign:
        value, second = min(foreign, key=lambda item: (item[0], item[1].area or 0.0))
        least = cost(best, formula) or 0.0
        if math.isclose(value, least, rel_tol=_EQUAL):
            words.append(f"The best other core, {second.label}, has the same {name}.")
        else:
            times = f"{value / least:.3g} times as much, " if least else ""
            words.append(
                f"The best other core, {second.label}, needs {times}{amount(second, formula)}."
            )
    return " ".join(words)


@checked
def pareto(entries: Iterable[Entry], first: str, second: str) -> list[Entry]:
    """Return the Pareto front of two minimised figures.

    Failed points and points without one of the figures are excluded. Sorted by the first figure.
    """
    known = []
    for entry in entries:
        figures = entry.figures()
        if entry.status == "ok" and figures[first] is not None and figures[second] is not None:
            known.append((float(figures[first]), float(figures[second]), entry))
    front: list[Entry] = []
    least = float("inf")
    place = None
    for *here, entry in sorted(known, key=lambda item: item[:2]):
        # Points with both figures equal do not dominate each other: all of them are on the front.
        if here[1] < least or here == place:
            least, place = here[1], here
            front.append(entry)
    return front
