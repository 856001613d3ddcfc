# SPDX-License-Identifier: Apache-2.0
"""The reservation table of the array of `mx`: ``montcore maintain reservation``.

Figure 3(b) of mmm-mx-2006 shows which row of the array works on which product in which clock cycle.
Here the registers of all rows are recorded in each cycle of an RTL simulation; a row works on a
product in a cycle if its registers get the values of the model for that product and row.
"""

import random
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib import pyplot, rc_context
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from montcore.cores import get_core
from montcore.hdl.programs import find_program
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore.support.plots import STYLE, save
from montcore_lab.lint.dialects import copies_for_icarus_11

PICTURE = REPO_ROOT / "docs" / "images" / "mx-reservation"
#: The array drawn: one block of eight bits, ten rows.
BITS, ROWS = 8, 10
MODULUS = 0xA7
PRODUCTS = 16
#: Cycles after the operands of a product in which the array works on no other one.
ALONE = 2 * ROWS + 4
#: Colours of Okabe and Ito, used for the products in turn.
COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#999999")

_BENCH = """
module reservation_bench;
  reg clk = 0, rst_n = 0, cfg_valid = 0, valid = 0;
  reg [{top}:0] x [0:{last}], y [0:{last}];
  reg [{top}:0] x_now = 0, y_now = 0;
  wire cfg_ready, cfg_done, x_ready, y_ready, z_valid, core_start, core_done;
  integer next = 0, rest = 0, i;
  montcore_mx #(.Length({bits}), .WordBits({bits}), .Array(1)) dut (
    .clk_i(clk), .rst_ni(rst_n), .zeroize_i(1'b0), .busy_o(),
    .cfg_valid_i(cfg_valid), .cfg_ready_o(cfg_ready), .cfg_data_i({bits}'d{modulus}),
    .cfg_last_i(1'b1), .cfg_done_o(cfg_done), .cfg_error_o(),
    .x_valid_i(valid), .x_ready_o(x_ready), .x_data_i(x_now), .x_last_i(1'b1),
    .y_valid_i(valid), .y_ready_o(y_ready), .y_data_i(y_now), .y_last_i(1'b1),
    .z_valid_o(z_valid), .z_ready_i(1'b1), .z_data_o(), .z_last_o(), .z_error_o(),
    .core_start_o(core_start), .core_done_o(core_done)
  );
  always #5 clk = !clk;
  // Inputs change after the rising edge; everything is written down before the next.
  always @(posedge clk) begin
    if (cfg_valid && cfg_ready) cfg_valid <= #1 0;
    if (valid && x_ready) begin
      next = next + 1;
      rest = {pause};
      valid <= #1 next <= {last} && rest == 0;
      x_now <= #1 x[next > {last} ? 0 : next];
      y_now <= #1 y[next > {last} ? 0 : next];
    end else if (rest > 0) begin
      rest = rest - 1;
      valid <= #1 next <= {last} && rest == 0;
    end
    if (cfg_done) valid <= #1 1;
  end
  always @(negedge clk) begin
    $write("%b %b", core_start, core_done);
    for (i = 0; i < {rows}; i = i + 1)
      $write(" %h.%h", dut.g_array.u_grid.g_block[0].u_block.s_q[i],
             dut.g_array.u_grid.g_block[0].u_block.c_q[i]);
    $write("\\n");
  end
  initial begin
{operands}
    x_now = x[0]; y_now = y[0];
    #42 rst_n = 1; cfg_valid = 1;
    #{duration} $finish;
  end
endmodule
"""


class ReservedCycle(NamedTuple):
    """State of the simulation before a rising edge.

    Attributes:
        start: a product begins in row 0.
        done: a result is complete.
        registers: S and C of each row, as text; unknown bits are letters.
    """

    start: bool
    done: bool
    registers: tuple[str, ...]


#: The product that each row works on in each cycle, counted from the first product's start: maps
#: (row, cycle) to (product, 0 for its first or 1 for its second cycle).
Cells = dict[tuple[int, int], tuple[int, int]]


def operands(seed: int = 2) -> list[tuple[int, int]]:
    """Return the factors of the products."""
    rng = random.Random(seed)
    return [(rng.randrange(1, MODULUS), rng.randrange(1, MODULUS)) for _ in range(PRODUCTS)]


