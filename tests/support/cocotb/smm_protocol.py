# SPDX-License-Identifier: Apache-2.0
"""The rules of the common port, and the response of `smm` to invalid packets and moduli."""

from collections.abc import Callable, Sequence
from typing import Any

import cocotb
from smm_port import Answer, Bench

from montcore.model.spec import montgomery_product

ERROR_EVEN, ERROR_ONE, ERROR_MODULUS, ERROR_RANGE, ERROR_LENGTH, ERROR_NONE = range(1, 7)


def longer_than(items: Sequence[object], count: int) -> Callable[[], bool]:
    """Return a function that tells whether `items` has more than `count` entries."""
    return lambda: len(items) > count


async def begin(dut: Any, seed: int) -> Bench:
    bench = Bench(dut, seed)
    await bench.start()
    return bench


def dense(bench: Bench, length: int) -> int:
    """Return a random odd modulus whose top bit is set."""
    return bench.random.getrandbits(length) | 1 | (1 << (length - 1))


async def check_products(bench: Bench, m: int, words: int, count: int) -> None:
    """Run random products with the loaded modulus and check them."""
    pairs = [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(count)]
    for x, y in pairs:
        bench.multiply(x, y, words)
    for (x, y), answer in zip(pairs, await bench.results(count), strict=True):
        z = montgomery_product(x, y, m, words * bench.config.w)
        assert bench.value(answer, words) == z, f"{x:#x} * {y:#x} mod {m:#x}"


def all_words(bench: Bench) -> int:
    return bench.config.words(bench.config.bits)


@cocotb.test()
async def gaps_and_back_pressure(dut: Any) -> None:
    """Results are correct and in order under any pauses of the producers and the consumer."""
    bench = await begin(dut, 21)
    words = all_words(bench)
    for cfg_gap, x_gap, y_gap, ready in (
        (0.5, 0.0, 0.0, 1.0),
        (0.0, 0.6, 0.0, 1.0),
        (0.0, 0.0, 0.6, 0.3),
        (0.3, 0.4, 0.4, 0.15),
        (0.0, 0.0, 0.0, 0.1),
    ):
        bench.cfg.gap, bench.x.gap, bench.y.gap, bench.z_ready = cfg_gap, x_gap, y_gap, ready
        m = dense(bench, bench.config.bits)
        assert await bench.load(m, words) == 0
        await check_products(bench, m, words, 4)
        await bench.idle()


@cocotb.test()
async def a_consumer_that_never_takes(dut: Any) -> None:
    """Waiting results stay valid; the streams deassert ready and lose nothing."""
    bench = await begin(dut, 22)
    words = all_words(bench)
    m = dense(bench, bench.config.bits)
    assert await bench.load(m, words) == 0
    bench.z_ready = 0.0
    pairs = [(bench.random.randrange(m), bench.random.randrange(m)) for _ in range(6)]
    for x, y in pairs:
        bench.multiply(x, y, words)
    for _ in range(4 * bench.config.rows(bench.config.bits) * words * 4 + 100):
        await bench.cycle()
    assert bench.x.beats, "operands were taken for which there is no room"
    assert bench.flag("z_valid_o") and bench.flag("busy_o")
    bench.z_ready = 1.0
    for (x, y), answer in zip(pairs, await bench.results(6), strict=True):
        assert bench.value(answer, words) == montgomery_product(x, y, m, words * bench.config.w)


@cocotb.test()
async def operands_apart_in_time(dut: Any) -> None:
    """X arrives long before Y, and Y long before X."""
    bench = await begin(dut, 23)
    words = all_words(bench)
    m = dense(bench, bench.config.bits)
    assert await bench.load(m, words) == 0
    for first, second in ((bench.x, bench.y), (bench.y, bench.x)):
        x, y = bench.random.randrange(m), bench.random.randrange(m)
        values = {"x": x, "y": y}
        first.send(bench.split(values[first.name], words))
        for _ in range(50):
            await bench.cycle()
        assert not bench.answers
        second.send(bench.split(values[second.name], words))
        (answer,) = await bench.results(1)
        assert bench.value(answer, words) == montgomery_product(x, y, m, words * bench.config.w)


@cocotb.test()
async def another_modulus_between_products(dut: Any) -> None:
    """A modulus offered while products run waits for them, then takes priority; any length."""
    bench = await begin(dut, 24)
    config = bench.config
    loaded: tuple[int, int] | None = None
    for step in range(8):
        words = 1 + step % all_words(bench)
        length = max(2, min(config.bits, words * config.w - step % 3))
        words = config.words(length)
        m = dense(bench, length)
        if loaded is not None:
            old_m, old_words = loaded
            x, y = bench.random.randrange(old_m), bench.random.randrange(old_m)
            bench.multiply(x, y, old_words)
            # The operands have been accepted and their product runs when the modulus is offered.
            await bench.until(lambda: not bench.y.beats)
            bench.cfg.send(bench.split(m, words))
            count = len(bench.cfg_errors)
            (answer,) = await bench.results(1)
            z = montgomery_product(x, y, old_m, old_words * config.w)
            assert bench.value(answer, old_words) == z
            await bench.until(longer_than(bench.cfg_errors, count))
            assert bench.cfg_errors[-1] == 0
        else:
            assert await bench.load(m, words) == 0
        await check_products(bench, m, words, 2)
        loaded = m, words


