# SPDX-License-Identifier: Apache-2.0
"""Compares the exponentiator with its model: each product, power of the table, and digit."""

import json
import os
from typing import Any

import cocotb
from smm_port import Answer, Bench
from smm_zeroize import registers

from montcore.cores import get_core
from montcore.model import modexp as model
from montcore.modexp.design import WINDOW, Design
from montcore.modexp.exponentiator import POLICY_SHIFT, PRODUCT, Policy
from montcore.sim.types import Status

#: Variable that names the build: core, bits, settings.
DESIGN = "MONTCORE_BENCH_DESIGN"

TRACES = {
    Policy.CONSTANT: model.trace_constant,
    Policy.SLIDING: model.trace_sliding,
    Policy.LADDER: model.trace_ladder,
}


def design() -> Design:
    """Return the build that the environment names."""
    name, bits, settings = json.loads(os.environ[DESIGN])
    core = get_core(name)
    return Design(core, core.configure(settings, bits))


class Watch:
    """Writes down what the exponentiator does, from the beats of its transfers."""

    def __init__(self, dut: Any, width: int) -> None:
        self.dut, self.width = dut, width
        self.trace = model.Trace()
        self.given: list[tuple[int, int, bool]] = []
        self.x: list[int] = []
        self.y: list[int] = []
        self.z: list[int] = []
        self.powers: list[int] = []
        self.digit_due = False

    def join(self, beats: list[int]) -> int:
        """Return the number in some beats."""
        return sum(beat << self.width * n for n, beat in enumerate(beats))

    def look(self) -> None:
        """Look at one cycle."""
        dut = self.dut
        if int(dut.u_table.choose_i.value):
            self.trace.digits.append(int(dut.u_table.digit_i.value))
        if not int(dut.move.value):
            return
        give, take, last = (int(getattr(dut, n).value) for n in ("give", "take", "last_beat"))
        if take:
            self.z.append(int(dut.mul_z.value))
        if int(dut.u_table.we_i.value):
            self.powers.append(int(dut.mul_z.value))
        if give:
            self.x.append(int(dut.x_operand.value))
            self.y.append(int(dut.y_operand.value))
        if not last:
            return
        if take:
            x, y, canonical = self.given.pop(0)
            self.trace.products.append(model.Product(x, y, self.join(self.z), canonical))
        if self.powers:
            self.trace.table.append((int(dut.power_index_q.value), self.join(self.powers)))
        if give:
            canonical = bool(int(dut.canonical.value))
            self.given.append((self.join(self.x), self.join(self.y), canonical))
        self.x, self.y, self.z, self.powers = [], [], [], []

    def stored_square(self, beats: int) -> int:
        """Return R^2 mod m as it lies in the memory."""
        rows = self.dut.u_store
        rows = getattr(rows, "g_block" if hasattr(rows, "g_block") else "g_any").rows_q
        region = 1 << (int(self.dut.StoreBits.value) - 2)
        return self.join([int(rows[2 * region + n].value) for n in range(beats)])

    def taken(self) -> model.Trace:
        """Return what was written down since the last call."""
        assert not self.given, "a product whose result was not taken"
        found, self.trace = self.trace, model.Trace()
        return found


def compare(found: model.Trace, wanted: model.Trace, what: str) -> None:
    """Compare two traces, and say where they part."""
    assert found.digits == wanted.digits, f"{what}: digits {found.digits} and not {wanted.digits}"
    assert len(found.products) == len(wanted.products), f"{what}: {len(found.products)} products"
    for n, (ours, theirs) in enumerate(zip(found.products, wanted.products, strict=True)):
        assert ours == theirs, f"{what}: product {n} is {ours} and not {theirs}"
    assert found.table == wanted.table, f"{what}: the table differs"


async def begin(dut: Any, built: Design) -> Bench:
    """Return a bench whose core has been zeroized, so that nothing in it is unknown."""
    bench = Bench(dut, seed=31, word_bits=built.width)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    return bench


async def load(bench: Bench, built: Design, m: int, length: int) -> int:
    """Load a modulus and return its status."""
    bench.cfg.send([length, *bench.split(m, built.host_beats(length))])
    count = len(bench.cfg_errors)
    await bench.until(lambda: len(bench.cfg_errors) > count, limit=200_000)
    await bench.idle()
    return bench.cfg_errors[-1]


