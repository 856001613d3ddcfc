# SPDX-License-Identifier: Apache-2.0
"""Prove that control learns one bit per packet from a verdict register, after its last beat.

`independence.py` cuts the verdict registers. That alone would allow a core to write any operand bit
into such a register and use it. A `Verdict` therefore names the condition, made of control
registers, under which its bit is valid. On the netlist, for every state and all inputs of one
cycle:

1. While the condition does not hold, no control output and no next state of control depends on the
   bit.
2. The condition depends only on control: no data input reaches it once the verdicts are cut. It
   begins to hold only in the cycle after the last beat of the packet was accepted, or, if the
   verdict passes through a pipeline, after the condition of the previous stage.
3. As long as the condition holds, the bit does not change. (In a pipeline it holds for one cycle
   per packet, because each stage copies the bit from the previous one.)

Together with the cone of logic it follows by induction over the cycles: in two runs with the same
handshakes, and the same verdict for each packet from the cycle after its last beat on, control is
equal.
"""

import json
import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from montcore.cores.contract import Verdict
from montcore.cores.core import Core
from montcore.support.errors import CheckFailedError
from montcore.support.remembered import Question, remembered
from montcore.synth.process import read_json
from montcore_lab.proofs.independence import (
    DATA_INPUTS,
    DATA_OUTPUTS,
    TIMEOUT_SECONDS,
    run_script,
)

_LATE = "no answer in time"
_TERM = re.compile(r"(?P<wire>[\w.\[\]]+?)(?:\[(?P<high>\d+):(?P<low>\d+)\])?==(?P<value>\d+)")


def verdict_faults(core: Core, verdicts: Sequence[Verdict] | None = None) -> list[str]:
    """Return the faults of a core's declared verdicts, or of the given ones.

    See `find_faults`.
    """
    return find_faults(
        core.top,
        core.sources(),
        core.sv_parameters(),
        data_inputs=DATA_INPUTS,
        data_outputs=DATA_OUTPUTS,
        verdicts=core.verdicts if verdicts is None else verdicts,
    )


def find_faults(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int],
    *,
    data_inputs: Sequence[str],
    data_outputs: Sequence[str],
    verdicts: Sequence[Verdict],
) -> list[str]:
    """Return the obligations that do not hold; none if the verdicts are sound.

    Args:
        top: the core's top module; its streams are ``NAME_valid_i``, ``_ready_o`` and ``_last_i``.
        sources: its files, packages first.
        parameters: parameters of the top module.
        data_inputs: ports that carry data.
        data_outputs: output ports that carry data; all others are control outputs.
        verdicts: the bits that control may depend on.

    Raises:
        CheckFailedError: Yosys failed, or a register or port does not exist.
    """
    files = tuple(sources)
    stated = [asdict(verdict) for verdict in verdicts]
    ports = {"in": list(data_inputs), "out": list(data_outputs)}
    about = ["verdicts", top, dict(parameters), ports, stated]
    question = Question(about, files, asked_by=("montcore_lab.proofs",))

    def search() -> list[str]:
        return _search_faults(top, files, parameters, data_inputs, data_outputs, verdicts)

    return remembered(question, search, lambda faults: not any(_LATE in item for item in faults))


def _search_faults(
    top: str,
    sources: Iterable[Path],
    parameters: Mapping[str, int],
    data_inputs: Sequence[str],
    data_outputs: Sequence[str],
    verdicts: Sequence[Verdict],
) -> list[str]:
    """Compute `find_faults` with Yosys."""
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        values = " ".join(f"-G {key}={value}" for key, value in parameters.items())
        files = " ".join(str(path) for path in sources)
        run_script(
            work,
            [
                f"read_slang {values} --top {top} {files}",
                f"prep -flatten -top {top}",
                "dffunmap",
                "opt_clean",
                "write_json netlist.json",
            ],
            f"the netlist of {top} cannot be made",
        )
        module = read_json(work / "netlist.json")["modules"][top]
        netlist = _Netlist(module)
        step = _Step(netlist, data_inputs, data_outputs, verdicts)
        if step.exposed:
            return [f"{port} is behind a control output or a condition" for port in step.exposed]
        (work / "step.json").write_text(json.dumps({"modules": {"step": step.module}}))
        (work / "check.v").write_text(step.check())
        commands = ["read_json step.json", "read_verilog check.v", "hierarchy -check -top check"]
        commands += ["flatten", "opt_clean", "setundef -undriven -zero"]
        for name in step.obligations:
            commands.append(f"tee -q -o {name}.txt sat -prove {name} 0 -timeout {TIMEOUT_SECONDS}")
        run_script(work, commands, f"the verdicts of {top} cannot be checked")
        faults = []
        for name, text in step.obligations.items():
            answer = (work / f"{name}.txt").read_text()
            if "SUCCESS!" not in answer:
                faults.append(text if "FAIL!" in answer else f"{_LATE}: {text}")
        return faults


