# SPDX-License-Identifier: Apache-2.0
"""Recovery of area after tuning: weaker gates and fewer buffers where there is slack."""

from collections.abc import Iterable

from montcore.synth.asic.sizing.tune import UNREAD, Edit, Tuner, apart, bears

_ROUNDS = 8


def recover(tuner: Tuner) -> float:
    """Weaken gates and remove buffers that the period does not need; return the period in ns.

    It numbers the gates anew; so it is for netlists without wires.
    """
    netlist, known = tuner.netlist, tuner.library.known
    limit = tuner.timer.period + 1e-4 * tuner.library.time
    buffers = known.drives[known.buffer]
    for _ in range(_ROUNDS):
        if not tuner.step(apart(_edits(tuner, buffers)), limit):
            break
    netlist.gates[:] = [
        gate
        for gate in netlist.gates
        if gate.cell not in buffers or gate.pins[known.ends(gate.cell)[0]] != UNREAD
    ]
    return tuner.refresh()


def _edits(tuner: Tuner, buffers: tuple[str, ...]) -> Iterable[Edit]:
    """Yield edits that make the netlist smaller and leave slack, which is their gain."""
    cells, timer = tuner.library.cells, tuner.timer
    for number, gate in enumerate(tuner.netlist.gates):
        edit = tuner.removal(number) if gate.cell in buffers else None
        if edit and edit.gain > 0:
            yield edit
            continue
        outputs = tuner.outputs(number)
        for name in tuner.library.drives.get(gate.cell, ()):
            cell = cells[name]
            if cell.area >= cells[gate.cell].area:
                break
            if all(bears(cell, pin, timer.load(bit)) for pin, bit in outputs):
                _, slack = tuner.slacks(number, cell, gate.pins)
                if slack > 0:
                    yield tuner.changed(number, cell, gate.pins, slack)
                    break
