# SPDX-License-Identifier: Apache-2.0
"""``python -m montcore.modexp.bench``: the paper's times beside those of the simulated hardware.

The exponentiator over `dsp` with two clocks, so that its cycles are those of clk1x. The exponent is
all ones, which fills every sliding window and so takes the most products.
"""

import random
import time

from rich.table import Table

from montcore.cores.dsp import CORE, Clocking, DspConfig
from montcore.modexp import Exponentiator, Policy, Power
from montcore.modexp.design import Design
from montcore.papers import dsp2007
from montcore.terminal import output


def main() -> None:
    """Print the table."""
    config = DspConfig(bits=2048, clocking=Clocking.DOUBLE)
    unit = Exponentiator(Design(CORE, config))
    unit.prepare()
    table = Table(
        title="Exponentiation over dsp, alpha = 17, in cycles of clk1x", title_justify="left"
    )
    headings = ("bits", "paper ms", "paper cycles", "sliding", "ms at 200 MHz", "constant")
    for heading in (*headings, "ladder", "set-up", "products", "paper pitch", "pitch", "wall s"):
        table.add_column(heading, justify="right")
    rng = random.Random(1)
    for row in dsp2007.ROWS:
        m = rng.getrandbits(row.bits) | 1 << (row.bits - 1) | 1
        power = Power(rng.randrange(m), (1 << row.bits) - 1, m)
        sliding = unit.power(power, Policy.SLIDING)
        begin = time.perf_counter()
        constant = unit.power(power, Policy.CONSTANT)
        seconds = time.perf_counter() - begin
        ladder = unit.power(power, Policy.LADDER)
        cells = (
            row.bits,
            row.milliseconds,
            row.worst_case,
            sliding.cycles,
            f"{sliding.cycles / dsp2007.CLOCK_MHZ / 1000:.3f}",
            constant.cycles,
            ladder.cycles,
            constant.setup_cycles,
            f"{sliding.multiplications} ({row.products})",
            row.pitch,
            config.sizes(row.bits).pitch,
            f"{seconds:.1f}",
        )
        table.add_row(*(str(cell) for cell in cells))
    console = output()
    console.print(table)
    console.print("products: those of the sliding window, in parentheses the paper's bound")
    console.print("wall: seconds of one constant exponentiation, set-up included, on this machine")


if __name__ == "__main__":
    main()
