# SPDX-License-Identifier: Apache-2.0
"""Recovery of area after tuning: weaker gates and fewer buffers where there is slack."""

from collections.abc import Iterable

from montcore.synth.asic.sizing.nldm import TimingCell
from montcore.synth.asic.sizing.tune import LIMIT_SHARE, Edit, Tuner, apart

_ROUNDS = 8
_UNREAD = -1
"""Input of a removed buffer, a constant; the mapped netlist has no such buffer."""


def recover(tuner: Tuner) -> float:
    """Weaken gates and remove buffers that the period does not need; return the period in ns.

    It numbers the gates anew; so it is for netlists without wires.
    """
    netlist, known = tuner.netlist, tuner.library.known
    limit = tuner.timer.period + 1e-4 * tuner.library.time
    buffers, ports = known.drives[known.buffer], set(netlist.port_bits())
    for _ in range(_ROUNDS):
        if not tuner.step(apart(_edits(tuner, buffers, ports)), limit):
            break
    netlist.gates[:] = [
        gate
        for gate in netlist.gates
        if gate.cell not in buffers or gate.pins[known.ends(gate.cell)[0]] != _UNREAD
    ]
    return tuner.refresh()


def _edits(tuner: Tuner, buffers: tuple[str, ...], ports: set[int]) -> Iterable[Edit]:
    """Yield edits that make the netlist smaller and leave slack, which is their gain."""
    cells, timer = tuner.library.cells, tuner.timer
    for number, gate in enumerate(tuner.netlist.gates):
        edit = _removal(tuner, number, ports) if gate.cell in buffers else None
        if edit:
            yield edit
            continue
        outputs = tuner.outputs(number)
        for name in tuner.library.drives.get(gate.cell, ()):
            cell = cells[name]
            if cell.area >= cells[gate.cell].area:
                break
            if all(_bears(cell, pin, timer.load(bit)) for pin, bit in outputs):
                _, slack = tuner.slacks(number, cell, gate.pins)
                if slack > 0:
                    yield tuner.changed(number, cell, gate.pins, slack)
                    break


def _bears(cell: TimingCell, pin: str, load: float) -> bool:
    return load <= cell.max_load[pin] * LIMIT_SHARE


def _removal(tuner: Tuner, gate: int, ports: set[int]) -> Edit | None:
    """Return the edit that moves the sinks of a buffer to its driver, if there is slack."""
    timer, here = tuner.timer, tuner.netlist.gates[gate]
    entry, end = tuner.library.known.ends(here.cell)
    bit, out = here.pins[entry], here.pins[end]
    driver, moved = timer.driver(bit), timer.sinks(out)
    if driver is None or out in ports or not moved:
        return None
    load = timer.load(bit) + timer.load(out) - timer.cell(gate).caps[entry]
    if not _bears(timer.cell(driver[0]), driver[1], load):
        return None
    arrival, _ = timer.output(*driver, load)
    sinks = [sink for sink in (*timer.sinks(bit), *moved) if sink[0] != gate]
    slack = min(timer.required_at(*sink)[e] - arrival[e] for sink in sinks for e in (0, 1))
    if slack <= 0:
        return None
    pins = tuple({**here.pins, entry: _UNREAD}.items())
    return Edit(slack, bit, frozenset({bit, out}), gate, here.cell, pins, tuple(moved))
