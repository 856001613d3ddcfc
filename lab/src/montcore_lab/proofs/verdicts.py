# SPDX-License-Identifier: Apache-2.0
"""Prove that control learns one bit per packet from a verdict register, after its last beat.

A `Verdict` names a bit that tells something of the data, such as whether an operand is in range,
and the condition under which it is valid. On the netlist, for every state and all inputs of one
cycle:

1. Two runs with the same control, handshakes and valid verdicts have the same control after the
   cycle, whatever their data and the verdicts that are not valid (`runs.py`).
2. The condition is made of registers. It begins to hold only in the cycle after the last beat of
   the packet was accepted, or, if the verdict passes through a pipeline, after the condition of the
   previous stage.
3. As long as the condition holds, the bit does not change. (In a pipeline it holds for one cycle
   per packet, because each stage copies the bit from the previous one.)

By induction over the cycles, control is equal in two runs with the same handshakes, and the same
verdict for each packet from the cycle after its last beat on.
"""

import itertools
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from montcore.cores.contract import Verdict
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.support.errors import CheckFailedError
from montcore_lab.checkout.remembered import Question, remembered
from montcore_lab.proofs.netlist import FlatNetlist, answers, cut_out, terms
from montcore_lab.proofs.runs import LATE, Knowledge, TwoRuns


def verdict_registers(core: Core) -> list[str]:
    """Return the registers that hold the verdicts of a core."""
    return list(dict.fromkeys(verdict.register for verdict in core.verdicts))


def knowledge(verdicts: Sequence[Verdict]) -> Knowledge:
    """Return what control may depend on: verdicts while they are valid."""
    return Knowledge(tuple((f"{one.register}[{one.bit}]", one.stages[-1]) for one in verdicts))


def verdict_faults(
    core: Core,
    verdicts: Sequence[Verdict] | None = None,
    technology: Technology = SIMULATION,
) -> list[str]:
    """Return the obligations that do not hold for a core's declared verdicts, or for other ones.

    The core's streams are ``NAME_valid_i``, ``_ready_o`` and ``_last_i``.

    Raises:
        CheckFailedError: Yosys failed, or a register or port does not exist.
    """
    chosen = core.verdicts if verdicts is None else verdicts
    files, parameters = tuple(core.sources()), core.sv_parameters(technology)
    about = ["verdicts", core.top, dict(parameters), [asdict(verdict) for verdict in chosen]]

    def search() -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            netlist = FlatNetlist.of(core.top, files, parameters, Path(folder))
            return _search_faults(netlist, chosen, Path(folder))

    return remembered(
        Question(about, files, asked_by=("montcore_lab.proofs",)),
        search,
        lambda faults: not any(LATE in item for item in faults),
    )


def _search_faults(netlist: FlatNetlist, verdicts: Sequence[Verdict], work: Path) -> list[str]:
    """Compute `verdict_faults` with Yosys in a folder."""
    names = TwoRuns(netlist, knowledge(verdicts)).differing(work)
    faults = [f"{name} depends on data" for name in names]
    step = _Step(netlist, verdicts)
    for name, answer in answers(work, step.module, step.check(), step.obligations).items():
        if "SUCCESS!" not in answer:
            text = step.obligations[name]
            faults.append(text if "FAIL!" in answer else f"{LATE}: {text}")
    return faults


class _Step:
    """One cycle of a netlist's control, as a module without registers."""

    def __init__(self, netlist: FlatNetlist, verdicts: Sequence[Verdict]) -> None:
        self._verdicts = verdicts
        bits = [netlist.wire(item.register)[item.bit] for item in verdicts]
        stages = [[terms(netlist, stage) for stage in item.stages] for item in verdicts]
        conditions = sorted({bit for item in stages for stage in item for bit, _ in stage}, key=str)
        streams = sorted({stream for item in verdicts for stream in item.streams})
        moves = [
            netlist.port(f"{stream}_{signal}")[0]
            for stream in streams
            for signal in ("valid_i", "ready_o", "last_i")
        ]
        later = [netlist.next_state.get(bit, bit) for bit in conditions]
        held = [netlist.next_state[bit] for bit in bits]
        for bit in conditions:
            if bit not in netlist.next_state:
                raise CheckFailedError("a condition of a verdict is not made of registers")
        groups = {"now": conditions, "later": later, "held": held, "moves": moves}
        cells, free = cut_out(netlist, itertools.chain(*groups.values()), set(bits))
        free = [bit for bit in free if bit not in bits]
        ports: dict[str, dict[str, Any]] = {
            "i": {"direction": "input", "bits": free},
            "v": {"direction": "input", "bits": bits},
            **{name: {"direction": "output", "bits": group} for name, group in groups.items()},
        }
        self.module = {"ports": ports, "cells": cells}
        self._widths = {name: len(port["bits"]) for name, port in ports.items()}
        place = {bit: number for number, bit in enumerate(conditions)}
        self._stages = [
            [[(place[bit], value) for bit, value in stage] for stage in item] for item in stages
        ]
        self._moves = {stream: 3 * number for number, stream in enumerate(streams)}
        #: Names of the outputs of `check` that must stay 0, with the meaning of a violation.
        self.obligations: dict[str, str] = {}
        for number, item in enumerate(verdicts):
            name = f"{item.register}[{item.bit}]"
            self.obligations[f"early_{number}"] = f"{name} is valid before the packet's last beat"
            if len(item.stages) == 1:
                self.obligations[f"moved_{number}"] = f"{name} changes while it is valid"

    def _holds(self, stage: list[tuple[int, int]], when: str) -> str:
        return " && ".join(f"{when}[{place}] == 1'b{value}" for place, value in stage)

    def check(self) -> str:
        """Return the module whose outputs are the obligations' violations."""
        width = self._widths
        ports = [f"output {name}" for name in self.obligations]
        lines = [
            f"module check (input [{width['i'] - 1}:0] i, input [{width['v'] - 1}:0] v,",
            f"    {', '.join(ports)});",
        ]
        groups = ("now", "later", "held", "moves")
        lines += [f"  wire [{width[name] - 1}:0] {name};" for name in groups]
        lines.append(
            f"  step one (.i(i), .v(v), {', '.join(f'.{name}({name})' for name in groups)});"
        )
        for number, (item, stages) in enumerate(zip(self._verdicts, self._stages, strict=True)):
            befores = [
                " && ".join(
                    f"(&moves[{self._moves[stream] + 2}:{self._moves[stream]}])"
                    for stream in item.streams
                ),
                *(f"({self._holds(stage, 'now')})" for stage in stages[:-1]),
            ]
            early = []
            for stage, before in zip(stages, befores, strict=True):
                begins = self._holds(stage, "later")
                # The only stage of a register may stay valid; a stage of a pipeline begins anew.
                if len(stages) == 1:
                    begins += f" && !({self._holds(stage, 'now')})"
                early.append(f"({begins} && !({before}))")
            lines.append(f"  assign early_{number} = {' || '.join(early)};")
            if len(stages) == 1:
                both = f"{self._holds(stages[0], 'now')} && {self._holds(stages[0], 'later')}"
                lines.append(f"  assign moved_{number} = {both} && held[{number}] != v[{number}];")
        lines.append("endmodule")
        return "\n".join(lines) + "\n"
