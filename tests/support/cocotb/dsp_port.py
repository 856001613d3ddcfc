# SPDX-License-Identifier: Apache-2.0
"""The port of `dsp`: gaps, back-pressure, errors, resets, and the state after zeroize."""

import re
from typing import Any

import cocotb
from dsp_internal import config_of
from smm_port import Answer, Bench
from smm_zeroize import registers

from montcore.cores.dsp import BUS_WIDTH, Dsp
from montcore.model.spec import montgomery_product
from montcore.sim.types import Status

#: Control registers: position in a data-independent schedule, and status.
CONTROL = (
    r"phase_q|turn_q|seen_q",  # which half of a clk1x cycle it is
    r"u_core\.(u_front\.u_sweep\.index_q|rest_q|error_q)",
    r"u_core\.u_feeder\.(index|count|left|last|within|lead)_q",
    r"u_core\.u_front\.u_loader\.no_modulus_q",
    r"u_core\.u_engine\.u_control\.pending_final_q",
    r"u_core\.u_engine\.u_sequencer\.(slot|op|iteration|below|beyond|last_iteration|multiply_m|shift)_q",
    r"u_core\.u_engine\.u_writer\.block_q",  # which block is written next, one-hot
    r"u_core\.u_engine\.u_writer\.g_late\.addr_q",  # of the last row that the sweep reached
    r"u_core\.u_engine\.u_inverse\.count_q",
    r"u_core\.u_engine\.u_row\.(slot|token|head)_t\d_q",
    r"u_core\.u_engine\.u_row\.g_ahead\.(add_last|single)_q",
    r"u_core\.u_length\.(digits|pairs|last_slot)_o",  # for the current length
    r"u_core\.u_engine\.u_row\.g_block\.g_block\[\d+\]\..*(region|low_slot)_q",
    r"u_core\.u_engine\.u_row\.g_copy\.g_copy\[\d+\]\..*first_q",
)

#: Values other than zero that data registers hold, with the reasons.
CONSTANTS = {
    r"u_core\.u_front\.u_config\.words_o": (1, "the length in force before a modulus is loaded"),
    r"u_core\.u_front\.u_loader\.last_q": (1, "the first word is the last one of that length"),
}


async def begin(dut: Any, seed: int) -> tuple[Bench, Dsp]:
    """Return a bench whose core has been zeroized, so that no register is unknown."""
    bench = Bench(dut, seed, word_bits=BUS_WIDTH)
    await bench.start()
    await bench.pulse("zeroize_i")
    await bench.idle()
    return bench, config_of(dut)


