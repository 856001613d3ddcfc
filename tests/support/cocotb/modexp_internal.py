# SPDX-License-Identifier: Apache-2.0
"""Compares the exponentiator with its model: each product, table entry and exponent digit."""

import json
import os
import re
from typing import Any

import cocotb
import modexp_traces as model
from port_driver import Answer, Bench, registers
from port_units import DESIGN, named

from montcore.modexp.design import WINDOW, ExponentiatorDesign
from montcore.modexp.exponentiator import POLICY_SHIFT, PRODUCT, Policy
from montcore.sim.types import Status

TRACES = {
    Policy.CONSTANT: model.trace_constant,
    Policy.SLIDING: model.trace_sliding,
    Policy.LADDER: model.trace_ladder,
}


def design() -> ExponentiatorDesign:
    """Return the build that the environment names."""
    made = named(*json.loads(os.environ[DESIGN]))
    assert isinstance(made, ExponentiatorDesign)
    return made


class Watch:
    """Records the exponentiator's operations from the beats of its transfers."""

    def __init__(self, dut: Any, built: ExponentiatorDesign) -> None:
        self.dut, self.join = dut, built.number
        self.trace = model.Trace()
        self.given: list[tuple[int, int, bool]] = []
        self.x: list[int] = []
        self.y: list[int] = []
        self.z: list[int] = []
        self.powers: list[int] = []
        self.digit_due = False

    def look(self) -> None:
        """Check one cycle."""
        dut = self.dut
        sequence, table = dut.u_engine.u_sequence, dut.u_engine.u_store.u_table
        if int(table.choose_i.value):
            self.trace.digits.append(int(table.digit_i.value))
        if not int(sequence.move.value):
            return
        give, take, last = (int(getattr(sequence, n).value) for n in ("give", "take", "last"))
        if take:
            self.z.append(int(dut.mul_z_data.value))
        if int(table.we_i.value):
            self.powers.append(int(dut.mul_z_data.value))
        if give:
            self.x.append(int(dut.mul_x_data.value))
            self.y.append(int(dut.mul_y_data.value))
        if not last:
            return
        if take:
            x, y, canonical = self.given.pop(0)
            self.trace.products.append(model.ModelProduct(x, y, self.join(self.z), canonical))
        if self.powers:
            self.trace.table.append((int(sequence.power_index_q.value), self.join(self.powers)))
        if give:
            canonical = bool(int(dut.u_multiplier.canonical_i.value))
            self.given.append((self.join(self.x), self.join(self.y), canonical))
        self.x, self.y, self.z, self.powers = [], [], [], []

    def stored_square(self, beats: int) -> int:
        """Return R^2 mod m as stored in the memory."""
        rows = self.dut.u_engine.u_store.u_ram
        rows = getattr(rows, "g_block" if hasattr(rows, "g_block") else "g_any").rows_q
        region = 1 << (int(self.dut.u_engine.u_store.StoreBits.value) - 2)
        return self.join([int(rows[3 * region + n].value) for n in range(beats)])

    def taken(self) -> model.Trace:
        """Return what was recorded since the last call."""
        assert not self.given, "a product whose result was not taken"
        found, self.trace = self.trace, model.Trace()
        return found


def compare(found: model.Trace, wanted: model.Trace, what: str) -> None:
    """Compare two traces and report the first difference."""
    assert found.digits == wanted.digits, f"{what}: digits {found.digits} and not {wanted.digits}"
    assert len(found.products) == len(wanted.products), f"{what}: {len(found.products)} products"
    for n, (ours, theirs) in enumerate(zip(found.products, wanted.products, strict=True)):
        assert ours == theirs, f"{what}: product {n} is {ours} and not {theirs}"
    assert found.table == wanted.table, f"{what}: the table differs"


async def begin(dut: Any, built: ExponentiatorDesign) -> Bench:
    """Return a bench whose core has been zeroized, so that no register is unknown."""
    bench = Bench(dut, seed=31, word_bits=built.width)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    return bench


async def load(
    bench: Bench, built: ExponentiatorDesign, m: int, length: int, marks: int = 0
) -> int:
    """Load a modulus and return its status; `marks`: further bits of the header."""
    bench.cfg.send([length | marks, *bench.split(m, built.host_beats(length))])
    count = len(bench.cfg_errors)
    await bench.until(lambda: len(bench.cfg_errors) > count, limit=200_000)
    await bench.idle()
    return bench.cfg_errors[-1]


