# SPDX-License-Identifier: Apache-2.0
"""A cell library: what the flow has to know of it, found from the functions of its cells.

The files of a description become one liberty file of the cells that are used, in the cache: Yosys,
ABC and OpenSTA read that one. Cells are chosen by function, area and drive, never by name.
"""

import fnmatch
import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.files import write_whole
from montcore.support.needed import tool_remedy
from montcore.support.paths import cache_dir, osu018_dir
from montcore.synth.asic import liberty as liberty_reader
from montcore.synth.asic.cell_roles import (
    FlipFlop,
    FullAdder,
    Latch,
    flip_flop_of,
    full_adder_of,
    latch_of,
)
from montcore.synth.asic.description import Description, read_description
from montcore.synth.asic.lef import Geometry, Wire, read_layers, read_lef
from montcore.synth.asic.liberty import Cell, Group, cell_of, read_groups, truth

OSU018_DESCRIPTION = Path(__file__).parent / "maps" / "osu018.toml"
"""The description of the library that comes with the tool."""

_NAND2, _INVERTER, _BUFFER = 0b0111, 0b01, 0b10
_MOST_INPUTS = 6
"""A cell with more inputs is not used."""
_TIMES = {"ps": 1e-3, "ns": 1.0}
_LOADS = {"ff": 1e-3, "pf": 1.0}
_STRONGER = 2.01
"""Largest ratio of the areas of the buffer for loaded nets and of the smallest buffer, and of the
loads of the strongest buffer and of that one."""
_CLOCK_DRIVE = 8.1
"""Largest ratio of the loads of the clock tree's driver and the smallest inverter."""


