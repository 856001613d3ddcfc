# SPDX-License-Identifier: Apache-2.0
"""The table of a netlist that `gate_model.hpp` reads: gates, registers, memories and words."""

import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import count
from typing import Any

from montcore.support.errors import CheckFailedError
from montcore.synth.asic.cell_roles import flip_flop_of
from montcore.synth.asic.liberty import Cell, truth
from montcore.synth.asic.macros import ClockedMacro
from montcore.synth.asic.memory import Macro

MAX_INPUTS = 4
#: Inputs of one in the second table.
_WIDEST = 6
_MEMORY = 1 << 31
_WIDE = 1 << 30
_WORD = 1 << 29
_LATCH = 1 << 28
#: Yosys' cells for products and sums of words, and their codes in the table.
_WORDS = {"$mul": 0, "$add": 1, "$sub": 2}
#: Bits of an operand of a word node, and of its result.
_OPERAND_BITS = 64
_RESULT_BITS = 128
#: Look-up tables of FPGA netlists; the number is the number of inputs.
_LUT = re.compile(r"LUT([1-6])")
#: Yosys' cell for a memory; only one write port and asynchronous read ports are supported.
_COLLECTED = "$mem_v2"


@dataclass(frozen=True)
class _Node:
    """A combinational node: input nets, output nets, and its record in the table."""

    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    record: bytes


def net_number(bit: int | str) -> int:
    """Return the number of a net; 0 and 1 are the constants, numbers of Yosys start at 2."""
    return bit if isinstance(bit, int) else int(bit == "1")


def _gates(cell: Cell, pins: Mapping[str, list[Any]], wides: list[bytes]) -> list[_Node]:
    inputs = tuple(net_number(pins[name][0]) for name in cell.inputs)
    return [
        _gate(truth(function, cell.inputs), inputs, net_number(pins[pin][0]), wides)
        for pin, function in cell.outputs.items()
        if pins.get(pin)
    ]


def _gate(table: int, inputs: tuple[int, ...], output: int, wides: list[bytes]) -> _Node:
    """Return the node of a truth table; one with five or six inputs is appended to `wides`."""
    if len(inputs) > _WIDEST:
        raise CheckFailedError(f"a cell of the netlist has {len(inputs)} inputs")
    wide = len(inputs) > MAX_INPUTS
    places = _WIDEST if wide else MAX_INPUTS
    # An input that is not there changes nothing: the table is repeated.
    for place in range(len(inputs), places):
        table |= table << (1 << place)
    padded = inputs + (0,) * (places - len(inputs))
    if not wide:
        return _Node(inputs, (output,), struct.pack("<6I", table, output, *padded))
    wides.append(struct.pack("<Q8I", table, output, *padded, 0))
    number = _WIDE | (len(wides) - 1)
    return _Node(inputs, (output,), struct.pack("<6I", number, output, 0, 0, 0, 0))


def _lut(item: Mapping[str, Any], wides: list[bytes]) -> _Node:
    """Return the node of a look-up table; one with five or six inputs is appended to `wides`."""
    pins = item["connections"]
    # The pins are I0 ... and O in Xilinx netlists, A, B, C, D and Z in Lattice ones, lowest first.
    output = net_number(pins["O" if "O" in pins else "Z"][0])
    size = int(item["type"].removeprefix("LUT"))
    names = [f"I{number}" for number in range(size)] if "O" in pins else list("ABCDEF"[:size])
    inputs = tuple(net_number(pins[name][0]) if pins.get(name) else 0 for name in names)
    init = str(item["parameters"]["INIT"])
    # In Nexus netlists the contents are a string.
    table = (int(init, 16) if init.startswith("0x") else int(init, 2)) & ((1 << (1 << size)) - 1)
    for place, name in enumerate(names):
        if not pins.get(name):
            # The function must not depend on an unconnected input.
            low = sum(1 << row for row in range(1 << size) if not row >> place & 1)
            if table & low != table >> (1 << place) & low:
                raise CheckFailedError(f"{item['type']} with contents {init} has no input {name}")
    return _gate(table, inputs, output, wides)


def _word(item: Mapping[str, Any], words: list[bytes], nets: list[int]) -> _Node:
    """Return the node of a product or sum of words; append its record and its nets to the lists."""
    pins, kind = item["connections"], item["type"]
    a, b, y = (tuple(map(net_number, pins[name])) for name in "ABY")
    if max(len(a), len(b)) > _OPERAND_BITS or len(y) > _RESULT_BITS:
        raise CheckFailedError(f"a {kind} of {len(a)} and {len(b)} bits is too wide for the model")
    signed = [int(str(item["parameters"][f"{name}_SIGNED"]), 2) for name in "AB"]
    # Operands are sign-extended only if both are signed.
    words.append(
        struct.pack("<6I", _WORDS[kind], int(all(signed)), len(a), len(b), len(y), len(nets))
    )
    nets += [*a, *b, *y]
    record = struct.pack("<6I", _WORD | (len(words) - 1), 0, 0, 0, 0, 0)
    return _Node((*a, *b), y, record)


