# SPDX-License-Identifier: Apache-2.0
"""Prove that two runs with the same handshakes have the same control, whatever their data.

Control is every output that carries no data, the addresses that `Knowledge` names, and each
register in the cone of logic of one of these. `Knowledge` also names the beats of data that are
public, such as headers, and verdicts on data, each with the state that acts on it. For one cycle,
two copies of the logic get equal control, handshakes and public beats; all other data, registers
and contents of memories are their own. A SAT solver shows for every state and all inputs that
control is equal after it too. So a register that control reads is written by public beats and by
control alone, and a verdict acts in its own state only.
"""

import re
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from montcore_lab.checkout.remembered import Question, remembered
from montcore_lab.proofs.netlist import (
    DATA_INPUTS,
    Bit,
    FlatNetlist,
    answers,
    behind,
    cone_of,
    cut_out,
    terms,
)

LATE = "no answer in time"
#: Bits that must have values.
_Condition = list[tuple[Bit, int]]


@dataclass(frozen=True)
class Knowledge:
    """What control may depend on.

    Attributes:
        verdicts: bits, each with the condition under which it is the same in both runs.
        beats: data inputs, each with the condition under which its beat is public; "" for always.
        assumed: patterns of signals that are the same in both runs, by what is not shown here.
        addresses: patterns of signals that are control besides the outputs.
        data: inputs that carry data.
        places: paths, with their dot, of the instances that verdicts and conditions are in.
    """

    verdicts: tuple[tuple[str, str], ...]
    beats: tuple[tuple[str, str], ...] = ()
    assumed: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    data: tuple[str, ...] = DATA_INPUTS
    places: tuple[str, ...] = ("",)


def control_faults(
    top: str, sources: Iterable[Path], parameters: Mapping[str, Any], known: Knowledge
) -> list[str]:
    """Return what data reaches: outputs, addresses and registers whose value depends on it.

    Raises:
        CheckFailedError: Yosys failed, or a signal of `known` does not exist.
    """
    files = tuple(sources)

    def search() -> list[str]:
        with tempfile.TemporaryDirectory() as folder:
            work = Path(folder)
            netlist = FlatNetlist.of(top, files, parameters, work)
            return TwoRuns(netlist, known).differing(work)

    about = ["two runs", top, dict(parameters), repr(known)]
    question = Question(about, files, asked_by=("montcore_lab.proofs",))
    return remembered(question, search, lambda faults: LATE not in faults)


