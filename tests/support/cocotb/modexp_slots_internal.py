# SPDX-License-Identifier: Apache-2.0
"""Exponentiators that share a multiplier: no secrets remain, and none appear at the port."""

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
)
from port_driver import Answer, registers

from montcore.modexp.exponentiator import PRODUCT, Policy
from montcore.sim.types import Status

#: Control registers in addition to those of each exponentiator.
SHARE_CONTROL = ("u_share.cleared_q",)


def value_of(policy: int, x: int, y: int, m: int) -> int:
    """Return the expected result of a request."""
    return x * y % m if policy == PRODUCT else pow(x, y, m)


@cocotb.test()
async def nothing_that_depends_on_secrets_is_left_by_the_answers(dut: Any) -> None:
    """No register, memory or wire depends on secrets once all requests have ended."""
    built = design()
    bench = await begin(dut, built)
    bits, beats = built.length, built.host_beats(built.length)
    m = (1 << bits) - 3
    assert await load(bench, built, m, bits) == Status.OK
    for policy in (*Policy, PRODUCT):
        during, after = [], []
        one, two = secrets(built, policy)
        if policy is Policy.SLIDING:
            # The exponents of this policy are public: timing and arbitration depend on them.
            two = two[0], one[1]
        for pair in ([one, two], [two, one]):
            for x, y in pair:
                send(bench, built, policy, x, y)
            await bench.until(lambda: bench.flag("core_done_o"), limit=50_000)
            during.append(everything(dut))
            await bench.idle()
            answers = [bench.value(answer, beats) for answer in await bench.results(2)]
            assert answers == [value_of(policy, x, y, m) for x, y in pair]
            after.append(await state(bench))
        held = {name for name in during[0] if during[0][name] != during[1][name]}
        for place in ("g_slot[0].", "g_slot[1].", "u_multiplier."):
            count = sum(place in name for name in held)
            assert count > 10, f"policy {policy}: of {place} {count}"
        left = [name for name in after[0] if after[0][name] != after[1][name]]
        assert not left, f"policy {policy} leaves {len(left)} signals: {left[:5]}"


@cocotb.test()
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


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """Zeroize during set-up, during two requests, and while an answer waits for an earlier one."""
    built = design()
    bench = await begin(dut, built)
    bits, m = built.length, (1 << built.length) - 1
    for after in (0, 90, 700):
        assert await load(bench, built, m, bits) == Status.OK
        send(bench, built, Policy.CONSTANT, m - 2, 9)
        send(bench, built, PRODUCT, m - 3, m - 4)
        for _ in range(after):
            await bench.cycle()
        await zeroize(bench)
        # The multiplier's registers are excluded.
        found = {
            name: value
            for name, value in own_registers(dut).items()
            if "1" in value and name not in SHARE_CONTROL
        }
        assert not found, f"zeroize after {after} cycles leaves {found}"
        for _ in range(2):
            send(bench, built, PRODUCT, 3, 5)
            await bench.idle()
            assert await bench.results(1) == [Answer((Status.NO_MODULUS,), True)]