@dataclass(frozen=True, eq=False)
class CellLibrary:
    """The cells of a library by what they are for.

    Attributes:
        version: the first digits of the SHA-256 of its files.
        liberty: one file with the cells that are used.
        time_ns, load_pf: the file's units.
    """

    description: Description
    version: str
    liberty: Path
    groups: Group
    cells: dict[str, Cell]
    time_ns: float
    load_pf: float

    @property
    def name(self) -> str:
        """Name of the library."""
        return self.description.name

    @cached_property
    def tables(self) -> dict[str, tuple[int, ...]]:
        """The truth tables of the outputs of each cell without a state, in the order of pins."""
        return {
            name: tuple(truth(function, cell.inputs) for function in cell.outputs.values())
            for name, cell in self.cells.items()
            if not cell.state
        }

    @cached_property
    def max_loads(self) -> dict[str, float]:
        """The largest load of an output of each cell, in the file's unit."""
        return {
            group.name: max(
                (float(pin.attributes.get("max_capacitance", "0")) for pin in group.all("pin")),
                default=0.0,
            )
            for group in self.groups.all("cell")
        }

    def _weakest_first(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(names, key=lambda n: (self.cells[n].area, self.max_loads[n])))

    def _with(self, inputs: int, table: int) -> tuple[str, ...]:
        """Return the cells of one function, the smallest first."""
        same = (
            name
            for name, tables in self.tables.items()
            if tables == (table,) and len(self.cells[name].inputs) == inputs
        )
        return self._weakest_first(same)

    def _first(self, what: str, names: tuple[str, ...]) -> str:
        if not names:
            raise RequestError(f"the library {self.name} has no {what}")
        return names[0]

    @cached_property
    def gate(self) -> str:
        """The smallest NAND of two inputs, whose area is a gate equivalent."""
        return self._first("NAND of two inputs", self._with(2, _NAND2))

    @cached_property
    def inverter(self) -> str:
        """The smallest inverter."""
        return self._first("inverter", self._with(1, _INVERTER))

    @cached_property
    def clock_driver(self) -> str:
        """The driver of every level of the clock tree, an inverter: levels are even in number."""
        loads = self.max_loads
        limit = _CLOCK_DRIVE * loads[self.inverter]
        return [name for name in self.drives[self.inverter] if loads[name] <= limit][-1]

    @cached_property
    def buffer(self) -> str:
        """The buffer for nets that load their driver too much."""
        names = self._with(1, _BUFFER)
        least = self.cells[self._first("buffer", names)].area
        small = [name for name in names if self.cells[name].area <= _STRONGER * least]
        return max(small, key=self.max_loads.__getitem__)

    @cached_property
    def buffers(self) -> tuple[str, ...]:
        """The buffers that tuning inserts, weakest first."""
        limit = _STRONGER * self.max_loads[self.buffer]
        return tuple(name for name in self._with(1, _BUFFER) if self.max_loads[name] <= limit)

    @cached_property
    def drives(self) -> dict[str, tuple[str, ...]]:
        """For each cell, the cells with its function and its pins, weakest first."""
        families: dict[object, list[str]] = {}
        for name, cell in self.cells.items():
            state = tuple(sorted(cell.state.items()))
            function: object = self.tables.get(name) or tuple(cell.outputs.items())
            key = cell.inputs, tuple(cell.outputs), function, state
            families.setdefault(key, []).append(name)
        return {
            name: self._weakest_first(family) for family in families.values() for name in family
        }

    @cached_property
    def swaps(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """For each cell without a state, the groups of inputs that may be exchanged."""
        return {name: tuple(self._alike(name)) for name in self.tables}

    def _alike(self, name: str) -> Iterator[tuple[str, ...]]:
        cell, groups = self.cells[name], list[list[str]]()
        for pin in cell.inputs:
            for group in groups:
                turned = {pin: group[0], group[0]: pin}
                order = tuple(turned.get(other, other) for other in cell.inputs)
                tables = tuple(truth(function, order) for function in cell.outputs.values())
                if tables == self.tables[name]:
                    group.append(pin)
                    break
            else:
                groups.append([pin])
        return (tuple(group) for group in groups if len(group) > 1)

    def _smallest_flip_flop(self, *, clear: bool) -> FlipFlop | None:
        found = [flop for flop in map(flip_flop_of, self.cells.values()) if flop]
        wanted = [flop for flop in found if flop.clear or not clear]
        turned = self.cells[self.inverter].area
        return min(
            wanted,
            key=lambda flop: (self.cells[flop.cell].area + turned * flop.inverted, flop.cell),
            default=None,
        )

    @cached_property
    def flip_flop(self) -> FlipFlop:
        """The smallest flip-flop."""
        found = self._smallest_flip_flop(clear=False)
        if found is None:
            raise RequestError(f"the library {self.name} has no flip-flop of a rising edge")
        return found

    @cached_property
    def registers(self) -> dict[str, FlipFlop]:
        """The flip-flops by the cells of Yosys that they are: plain, and with a reset if any."""
        found, reset = {"$_DFF_P_": self.flip_flop}, self._smallest_flip_flop(clear=True)
        if reset:
            active = "NP"[1 - dict(reset.ties)[reset.clear]]
            found[f"$_DFF_P{active}{reset.cleared}_"] = reset
        return found

    @cached_property
    def latch(self) -> Latch | None:
        """The smallest latch that is transparent while its enable is high, if there is one."""
        found = [latch_of(cell) for cell in self.cells.values() if cell.latch]
        known = [latch for latch in found if latch]
        return min(known, key=lambda latch: self.cells[latch.cell].area, default=None)

    @cached_property
    def full_adder(self) -> FullAdder | None:
        """The smallest full adder, if there is one."""
        found = [full_adder_of(self.cells[name], tables) for name, tables in self.tables.items()]
        known = [adder for adder in found if adder]
        return min(known, key=lambda adder: self.cells[adder.cell].area, default=None)

    def ends(self, cell: str) -> tuple[str, str]:
        """Return the input and the output of an inverter or a buffer."""
        return self.cells[cell].inputs[0], next(iter(self.cells[cell].outputs))

    @cached_property
    def geometry(self) -> Geometry:
        """Geometry of the cells."""
        about = self.description
        if about.lef is None:
            raise RequestError(f"the description of {self.name} names no lef")
        return read_lef(about.lef, about.tech_lef, about.site)

    @cached_property
    def wire(self) -> Wire:
        """A wire of minimum width: as described, or the mean of the layers up to the top one."""
        about = self.description
        pf, ohm = about.wire_pf_per_um, about.wire_ohm_per_um
        if pf is None or ohm is None:
            layers = read_layers(about.tech_lef or about.lef, about.top_layer)
            pf = pf or sum(layer.pf_per_um for layer in layers) / len(layers)
            ohm = ohm or sum(layer.ohm_per_um for layer in layers) / len(layers)
            if not pf or not ohm:
                raise RequestError(
                    f"the layers of {self.name} have no capacitance or no resistance: its "
                    "description needs wire_pf_per_um and wire_ohm_per_um"
                )
        return Wire(pf, ohm)

    def check_placement(self) -> None:
        """Check that all cells can be placed in rows, and that wires are known."""
        row, outlines = self.geometry.row, self.geometry.cells
        for name, cell in self.cells.items():
            outline = outlines.get(name)
            if outline is None:
                why = f"is not in {self.description.lef}"
            elif abs(outline.height - row) > row / 1000:
                why = f"is {outline.height:g} um high in rows of {row:g} um"
            elif lost := {*cell.inputs, *cell.outputs} - outline.pins.keys():
                why = f"has no pin {min(lost)} in {self.description.lef}"
            else:
                continue
            raise RequestError(
                f"the cell {name} of {self.name} {why}: it belongs to dont_use, or the file is "
                "not of these cells"
            )
        _ = self.wire

    def register_map(self, *, latches: bool = False) -> str:
        """Return Yosys' map of registers, and of latches if there may be any, to cells."""
        latch, text = self.latch, ""
        if latches and latch is None:
            raise RequestError(f"the library {self.name} has no latch for memories of latches")
        for name, flop in self.registers.items():
            reset = name != "$_DFF_P_"
            values = {pin: f"1'b{value}" for pin, value in flop.ties}
            values |= {flop.clear: "R"} if reset else {}
            ties = "".join(f", .{pin}({value})" for pin, value in values.items())
            out, turn = ("n", "  \\$_NOT_ turn (.A(n), .Y(Q));\n") if flop.inverted else ("Q", "")
            text += (
                f"module \\{name} (input C, D{', R' if reset else ''}, output Q);\n  wire n;\n"
                f"  {flop.cell} register "
                f"(.{flop.clock}(C), .{flop.data}(D), .{flop.out}({out}){ties});\n"
                f"{turn}endmodule\n"
            )
        if latches and latch:
            pins = f".{latch.data}(D), .{latch.out}(Q)"
            text += (
                "module \\$_DLATCH_P_ (input E, D, output Q);\n"
                f"  {latch.cell} latch (.{latch.enable}(E), {pins});\nendmodule\n"
                "module \\$_DLATCH_N_ (input E, D, output Q);\n  wire n;\n"
                "  \\$_NOT_ turn (.A(E), .Y(n));\n"
                f"  {latch.cell} latch (.{latch.enable}(n), {pins});\nendmodule\n"
            )
        return text

    def adder_map(self) -> str:
        """Return Yosys' map of full adders to cells of the library, empty if it has none."""
        adder = self.full_adder
        if adder is None:
            return ""
        pins = ", ".join(
            f".{pin}({wire}[i])" for pin, wire in zip(adder.inputs, "ABC", strict=True)
        )
        # The name sorts before Yosys' own _90_fa, so that this map is taken first.
        return (
            '(* techmap_celltype = "$fa" *)\nmodule _80_fa (A, B, C, X, Y);\n'
            "  parameter WIDTH = 1;\n"
            "  (* force_downto *) input [WIDTH-1:0] A, B, C;\n"
            "  (* force_downto *) output [WIDTH-1:0] X, Y;\n"
            "  genvar i;\n  for (i = 0; i < WIDTH; i = i + 1) begin : gen_bit\n"
            "    wire x, y;\n"
            f"    {adder.cell} adder ({pins}, .{adder.carry}(x), .{adder.sum}(y));\n"
            f"    assign X[i] = {'~' * adder.carry_inverted}x;\n"
            f"    assign Y[i] = {'~' * adder.sum_inverted}y;\n"
            "  end\nendmodule\n"
        )


def cell_library(path: Path = OSU018_DESCRIPTION) -> CellLibrary:
    """Return the library of a description."""
    description = _of_own_folder(read_description(path), path)
    return _library(description, cache_dir())


def corners(known: CellLibrary) -> dict[str, CellLibrary]:
    """Return the library at its other corners, as far as the description names them."""
    about = known.description
    return {
        name: _library(about.model_copy(update={"liberty": files}), cache_dir())
        for name, files in (("slow", about.corners.slow), ("fast", about.corners.fast))
        if files
    }


def _of_own_folder(description: Description, path: Path) -> Description:
    if path == OSU018_DESCRIPTION and description.lef:
        moved = [osu018_dir() / file.name for file in (*description.liberty, description.lef)]
        return description.model_copy(update={"liberty": (moved[0],), "lef": moved[1]})
    return description


@cache
def _library(description: Description, cache: Path) -> CellLibrary:
    files = description.liberty
    for file in files:
        _check_file(file, description)
    key = hashlib.sha256(b"".join(file.read_bytes() for file in files))
    version = key.hexdigest()[:12]
    key.update(repr(description.dont_use).encode())
    key.update(Path(__file__).read_bytes() + Path(liberty_reader.__file__).read_bytes())
    liberty = cache / "libraries" / f"{description.name}-{key.hexdigest()[:12]}.lib"
    if not liberty.is_file():
        write_whole(liberty, "\n".join(_joined(description).lines()) + "\n")
    return read_units(description, version, liberty, read_groups(liberty))


def read_units(about: Description, version: str, liberty: Path, groups: Group) -> CellLibrary:
    """Return the library of the groups of a liberty file; its units are read."""
    cells = {cell.name: cell for cell in map(cell_of, groups.all("cell"))}
    time = re.fullmatch(r"(10*)\s*(\w+)", groups.attributes.get("time_unit", "1ns"))
    load = next(groups.all("capacitive_load_unit"), Group("", "1, pf"))
    unit = re.fullmatch(r'\s*([\d.]+)\s*,\s*"?(\w+)"?\s*', load.words)
    if not time or time[2] not in _TIMES or not unit or unit[2].lower() not in _LOADS:
        raise RequestError(f"{about.liberty[0]} states units of time or load that are not known")
    ns, pf = float(time[1]) * _TIMES[time[2]], float(unit[1]) * _LOADS[unit[2].lower()]
    return CellLibrary(about, version, liberty, groups, cells, ns, pf)


def _check_file(file: Path, description: Description) -> None:
    if not file.is_file():
        remedy = f"; `{tool_remedy('qflow-tech-osu018')}` installs it"
        raise RequestError(
            f"the {description.name} cell library is missing ({file} does not exist)"
            + (remedy if description.name == "osu018" else "")
        )


def _joined(description: Description) -> Group:
    """Return the cells that are used of all files, below what the first file says of the library.

    Wire load models are left out: OpenSTA would add their wires to every net.
    """
    first, *others = (read_groups(file) for file in description.liberty)
    about = {k: v for k, v in first.attributes.items() if not k.startswith("default_wire_load")}
    joined = Group(first.kind, first.words, about)
    known: dict[tuple[str, str], Group] = {}
    cells: dict[str, Group] = {}
    for group in first.groups:
        if group.kind != "cell" and not group.kind.startswith("wire_load"):
            joined.groups.append(group)
            known[group.kind, group.name] = group
    for library in (first, *others):
        if _units(library) != _units(first):
            raise RequestError(f"the files of {description.name} state different units")
        for group in library.groups:
            if group.kind == "cell":
                if _used(group, description):
                    cells.setdefault(group.name, group)
            elif group.kind.endswith("template") and known.get((group.kind, group.name)) != group:
                if (group.kind, group.name) in known:
                    raise RequestError(
                        f"two files of {description.name} define {group.name} differently"
                    )
                joined.groups.append(group)
                known[group.kind, group.name] = group
    joined.groups.extend(cells.values())
    if not cells:
        raise RequestError(f"no cell of the library {description.name} can be used")
    return joined


def _units(library: Group) -> tuple[str | None, list[str]]:
    loads = [group.words.replace(" ", "") for group in library.all("capacitive_load_unit")]
    return library.attributes.get("time_unit"), loads


def _used(group: Group, description: Description) -> bool:
    """Tell whether a cell is used: whether its function is known, and nothing forbids it."""
    about, cell = group.attributes, cell_of(group)
    if about.get("dont_use") == "true" or "clock_gating_integrated_cell" in about:
        return False
    if any(fnmatch.fnmatchcase(cell.name, pattern) for pattern in description.dont_use):
        return False
    if any(group.all("test_cell", "statetable")) or cell.three_state or not cell.outputs:
        return False
    # osu018 states no area of its latch; its LEF file does.
    return (cell.area > 0 or cell.latch) and len(cell.inputs) <= _MOST_INPUTS