@cocotb.test()
async def packets_of_the_wrong_length(dut: Any) -> None:
    """Short, long and unequal packets give one error beat each; the next product is correct."""
    bench = await begin(dut, 25)
    words = max(2, all_words(bench) - 1)
    m = dense(bench, min(bench.config.bits, words * bench.config.w))
    assert await bench.load(m, words) == 0
    wrong = [
        (x, y)
        for x in (1, words - 1, words, words + 1, 2 * words + 3)
        for y in (1, words - 1, words, words + 1, 2 * words + 3)
        if (x, y) != (words, words) and x > 0 and y > 0
    ]
    for x_beats, y_beats in wrong:
        bench.x.send([1] * x_beats)
        bench.y.send([1] * y_beats)
        bench.multiply(m - 1, m - 1, words)
        refused, answer = await bench.results(2)
        assert refused == Answer((ERROR_LENGTH,), True), f"{x_beats} and {y_beats}: {refused}"
        z = montgomery_product(m - 1, m - 1, m, words * bench.config.w)
        assert bench.value(answer, words) == z
    await bench.idle()
    assert not bench.answers


@cocotb.test()
async def operands_out_of_range(dut: Any) -> None:
    """X or Y not below M: an error beat, in order among correct products."""
    bench = await begin(dut, 26)
    bits, words = bench.config.bits, all_words(bench)
    m = (dense(bench, bits) >> 1) | 1
    assert await bench.load(m, words) == 0
    top = (1 << (words * bench.config.w)) - 1
    cases = [
        (m, 0), (0, m), (m + 1, 1), (1, top), (top, top), (m - 1, m), (m, m - 1), (m - 1, m - 1),
        (0, 0), (m ^ (1 << (bits - 1)) if bits > 1 else m, 0), (m - 1, 0),
    ]  # fmt: skip
    for ready in (1.0, 0.3):
        bench.z_ready = ready
        for x, y in cases:
            bench.multiply(x, y, words)
        for (x, y), answer in zip(cases, await bench.results(len(cases)), strict=True):
            if x < m and y < m:
                z = montgomery_product(x, y, m, words * bench.config.w)
                assert bench.value(answer, words) == z
            else:
                assert answer == Answer((ERROR_RANGE,), True), f"{x:#x}, {y:#x}: {answer}"


@cocotb.test()
async def no_modulus_loaded(dut: Any) -> None:
    """Before the first modulus and after a rejected one: an error for packets of any length."""
    bench = await begin(dut, 27)
    words = all_words(bench)
    for _ in range(2):
        for x_beats, y_beats in ((words, words), (1, words), (words + 2, 1)):
            bench.x.send([0] * x_beats)
            bench.y.send([0] * y_beats)
            assert await bench.results(1) == [Answer((ERROR_NONE,), True)]
        await bench.idle()
        assert await bench.load(4, words) == ERROR_EVEN
    m = dense(bench, bench.config.bits)
    assert await bench.load(m, words) == 0
    await check_products(bench, m, words, 1)


@cocotb.test()
async def moduli_that_are_refused(dut: Any) -> None:
    """Even, zero, one, too many bits or beats: each gives its status; no modulus is loaded."""
    bench = await begin(dut, 28)
    bits, words, w = bench.config.bits, all_words(bench), bench.config.w
    refused = [
        (0, words, ERROR_EVEN),
        (0, 1, ERROR_EVEN),
        (2, 1, ERROR_EVEN),
        ((1 << bits) - 2, words, ERROR_EVEN),
        (1, words, ERROR_ONE),
        (1, 1, ERROR_ONE),
        (3, words + 1, ERROR_MODULUS),
        (1, words + 1, ERROR_MODULUS),
        ((1 << bits) - 1, words + 5, ERROR_MODULUS),
    ]
    for bit in range(bits, words * w):
        refused.append(((1 << bit) | 3, words, ERROR_MODULUS))
    m = dense(bench, bits)
    for value, beats, status in refused:
        assert await bench.load(m, words) == 0
        await check_products(bench, m, words, 1)
        assert await bench.load(value, beats) == status, f"{value:#x} in {beats} beats"
        bench.multiply(1, 1, words)
        assert await bench.results(1) == [Answer((ERROR_NONE,), True)]
    for value in (3, (1 << bits) - 1, (1 << (bits - 1)) | 1):
        if value >= 3:
            assert await bench.load(value, words) == 0, f"{value:#x}"
            await check_products(bench, value, words, 2)


@cocotb.test()
async def reset_in_mid_run(dut: Any) -> None:
    """After a reset at any time the core works once a modulus is reloaded."""
    bench = await begin(dut, 29)
    words = all_words(bench)
    m = dense(bench, bench.config.bits)
    cycles = 2 * words * bench.config.rows(bench.config.bits) + 12
    for after in [*range(0, words + 45, 7), *range(60, 60 + 2 * cycles, 13)]:
        bench.cfg.send(bench.split(m, words))
        for _ in range(3):
            bench.multiply(m - 1, m - 2, words)
        for _ in range(after):
            await bench.cycle()
        await bench.reset()
        assert not bench.flag("busy_o") and not bench.flag("z_valid_o")
        bench.multiply(0, 0, words)
        assert await bench.results(1) == [Answer((ERROR_NONE,), True)]
        assert await bench.load(m, words) == 0
        await check_products(bench, m, words, 1)
        await bench.idle()
