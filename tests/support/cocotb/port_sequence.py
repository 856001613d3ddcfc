# SPDX-License-Identifier: Apache-2.0
"""Random sequences of packets at the port of any unit, judged by the model of the contract."""

import json
import os
import random
from typing import Any

import cocotb
from port_driver import PortBench
from port_units import UNIT, named

from montcore.bundle.styles import port
from montcore.sim.sequence import Event, EventKind, SequenceOp
from montcore.verification.port import PortModel
from montcore.verification.sequences import SequenceUnit, sequence

#: Packets from one reset to the next.
PACKETS = 40


class Player(PortBench):
    """A host that plays sequences, and tells the model what happens at the port."""

    def __init__(self, dut: Any, unit: SequenceUnit) -> None:
        super().__init__(dut, word_bits=unit.width)
        self.limit = unit.limit
        self.model = PortModel(unit, unit.limit)
        self.streams = {"c": self.cfg, "x": self.x, "y": self.y}
        self.observers = [self.look]
        self.told = False  # whether a result is on offer
        self.still = 0  # cycles in which nothing moved

    def report(self, kind: EventKind, flags: int = 0, beat: int = 0) -> None:
        self.model.take(Event(kind, flags, self.number, beat))
        self.still = 0

    def look(self) -> None:
        """Report the events of a cycle: what leaves first, what abandons everything last."""
        self.still += 1
        if self.flag("z_valid_o"):
            if not self.told:
                self.report(EventKind.VALID)
            self.told = True
            self.still = 0
            if self.flag("z_ready_i"):
                last, error = self.flag("z_last_o"), self.flag("z_error_o")
                self.report(EventKind.RESULT, last | error << 1, int(self.dut.z_data_o.value))
                self.told = not last
        if self.flag("cfg_done_o"):
            self.report(EventKind.DONE, int(self.dut.cfg_error_o.value))
        for kind, name in ((EventKind.CFG, "cfg"), (EventKind.X, "x"), (EventKind.Y, "y")):
            if self.flag(f"{name}_valid_i") and self.flag(f"{name}_ready_o"):
                beat = int(getattr(self.dut, f"{name}_data_i").value)
                self.report(kind, self.flag(f"{name}_last_i"), beat)
        if self.flag("zeroize_i") or not self.flag("rst_ni"):
            self.report(EventKind.CLEAR)
            self.told = False
            self.forget_results()

    async def play(self, op: SequenceOp) -> None:
        """Do one operation; the pauses between beats are the bench's own."""
        match op.kind:
            case "c" | "x" | "y":
                self.streams[op.kind].send(list(op.beats))
                self.streams[op.kind].gap = self.random.choice((0.0, 0.0, 0.3, 0.8))
            case "ready":
                self.z_ready = op.number / 8
            case "wait":
                for _ in range(op.number):
                    await self.cycle()
            case "idle":
                await self.rest()
            case "zeroize" | "reset":
                await self.clear("zeroize_i" if op.kind == "zeroize" else "rst_ni", op)

    async def clear(self, name: str, op: SequenceOp) -> None:
        """Zeroize or reset for some cycles; what is offered is withdrawn or stays on offer."""
        if op.drop:
            self.forget()
        pin = getattr(self.dut, name)
        active = int(name == "zeroize_i")
        pin.value = active
        for _ in range(op.number):
            await self.cycle()
        pin.value = 1 - active

    async def rest(self) -> None:
        """Run until the unit is at rest, or nothing has moved for too long."""
        self.still = 0
        while True:
            empty = not any(stream.beats for stream in self.streams.values())
            await self.cycle()
            busy = self.flag("busy_o") or self.flag("z_valid_o")
            hung = self.still > self.limit
            if (empty and not busy) or hung:
                break
        offered = sum(stream.valid << at for at, stream in enumerate(self.streams.values()))
        self.report(EventKind.REST, busy << 4 | hung << 3 | offered)


#: Further sequences, while everything was refused or nothing: a short one has one modulus.
MORE = 8


@cocotb.test()
async def the_contract_is_kept(dut: Any) -> None:
    """Pauses, refusals, order, and zeroize and reset in any cycle."""
    packets, target, *name = json.loads(os.environ[UNIT])
    unit = port(named(*name), target)
    player = Player(dut, unit)
    await player.start()
    # Registers without reset are unknown before.
    await player.clear("zeroize_i", SequenceOp("zeroize"))
    await player.rest()
    for seed in range(-(-packets // PACKETS) + MORE):
        mixed = 0 < player.model.refused < player.model.moduli + player.model.answers
        if seed * PACKETS >= packets and mixed:
            break
        for op in sequence(unit, random.Random(seed), min(packets, PACKETS)):
            await player.play(op)
        player.z_ready = 1.0
        await player.rest()
        await player.clear("rst_ni", SequenceOp("reset", drop=True))
    assert 0 < player.model.refused < player.model.moduli + player.model.answers
