# SPDX-License-Identifier: Apache-2.0
"""Memory macros of a described library: which of them make up a memory, and their connections.

They have a clocked read port, and a word that is read in the cycle of its write is undefined. So
they can stand for `montcore_block_ram` with ``Apart`` alone; all other memories are flip-flops.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.paths import cache_dir
from montcore.synth.asic.description import MacroDescription, MacroPorts
from montcore.synth.asic.lef import read_lef_pins
from montcore.synth.asic.liberty import Group, cell_of, read_groups
from montcore.synth.asic.library import CellLibrary, read_units
from montcore.synth.asic.memory import Macro
from montcore.synth.options import Options

MODULE = "montcore_block_ram"
"""The memory with a clocked read port."""
_HELD = "memory"
"""The state of a macro in its liberty cell, as that of a flip-flop has a name."""


@dataclass(frozen=True, order=True)
class ClockedMacro(Macro):
    """A memory macro of a library.

    Attributes:
        joined: its pins by the port of `montcore_block_ram`.
    """

    name: str
    ge: float
    joined: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def cell(self) -> str:
        """Name of the library cell."""
        return self.name

    def area_ge(self, opts: Options) -> float:
        """Return the area in gate equivalents."""
        del opts
        return self.ge

    def pins(self) -> dict[str, tuple[str, ...]]:
        """Return the pins of each port."""
        return dict(self.joined)


@cache
def macros_of(known: CellLibrary) -> dict[str, tuple[ClockedMacro, CellLibrary]]:
    """Return the macros of a library by their cells, with the timing of each as a library.

    Raises:
        RequestError: the files of one lack its cell or a pin, a pin is in no port, or sizes differ.
    """
    gate = known.cells[known.gate].area
    names = [about.name for about in known.description.macro]
    for name in names:
        if name in known.cells or names.count(name) > 1:
            raise RequestError(f"the macro {name} has the name of another cell of {known.name}")
    return {about.name: _read(about, known, gate) for about in known.description.macro}


def _read(
    about: MacroDescription, known: CellLibrary, gate: float
) -> tuple[ClockedMacro, CellLibrary]:
    name, ports = about.name, about.ports
    library = read_groups(about.liberty)
    found = next((group for group in library.all("cell") if group.name == name), None)
    if found is None:
        raise RequestError(f"{about.liberty} has no cell {name}")
    cell = _with_single_pins(found, library, ports)
    single = cell_of(cell)
    if single.area <= 0:
        raise RequestError(f"the macro {name} has no area in {about.liberty}")
    words, bits = about.words, about.bits
    address = Macro(words, bits).address_bits
    sizes = {"we": 1, "waddr": address, "wdata": bits, "raddr": address, "rdata": bits}
    joined: dict[str, tuple[str, ...]] = {}
    for port, pins in ports.named():
        own = list(single.outputs if port == "rdata" else single.inputs)
        joined[port] = tuple(pin for item in pins for pin in _of_bus(item, own))
        lost = [item for item in pins if not any(_of_bus(item, own))]
        if lost:
            kind = "output" if port == "rdata" else "input"
            raise RequestError(f"the macro {name} has no {kind} pin {lost[0]} in {about.liberty}")
        if port in sizes and len(joined[port]) != sizes[port]:
            raise RequestError(
                f"{port} of the macro {name} has {len(joined[port])} pins, and {words} words of "
                f"{bits} bits need {sizes[port]}"
            )
    joins = [pin for pins in joined.values() for pin in pins]
    used = set(joins)
    if twice := [pin for pin in joins if joins.count(pin) > 1]:
        raise RequestError(f"the pin {twice[0]} of the macro {name} is in two ports")
    timed = {
        pin.name
        for pin in cell.all("pin")
        for arc in pin.all("timing")
        if arc.attributes.get("related_pin", "").split() == [ports.clk[-1]]
        and arc.attributes.get("timing_type") == "rising_edge"
    }
    if late := [pin for pin in joined["rdata"] if pin not in timed]:
        raise RequestError(
            f"{late[0]} of the macro {name} has no timing from the rising edge of {ports.clk[-1]}"
        )
    if open_pins := [pin for pin in single.inputs if pin not in used]:
        raise RequestError(
            f"the input {open_pins[0]} of the macro {name} is in no port: tie it high or low"
        )
    for bus, of_bus in groupby(sorted(map(_bus_bit, used)), key=lambda pin: pin[0]):
        bits_of = [bit for _, bit in of_bus]
        if bits_of not in ([-1], list(range(len(bits_of)))):
            raise RequestError(f"the bus {bus} of the macro {name} does not begin at bit 0")
    if unplaced := used - read_lef_pins(about.lef, name):
        raise RequestError(f"the macro {name} has no pin {min(unplaced)} in {about.lef}")
    cell.groups[:] = [group for group in cell.groups if group.kind != "pin" or group.name in used]
    macro = ClockedMacro(words, bits, name, single.area / gate, tuple(joined.items()))
    others = [group for group in library.groups if group.kind != "cell"]
    content = about.liberty.read_bytes()
    version = hashlib.sha256(content).hexdigest()[:12]
    # OpenSTA takes no two libraries of one name.
    liberty = cache_dir() / "libraries" / f"{known.name}-{name}-{version}.lib"
    renamed = replace(library, words=liberty.stem, groups=[*others, found])
    write_whole(liberty, "\n".join(renamed.lines()) + "\n")
    file = known.description.model_copy(update={"liberty": (about.liberty,)})
    return macro, read_units(file, version, liberty, replace(library, groups=[*others, cell]))


def _of_bus(name: str, known: list[str]) -> list[str]:
    """Return the pins of a name, the lowest bit of a bus first."""
    if name in known:
        return [name]
    return sorted((pin for pin in known if _bus_bit(pin)[0] == name), key=_bus_bit)


def _bus_bit(pin: str) -> tuple[str, int]:
    """Return the bus of a pin and its bit; a pin that is in no bus has the bit -1."""
    found = re.fullmatch(r"(\w+)\[(\d+)\]", pin)
    return (found[1], int(found[2])) if found else (pin, -1)


def _bits_of(pin: str) -> list[str]:
    found = re.fullmatch(r"(\w+)\[(\d+):(\d+)\]", pin)
    if not found:
        return [pin]
    low, high = sorted((int(found[2]), int(found[3])))
    return [f"{found[1]}[{bit}]" for bit in range(low, high + 1)]


def _with_single_pins(cell: Group, library: Group, ports: MacroPorts) -> Group:
    """Return a cell with a pin for each bit of its buses, and read data that are its state."""
    types = {group.name: group.attributes for group in library.all("type")}
    pins: list[Group] = []
    for found in cell.all("pin", "bus"):
        names = [found.name]
        if found.kind == "bus":
            of = types.get(found.attributes.get("bus_type", ""), {})
            ends = of.get("bit_from", "0"), of.get("bit_to", "0")
            names = _bits_of(f"{found.name}[{ends[0]}:{ends[1]}]")
        # A bus may say of its bits what it does not say of itself.
        own = {name: group for group in found.all("pin") for name in _bits_of(group.name)}
        for name in names:
            bit = own.get(name, Group("pin", name))
            attributes = {**found.attributes, **bit.attributes}
            if attributes.get("direction") == "output":
                attributes["function"] = _HELD
            pins.append(Group("pin", name, attributes, [*found.all("timing"), *bit.all("timing")]))
    state = Group("ff", f"{_HELD}, {_HELD}_n", {"clocked_on": ports.clk[-1], "next_state": _HELD})
    return Group("cell", cell.words, cell.attributes, [state, *pins])


def fitting(
    rows: int, width: int, macros: Mapping[str, ClockedMacro], flip_flop: float
) -> tuple[ClockedMacro, int, int] | None:
    """Return the macro that a memory takes, and how many beside and above each other.

    Args:
        flip_flop: area of a flip-flop in gate equivalents.

    Returns:
        the smallest choice; None if flip-flops are smaller.
    """
    choices = [
        (macro, lanes, banks)
        for macro in macros.values()
        for lanes, banks in [(-(-width // macro.width), -(-rows // macro.rows))]
        # Banks take the upper bits of the address.
        if (banks == 1 or macro.rows & (macro.rows - 1) == 0)
        and banks * lanes * macro.ge < rows * width * flip_flop
    ]
    return min(choices, key=lambda item: item[1] * item[2] * item[0].ge, default=None)


def memory_verilog(
    name: str, rows: int, width: int, choice: tuple[ClockedMacro, int, int] | None
) -> str:
    """Return a module with the ports of `montcore_block_ram`, of macros or of flip-flops."""
    address = Macro(rows, width).address_bits
    head = (
        f"module {name} (input clk_i, we_i, input [{address - 1}:0] waddr_i, raddr_i,\n"
        f"  input [{width - 1}:0] wdata_i, output [{width - 1}:0] rdata_o);\n"
    )
    if choice is None:
        return (
            f"{head}  reg [{width - 1}:0] rows [0:{rows - 1}];\n  reg [{width - 1}:0] read;\n"
            "  always @(posedge clk_i) begin\n    if (we_i) rows[waddr_i] <= wdata_i;\n"
            "    read <= rows[raddr_i];\n  end\n  assign rdata_o = read;\nendmodule\n"
        )
    macro, lanes, banks = choice
    own, wide = macro.address_bits, lanes * macro.width
    lines = [
        head,
        f"  wire [{wide - 1}:0] wdata = wdata_i;",
        f"  wire [{banks * wide - 1}:0] rdata;",
        f"  wire [{max(own, address) - 1}:0] waddr = waddr_i, raddr = raddr_i;",
    ]
    if banks > 1:
        lines += [
            f"  reg [{address - own - 1}:0] bank;",
            f"  always @(posedge clk_i) bank <= raddr_i[{address - 1}:{own}];",
            f"  assign rdata_o = rdata[bank * {wide} +: {wide}];",
        ]
    else:
        lines.append("  assign rdata_o = rdata;")
    for bank in range(banks):
        chosen = f"we_i && waddr_i[{address - 1}:{own}] == {bank}" if banks > 1 else "we_i"
        for lane in range(lanes):
            low = lane * macro.width
            links = {"clk": "clk_i", "we": chosen, "high": "1'b1", "low": "1'b0"}
            first = {"waddr": 0, "raddr": 0, "wdata": low, "rdata": bank * wide + low}
            joined = list[str]()
            for bus, _, pins in _buses(macro):
                bits = (links.get(port) or f"{port}[{first[port] + at}]" for port, at in pins)
                joined.append(f".{bus}({{{', '.join(bits)}}})")
            lines.append(f"  {macro.name} macro_{bank}_{lane} ({', '.join(joined)});")
    return "\n".join([*lines, "endmodule\n"])


def _buses(macro: ClockedMacro) -> Iterator[tuple[str, str, list[tuple[str, int]]]]:
    """Yield each bus with its range and, the highest bit first, the port of a bit and its place."""
    pins = sorted(
        (*_bus_bit(pin), port, place) for port, own in macro.joined for place, pin in enumerate(own)
    )
    for bus, found in groupby(pins, key=lambda pin: pin[0]):
        bits = list(found)[::-1]
        own_range = f"[{bits[0][1]}:{bits[-1][1]}] " if bits[0][1] >= 0 else ""
        yield bus, own_range, [(port, place) for _, _, port, place in bits]


def macro_box(macro: ClockedMacro) -> str:
    """Return the black box of a macro in Verilog."""
    declared = [
        f"{'output' if pins[0][0] == 'rdata' else 'input'} {own_range}{bus}"
        for bus, own_range, pins in _buses(macro)
    ]
    return f"(* blackbox *)\nmodule {macro.name} ({', '.join(declared)});\nendmodule\n"