def simulate(pairs: Sequence[tuple[int, int]], pause: int = 0) -> list[ReservedCycle]:
    """Run the products through the array under Icarus Verilog, at full rate or with pauses.

    Raises:
        MissingToolError: Icarus Verilog is not installed.
        CheckFailedError: it rejected the sources.
    """
    bench = _BENCH.format(
        top=BITS - 1,
        last=len(pairs) - 1,
        bits=BITS,
        modulus=MODULUS,
        rows=ROWS,
        pause=pause,
        duration=1000 + 10 * pause * len(pairs),
        operands="\n".join(
            f"    x[{n}] = {BITS}'d{x}; y[{n}] = {BITS}'d{y};" for n, (x, y) in enumerate(pairs)
        ),
    )
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        program = folder / "run"
        files = [folder / "bench.sv", *copies_for_icarus_11(get_core("mx").sources(), folder)]
        files[0].write_text(bench, encoding="utf-8")
        done = subprocess.run(
            [find_program("iverilog"), "-g2012", "-s", "reservation_bench", "-o", program, *files],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise CheckFailedError(f"Icarus Verilog refused the sources: {done.stderr[-2000:]}")
        text = subprocess.run(
            [find_program("vvp"), "-n", program], capture_output=True, text=True, check=True
        ).stdout
    cycles = []
    for line in text.splitlines():
        words = line.split()
        if len(words) == BITS + 4 and "x" not in words[0] + words[1]:
            cycles.append(ReservedCycle(words[0] == "1", words[1] == "1", tuple(words[2:])))
    return cycles


def table(cycles: Sequence[ReservedCycle], pairs: Sequence[tuple[int, int]]) -> tuple[Cells, int]:
    """Return the reservation table, and the cycle in which the first result is complete.

    It comes from the next values of the rows' registers.

    Each product, alone in the array, shows which values a row's registers get from it.
    """
    starts = [number for number, cycle in enumerate(cycles) if cycle.start]
    dones = [number for number, cycle in enumerate(cycles) if cycle.done]
    if len(starts) != len(pairs) or not dones:
        raise CheckFailedError(f"the simulation shows {len(starts)} of {len(pairs)} products")
    first, last = starts[0], dones[0]
    alone = simulate(pairs, ALONE)
    begins = [number for number, cycle in enumerate(alone) if cycle.start]
    cells: Cells = {}
    for row in range(ROWS):
        # Expected next values of the registers, product by product, two cycles each.
        made = [alone[begin + 2 * row + half].registers[row] for begin in begins for half in (1, 2)]
        # The values in the next cycle are computed in this one, from cycle `first` on.
        seen = [cycle.registers[row] for cycle in cycles[first + 1 : last + 2]]
        begin = next((n for n in range(len(seen) - 1) if seen[n:] == made[: len(seen) - n]), None)
        if begin is None:
            raise CheckFailedError(f"row {row} does not work on product 0 and those after it")
        cells.update({(row, n): divmod(n - begin, 2) for n in range(begin, len(seen))})
    return cells, last - first


def figure(cells: Cells, done: int) -> Figure:
    """Return the picture: rows downwards, cycles to the right, products by number and colour."""
    columns = done + 1
    with rc_context({**STYLE, "axes.grid": False}):
        drawn, axis = pyplot.subplots(figsize=(12, 5.2), layout="constrained")
        for (row, cycle), (product, half) in cells.items():
            colour, alpha = COLOURS[product % len(COLOURS)], 0.9 if half else 0.45
            box = Rectangle((cycle, row), 1, 1, facecolor=colour, alpha=alpha, edgecolor="white")
            axis.add_patch(box)
            axis.text(cycle + 0.5, row + 0.5, str(product), ha="center", va="center", fontsize=9)
        axis.axvline(done, color="#555555", linestyle="--", linewidth=1)
        x, y = done - 0.2, ROWS + 0.5
        axis.text(x, y, "first result complete", ha="right", va="center")
        axis.set_xlim(0, columns)
        axis.set_ylim(ROWS + 1, 0)
        axis.set_xticks([n + 0.5 for n in range(columns)], [str(n) for n in range(columns)])
        axis.set_yticks([n + 0.5 for n in range(ROWS)], [str(n) for n in range(ROWS)])
        axis.set_xlabel("clock cycle after the first product's start")
        axis.set_ylabel("row of the array")
        axis.tick_params(length=0)
        axis.set_title(
            f"mx, shape = 2d, {BITS} bits: the product that each row works on "
            "(pale: adds a B, full: adds q N)"
        )
    return drawn


def draw(stem: Path = PICTURE) -> list[Path]:
    """Simulate and draw; return the path of the PNG.

    Args:
        stem: its path without the suffix.
    """
    pairs = operands()
    return save(figure(*table(simulate(pairs), pairs)), stem)
