# SPDX-License-Identifier: Apache-2.0
"""Exponentiators that share a multiplier, or a row as a pair: none of their secrets remain."""

from typing import Any

import cocotb
from modexp_internal import (
    begin,
    design,
    everything,
    load,
    own_registers,
    secrets,
    send,
    state,
    zeroize,
)  # fmt: skip
from port_driver import PortAnswer, PortBench, registers

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import KEPT_SHIFT, PRODUCT, SECOND_SHIFT, Policy
from montcore.sim.types import Status

#: Control registers in addition to those of each exponentiator.
SHARE_CONTROL = ("u_share.cleared_q",)
#: Registers of a pair with numbers of its row, besides the memories.
NUMBERS = (
    *("product_q", "pair_q", "p_low_q", "operands_q", "first_low_q", "inverse_q"),
    *("m_low_q", "digit_q"),
)
PAIR = design().pair
#: Bits of exponents: of a pair three windows, so that there are squares.
BITS = 11 if PAIR else 4


async def load_all(bench: PortBench, built: ExponentiatorDesign, moduli: tuple[int, int]) -> None:
    """Load the modulus; of a pair both, and R^2 of the second one is kept."""
    assert await load(bench, built, moduli[0], built.length) == Status.OK
    if PAIR:
        marks = 1 << SECOND_SHIFT | 1 << KEPT_SHIFT
        assert await load(bench, built, moduli[1], built.length, marks) == Status.OK


@cocotb.test()
async def nothing_that_depends_on_secrets_is_left_by_the_answers(dut: Any) -> None:
    """No register, memory or wire depends on secrets once all requests have ended."""
    built = design()
    bench = await begin(dut, built)
    beats, top = built.host_beats(built.length), 1 << built.length
    moduli = (top - 3, top - 5 if PAIR else top - 3)
    await load_all(bench, built, moduli)
    side = "g_side" if PAIR else "g_slot"
    for policy in (*Policy, PRODUCT):
        during, after = [], []
        one, two = secrets(built, policy)
        if policy is Policy.SLIDING:
            if PAIR:
                continue
            # The exponents of this policy are public: timing and arbitration depend on them.
            two = two[0], one[1]
        for pair in ((one, two), (two, one)):
            for x, y in pair:
                send(bench, built, policy, x, y, BITS)
            await bench.until(lambda: bench.flag("core_done_o"), limit=90_000)
            during.append(everything(dut))
            await bench.idle()
            answers = [bench.value(answer, beats) for answer in await bench.results(2)]
            for (x, y), m, answer in zip(pair, moduli, answers, strict=True):
                assert answer == (x * y % m if policy == PRODUCT else pow(x, y, m))
            after.append(await state(bench))
        held = {name for name in during[0] if during[0][name] != during[1][name]}
        for place in (f"{side}[0].", f"{side}[1].", "u_multiplier."):
            count = sum(place in name for name in held)
            assert count > 10, f"policy {policy}: of {place} {count}"
        left = [name for name in after[0] if after[0][name] != after[1][name]]
        assert not left, f"policy {policy} leaves {len(left)} signals: {left[:5]}"
        # The moduli are still there.
        rows = [name for name in after[0] if "u_multiplier." in name and "rows_q" in name]
        assert not PAIR or sum("1" in after[0][name] for name in rows) >= 4


@cocotb.test(skip=PAIR)
async def a_slot_is_cleared_while_another_works(dut: Any) -> None:
    """A slot's state after its request is independent of that request while another slot works."""
    built = design()
    bench = await begin(dut, built)
    bits, m = built.length, (1 << built.length) - 3
    assert await load(bench, built, m, bits) == Status.OK
    for policy in (Policy.LADDER, PRODUCT):
        after = []
        for x, y in secrets(built, policy):
            send(bench, built, policy, x, y)
            send(bench, built, Policy.CONSTANT, 5, 7)
            await bench.until(lambda: bool(bench.answers), limit=50_000)
            await bench.until(lambda: not int(dut.g_slot[0].u_engine.busy_o.value), limit=50_000)
            assert bench.flag("busy_o"), "the other one has ended"
            # The multiplier's outputs, which every slot sees, are cleared once all requests have
            # ended.
            after.append(registers(dut.g_slot[0]))
            await bench.idle()
            await bench.results(2)
        left = [name for name in after[0] if after[0][name] != after[1][name]]
        assert not left, f"policy {policy} leaves {len(left)} signals: {left[:5]}"
        assert any("u_result" in name for name in after[0])


def numbers(dut: Any) -> dict[str, str]:
    """Return what zeroize must clear: the multiplier's registers only of a pair."""
    if PAIR:
        found = everything(dut)
        return {name: found[name] for name in found if "rows_q" in name or name.endswith(NUMBERS)}
    found = own_registers(dut)
    return {name: value for name, value in found.items() if name not in SHARE_CONTROL}


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """During set-up, during two requests, and while an answer waits for an earlier one."""
    built = design()
    bench = await begin(dut, built)
    top = 1 << built.length
    for after in (40, 700, 9000) if PAIR else (0, 90, 700):
        await load_all(bench, built, (top - 1, top - 3))
        if PAIR:
            for x in (top - 5, top - 6):
                send(bench, built, Policy.CONSTANT, x, 0x7FF, BITS)
        else:
            send(bench, built, Policy.CONSTANT, top - 3, 9)
            send(bench, built, PRODUCT, top - 4, top - 5)
        for _ in range(after):
            await bench.cycle()
        before = numbers(dut)
        assert after == 0 or sum("1" in value for value in before.values()) > 8
        assert not PAIR or any("u_kept." in n and "1" in value for n, value in before.items())
        await zeroize(bench)
        left = [name for name, value in numbers(dut).items() if "1" in value]
        assert not left, f"zeroize after {after} cycles leaves {left[:5]}"
        for _ in range(2):
            send(bench, built, PRODUCT, 3, 5)
            await bench.idle()
            assert await bench.results(1) == [PortAnswer((Status.NO_MODULUS,), True)]