async def run(bench: Bench, built: Design, policy: int, x: int, y: int, bits: int) -> Answer:
    """Run a power or product with a modulus of the built width."""
    beats = built.host_beats(built.length)
    bench.x.send(bench.split(x, beats))
    header = policy << POLICY_SHIFT | bits
    bench.y.send([header, *bench.split(y, -(-bits // built.width))])
    await bench.until(lambda: bool(bench.answers), limit=400_000)
    await bench.idle()
    return (await bench.results(1))[0]


@cocotb.test()
async def every_product_power_and_digit_is_as_in_the_model(dut: Any) -> None:
    built = design()
    bench = await begin(dut, built)
    bits, beats = built.length, built.host_beats(built.length)
    watch = Watch(dut, built.width)
    bench.observers = [watch.look]
    m = bench.random.getrandbits(bits) | 1 << (bits - 1) | 1
    unit = built.arithmetic(m, bits)
    assert await load(bench, built, m, bits) == Status.OK
    setup = model.trace_setup(unit, built.width)
    compare(watch.taken(), setup, "set-up")
    assert setup.result == pow(2, unit.radix + unit.power, m)
    assert watch.stored_square(built.beats(bits)) == setup.result
    powers = [(Policy.CONSTANT, 1, 1), *((policy, 0x19A7, 14) for policy in TRACES)]
    for policy, exponent, e_bits in powers:
        base = bench.random.randrange(m)
        answer = await run(bench, built, policy, base, exponent, e_bits)
        wanted = TRACES[policy](unit, setup.result, base, exponent, e_bits, WINDOW)
        compare(watch.taken(), wanted, f"{policy.name} {exponent:#x}")
        assert bench.value(answer, beats) == wanted.result == pow(base, exponent, m)
    x, y = bench.random.randrange(m), m - 1
    answer = await run(bench, built, PRODUCT, x, y, bits)
    wanted = model.trace_product(unit, setup.result, x, y)
    compare(watch.taken(), wanted, "product")
    assert bench.value(answer, beats) == wanted.result == x * y % m


#: Registers of the control: where in a schedule that depends on no data, which status, and
#: which policy the last header asked for (constant_q).
CONTROL = (
    *("sweep_q", "state_q", "error_q", "z_error_q", "fetched_q", "bit_q", "length_q"),
    *("doublings_q", "power_index_q", "squares_q", "u_bits.valid_q", "u_bits.place_q"),
    *("u_table.first_q", "u_table.last_q", "u_table.constant_q"),
)


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """Begun in a set-up, in a power and after one; what the multiplier holds is its own matter."""
    built = design()
    bench = await begin(dut, built)
    bits = built.length
    m = (1 << bits) - 1
    for after in (0, 90, 700):
        assert await load(bench, built, m, bits) == Status.OK
        bench.x.send(bench.split(m - 2, built.host_beats(bits)))
        bench.y.send([bits, *bench.split(m - 3, built.host_beats(bits))])
        for _ in range(after):
            await bench.cycle()
        before = own_registers(dut)
        await bench.pulse("zeroize_i")
        bench.forget()
        await bench.cycle()
        bench.forget()
        await bench.until(lambda: not bench.flag("busy_o"), limit=4000)
        state = own_registers(dut)
        # What was unknown all the time is a row beyond the beats of a number.
        found = {
            name: value
            for name, value in state.items()
            if "1" in value or ("x" in value and "x" not in before[name])
        }
        assert not found, f"zeroize after {after} cycles leaves {found}"
        assert after == 0 or sum("1" in value for value in before.values()) > 20
        answer = await run(bench, built, Policy.CONSTANT, 3, 5, 3)
        assert answer == Answer((Status.NO_MODULUS,), True)


def own_registers(dut: Any) -> dict[str, str]:
    """Return the exponentiator's registers and memory words that hold data."""
    return {
        name: value.lower()
        for name, value in registers(dut).items()
        if not name.startswith("u_multiplier.") and name not in CONTROL
    }
