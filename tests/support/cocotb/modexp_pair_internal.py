# SPDX-License-Identifier: Apache-2.0
"""Two exponentiators over one row: nothing of the secrets remains, in the row neither."""

from typing import Any

import cocotb
from modexp_internal import begin, design, everything, load, secrets, state
from port_driver import Answer, Bench

from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import (
    KEPT_SHIFT,
    POLICY_SHIFT,
    PRODUCT,
    SECOND_SHIFT,
    Policy,
)
from montcore.sim.types import Status

#: Bits of exponents: three windows, so that there are squares.
BITS = 11


def send(bench: Bench, built: ExponentiatorDesign, policy: int, x: int, y: int) -> None:
    """Queue a power or a product."""
    bits = built.length if policy == PRODUCT else BITS
    bench.x.send(bench.split(x, built.host_beats(built.length)))
    bench.y.send([policy << POLICY_SHIFT | bits, *bench.split(y, -(-bits // built.width))])


async def load_both(bench: Bench, built: ExponentiatorDesign, moduli: tuple[int, int]) -> None:
    """Load both moduli; R^2 of the second one is kept."""
    length = built.length
    assert await load(bench, built, moduli[0], length) == Status.OK
    header = length | 1 << SECOND_SHIFT | 1 << KEPT_SHIFT
    bench.cfg.send([header, *bench.split(moduli[1], built.host_beats(length))])
    count = len(bench.cfg_errors)
    await bench.until(lambda: len(bench.cfg_errors) > count, limit=200_000)
    await bench.idle()
    assert bench.cfg_errors[-1] == Status.OK


@cocotb.test()
async def nothing_that_depends_on_secrets_is_left_by_the_answers(dut: Any) -> None:
    """No register, memory or wire depends on secrets once both requests have ended."""
    built = design()
    bench = await begin(dut, built)
    beats, top = built.host_beats(built.length), 1 << built.length
    moduli = (top - 3, top - 5)
    await load_both(bench, built, moduli)
    for policy in (Policy.CONSTANT, Policy.LADDER, PRODUCT):
        during, after = [], []
        one, two = secrets(built, policy)
        for pair in ((one, two), (two, one)):
            for x, y in pair:
                send(bench, built, policy, x, y)
            await bench.until(lambda: bench.flag("core_done_o"), limit=90_000)
            during.append(everything(dut))
            await bench.idle()
            answers = [bench.value(answer, beats) for answer in await bench.results(2)]
            for (x, y), m, answer in zip(pair, moduli, answers, strict=True):
                assert answer == (x * y % m if policy == PRODUCT else pow(x, y, m))
            after.append(await state(bench))
        held = {name for name in during[0] if during[0][name] != during[1][name]}
        for place in ("g_side[0].", "g_side[1].", "u_multiplier."):
            count = sum(place in name for name in held)
            assert count > 10, f"policy {policy}: of {place} {count}"
        left = [name for name in after[0] if after[0][name] != after[1][name]]
        assert not left, f"policy {policy} leaves {len(left)} signals: {left[:5]}"
        # The moduli are still there.
        rows = [name for name in after[0] if "u_multiplier." in name and "rows_q" in name]
        assert sum("1" in after[0][name] for name in rows) >= 4


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """Zeroize during both powers, and while one is set up: moduli and memories of the row too."""
    built = design()
    bench = await begin(dut, built)
    top = 1 << built.length
    for after in (40, 700, 9000):
        await load_both(bench, built, (top - 1, top - 3))
        for x in (top - 5, top - 6):
            send(bench, built, Policy.CONSTANT, x, 0x7FF)
        for _ in range(after):
            await bench.cycle()
        before = everything(dut)
        await bench.pulse("zeroize_i")
        bench.forget()
        await bench.cycle()
        bench.forget()
        await bench.until(lambda: not bench.flag("busy_o"), limit=4000)
        found = await state(bench)
        rows = [name for name in found if "rows_q" in name]
        numbers = ("product_q", "pair_q", "p_low_q", "operands_q", "first_low_q", "inverse_q")
        rows += [name for name in found if name.endswith((*numbers, "m_low_q", "digit_q"))]
        assert sum("1" in before[name] for name in rows) > 8
        assert any("u_kept." in name and "1" in before[name] for name in rows)
        left = [name for name in rows if "1" in found[name]]
        assert not left, f"zeroize after {after} cycles leaves {left[:5]}"
        send(bench, built, PRODUCT, 3, 5)
        await bench.idle()
        assert await bench.results(1) == [Answer((Status.NO_MODULUS,), True)]
