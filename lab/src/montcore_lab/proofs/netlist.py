# SPDX-License-Identifier: Apache-2.0
"""Flat netlists of Yosys whose cones of logic are cut out, as JSON."""

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from montcore.support.errors import CheckFailedError
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import read_json
from montcore.synth.yosys import run_yosys

_TERM = re.compile(r"(?P<wire>[\w.\[\]]+?)(?:\[(?P<high>\d+):(?P<low>\d+)\])?==(?P<value>\d+)")


Bit = int | str


#: Limit of the proof of one output.
TIMEOUT_SECONDS = 600
#: The data of the common port (hw/common/README.md).
DATA_INPUTS = ("cfg_data_i", "x_data_i", "y_data_i")
DATA_OUTPUTS = ("z_data_o",)


class FlatNetlist:
    """A flat module of bits, its registers as cells of the kind ``$dff``."""

    @classmethod
    def of(
        cls, top: str, sources: Iterable[Path], parameters: Mapping[str, Any], work: Path
    ) -> "FlatNetlist":
        """Return the netlist of a design, which Yosys makes in an empty folder."""
        values = " ".join(f"-G {key}={value}" for key, value in parameters.items())
        files = " ".join(map(str, sources))
        commands = [f"read_slang {values} --top {top} {files}", f"prep -flatten -top {top}"]
        # Words combine data with control; their bits do not.
        commands += ["dffunmap", "simplemap t:* t:$dff %d", "opt_clean", "write_json netlist.json"]
        run_yosys(commands, work, "netlist", DEFAULT_OPTIONS)
        return cls(read_json(work / "netlist.json")["modules"][top])

    def __init__(self, module: Mapping[str, Any]) -> None:
        self.cells: Mapping[str, Any] = module["cells"]
        self.ports: Mapping[str, Any] = module["ports"]
        self.wires: Mapping[str, Any] = module["netnames"]
        self.driver: dict[Bit, str] = {}
        self.next_state: dict[Bit, Bit] = {}
        for name, cell in self.cells.items():
            for pin, bits in cell["connections"].items():
                if cell["port_directions"][pin] == "output":
                    self.driver.update(dict.fromkeys(bits, name))
            if cell["type"] == "$dff":
                on = cell["connections"]
                self.next_state.update(zip(on["Q"], on["D"], strict=True))
            elif re.search(r"dff|dlatch|^\$_?sr(_|$)", cell["type"], re.IGNORECASE):
                raise CheckFailedError(f"a register of the kind {cell['type']} is not handled")

    def wire(self, path: str) -> list[Bit]:
        """Return the bits of a wire, lowest first."""
        if path not in self.wires:
            raise CheckFailedError(f"the netlist has no {path}")
        return list(self.wires[path]["bits"])

    def bit(self, path: str) -> Bit:
        """Return the lowest bit of a wire, or that of an index after its path."""
        match = re.fullmatch(r"(.*)\[(\d+)\]", path)
        return self.wire(match[1])[int(match[2])] if match else self.wire(path)[0]

    def port(self, name: str) -> list[Bit]:
        """Return the bits of a port, lowest first."""
        if name not in self.ports:
            raise CheckFailedError(f"the netlist has no port {name}")
        return list(self.ports[name]["bits"])

    def control_outputs(self) -> list[Bit]:
        """Return the bits of all outputs but those that carry data."""
        return [
            bit
            for name, port in self.ports.items()
            if port["direction"] == "output" and name not in DATA_OUTPUTS
            for bit in port["bits"]
        ]

    def in_memory(self, bit: Bit) -> bool:
        """Tell whether a bit is read from a memory."""
        return bit in self.driver and self.cells[self.driver[bit]]["type"].startswith("$mem")

    def memory_inputs(self, control: set[Bit]) -> list[tuple[Bit, Bit]]:
        """Return the inputs of the memories that drive a bit of a set, each with its enable."""
        found: list[tuple[Bit, Bit]] = []
        for name in sorted({self.driver[bit] for bit in control if self.in_memory(bit)}):
            on = self.cells[name]["connections"]
            for pin, bits in on.items():
                if self.cells[name]["port_directions"][pin] == "input":
                    enables = on["WR_EN"] if pin == "WR_DATA" else ["1"] * len(bits)
                    found += zip(bits, enables, strict=True)
        return found

    def inputs(self, cell: str) -> list[Bit]:
        """Return the input nets of a cell, except the clock."""
        item = self.cells[cell]
        return [
            bit
            for pin, bits in item["connections"].items()
            if item["port_directions"][pin] == "input"
            and not (item["type"] == "$dff" and pin == "CLK")
            for bit in bits
        ]


