# SPDX-License-Identifier: Apache-2.0
"""From tuned cells to a placed netlist with wires: place, buffer and size, clock tree, legal rows.

The netlist is placed and sized twice. The first time finds the slow paths. The second placement
counts the nets of these paths more.
"""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from montcore.synth.asic.memory import Macro
from montcore.synth.asic.placement.clock import ClockTree, build_clock_tree, clock_wires
from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.placement.legalise import legalise
from montcore.synth.asic.placement.place import place
from montcore.synth.asic.placement.repair import Repair
from montcore.synth.asic.placement.spef import write_spef
from montcore.synth.asic.placement.wires import Net, Wires
from montcore.synth.asic.sizing.editable import EditableNetlist, Gate
from montcore.synth.asic.sizing.nldm import Library
from montcore.synth.asic.sizing.timer import Timer
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.design import Design
from montcore.synth.process import ToolError

PREFIX = "place_"
"""The names of gates in a placed netlist: this and a number."""
SPEF = "mapped.spef"
"""The file with the wires of a placed netlist."""
_ROUNDS = 8
SEEDS = 1, 2, 3
"""Seeds of the second placement."""
_WINDOW = 0.15
"""Slack as a share of the period above which a net counts no more than any other."""
_URGENT = 4.0
"""How much more the most urgent net counts."""


@dataclass(frozen=True)
class Physical:
    """A placed netlist.

    Attributes:
        paths: hierarchical name of each bit that had one before mapping.
    """

    spef: Path
    layout: Layout
    clock: ClockTree
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    figures: dict[str, float]
    gates: list[Gate] = field(repr=False)
    names: dict[int, str] = field(repr=False)
    paths: dict[int, str] = field(repr=False)
    wires: dict[int, Net] = field(repr=False)


def place_and_size(
    netlist: EditableNetlist,
    library: Library,
    macros: Sequence[Macro],
    design: Design,
    work: Path,
    say: Callable[[str], None],
) -> Physical:
    """Place a netlist, buffer and size it, build the clock tree; write its wires.

    Args:
        netlist: cells tuned without wires, changed in place; all names become plain identifiers.
    """
    say("placing")
    limited, known = library.within_tables(), library.known
    (clock,) = netlist.port(design.clock)
    layout = place(netlist, known, macros, clock)
    say("buffering and sizing")
    first = _sized(netlist, layout, limited, "$first$")
    urgency = _urgency(first.timer)
    say("placing again, the slower paths closer together")
    layout = place(netlist, known, macros, clock, weight=urgency, seeds=SEEDS)
    say("buffering and sizing")
    second = _sized(netlist, layout, limited, "$second$")
    tree = build_clock_tree(netlist, layout, limited, clock)
    say("sizing with the clock tree")
    legalise(layout, netlist.gates)
    layout.put_ports(netlist)
    limited = limited.propagated()
    wires = Wires(netlist, layout, limited)
    wires.clock, wires.frozen = clock, frozenset(tree.nets)
    tuner = Tuner(netlist, limited, wires, "$third$")
    repair = Repair(tuner, wires)
    repair.run()
    tuner.run(Limits(), repair=False)
    _settle(netlist, layout, wires, tuner, repair)
    # Sizing serves the paths between registers. Only if an output then leaves too little of the
    # period to its consumer are outputs counted too.
    period = tuner.timer.period
    wires.count_outputs(True)
    if tuner.refresh() > period:
        say("sizing with the outputs")
        tuner.run(Limits(), repair=False)
        _settle(netlist, layout, wires, tuner, repair)
    buffers = first.buffers + second.buffers + tuner.buffers
    paths = netlist.named_bits()
    names = netlist.plain_names(PREFIX)
    clock_nets = clock_wires(tree, netlist, layout, known.wire)
    nets = {**wires.nets, **clock_nets}
    _check_complete(netlist, nets.keys())
    outputs = (pin for cell in known.cells.values() for pin in cell.outputs)
    driving = frozenset((*outputs, "rdata_o"))
    write_spef(work / SPEF, design.top, nets, names, netlist.gates, driving)
    return Physical(
        spef=work / SPEF,
        layout=layout,
        clock=tree,
        inputs=tuple(port for port in netlist.port_names("input") if port != design.clock),
        outputs=tuple(netlist.port_names("output")),
        figures={
            "width_um": round(layout.width, 1),
            "height_um": round(layout.height, 1),
            "wire_mm": round(sum(net.tree.length for net in nets.values()) / 1000, 2),
            "clock_mm": round(sum(net.tree.length for net in clock_nets.values()) / 1000, 2),
            "nets": len(nets),
            "wire_spread_pct": round(100 * layout.wire_spread, 1),
            "buffers": buffers,
            "clock_buffers": tree.buffers,
            "clock_levels": tree.levels,
        },
        gates=netlist.gates,
        names=names,
        paths=paths,
        wires=nets,
    )


def _sized(netlist: EditableNetlist, layout: Layout, library: Library, prefix: str) -> Tuner:
    """Buffer and size a netlist for the wires of a placement; return what did it."""
    wires = Wires(netlist, layout, library)
    tuner = Tuner(netlist, library, wires, prefix)
    repair = Repair(tuner, wires)
    repair.run()
    tuner.run(Limits(), repair=False)
    repair.run()
    return tuner


def _urgency(timer: Timer) -> Callable[[int], float]:
    """Return how much each net counts, by its bit: the more, the less slack it has."""
    window = _WINDOW * timer.period

    def weight(bit: int) -> float:
        return 1.0 + _URGENT * max(0.0, 1.0 - max(0.0, timer.slack(bit)) / window) ** 2

    return weight


def _settle(
    netlist: EditableNetlist, layout: Layout, wires: Wires, tuner: Tuner, repair: Repair
) -> None:
    left = 0
    for _ in range(_ROUNDS):
        legalise(layout, netlist.gates)
        layout.put_ports(netlist)
        wires.moved()
        tuner.refresh()
        left = len(tuner.timer.overloaded()) + len(tuner.timer.slow(tuner.library.max_slew_ns))
        if not left:
            return
        left = repair.run()
    if left:
        raise ToolError(
            f"{left} nets still exceed the load or transition limits of the library; "
            f"one of them: {repair.left}"
        )


def _check_complete(netlist: EditableNetlist, covered: Collection[int]) -> None:
    count = Counter(set(netlist.port_bits()))
    for gate in netlist.gates:
        count.update(gate.pins.values())
    lacking = [b for b, pins in count.items() if b >= 0 and pins > 1 and b not in covered]
    if lacking:
        raise ToolError(f"{len(lacking)} nets have no wires")