async def run(
    bench: Bench, built: ExponentiatorDesign, policy: int, x: int, y: int, bits: int
) -> Answer:
    """Run a power or product with a modulus of the built width."""
    send(bench, built, policy, x, y, bits)
    await bench.until(lambda: bool(bench.answers), limit=400_000)
    await bench.idle()
    return (await bench.results(1))[0]


@cocotb.test()
async def every_product_power_and_digit_is_as_in_the_model(dut: Any) -> None:
    built = design()
    bench = await begin(dut, built)
    bits, beats = built.length, built.host_beats(built.length)
    watch = Watch(dut, built)
    bench.observers = [watch.look]
    m = bench.random.getrandbits(bits) | 1 << (bits - 1) | 1
    unit = built.arithmetic(m, bits)
    assert await load(bench, built, m, bits) == Status.OK
    setup = model.trace_setup(unit, built.width)
    compare(watch.taken(), setup, "set-up")
    e = built.width * unit.power if unit.lazy_set_up else unit.radix + unit.power
    assert setup.result % m == pow(2, e, m)
    assert watch.stored_square(built.beats(bits)) == setup.result
    powers = [(Policy.CONSTANT, 1, 1), *((policy, 0x19A7, 14) for policy in TRACES)]
    # The first one still has windows of one bit.
    powers += [(Policy.SLIDING, 0x119A7, 17), (Policy.SLIDING, 0x19A7, 18)]
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


#: Control registers: position in a data-independent schedule, status, and the policy requested
#: by the last header (constant_q).
CONTROL = (
    *("u_store.row_q", "u_store.all_q"),
    *("u_packets.error_q", "u_packets.length_q", "z_error_q"),
    *(f"u_sequence.{name}" for name in ("state_q", "fetched_q")),
    *(f"u_sequence.{name}" for name in ("bit_q", "doublings_q")),
    *(f"u_sequence.{name}" for name in ("power_index_q", "squares_q", "last_beat_q")),
    *(f"u_sequence.u_window.{name}" for name in ("read_q", "valid_q", "place_q")),
    *(f"u_store.u_table.{name}" for name in ("first_q", "last_q", "constant_q")),
)


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """Zeroize during set-up, during a power and after it; excludes the multiplier's registers."""
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
        # Words that were always unknown are rows beyond the beats of a number.
        found = {
            name: value
            for name, value in state.items()
            if "1" in value or ("x" in value and "x" not in before[name])
        }
        assert not found, f"zeroize after {after} cycles leaves {found}"
        assert after == 0 or sum("1" in value for value in before.values()) > 20
        answer = await run(bench, built, Policy.CONSTANT, 3, 5, 3)
        assert answer == Answer((Status.NO_MODULUS,), True)


#: Signals that only follow the clock.
CLOCKS = re.compile(r"(\w+\.)*(turn_q|seen_q|phase|phase_q|clk\w*|tick_i)")


def everything(scope: Any, path: str = "") -> dict[str, str]:
    """Return every signal and memory word below a scope, by path, in binary."""
    found: dict[str, str] = {}
    for child in scope:
        name = f"{path}{child._name}"
        kind = type(child).__name__
        if kind.startswith("Hierarchy"):
            found.update(everything(child, f"{name}."))
        elif kind == "ArrayObject":
            found.update({f"{name}[{n}]": str(child[n].value) for n in child.range})
        elif not CLOCKS.fullmatch(name):
            found[name] = str(child.value)
    return found


#: Positions in the result queue of an array. They count all products since reset, so that they
#: differ after one power and after two; the queue's contents are compared.
POSITIONS = re.compile(r"(\w+\.)*u_array\.(\w+_(at_q|next)|u_\w+\.(\w+\.)*(raddr|waddr)_i)")


def secrets(built: ExponentiatorDesign, policy: int) -> list[tuple[int, int]]:
    """Return pairs of base and exponent, or of factors, that differ in all bits."""
    mask = (1 << built.length) - 1
    x = 0x5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A5A & mask >> 1
    exponents = (0b1011, 0b1100) if policy != PRODUCT else (x ^ 0xF0, mask >> 2)
    return [(x, exponents[0]), (x ^ mask >> 1, exponents[1])]