def _collected(item: Mapping[str, Any]) -> list[tuple[Macro, dict[str, list[Any]]]]:
    """Return a memory cell as macros, one for each read port and each write enable."""
    pins = item["connections"]

    def number(name: str) -> int:
        return int(str(item["parameters"][name]), 2)

    width, ports, address = number("WIDTH"), number("RD_PORTS"), number("ABITS")
    if number("WR_PORTS") != 1 or number("RD_CLK_ENABLE") != 0 or number("OFFSET") != 0:
        raise CheckFailedError("a memory of the netlist has no single write port, or a read clock")
    lanes: dict[Any, list[int]] = {}
    for bit, enable in enumerate(pins["WR_EN"]):
        lanes.setdefault(enable, []).append(bit)
    found = []
    for port in range(ports):
        read_address = pins["RD_ADDR"][port * address : (port + 1) * address]
        data = pins["RD_DATA"][port * width : (port + 1) * width]
        for enable, bits in lanes.items():
            on = {
                "clk_i": pins["WR_CLK"],
                "we_i": [enable],
                "waddr_i": pins["WR_ADDR"],
                "wdata_i": [pins["WR_DATA"][bit] for bit in bits],
                "raddr_i": read_address,
                "rdata_o": [data[bit] for bit in bits],
            }
            found.append((Macro(number("SIZE"), len(bits)), on))
    return found


