# SPDX-License-Identifier: Apache-2.0
"""Logic depth of a mapped netlist, for families without place and route.

`docs/measuring.md`, "FPGA families", defines `levels` and `depth`. A DSP block with registers
inside is counted where it multiplies or adds between its registers and a pin.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from graphlib import TopologicalSorter
from typing import Any

from montcore.support.errors import CheckFailedError

_FLIP_FLOP = re.compile(r"FD[A-Z]+(_1)?")
_TABLE = re.compile(r"LUT\d(_D|_L)?|INV|BUF|CARRY4|CARRY8|MUXF\d|MUXCY|XORCY|MULT_AND|MULT18X18")
#: Memories and shift registers in look-up tables, with combinational paths from address to data.
_MEMORY = re.compile(r"(RAM\d+X\d+[SD]\w*|RAM\d+M\w*|SRL\w+)")
_ADDRESS = re.compile(r"(A|DPRA|ADDR[A-H]?)\d*")
_BLOCK_MEMORY = re.compile(r"RAMB\w+")
_DSP = re.compile(r"DSP48\w*|MULT18X18S\w*")
#: Registers of a DSP block before its multiplier, and behind it.
_DSP_IN = {"A": ("AREG",), "B": ("BREG",), "C": ("CREG",), "D": ("DREG",)}

Bit = int | str


@dataclass(frozen=True)
class Structure:
    """Logic depth of a netlist.

    Attributes:
        path: these cells, as a histogram in text form.
    """

    levels: int
    path: str
    depth: int


@dataclass(frozen=True)
class _Cell:
    """Timing view of a cell: the arcs through it, and the pins that begin and end a path."""

    kind: str
    through: tuple[tuple[tuple[Bit, ...], tuple[Bit, ...]], ...]
    ends: tuple[Bit, ...]
    begins: tuple[Bit, ...]
    #: Levels of a path that begins at an output, or ends at an input, inside the cell.
    begin_levels: int = 0
    end_levels: int = 0
    #: Registers in series inside the cell.
    stages: int = 1


def _pins(item: Mapping[str, Any], wanted: Iterable[str]) -> tuple[Bit, ...]:
    return tuple(
        bit for name in wanted for bit in item["connections"].get(name, ()) if isinstance(bit, int)
    )


def _dsp(kind: str, item: Mapping[str, Any], ins: list[str], outs: list[str]) -> _Cell:

    def register(name: str) -> bool:
        value = str(item["parameters"].get(name, "0"))
        return int(value, 2 if set(value) <= {"0", "1"} else 10) > 0

    if kind.startswith("MULT18X18S"):
        return _Cell(kind, (), _pins(item, ins), _pins(item, outs), end_levels=1)
    outputs = _pins(item, outs)
    held = [name for name in ins if any(map(register, _DSP_IN.get(name, ())))]
    stages = bool(held) + register("MREG") + register("PREG")
    loose = _pins(item, [name for name in ins if name not in held and "CLK" not in name])
    if register("PREG"):
        return _Cell(kind, (), loose + _pins(item, held), outputs, 0, 1, stages)
    middle = register("MREG")
    through = () if middle else ((loose, outputs),)
    ends = _pins(item, held) + (loose if middle else ())
    begins = outputs if (held or middle) else ()
    return _Cell(kind, through, ends, begins, begin_levels=1, stages=stages)


def _cell(item: Mapping[str, Any]) -> _Cell:
    kind = item["type"]
    ways = item["port_directions"]
    ins = [name for name, way in ways.items() if way == "input"]
    outs = [name for name, way in ways.items() if way == "output"]
    if _FLIP_FLOP.fullmatch(kind) or _BLOCK_MEMORY.fullmatch(kind):
        return _Cell(kind, (), _pins(item, ins), _pins(item, outs))
    if _DSP.fullmatch(kind):
        return _dsp(kind, item, ins, outs)
    if _MEMORY.fullmatch(kind):
        at_once = [name for name in ins if _ADDRESS.fullmatch(name)]
        others = [name for name in ins if name not in at_once]
        arcs = ((_pins(item, at_once), _pins(item, outs)),)
        return _Cell(kind, arcs, _pins(item, others), _pins(item, outs), begin_levels=1)
    if _TABLE.fullmatch(kind):
        return _Cell(kind, ((_pins(item, ins), _pins(item, outs)),), (), ())
    if kind in ("GND", "VCC"):
        return _Cell(kind, (), (), ())
    raise CheckFailedError(f"the depth of a netlist with cells {kind} is not known")


def structure(netlist: Mapping[str, Any], top: str) -> Structure:
    """Return the logic depth of a module in a netlist from Yosys' ``write_json``.

    Raises:
        CheckFailedError: a kind of cell is unknown, or there is a loop without a register.
    """
    module = netlist["modules"][top]
    cells = [_cell(item) for item in module["cells"].values()]
    ports: dict[str, list[int]] = {"input": [], "output": []}
    for port in module["ports"].values():
        ports[port["direction"]] += [bit for bit in port["bits"] if isinstance(bit, int)]
    before: dict[int, set[int]] = defaultdict(set)  # net: nets that reach it through one cell
    made_by: dict[int, _Cell] = {}
    for cell in cells:
        for sources, outputs in cell.through:
            for output in outputs:
                before[int(output)].update(map(int, sources))
                made_by[int(output)] = cell
    levels, path = _longest(cells, before, made_by, ports["output"])
    words = ", ".join(f"{count} {kind}" for kind, count in path.most_common())
    return Structure(levels, words, _depth(cells, before, ports["input"], ports["output"]))


def _longest(
    cells: list[_Cell],
    before: Mapping[int, set[int]],
    made_by: Mapping[int, _Cell],
    outputs: list[int],
) -> tuple[int, Counter[str]]:
    begins = {int(bit): cell for cell in cells for bit in cell.begins}
    #: Longest path to each net: levels, and the net before it.
    reached: dict[int, tuple[int, int | None]] = {
        net: (cell.begin_levels, None) for net, cell in begins.items()
    }
    nothing = 0, None
    for net in TopologicalSorter(before).static_order():
        best = reached.get(net, nothing)
        for source in before.get(net, ()):
            levels = reached.get(source, nothing)[0] + 1
            if levels > best[0]:
                best = levels, source
        reached[net] = best
    longest, kinds = 0, Counter[str]()
    last: int | None = None
    ends = [(int(bit), cell.end_levels, cell.kind) for cell in cells for bit in cell.ends]
    for bit, more, kind in [*ends, *((bit, 0, "") for bit in outputs)]:
        if (found := reached.get(bit, nothing)[0] + more) > longest:
            longest, last, kinds = found, bit, Counter([kind] if more else [])
    while last is not None:
        previous = reached.get(last, nothing)[1]
        if previous is not None:
            kinds[made_by[last].kind] += 1
        elif last in begins and begins[last].begin_levels:
            kinds[begins[last].kind] += 1
        last = previous
    return longest, kinds


def _depth(
    cells: list[_Cell], before: Mapping[int, set[int]], inputs: list[int], outputs: list[int]
) -> int:
    """Return the registers on the longest path from input to output; a loop counts as one."""
    # One graph of registers and nets, in which each loop is a group of nodes.
    number = {net: len(cells) + index for index, net in enumerate(_nets(cells, before, inputs))}
    edges: list[list[int]] = [[] for _ in range(len(cells) + len(number))]
    for net, sources in before.items():
        for source in sources:
            edges[number[source]].append(number[net])
    gives = {number[net] for net in outputs if net in number}
    for register, cell in enumerate(cells):
        for bit in cell.ends:
            edges[number[int(bit)]].append(register)
        edges[register] = [number[int(bit)] for bit in cell.begins if int(bit) in number]
        if not set(outputs).isdisjoint(cell.begins):
            gives.add(register)
    group = _groups(edges)
    members: dict[int, list[int]] = defaultdict(list)
    for node, place in enumerate(group):
        members[place].append(node)
    reaches: dict[int, int] = {}
    # Groups are in reverse topological order: successors have smaller numbers.
    for place in range(len(members)):
        nodes = members[place]
        following = [reaches.get(group[other], -1) for node in nodes for other in edges[node]]
        best = max([-1 if gives.isdisjoint(nodes) else 0, *following])
        registers = [cells[node] for node in nodes if node < len(cells)]
        weight = max((cell.stages for cell in registers if cell.begins), default=0)
        reaches[place] = best + weight if best >= 0 else -1
    return max((reaches[group[number[net]]] for net in inputs if net in number), default=0)


def _nets(cells: list[_Cell], before: Mapping[int, set[int]], inputs: list[int]) -> dict[int, None]:
    ends = (int(bit) for cell in cells for bit in cell.ends)
    return dict.fromkeys(
        [*before, *(net for nets in before.values() for net in nets), *ends, *inputs]
    )


def _groups(edges: list[list[int]]) -> list[int]:
    """Return the strongly connected component of each node (Tarjan), the last ones first."""
    index: list[int] = [-1] * len(edges)
    low = [0] * len(edges)
    group = [-1] * len(edges)
    stack: list[int] = []
    counter = groups = 0
    for root in range(len(edges)):
        if index[root] != -1:
            continue
        work = [(root, 0)]
        while work:
            node, position = work.pop()
            if position == 0:
                index[node] = low[node] = counter
                counter += 1
                stack.append(node)
            for place in range(position, len(edges[node])):
                other = edges[node][place]
                if index[other] == -1:
                    work += [(node, place + 1), (other, 0)]
                    break
                if group[other] == -1:
                    low[node] = min(low[node], low[other])
            else:
                if low[node] == index[node]:
                    while True:
                        member = stack.pop()
                        group[member] = groups
                        if member == node:
                            break
                    groups += 1
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
    return group