def cone_of(
    netlist: FlatNetlist, start: Sequence[Bit], cut: set[Bit], *, through: bool
) -> set[Bit]:
    """Return the fan-in of nets, stopping at the cut; `through` registers and memories."""
    seen: set[Bit] = {bit for bit in start if not isinstance(bit, str)}
    open_bits = list(seen)
    done: set[str] = set()
    while open_bits:
        bit = open_bits.pop()
        cell = netlist.driver.get(bit)
        if bit in cut or cell is None or (not through and _keeps(netlist.cells[cell])):
            continue
        # A register's bit depends on its own next state, the output of any other cell on all
        # inputs.
        if bit in netlist.next_state:
            behind = [netlist.next_state[bit]]
        elif cell in done:
            continue
        else:
            done.add(cell)
            behind = netlist.inputs(cell)
        for item in behind:
            if not isinstance(item, str) and item not in seen:
                seen.add(item)
                open_bits.append(item)
    return seen


def cut_out(
    netlist: FlatNetlist, outputs: Iterable[Bit], cut: set[Bit]
) -> tuple[dict[str, Any], list[Bit]]:
    """Return the logic before nets, and the nets that enter it, those that are cut included.

    Raises:
        CheckFailedError: a cell drives a net that is cut and another that is needed.
    """
    needed = cone_of(netlist, list(outputs), cut, through=False)
    names = {netlist.driver[bit] for bit in needed - cut if bit in netlist.driver}
    cells = {name: netlist.cells[name] for name in sorted(names)}
    cells = {name: cell for name, cell in cells.items() if not _keeps(cell)}
    made = {bit for cell in cells.values() for bit in _driven(cell)}
    if cut & made:
        raise CheckFailedError("a cell drives a signal that is cut and another one")
    return cells, sorted(needed - made, key=str)


def behind(cells: Mapping[str, Any], bits: Iterable[Bit]) -> set[Bit]:
    """Return the bits that some of cells make from any of these bits, and these."""
    readers: dict[Bit, list[str]] = defaultdict(list)
    for name, cell in cells.items():
        for pin, nets in cell["connections"].items():
            if cell["port_directions"][pin] == "input":
                for bit in nets:
                    readers[bit].append(name)
    found = {*bits}
    open_bits = [*found]
    while open_bits:
        made = {bit for name in readers.pop(open_bits.pop(), ()) for bit in _driven(cells[name])}
        open_bits += made - found
        found |= made
    return found


def answers(
    work: Path, step: Mapping[str, Any], check: str, outputs: Iterable[str]
) -> dict[str, str]:
    """Return what the solver says of each output of the module `check`, whether it is always 0.

    Args:
        work: a folder for the files.
        step: a module with ports and cells, which `check` instantiates as ``step``.
        check: Verilog.
        outputs: names of outputs of `check`.
    """
    module = {**step, "netnames": {}}
    (work / "step.json").write_text(json.dumps({"modules": {"step": module}}))
    (work / "check.v").write_text(check)
    commands = ["read_json step.json", "read_verilog check.v", "hierarchy -check -top check"]
    commands += ["flatten", "opt_clean", "setundef -undriven -zero"]
    for name in outputs:
        asked = f"sat -prove {name} 0 -show {name} -timeout {TIMEOUT_SECONDS}"
        commands.append(f"tee -q -o {name}.txt {asked}")
    run_yosys(commands, work, "check", DEFAULT_OPTIONS)
    return {name: (work / f"{name}.txt").read_text() for name in outputs}


def _keeps(cell: Mapping[str, Any]) -> bool:
    return cell["type"] == "$dff" or str(cell["type"]).startswith("$mem")


def _driven(cell: Mapping[str, Any]) -> list[Bit]:
    return [
        bit
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output"
        for bit in bits
    ]


def terms(netlist: FlatNetlist, stage: str) -> list[tuple[Bit, int]]:
    """Return the bits of a condition with their required values."""
    found: list[tuple[Bit, int]] = []
    for text in stage.split("&"):
        match = _TERM.fullmatch(text)
        if match is None:
            raise CheckFailedError(f"'{text}' is no condition of a verdict")
        bits = netlist.wire(match["wire"])
        low = int(match["low"] or 0)
        high = int(match["high"]) if match["high"] else len(bits) - 1
        value = int(match["value"])
        found += [(bits[place], value >> (place - low) & 1) for place in range(low, high + 1)]
    return found