def all_words(config: Dsp) -> int:
    return -(-config.bits // BUS_WIDTH)


def dense(bench: Bench, bits: int) -> int:
    """Return a random odd modulus whose top bit is set."""
    return bench.random.getrandbits(bits) | 1 | (1 << (bits - 1))


async def check_products(bench: Bench, config: Dsp, m: int, words: int, count: int) -> None:
    """Run some products with the current modulus."""
    r_bits = 17 * config.sizes(min(config.bits, BUS_WIDTH * words)).digits + 34
    pairs = [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(count)]
    for x, y in pairs:
        bench.multiply(x, y, words)
    for (x, y), answer in zip(pairs, await bench.results(count), strict=True):
        assert bench.value(answer, words) == montgomery_product(x, y, m, r_bits)


@cocotb.test()
async def gaps_and_back_pressure(dut: Any) -> None:
    """Pauses on each stream and waiting results; a waiting beat does not change."""
    bench, config = await begin(dut, seed=21)
    for words in {1, all_words(config)}:
        bits = min(config.bits, BUS_WIDTH * words)
        # With the last one, products wait with their reduction for the results before them.
        for gap_x, gap_y, ready in (
            (0.6, 0.0, 1.0),
            (0.0, 0.6, 0.5),
            (0.3, 0.3, 0.1),
            (0.0, 0.0, 0.01),
        ):
            bench.x.gap, bench.y.gap, bench.z_ready = gap_x, gap_y, ready
            bench.cfg.gap = gap_x
            m = dense(bench, bits)
            assert await bench.load(m, words) == Status.OK
            await check_products(bench, config, m, words, 5)
    bench.x.gap = bench.y.gap = bench.cfg.gap = 0.0
    bench.z_ready = 1.0


@cocotb.test()
async def errors_keep_their_place_in_a_stream(dut: Any) -> None:
    """Good and bad operands in one stream, which the core does not wait for, and slow results."""
    bench, config = await begin(dut, seed=24)
    words = all_words(config)
    m = dense(bench, config.bits)
    r_bits = 17 * config.sizes(config.bits).digits + 34
    assert await bench.load(m, words) == Status.OK
    for ready in (1.0, 0.3, 0.02):
        bench.z_ready = ready
        wanted: list[int | Status] = []
        for kind in (0, 1, 0, 0, 2, 0, 1, 2, 0, 0):
            x, y = bench.random.randrange(m), bench.random.randrange(m)
            if kind == 2:
                bench.x.send(bench.split(x, words + 1))
                bench.y.send(bench.split(y, words))
                wanted.append(Status.OPERAND_LENGTH)
            elif kind == 1:
                bench.multiply(x, m, words)
                wanted.append(Status.OPERAND_RANGE)
            else:
                bench.multiply(x, y, words)
                wanted.append(montgomery_product(x, y, m, r_bits))
        for want, answer in zip(wanted, await bench.results(len(wanted)), strict=True):
            if isinstance(want, Status):
                assert answer == Answer((want,), True)
            else:
                assert bench.value(answer, words) == want
    bench.z_ready = 1.0


@cocotb.test()
async def what_is_refused(dut: Any) -> None:
    """Invalid moduli and operands give their statuses; then the core continues to work."""
    bench, config = await begin(dut, seed=22)
    words, bits = all_words(config), config.bits
    bench.multiply(0, 0, words)
    assert await bench.results(1) == [Answer((Status.NO_MODULUS,), True)]
    refused = [
        (0, words, Status.MODULUS_EVEN),
        ((1 << bits) - 2, words, Status.MODULUS_EVEN),
        (1, words, Status.MODULUS_ONE),
        (3, words + 1, Status.MODULUS_LENGTH),
    ]
    if bits % BUS_WIDTH:
        refused.append((1 << bits | 1, words, Status.MODULUS_LENGTH))
    for value, beats, status in refused:
        assert await bench.load(value, beats) == status, f"{value:#x} in {beats} beats"
        bench.multiply(1, 1, words)
        assert await bench.results(1) == [Answer((Status.NO_MODULUS,), True)]
        m = dense(bench, bits)
        assert await bench.load(m, words) == Status.OK
        for x, y in ((m, 0), (0, m), (m, m)):
            bench.multiply(x, y, words)
            bench.multiply(m - 1, 1, words)
            bad, good = await bench.results(2)
            assert bad == Answer((Status.OPERAND_RANGE,), True) and not good.error
        for x_words, y_words in ((words + 1, words), (words, words + 2)):
            bench.x.send(bench.split(1, x_words))
            bench.y.send(bench.split(1, y_words))
            assert await bench.results(1) == [Answer((Status.OPERAND_LENGTH,), True)]
        await check_products(bench, config, m, words, 1)
        await bench.idle()


def left_over(state: dict[str, str]) -> list[str]:
    """Return the data registers that hold neither zero nor their documented constant."""
    found = []
    for name, value in state.items():
        if any(re.fullmatch(pattern, name) for pattern in CONTROL) or value.strip("0") == "":
            continue
        expected = [c for pattern, (c, _) in CONSTANTS.items() if re.fullmatch(pattern, name)]
        if not expected or value.strip("01") != "" or int(value, 2) != expected[0]:
            found.append(f"{name} = {value}")
    return found


@cocotb.test()
async def nothing_is_left_by_zeroize(dut: Any) -> None:
    """Zeroize at any time of set-up and products; then the core works with a reloaded modulus."""
    bench, config = await begin(dut, seed=23)
    words, bits = all_words(config), config.bits
    top = (1 << bits) - 1
    ever: set[str] = set()
    product = (1 if config.double else 2) * 2 * config.sizes(bits).row_cycles
    for after in range(1, words + 60 + 2 * product, 4 * config.alpha + 67):
        for m in (top, dense(bench, bits)):
            bench.z_ready = float(after % 2)
            bench.cfg.send(bench.split(m, words))
            for _ in range(3):
                bench.multiply(m - 1, m - 2, words)
            for _ in range(after):
                await bench.cycle()
            ever |= {name for name, value in registers(dut).items() if "1" in value}
            await bench.pulse("zeroize_i")
            bench.forget()
            await bench.cycle()
            bench.forget()  # in the first cycle a result beat may still be valid
            assert bench.flag("busy_o"), "zeroize is not under way"
            await bench.until(lambda: not bench.flag("busy_o"), limit=4000)
            bench.forget()
            bench.z_ready = 1.0
            state = registers(dut)
            found = left_over(state)
            assert not found, f"zeroize after {after} cycles leaves {found}"
            bench.multiply(0, 0, words)
            assert await bench.results(1) == [Answer((Status.NO_MODULUS,), True)]
            assert await bench.load(m, words) == Status.OK
            await check_products(bench, config, m, words, 1)
            await bench.idle()
            ever |= {name for name, value in registers(dut).items() if "1" in value}
    # A register that was never set proves nothing (the rows above the words of m are always 0).
    memories = {name for name in state if re.search(r"rows_q|g_register\.row_q", name)}
    used = memories & ever
    assert len(memories) > 10 and len(used) > 0.7 * len(memories), sorted(memories - used)
