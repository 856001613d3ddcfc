# SPDX-License-Identifier: Apache-2.0
"""The paper's times of an exponentiation, compared with the simulated hardware.

The exponentiator is over `dsp` with two clocks, so that its cycles are those of clk1x. The exponent
is all ones, which fills every sliding window and so needs the most products.

``montcore maintain measure modexp`` prints the table (`times`), ``... measure interval`` that of
dependent and of independent products (`intervals`), with ``--pair`` the cycles of two powers over
one row (`pairs`), ``... measure clearing`` the cost of clearing a core (`clearing`), and
``... measure slots`` the gain from several slots (`slots`).
"""

import random
import time
from collections.abc import Sequence

from montcore.cores import all_cores
from montcore.cores.dsp import Clocking, Dsp
from montcore.modexp.design import WINDOW, ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiator, ModularProduct, Policy, Power
from montcore.sim import wire
from montcore.sim.simulator import Simulator
from montcore.support.errors import CheckFailedError
from montcore.support.terminal import output, print_table
from montcore_lab.benches.slots import product_cycles
from montcore_lab.papers.dsp2007 import published as dsp2007


def product_interval(config: Dsp, slots: int = 1) -> float:
    """Return the simulated cycles of clk1x between products, with all slots busy.

    With one slot each product needs the previous result; two powers do not wait for each other.
    """
    return product_cycles(ExponentiatorDesign(config, slots=slots)) / _ticks(config)


def _ticks(config: Dsp) -> int:
    """Return the cycles of the port in one of clk1x."""
    return 1 if config.double else 2


def utilisation(config: Dsp, bits: int, cycles: float) -> float:
    """Return the word products needed, divided by those that the blocks can compute in a time.

    Args:
        config: the row.
        bits: length of the products.
        cycles: the time in cycles of clk1x.
    """
    return config.sizes(bits).digits ** 2 / (config.alpha * cycles)


def _row(alpha: int, bits: int) -> tuple[Dsp, str]:
    """Return a row with two clocks, and its description."""
    settings = {"alpha": str(alpha), "clocking": Clocking.DOUBLE.value}
    config = Dsp.configure(settings, bits)
    size = config.sizes(bits)
    return config, f"alpha={alpha} bits={bits} {{}}: n={size.digits} r={2 * size.half}"


def intervals(alpha: int, lengths: Sequence[int]) -> None:
    """Print interval and utilisation of a row at some lengths, each with its own build."""
    for bits in lengths:
        config, about = _row(alpha, bits)
        for kind, slots in (("dependent", 1), ("independent", 2)):
            cycles = product_interval(config, slots)
            print(
                f"{about.format(kind)} interval={cycles:.1f} block cycles={2 * cycles:.1f} "
                f"utilisation={100 * utilisation(config, bits, cycles):.1f} %"
            )


def pair_cycles(config: Dsp, bits: int) -> tuple[float, float]:
    """Return the simulated cycles of clk1x of two windows of a pair, and of two of its products.

    A window is five squares and a product of each power of policy 0; the products are those of the
    ladder, of which none runs in lockstep. Both are the extra cycles of longer exponents.
    """
    rng, unit = (random.Random(bits), Exponentiator(ExponentiatorDesign(config, pair=True)))
    moduli = [rng.getrandbits(bits) | 1 << (bits - 1) | 1 for _ in range(2)]

    def cycles(policy: Policy, e_bits: int) -> int:
        powers = [Power(3, (1 << e_bits) - 1, m) for m in moduli]
        found = unit.pair(powers, policy)
        for power, outcome in zip(powers, found, strict=True):
            if outcome.result != pow(power.base, power.exponent, power.modulus):
                raise CheckFailedError(f"a power of {bits} bits is wrong")
        return found[0].cycles + found[1].interval

    long, short = WINDOW * 14, WINDOW * 6
    window = (cycles(Policy.CONSTANT, long) - cycles(Policy.CONSTANT, short)) / 8
    product = (cycles(Policy.LADDER, 24) - cycles(Policy.LADDER, 8)) / 32
    ticks = _ticks(config)
    return window / ticks, product / ticks


def pairs(alpha: int, lengths: Sequence[int]) -> None:
    """Print the cycles of a pair's windows and products at some lengths, each with its build."""
    for bits in lengths:
        config, about = _row(alpha, bits)
        window, product = pair_cycles(config, bits)
        print(f"{about.format('pair')} two windows={window:.1f} two products={product:.1f}")


def clearing(bits: int = 256) -> None:
    """Print two ways to clear each core.

    Cycles of zeroize plus reloading a modulus, compared with the latency of two products, which
    would overwrite the operands.
    """
    m = (1 << bits) - 189
    for architecture in all_cores().values():
        core = architecture.points(bits)[0]
        beats = core.beats(bits)
        load = wire.Configure(m, beats)
        run = wire.WireRun([wire.Operands(5, 7, beats, beats)], beats)
        script: list[wire.Command] = [load, run, wire.Abort(3), run, load]
        answers = Simulator(core).script(script)
        zeroize = next(item for item in answers if item.kind is wire.RecordKind.ABORT)
        print(
            f"{core.name} at {bits} bits: zeroize {zeroize.cycles}, modulus {answers[-1].cycles}, "
            f"two products {2 * answers[1].cycles}"
        )


def times() -> None:
    """Print the paper's times and those of the simulated hardware."""
    config = Dsp(bits=2048, clocking=Clocking.DOUBLE)
    unit = Exponentiator(ExponentiatorDesign(config))
    unit.prepare()
    headings = (
        *("bits", "paper ms", "paper cycles", "sliding", "ms at 200 MHz", "constant", "ladder"),
        *("product", "cleared", "product cleared", "set-up", "products"),
        *("paper interval", "interval", "wall s"),
    )
    rows = []
    rng = random.Random(1)
    for row in dsp2007.ROWS:
        m = rng.getrandbits(row.bits) | 1 << (row.bits - 1) | 1
        power = Power(rng.randrange(m), (1 << row.bits) - 1, m)
        sliding = unit.power(power, Policy.SLIDING)
        begin = time.perf_counter()
        constant = unit.power(power, Policy.CONSTANT)
        seconds = time.perf_counter() - begin
        ladder = unit.power(power, Policy.LADDER)
        two = ModularProduct(rng.randrange(m), rng.randrange(m), m)
        product = unit.product(two)
        intervals = unit.interval(power, count=2), unit.interval(two)
        cells = (
            row.bits,
            row.milliseconds,
            row.worst_case,
            sliding.cycles,
            f"{sliding.cycles / dsp2007.CLOCK_MHZ / 1000:.3f}",
            constant.cycles,
            ladder.cycles,
            product.cycles,
            intervals[0] - constant.cycles,
            intervals[1] - product.cycles,
            constant.setup_cycles,
            f"{sliding.multiplications} ({row.products})",
            row.interval,
            config.sizes(row.bits).interval,
            f"{seconds:.1f}",
        )
        rows.append([str(cell) for cell in cells])
    console = output()
    title = "Exponentiation over dsp, alpha = 17, in cycles of clk1x"
    print_table(console, title, headings, rows, right=headings)
    console.print("products: of the sliding window; in parentheses, the paper's bound")
    console.print("cleared: from the first beat of a result to when the latency of the next begins")
    console.print("wall: seconds of one constant exponentiation, set-up included, on this machine")
