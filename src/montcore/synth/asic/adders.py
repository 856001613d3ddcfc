# SPDX-License-Identifier: Apache-2.0
"""The inputs of full adders by their arrival, for libraries without a full adder.

The sum and the carry of Yosys' full adder are one XOR behind its input C and two behind A and B.
"""

import json
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from math import log2
from pathlib import Path
from typing import Any

from montcore.synth.process import read_json

#: Delays of Yosys' gates in AND gates, to which half the logarithm of the fan-out is added. Paths
#: start at every other cell except the adder.
_DELAYS = {"$_NOT_": 0, "$_AND_": 1, "$_OR_": 1, "$_XOR_": 2, "$_XNOR_": 2, "$_MUX_": 2}
_ADDER = "$fa"


def order_inputs(path: Path) -> None:
    """Connect the latest input of each full adder in Yosys' JSON file to C."""
    document = read_json(path)
    for module in document["modules"].values():
        _order(module["cells"])
    path.write_text(json.dumps(document))


def _order(cells: dict[str, Any]) -> None:
    logic = {name: cell for name, cell in cells.items() if cell["type"] in (_ADDER, *_DELAYS)}
    driver = {bit: name for name, cell in logic.items() for bit in _bits(cell, "output")}
    before = {
        name: {driver[bit] for bit in _bits(cell, "input") if bit in driver}
        for name, cell in logic.items()
    }
    readers = Counter(bit for cell in cells.values() for bit in _bits(cell, "input"))
    delay = {bit: log2(count) / 2 * isinstance(bit, int) for bit, count in readers.items()}
    arrival = dict(delay)
    try:
        order = tuple(TopologicalSorter(before).static_order())
    except CycleError:  # gates in a loop have no arrival; the inputs stay as they are
        return
    for name in order:
        cell = logic[name]
        bits = sorted(_bits(cell, "input"), key=arrival.__getitem__)
        if cell["type"] == _ADDER:
            cell["connections"].update((pin, [bit]) for pin, bit in zip("ABC", bits, strict=True))
            late = max(arrival[bits[1]] + 4, arrival[bits[2]] + 2)
        else:
            late = arrival[bits[-1]] + _DELAYS[cell["type"]]
        arrival.update((bit, late + delay.get(bit, 0)) for bit in _bits(cell, "output"))


def _bits(cell: dict[str, Any], direction: str) -> list[Any]:
    return [
        bit
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == direction
        for bit in bits
    ]
