# SPDX-License-Identifier: Apache-2.0
"""Curve engines in whose simulation one register is flipped during an operation."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from montcore.ecc.curves import Curve
from montcore.ecc.design import EngineDesign
from montcore.ecc.engine import Engine, EngineRequest, Result
from montcore.ecc.program import Operation
from montcore.support.errors import CheckFailedError

_FLAGS = re.compile(r"^  logic ((?:\w+,\s*)*\w+);", re.M)
_STATE = re.compile(r"enum logic \[(\d+):0\][^}]*\} state_e;")
#: An unknown operation, which is refused: it chooses the next fault.
_CHOOSE = EngineRequest(Operation.SET_UP, (1,))


@dataclass(frozen=True)
class Bit:
    """One bit of a register: the path in the bench, and an index unless the register is one bit."""

    path: str
    index: int | None = None

    def __str__(self) -> str:
        """Return it as an expression of SystemVerilog."""
        return self.path if self.index is None else f"{self.path}[{self.index}]"


def control_bits(source: Path, path: str) -> Iterator[Bit]:
    """Yield the flags of a module and the bits of its state.

    Args:
        source: the module's file.
        path: its instance in the bench.
    """
    text = re.sub(r"//.*", "", source.read_text())
    for names in _FLAGS.findall(text):
        for name in re.split(r",\s*", names):
            if name.endswith("_q"):
                yield Bit(f"{path}.{name}")
    state = _STATE.search(text)
    for index in range(int(state[1]) + 1) if state else ():
        yield Bit(f"{path}.state_q", index)


class FaultyEngine(Engine):
    """An engine that flips one bit in each operation on secrets; the time is pseudo-random.

    Args:
        design: the engine.
        bits: what is flipped.
        cycles: the flip comes within so many cycles from the start of an operation.
        folder: for the generated source.
        when: it waits until this holds, an expression of SystemVerilog.
        sources: files that replace those of the same name.
    """

    def __init__(
        self,
        design: EngineDesign,
        bits: Sequence[Bit],
        cycles: int,
        folder: Path,
        when: str = "1'b1",
        sources: Sequence[Path] = (),
    ) -> None:
        build = design.build()
        lines = "\n".join(f"        {n}: {bit} <= !{bit};" for n, bit in enumerate(bits))
        flips = folder / "montcore_flips.sv"
        flips.write_text(
            _FLIPS.format(top=build.top, cycles=cycles, when=when, count=len(bits), cases=lines)
        )
        others = {path.name: path for path in sources}
        files = [others.get(path.name, path) for path in build.sources]
        # After a fault the rules of the multiplier's port do not hold.
        super().__init__(design, rtl=replace(build, sources=(*files, flips), ports=()))
        #: Number of the fault: of the bit, modulo their number, and of its time.
        self.fault = 0

    def answers(self, curve: Curve, item: EngineRequest, count: int) -> list[Result]:
        """Run an operation some times and return the answers.

        The list ends early where an operation hangs or an answer breaks the rules of the port.
        """
        found = []
        try:
            for result in self.run(curve, [_CHOOSE] * self.fault + [item] * count):
                found.append(result)
        except CheckFailedError:
            pass
        return found[self.fault :]

    def single(self, curve: Curve, item: EngineRequest) -> Result:
        """Run one operation."""
        answers = self.answers(curve, item, 1)
        if not answers:
            raise CheckFailedError("the engine gave no answer")
        return answers[0]


_FLIPS = """// SPDX-License-Identifier: Apache-2.0
module montcore_flips (
    input logic clk_i,
    input logic start_i,
    input logic y_beat_i,
    input logic y_last_i,
    input logic [2:0] operation_i
);
  int unsigned chosen = 0, left = 0, random = 1;
  logic open = 1'b0;
  logic [2:0] operation = '0;
  always @(negedge clk_i) begin
    if (y_beat_i) begin
      if (!open) operation = operation_i;
      open = !y_last_i;
    end
    if (start_i) begin
      random = random * 1664525 + 1013904223;
      // Those of public numbers have no fault.
      left = (operation >= 3 && operation != 6) ? 0 : 1 + (random >> 8) % {cycles};
      if (operation == 7) chosen = chosen + 1;
    end else if (left > 1 || (left == 1 && {when})) begin
      left = left - 1;
      if (left == 0) case (chosen % {count})
{cases}
      endcase
    end
  end
endmodule
bind {top} montcore_flips u_flips (
    .clk_i(clk_i),
    .start_i(core_start_o),
    .y_beat_i(y_valid_i && y_ready_o),
    .y_last_i(y_last_i),
    .operation_i(y_data_i[2:0])
);
"""