class TwoRuns:
    """One cycle of a netlist's control, in two copies."""

    def __init__(self, netlist: FlatNetlist, known: Knowledge) -> None:
        self._netlist = netlist
        places = known.places
        assumed = {*self._matching(known.assumed)}
        #: For bits that need not be equal in the copies, conditions of which one makes them equal.
        self._ways: dict[Bit, list[_Condition]] = {
            netlist.bit(place + name): [self._condition(place, condition)]
            for name, condition in known.verdicts
            for place in places
        }
        cut = assumed | {*self._ways}
        beats = dict(known.beats)
        for name in known.data:
            condition = beats.get(name)
            ways = [self._condition(place, condition) for place in places if condition]
            self._ways.update({bit: ways for bit in netlist.port(name) if condition != ""})
        conditions = [bit for ways in self._ways.values() for way in ways for bit, _ in way]
        shown = [*netlist.control_outputs(), *self._matching(known.addresses)]
        control = cone_of(netlist, [*shown, *conditions], cut, through=True)
        state = {bit for bit in control if bit in netlist.next_state and bit not in self._ways}
        registers = sorted(state - assumed, key=str)
        memories = netlist.memory_inputs(control)
        pins = [pin for pin, _ in memories]
        after = [netlist.next_state[bit] for bit in registers]
        #: What is compared only if one of these bits is 1: a memory's data, if it is written.
        self._enables: dict[Bit, set[Bit]] = {bit: {"1"} for bit in (*shown, *after)}
        for pin, enable in memories:
            self._enables.setdefault(pin, set()).add(enable)
        conditions += {bit for bits in self._enables.values() for bit in bits}
        cells, free = cut_out(netlist, [*shown, *pins, *after, *conditions], cut)
        inputs = {
            bit
            for port in netlist.ports.values()
            if port["direction"] == "input"
            for bit in port["bits"]
            if bit not in self._ways
        }
        # A memory whose pins are all the same has the same contents.
        read = {bit for bit in control if netlist.in_memory(bit)}
        equal = state | assumed | inputs | read
        reached = behind(cells, [bit for bit in free if bit not in equal])
        pairs = zip([*shown, *pins, *after], [*shown, *pins, *registers], strict=True)
        #: What is compared, with the bit that names it: of a next state, the register.
        self._compared = {bit: name for bit, name in pairs if bit in reached}
        self._conditions = conditions or ["0"]
        self._cells, free = cut_out(netlist, [*self._compared, *conditions], cut)
        self._shared = [bit for bit in free if bit in equal]
        self._own = [bit for bit in free if bit not in equal]

    def _matching(self, patterns: Iterable[str]) -> list[Bit]:
        """Return the bits of the signals of each pattern, which has at least one."""
        found: list[Bit] = []
        for pattern in patterns:
            own = [name for name in self._netlist.wires if fnmatchcase(name, pattern)]
            found += [bit for name in own or [pattern] for bit in self._netlist.wire(name)]
        return found

    def _condition(self, place: str, text: str) -> _Condition:
        return terms(self._netlist, "&".join(place + term for term in text.split("&")))

    def differing(self, work: Path) -> list[str]:
        """Return the names of what differs after the cycle; `work` is for the files of Yosys."""
        if not self._compared:
            return []
        ports = {
            "s": ("input", self._shared),
            "v": ("input", self._own),
            "o": ("output", [*self._compared]),
            "c": ("output", self._conditions),
        }
        about = {name: {"direction": way, "bits": bits} for name, (way, bits) in ports.items()}
        check = self._check({name: len(bits) for name, (_, bits) in ports.items()})
        step = {"ports": about, "cells": self._cells}
        answer = answers(work, step, check, ["seen"])["seen"]
        if "SUCCESS!" in answer:
            return []
        found = re.search(r"\\seen +\S+ +\S+ +([01]+)", answer)
        if found is None:
            return [LATE]
        names = {bit: name for name, wire in self._netlist.wires.items() for bit in wire["bits"]}
        different = zip(self._compared.values(), reversed(found[1]), strict=False)
        return sorted({str(names.get(bit, bit)) for bit, value in different if value == "1"})

    def _check(self, width: Mapping[str, int]) -> str:
        """Return the module that compares two copies of `step`."""
        place = {bit: number for number, bit in enumerate(self._conditions)}
        ports = [f"input [{max(width[name], 1) - 1}:0] {name}" for name in ("s", "v")]
        wires = [f"wire [{max(width[name], 1) - 1}:0] {name}, {name}2;" for name in ("o", "c")]
        lines = [f"module check ({', '.join(ports)}, w, output [{width['o'] - 1}:0] seen);", *wires]
        lines.append(f"wire [{max(width['v'], 1) - 1}:0] v2;")
        for number, bit in enumerate(self._own):
            ways = [
                " && ".join(f"c[{place[at]}] == 1'b{value}" for at, value in way)
                for way in self._ways.get(bit, [])
            ]
            equal = " || ".join(f"({way})" for way in ways) or "1'b0"
            lines.append(f"assign v2[{number}] = ({equal}) ? v[{number}] : w[{number}];")
        lines += [
            "step one (.s(s), .v(v), .o(o), .c(c));",
            "step two (.s(s), .v(v2), .o(o2), .c(c2));",
        ]
        for number, bit in enumerate(self._compared):
            enabled = " || ".join(f"c[{place[one]}]" for one in self._enables[bit])
            lines.append(f"assign seen[{number}] = (o[{number}] ^ o2[{number}]) && ({enabled});")
        lines.append("endmodule")
        return "\n".join(lines) + "\n"
