# SPDX-License-Identifier: Apache-2.0
"""Schedules a formula's operations for one multiplier and allocates registers.

The engine issues at most one instruction per cycle, in order, when its unit is free and its
operands are available. A schedule is therefore an order of instructions: `ScheduledMachine`
determines when each of them begins. A list scheduler takes the operation that can begin first, and
of several such operations the most urgent one.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from montcore.ecc.formulas import Dag
from montcore.ecc.isa import BANK, EngineOp, Instruction

_KINDS = {"*": EngineOp.MUL, "+": EngineOp.ADD, "-": EngineOp.SUB, "?": EngineOp.SEL}
_SUMS = (EngineOp.ADD, EngineOp.SUB, EngineOp.NEG, EngineOp.SEL, EngineOp.PUT, EngineOp.SPUT)


@dataclass(frozen=True)
class EngineTiming:
    """Timing of a multiplier and of the adder, on which a schedule depends.

    Attributes:
        latency: cycles from the last operand beat to the first result beat.
        interval: cycles between the results of consecutive products.
        lanes: beats that the adder processes per cycle.
    """

    beats: int
    latency: int
    interval: int
    lanes: int

    @property
    def rows(self) -> int:
        """Cycles in which the adder reads an operand."""
        return -(-self.beats // self.lanes)


@dataclass
class ScheduledMachine:
    """Timing model of the engine: when instructions begin, in cycles from 0."""

    timing: EngineTiming
    now: int = 0
    stream_free: int = 0
    adder_free: int = 0
    starts: list[int] = field(default_factory=lambda: [-10000, -10000])
    core_free: int = 0
    z_free: int = 0
    ready: dict[int, int] = field(default_factory=dict)
    streamed: dict[int, int] = field(default_factory=dict)

    def earliest(self, item: Instruction) -> int:
        """Return the first cycle from `now` on in which an instruction can begin."""
        at = max(
            self.now,
            self.ready.get(item.a, 0),
            self.ready.get(item.b, 0),
            self.ready.get(item.d, 0),
        )
        if item.op is EngineOp.MUL:
            return max(at, self.stream_free)
        return max(at, self.adder_free, self.streamed.get(item.d, 0))

    def issue(self, item: Instruction) -> int:
        """Issue an instruction; return the cycle in which it begins."""
        t, at = self.timing, self.earliest(item)
        self.now = at + 1
        if item.op is EngineOp.MUL:
            first = max(at + 1, self.starts[-2] + t.interval - 2)
            start = max(first + t.beats, self.core_free)
            self.starts = [self.starts[-1], start]
            self.core_free = start + t.interval
            self.stream_free = first + t.beats - 1
            z = max(start - 1 + t.latency, self.z_free)
            self.z_free = z + t.beats
            self.ready[item.d] = z
            for source in (item.a, item.b):
                self.streamed[source] = self.stream_free
        else:
            last = at
            for row in range(t.rows):
                due = [
                    self.ready.get(source, 0) + min((row + 1) * t.lanes, t.beats)
                    for source in (item.a, item.b)
                    if source < BANK
                ]
                last = max(last + 1, *due) if due else last + 1
            self.adder_free = last
            self.ready[item.d] = last + 2
        return at


def run(order: Sequence[Instruction], timing: EngineTiming, repeat: int = 1) -> list[int]:
    """Return the cycles of a sequence until its last result, after each of its repetitions."""
    machine = ScheduledMachine(timing)
    found = []
    for _ in range(repeat):
        for item in order:
            machine.issue(item)
        found.append(max(machine.ready.values()))
    return found


def steady(ends: Sequence[int]) -> float:
    """Return the cycles per repetition, of a sequence that `run` repeated six times."""
    return (ends[5] - ends[2]) / 3


@dataclass(frozen=True)
class Registers:
    """Register allocation of a formula.

    Attributes:
        fixed: element of each input and output.
    """

    fixed: Mapping[str, int]
    temporaries: tuple[int, ...]


class _StuckError(Exception):
    """No register is free for any operation that could begin."""


def _attempt(
    dag: Dag, registers: Registers, timing: EngineTiming, urgency: Sequence[float]
) -> list[Instruction]:
    nodes = dag.nodes
    users: list[list[int]] = [[] for _ in nodes]
    for index, (kind, left, right) in enumerate(nodes):
        if kind != "input":
            for source in {left, right}:
                users[source].append(index)
    left_users = [len(item) for item in users]
    place: dict[int, int] = {node: registers.fixed[name] for name, node in dag.inputs.items()}
    target = {node: registers.fixed[name] for name, node in dag.outputs.items()}
    # An output may overwrite an input once every instruction that reads the input has begun.
    blocked = {
        node: [n for n in dag.inputs.values() if place[n] == element and n != node]
        for node, element in target.items()
    }
    free: dict[bool, list[int]] = {False: [], True: []}  # key: whether in the bank of sums
    for element in registers.temporaries:
        free[element >= BANK].append(element)
    temporary = set(registers.temporaries)
    begun = {node for node in dag.inputs.values()}
    machine = ScheduledMachine(timing)
    order: list[Instruction] = []
    waiting = [i for i, node in enumerate(nodes) if node[0] != "input"]
    while waiting:
        best: tuple[tuple[float, float], int, Instruction] | None = None
        for index in waiting:
            kind, left, right = nodes[index]
            if left not in begun or right not in begun:
                continue
            sums = kind != "*"
            if index in target:
                if any(
                    left_users[n] - ((n in (left, right)) if n in (left, right) else 0) > 0
                    for n in blocked[index]
                ):
                    continue
                d = target[index]
            elif free[sums]:
                d = free[sums][0]
            else:
                continue
            item = Instruction(_KINDS[kind], d, place[left], place[right])
            at = machine.earliest(item)
            # Take the instruction that can begin first; break ties by urgency.
            key = (at, -urgency[index])
            if best is None or key < best[0]:
                best = (key, index, item)
        if best is None:
            raise _StuckError
        _, index, item = best
        machine.issue(item)
        order.append(item)
        waiting.remove(index)
        begun.add(index)
        place[index] = item.d
        if index not in target:
            free[item.d >= BANK].remove(item.d)
        for source in {nodes[index][1], nodes[index][2]}:
            left_users[source] -= 1
            if left_users[source] == 0 and place[source] in temporary and source not in target:
                free[place[source] >= BANK].append(place[source])
    return order


def schedule(
    dag: Dag, registers: Registers, timing: EngineTiming, tries: int = 60, seed: int = 1
) -> list[Instruction]:
    """Return a formula's instructions, scheduled for a multiplier.

    The most urgent operation is the one with the longest path to an output. Random variations of
    this priority are tried too; the schedule with the shortest repetition wins.
    """
    product = timing.beats + timing.latency
    total = timing.rows + 2
    longest = [0.0] * len(dag.nodes)
    for index in range(len(dag.nodes) - 1, -1, -1):
        kind, left, right = dag.nodes[index]
        own = 0 if kind == "input" else product if kind == "*" else total
        longest[index] += own
        for source in (left, right):
            if source >= 0:
                longest[source] = max(longest[source], longest[index])
    rng = random.Random(seed)
    best: tuple[float, list[Instruction]] | None = None
    for number in range(tries):
        spread = 0.0 if number == 0 else rng.choice((0.1, 0.3, 0.6)) * product
        urgency = [value + rng.uniform(-spread, spread) for value in longest]
        try:
            order = _attempt(dag, registers, timing, urgency)
        except _StuckError:
            continue
        ends = run(order, timing, 6)
        cost = steady(ends) + 0.001 * ends[0]
        if best is None or cost < best[0]:
            best = (cost, order)
    if best is None:
        raise ValueError("a formula needs more registers")
    return best[1]