@cocotb.test()
async def nothing_that_depends_on_secrets_is_left_by_an_answer(dut: Any) -> None:
    """After an answer no register, memory or wire, also in the multiplier, depends on secrets."""
    built = design()
    bench = await begin(dut, built)
    bits, beats = built.length, built.host_beats(built.length)
    m = (1 << bits) - 3
    assert await load(bench, built, m, bits) == Status.OK
    for policy in (*Policy, PRODUCT):
        during, after = [], []
        for x, y in secrets(built, policy):
            send(bench, built, policy, x, y)
            await bench.until(lambda: bench.flag("core_done_o"), limit=50_000)
            during.append(everything(dut))
            await bench.idle()
            wanted = x * y % m if policy == PRODUCT else pow(x, y, m)
            assert bench.value((await bench.results(1))[0], beats) == wanted
            after.append(await state(bench))
        held = {name for name in during[0] if during[0][name] != during[1][name]}
        own = {name for name in held if not name.startswith("u_multiplier.")}
        assert len(own) > 10 and len(held - own) > 10, f"policy {policy}: {held}"
        check_left(built, after, f"policy {policy}")
    after = []
    for x in (m, m + 2):
        send(bench, built, Policy.LADDER, x, 5)
        await bench.idle()
        assert await bench.results(1) == [Answer((Status.OPERAND_RANGE,), True)]
        after.append(await state(bench))
    check_left(built, after, "a refusal")


def send(
    bench: Bench, built: ExponentiatorDesign, policy: int, x: int, y: int, e_bits: int = 4
) -> None:
    """Queue a power, or a product, modulo a number of all bits."""
    bits = built.length if policy == PRODUCT else e_bits
    bench.x.send(bench.split(x, built.host_beats(built.length)))
    header = policy << POLICY_SHIFT | bits
    bench.y.send([header, *bench.split(y, -(-bits // built.width))])


async def state(bench: Bench) -> dict[str, str]:
    """Return everything with nothing at the data inputs."""
    for name in ("cfg", "x", "y"):
        bench.drive(f"{name}_data_i", 0)
        bench.drive(f"{name}_last_i", 0)
    for _ in range(2):
        await bench.cycle()
    return everything(bench.dut)


def check_left(built: ExponentiatorDesign, after: list[dict[str, str]], what: str) -> None:
    """Check that two states are the same, and the memories of secrets all zero."""
    changed = [name for name in after[0] if after[0][name] != after[1][name]]
    left = [name for name in changed if not POSITIONS.fullmatch(name)]
    assert not left, f"{what} leaves {left}"
    rows = [name for name in after[0] if "rows_q[" in name]
    table = [name for name in rows if name.startswith("u_engine.u_store.u_table.")]
    store = [name for name in rows if name.startswith("u_engine.u_store.u_ram.")]
    # The exponent and the base occupy the first half of the store.
    rows = [*table, *(name for name in store if int(name[:-1].split("[")[1]) < len(store) // 2)]
    assert len(table) > (1 << WINDOW) * built.beats(built.length)
    found = [name for name in rows if "1" in after[0][name]]
    assert not found, f"{what} leaves {found}"
    assert any("1" in after[0][name] for name in set(store) - set(rows)), "no modulus"


async def zeroize(bench: Bench) -> None:
    """Pulse `zeroize_i`, and check that no output is valid from the next cycle on."""
    await bench.pulse("zeroize_i")
    bench.forget()
    for number in range(100):
        await bench.cycle()
        for name in ("z_valid_o", "cfg_done_o", "core_start_o", "core_done_o"):
            assert not bench.flag(name), f"{name} {number + 1} cycles after zeroize"
        assert int(bench.dut.z_data_o.value) == 0, "a result is at the port after zeroize"
    await bench.until(lambda: not bench.flag("busy_o"), limit=4000)


def own_registers(dut: Any) -> dict[str, str]:
    """Return the registers and memory words that hold data, excluding the multiplier's."""
    return {
        name: value.lower()
        for name, value in registers(dut).items()
        if not name.startswith("u_multiplier.") and name.rpartition("u_engine.")[2] not in CONTROL
    }
