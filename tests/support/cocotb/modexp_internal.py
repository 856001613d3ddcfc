# SPDX-License-Identifier: Apache-2.0
"""The exponentiator: powers, the number of their products, and that nothing of them is left."""

import json
import os
import re
from typing import Any

import cocotb
from port_driver import PortAnswer, PortBench, registers
from port_units import DESIGN, named

from montcore.model import modexp as model
from montcore.modexp.design import WINDOW, ExponentiatorDesign
from montcore.modexp.exponentiator import POLICY_SHIFT, PRODUCT, Policy, Power, multiplications
from montcore.sim.types import Status


def design() -> ExponentiatorDesign:
    """Return the build that the environment names."""
    made = named(*json.loads(os.environ[DESIGN]))
    assert isinstance(made, ExponentiatorDesign)
    return made


class PowerWatch:
    """Counts products by the last beats of their operands."""

    def __init__(self, dut: Any) -> None:
        self.sequence = dut.u_engine.u_sequence
        self.products = 0

    def look(self) -> None:
        """Look at one cycle."""
        if int(self.sequence.move.value):
            give, last = int(self.sequence.give.value), int(self.sequence.last.value)
            self.products += give and last

    def taken(self) -> int:
        """Return the number of products since the last call."""
        found, self.products = self.products, 0
        return found


async def begin(dut: Any, built: ExponentiatorDesign) -> PortBench:
    """Return a bench whose core has been zeroized, so that no register is unknown."""
    bench = PortBench(dut, seed=31, word_bits=built.width)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    return bench


async def load(
    bench: PortBench, built: ExponentiatorDesign, m: int, length: int, marks: int = 0
) -> int:
    """Load a modulus and return its status; `marks`: further bits of the header."""
    bench.cfg.send([length | marks, *bench.split(m, built.host_beats(length))])
    count = len(bench.cfg_errors)
    await bench.until(lambda: len(bench.cfg_errors) > count, limit=200_000)
    await bench.idle()
    return bench.cfg_errors[-1]


async def run(
    bench: PortBench, built: ExponentiatorDesign, policy: int, x: int, y: int, bits: int
) -> PortAnswer:
    """Run a power or product with a modulus of the built width."""
    send(bench, built, policy, x, y, bits)
    await bench.until(lambda: bool(bench.answers), limit=400_000)
    await bench.idle()
    return (await bench.results(1))[0]


@cocotb.test()
async def every_power_takes_the_products_of_its_policy(dut: Any) -> None:
    built = design()
    bench = await begin(dut, built)
    bits, beats = built.length, built.host_beats(built.length)
    watch = PowerWatch(dut)
    bench.observers = [watch.look]
    m = bench.random.getrandbits(bits) | 1 << (bits - 1) | 1
    assert await load(bench, built, m, bits) == Status.OK
    watch.taken()
    powers = [(Policy.CONSTANT, 1, 1), *((policy, 0x19A7, 14) for policy in Policy)]
    # The first one still has windows of one bit.
    powers += [(Policy.SLIDING, 0x119A7, 17), (Policy.SLIDING, 0x19A7, 18)]
    for policy, exponent, e_bits in powers:
        base = bench.random.randrange(m)
        answer = await run(bench, built, policy, base, exponent, e_bits)
        assert bench.value(answer, beats) == pow(base, exponent, m)
        power = Power(base, exponent, m, exponent_bits=e_bits)
        assert watch.taken() == multiplications(power, policy), f"{policy.name} {exponent:#x}"
    x, y = bench.random.randrange(m), m - 1
    answer = await run(bench, built, PRODUCT, x, y, bits)
    assert bench.value(answer, beats) == x * y % m
    assert watch.taken() == model.PRODUCT.multiplications


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
        assert answer == PortAnswer((Status.NO_MODULUS,), True)


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
        assert await bench.results(1) == [PortAnswer((Status.OPERAND_RANGE,), True)]
        after.append(await state(bench))
    check_left(built, after, "a refusal")


def send(
    bench: PortBench, built: ExponentiatorDesign, policy: int, x: int, y: int, e_bits: int = 4
) -> None:
    """Queue a power, or a product, modulo a number of all bits."""
    bits = built.length if policy == PRODUCT else e_bits
    bench.x.send(bench.split(x, built.host_beats(built.length)))
    header = policy << POLICY_SHIFT | bits
    bench.y.send([header, *bench.split(y, -(-bits // built.width))])


async def state(bench: PortBench) -> dict[str, str]:
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


async def zeroize(bench: PortBench) -> None:
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
