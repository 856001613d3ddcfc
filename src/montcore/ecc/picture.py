# SPDX-License-Identifier: Apache-2.0
"""Draws a point addition as it is scheduled for an engine's multiplier."""

from pathlib import Path

from matplotlib import pyplot, rc_context

from montcore.ecc.design import EngineDesign
from montcore.ecc.elements import registers
from montcore.ecc.formulas import FORMULAS, trace
from montcore.ecc.isa import BANK, EngineOp
from montcore.ecc.schedule import ScheduledMachine, schedule
from montcore.support.plots import STYLE, save

FORMULA = "add_minus_3"
_UNITS = ("result", "multiplier", "operands", "adder", "sum")
_COLOURS = {
    "operands": "#56b4e9",
    "multiplier": "#0072b2",
    "result": "#009e73",
    "adder": "#e69f00",
    "sum": "#d55e00",
}
_SIGNS = {EngineOp.MUL: "x", EngineOp.ADD: "+", EngineOp.SUB: "-"}


def spans(design: EngineDesign) -> list[tuple[str, int, int, str]]:
    """Return each unit's activity: unit, first cycle, number of cycles, and element written."""
    timing = design.timing
    machine = ScheduledMachine(timing)
    found = []
    for item in schedule(trace(FORMULAS[FORMULA]), registers(FORMULA), timing):
        begin = machine.issue(item)
        name = f"{_SIGNS[item.op]} {'M' if item.d < BANK else 'A'}{item.d % BANK}"
        ready = machine.ready[item.d]
        if item.op is EngineOp.MUL:
            start = machine.starts[-1]
            found.append(("operands", start - timing.beats, timing.beats, name))
            found.append(("multiplier", start, timing.interval, name))
            found.append(("result", ready, timing.beats, name))
        else:
            found.append(("adder", begin + 1, machine.adder_free - begin, name))
            found.append(("sum", ready, timing.rows, name))
    return found


def draw(design: EngineDesign, stem: Path, suffix: str = ".png") -> list[Path]:
    """Draw the schedule of the addition for a = -3; return the path of the picture."""
    items, core = spans(design), design.core
    with rc_context(STYLE):
        figure, axes = pyplot.subplots(figsize=(11, 2.8), layout="constrained")
        for unit, begin, length, _ in items:
            axes.broken_barh(
                [(begin, length)],
                (_UNITS.index(unit) - 0.4, 0.8),
                facecolors=_COLOURS[unit],
                edgecolors="white",
            )
        for unit, begin, length, name in items:
            if unit == "multiplier":
                middle = begin + length / 2
                axes.text(middle, 1, name, ha="center", va="center", size=7, color="white")
        axes.set_yticks(range(len(_UNITS)), _UNITS)
        axes.set_xlabel("clock cycle")
        axes.set_title(f"A point addition, a = -3, over {core.name} {core.label()}")
        axes.grid(axis="x")
        axes.set_xlim(0, None)
    return save(figure, stem, (suffix,))