Bit = int | str


class _Netlist:
    """A flat module with word-level cells, its registers as cells of the kind ``$dff``."""

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
            elif re.match(r"\$(a|s|al|sr)?dff|\$dlatch|\$sr$", cell["type"]):
                raise CheckFailedError(f"a register of the kind {cell['type']} is not handled")

    def wire(self, path: str) -> list[Bit]:
        """Return the bits of a wire, lowest first."""
        if path not in self.wires:
            raise CheckFailedError(f"the netlist has no {path}")
        return list(self.wires[path]["bits"])

    def port(self, name: str) -> list[Bit]:
        if name not in self.ports:
            raise CheckFailedError(f"the netlist has no port {name}")
        return list(self.ports[name]["bits"])

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


class _Step:
    """One cycle of a netlist's control, as a module without registers."""

    def __init__(
        self,
        netlist: _Netlist,
        data_inputs: Sequence[str],
        data_outputs: Sequence[str],
        verdicts: Sequence[Verdict],
    ) -> None:
        self._verdicts = verdicts
        bits = [netlist.wire(item.register)[item.bit] for item in verdicts]
        stages = [[_terms(netlist, stage) for stage in item.stages] for item in verdicts]
        conditions = sorted({bit for item in stages for stage in item for bit, _ in stage}, key=str)
        streams = sorted({stream for item in verdicts for stream in item.streams})
        moves = [
            netlist.port(f"{stream}_{signal}")[0]
            for stream in streams
            for signal in ("valid_i", "ready_o", "last_i")
        ]
        outputs = [
            bit
            for name, port in netlist.ports.items()
            if port["direction"] == "output" and name not in data_outputs
            for bit in port["bits"]
        ]
        control = self._cone(netlist, [*outputs, *conditions], set(bits), through=True)
        data = {bit: name for name in data_inputs for bit in netlist.port(name)}
        #: Data inputs that reach control although the verdicts are cut.
        self.exposed = sorted({data[bit] for bit in control if bit in data})
        state = sorted((bit for bit in control if bit in netlist.next_state), key=str)
        after = [netlist.next_state[bit] for bit in state if bit not in bits]
        memories = [
            pin
            for name in sorted({netlist.driver[bit] for bit in control if bit in netlist.driver})
            if netlist.cells[name]["type"].startswith("$mem")
            for pin in netlist.inputs(name)
        ]
        later = [netlist.next_state.get(bit, bit) for bit in conditions]
        held = [netlist.next_state[bit] for bit in bits]
        for bit in conditions:
            if bit not in netlist.next_state:
                raise CheckFailedError("a condition of a verdict is not made of registers")
        groups = {
            "o": [*outputs, *after, *memories],
            "now": conditions,
            "later": later,
            "held": held,
            "moves": moves,
        }
        needed = self._cone(
            netlist, [bit for group in groups.values() for bit in group], set(bits), through=False
        )
        cells = {
            netlist.driver[bit]
            for bit in needed
            if bit in netlist.driver and not _keeps(netlist.cells[netlist.driver[bit]])
        }
        made = {bit for name in cells for bit in _driven(netlist.cells[name])}
        free = sorted(
            (bit for bit in needed if not isinstance(bit, str) and bit not in made), key=str
        )
        free = [bit for bit in free if bit not in bits]
        ports: dict[str, dict[str, Any]] = {
            "i": {"direction": "input", "bits": free},
            "v": {"direction": "input", "bits": bits},
            **{name: {"direction": "output", "bits": group} for name, group in groups.items()},
        }
        self.module = {
            "ports": ports,
            "cells": {name: netlist.cells[name] for name in sorted(cells)},
            "netnames": {},
        }
        self._widths = {name: len(port["bits"]) for name, port in ports.items()}
        place = {bit: number for number, bit in enumerate(conditions)}
        self._stages = [
            [[(place[bit], value) for bit, value in stage] for stage in item] for item in stages
        ]
        self._moves = {stream: 3 * number for number, stream in enumerate(streams)}
        #: Names of the outputs of `check` that must stay 0, with the meaning of a violation.
        self.obligations = {"seen": "control depends on a verdict that is not valid"}
        for number, item in enumerate(verdicts):
            name = f"{item.register}[{item.bit}]"
            self.obligations[f"early_{number}"] = f"{name} is valid before the packet's last beat"
            if len(item.stages) == 1:
                self.obligations[f"moved_{number}"] = f"{name} changes while it is valid"

    @staticmethod
    def _cone(netlist: _Netlist, start: Sequence[Bit], cut: set[Bit], *, through: bool) -> set[Bit]:
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

    def _holds(self, stage: list[tuple[int, int]], when: str) -> str:
        return " && ".join(f"{when}[{place}] == 1'b{value}" for place, value in stage)

    def check(self) -> str:
        """Return the module whose outputs are the obligations' violations."""
        width = self._widths
        lines = [
            f"module check (input [{width['i'] - 1}:0] i, input [{width['v'] - 1}:0] v, w,",
            f"    {', '.join(f'output {name}' for name in self.obligations)});",
        ]
        lines += [
            f"  wire [{width[name] - 1}:0] {name}, {name}_other;"
            for name in ("o", "now", "later", "held", "moves")
        ]
        lines.append(f"  wire [{width['v'] - 1}:0] v_other;")
        for number, stages in enumerate(self._stages):
            valid = self._holds(stages[-1], "now")
            lines.append(f"  assign v_other[{number}] = ({valid}) ? v[{number}] : w[{number}];")
        groups = ("o", "now", "later", "held", "moves")
        for copy, verdicts in (("", "v"), ("_other", "v_other")):
            links = ", ".join(f".{name}({name}{copy})" for name in groups)
            lines.append(f"  step one{copy} (.i(i), .v({verdicts}), {links});")
        lines.append("  assign seen = o != o_other;")
        for number, (item, stages) in enumerate(zip(self._verdicts, self._stages, strict=True)):
            befores = [
                " && ".join(
                    f"(&moves[{self._moves[stream] + 2}:{self._moves[stream]}])"
                    for stream in item.streams
                ),
                *(f"({self._holds(stage, 'now')})" for stage in stages[:-1]),
            ]
            early = []
            for place, (stage, before) in enumerate(zip(stages, befores, strict=True)):
                begins = self._holds(stage, "later")
                # The only stage of a register may stay valid; a stage of a pipeline begins anew.
                if len(stages) == 1:
                    begins += f" && !({self._holds(stage, 'now')})"
                early.append(f"({begins} && !({before}))")
                del place
            lines.append(f"  assign early_{number} = {' || '.join(early)};")
            if len(stages) == 1:
                both = f"{self._holds(stages[0], 'now')} && {self._holds(stages[0], 'later')}"
                lines.append(f"  assign moved_{number} = {both} && held[{number}] != v[{number}];")
        lines.append("endmodule")
        return "\n".join(lines) + "\n"


def _keeps(cell: Mapping[str, Any]) -> bool:
    return cell["type"] == "$dff" or str(cell["type"]).startswith("$mem")


def _driven(cell: Mapping[str, Any]) -> list[Bit]:
    return [
        bit
        for pin, bits in cell["connections"].items()
        if cell["port_directions"][pin] == "output"
        for bit in bits
    ]


def _terms(netlist: _Netlist, stage: str) -> list[tuple[Bit, int]]:
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
