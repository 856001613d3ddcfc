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
from functools import cached_property

from montcore.ecc.formulas import Dag
from montcore.ecc.isa import BANK, EngineOp, Instruction

_KINDS = {"*": EngineOp.MUL, "+": EngineOp.ADD, "-": EngineOp.SUB, "?": EngineOp.SEL}


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

    @cached_property
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

    def earliest(self, product: bool, d: int, a: int, b: int) -> int:
        """Return the first cycle from `now` on in which a product or a sum can begin."""
        ready = self.ready
        at = max(self.now, ready.get(a, 0), ready.get(b, 0), ready.get(d, 0))
        if product:
            return max(at, self.stream_free)
        return max(at, self.adder_free, self.streamed.get(d, 0))

    def issue(self, item: Instruction) -> int:
        """Issue an instruction; return the cycle in which it begins."""
        t, product = self.timing, item.op is EngineOp.MUL
        at = self.earliest(product, item.d, item.a, item.b)
        self.now = at + 1
        if product:
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
            # The last row is read when all rows have had their cycle and the last beats are there.
            last = at + t.rows
            for source in (item.a, item.b):
                if source < BANK:
                    last = max(last, self.ready.get(source, 0) + t.beats)
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
    left_users = [0] * len(nodes)  # that have not begun
    for kind, left, right in nodes:
        if kind != "input":
            for source in {left, right}:
                left_users[source] += 1
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
    machine = ScheduledMachine(timing)
    order: list[Instruction] = []
    waiting = [i for i, node in enumerate(nodes) if node[0] != "input"]
    while waiting:
        best: tuple[float, float, int, int] | None = None
        for index in waiting:
            kind, left, right = nodes[index]
            if left not in place or right not in place:  # have not begun
                continue
            product = kind == "*"
            if index in target:
                if any(left_users[n] > (n in (left, right)) for n in blocked[index]):
                    continue
                d = target[index]
            elif free[not product]:
                d = free[not product][0]
            else:
                continue
            at = machine.earliest(product, d, place[left], place[right])
            # Take the instruction that can begin first; break ties by urgency.
            if best is None or (at, -urgency[index]) < best[:2]:
                best = (at, -urgency[index], index, d)
        if best is None:
            raise _StuckError
        _, _, index, d = best
        kind, left, right = nodes[index]
        order.append(Instruction(_KINDS[kind], d, place[left], place[right]))
        machine.issue(order[-1])
        waiting.remove(index)
        place[index] = d
        if index not in target:
            free[d >= BANK].remove(d)
        for source in {left, right}:
            left_users[source] -= 1
            unused = left_users[source] == 0 and source not in target
            if unused and place[source] in registers.temporaries:
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