def _linked(macro: Macro, pins: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    if not isinstance(macro, ClockedMacro):
        return dict(pins)
    on = {
        port: [
            pins[bus][int(bit[:-1]) if bit else 0]
            for bus, _, bit in (name.partition("[") for name in names)
        ]
        for port, names in macro.pins().items()
    }
    if len(set(on["clk"])) > 1 or {*on["high"]} - {"1"} or {*on["low"]} - {"0"}:
        raise CheckFailedError(
            f"a macro {macro.name} of the netlist has two clocks or an untied pin"
        )
    return {name: on[name.rpartition("_")[0]] for _, name, _ in macro.ports()}


def _in_order(nodes: Sequence[_Node]) -> list[_Node]:
    driver = {net: index for index, node in enumerate(nodes) for net in node.outputs}
    before = {
        index: {driver[net] for net in node.inputs if net in driver}
        for index, node in enumerate(nodes)
    }
    try:
        return [nodes[index] for index in TopologicalSorter(before).static_order()]
    except CycleError as error:
        number = len(set(error.args[1]))
        raise CheckFailedError(
            f"the netlist has a loop without a register: {number} gates wait for each other"
        ) from None


def clock_roots(module: Mapping[str, Any], cells: Mapping[str, Cell]) -> dict[int, int]:
    """Return the nets of a clock tree that follow the clock, and the net at the root of each.

    A clock tree leads from a port to the clock pin of a register through buffers and an even number
    of inverters. Nets that carry the inverted clock are not returned.
    """
    buffers: dict[int, tuple[int, int]] = {}
    clocked: list[int] = []
    flops = {name: flip_flop_of(cell) for name, cell in cells.items()}
    for item in module["cells"].values():
        pins, cell = item["connections"], cells.get(item["type"])
        if cell is None:
            clocked += [net_number(bit) for bit in pins.get("clk_i", [])]
        elif cell.state:
            flop = flops[item["type"]]
            clocked += [net_number(pins[flop.clock][0])] if flop else []
        elif len(cell.inputs) == 1:
            ((output, function),) = cell.outputs.items()
            turns = truth(function, cell.inputs) & 1
            buffers[net_number(pins[output][0])] = net_number(pins[cell.inputs[0]][0]), turns
    ports = module["ports"].values()
    inputs = {
        net_number(bit) for port in ports if port["direction"] == "input" for bit in port["bits"]
    }
    roots: dict[int, int] = {}
    for net in clocked:
        same, turned, at = [net], 0, net
        while at in buffers:
            at, turns = buffers[at]
            turned ^= turns
            if not turned:
                same.append(at)
        if at in inputs:
            if turned:
                raise CheckFailedError("a register of the netlist has an inverted clock")
            roots.update(dict.fromkeys(same[:-1], at))
    return roots


def gate_table(
    module: Mapping[str, Any], cells: Mapping[str, Cell], macros: Mapping[str, Macro]
) -> tuple[bytes, frozenset[int]]:
    """Return the table of a module from the output of ``write_json``, and the clock nets."""
    inputs = {
        net
        for port in module["ports"].values()
        if port["direction"] == "input"
        for net in port["bits"]
    }
    bits = [bit for net in module["netnames"].values() for bit in net["bits"]]
    fresh = count(1 + max([1, *(bit for bit in bits if isinstance(bit, int))]))
    clocks: set[int] = set()
    flops = {name: flip_flop_of(cell) for name, cell in cells.items()}
    roots = clock_roots(module, cells)
    nodes: list[_Node] = []
    registers: list[bytes] = []
    memories: list[bytes] = []
    memory_nets: list[int] = []
    wides: list[bytes] = []
    words: list[bytes] = []
    word_nets: list[int] = []

    def clock(net: Any) -> int:
        if net not in inputs:
            raise CheckFailedError("a clock of the netlist does not come straight from a port")
        clocks.add(net_number(net))
        return net_number(net)

    for item in module["cells"].values():
        kind, pins = item["type"], item["connections"]
        if roots:
            pins = {name: [roots.get(bit, bit) for bit in bits] for name, bits in pins.items()}
            own = cells.get(kind)
            drives = [item["connections"].get(pin, []) for pin in (own.outputs if own else ())]
            if not roots.keys().isdisjoint(net_number(bit) for bits in drives for bit in bits):
                continue  # a buffer of the clock tree
        if kind in macros or kind == _COLLECTED:
            if kind == _COLLECTED:
                found = _collected(item)
            else:
                found = [(macros[kind], _linked(macros[kind], pins))]
            for macro, links in found:
                on = {name: tuple(map(net_number, bits)) for name, bits in links.items()}
                # Yosys may give an address more bits than the rows need.
                sizes = macro.rows, macro.width, len(on["raddr_i"]), len(memory_nets)
                is_clocked = isinstance(macro, ClockedMacro)
                memories.append(struct.pack("<6I", clock(links["clk_i"][0]), *sizes, is_clocked))
                ports = [name for _, name, _ in macro.ports() if name != "clk_i"]
                memory_nets += [net for name in ports for net in on[name]]
                if not is_clocked:
                    record = struct.pack("<6I", _MEMORY | (len(memories) - 1), 0, 0, 0, 0, 0)
                    nodes.append(_Node(on["raddr_i"], on["rdata_o"], record))
            continue
        if _LUT.fullmatch(kind):
            nodes.append(_lut(item, wides))
            continue
        if kind in _WORDS:
            nodes.append(_word(item, words, word_nets))
            continue
        cell = cells.get(kind)
        if cell is None or cell.three_state:
            raise CheckFailedError(f"no functional model can be made of the cell {kind}")
        if not cell.state:
            nodes += _gates(cell, pins, wides)
            continue
        state = cell.state
        pin = next(iter(cell.outputs))
        if cell.latch:
            data, enable = (net_number(pins[state[name]][0]) for name in ("data_in", "enable"))
            output = net_number(pins[pin][0])
            record = struct.pack("<6I", _LATCH, output, data, enable, 0, 0)
            nodes.append(_Node((data, enable), (output,), record))
            continue
        flop = flops[kind]
        if flop is None or any(pins[tie] != [str(value)] for tie, value in flop.ties):
            raise CheckFailedError(f"no functional model can be made of the cell {kind}")
        output = net_number(pins[flop.out][0])
        held = next(fresh) if flop.inverted else output
        ends = clock(pins[flop.clock][0]), net_number(pins[flop.data][0])
        registers.append(struct.pack("<3I", *ends, held))
        if flop.inverted:
            nodes.append(_gate(0b01, (held,), output, wides))
    nodes = _in_order(nodes)
    counts = (
        *(len(nodes), len(registers), len(memories), len(memory_nets), len(wides)),
        *(len(words), len(word_nets)),
    )
    head = struct.pack("<8I", next(fresh), *counts)
    parts = (
        head,
        *(node.record for node in nodes),
        *registers,
        *memories,
        struct.pack(f"<{len(memory_nets)}I", *memory_nets),
        *words,
        struct.pack(f"<{len(word_nets)}I", *word_nets),
        *wides,
    )
    return b"".join(parts), frozenset(clocks)


def driven_by_cells(module: Mapping[str, Any], cells: Mapping[str, Cell]) -> dict[str, list[int]]:
    """Return the nets that each library cell drives, by the name of its instance."""
    return {
        name: [
            net_number(bit)
            for pin in cells[item["type"]].outputs
            for bit in item["connections"].get(pin, [])
        ]
        for name, item in module["cells"].items()
        if item["type"] in cells
    }
