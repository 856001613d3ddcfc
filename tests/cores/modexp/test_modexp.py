# SPDX-License-Identifier: Apache-2.0
"""The exponentiator: results, cycles and refusals of the RTL over the multiplier cores."""

import random
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from command_line import Tool
from products import dense_modulus

from montcore.cores import all_cores, get_core, karatsuba
from montcore.cores.core import Core
from montcore.cores.dsp import Clocking, Dsp
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import (
    Exponentiation,
    Exponentiator,
    ModularProduct,
    Policy,
    Power,
)
from montcore.sim.types import Status
from montcore.support.errors import RequestError
from montcore.synth.result import JSON_KEYS
from montcore.verification.vectors import read_powers
from montcore_lab.benches.modexp import product_interval, utilisation
from montcore_lab.generated import modules, outdated

nightly = pytest.mark.nightly

#: Cycles of clk1x, from the paper's 0.261, 1.71, 5.45 and 12.6 ms at 200 MHz.
WORST_CASE = {512: 52_200, 1024: 342_000, 1536: 1_090_000, 2048: 2_520_000}

#: Longest time that simulating a constant power of 2048 bits over `dsp` may take on one core.
SIMULATION_SECONDS = 30


@cache
def unit(core: str, bits: int, settings: tuple[tuple[str, str], ...] = ()) -> Exponentiator:
    found = get_core(core)
    return Exponentiator(ExponentiatorDesign(found.configure(dict(settings), bits)))


def check(
    exponentiator: Exponentiator, powers: list[Power], policy: Policy
) -> list[Exponentiation]:
    outcomes = exponentiator.run(powers, policy)
    for power, outcome in zip(powers, outcomes, strict=True):
        wanted = pow(power.base, power.exponent, power.modulus)
        assert outcome.result == wanted, f"{policy.name}: {power}: {outcome}"
    return outcomes


def small_powers(length: int) -> list[Power]:
    """Return powers with the edges of base, exponent and modulus at one length."""
    rng = random.Random(length)
    powers = []
    for m in (dense_modulus(rng, length), (1 << length) - 1, (1 << (length - 1)) + 1, 9, 3):
        for base in (0, 1, 3, m - 1, rng.randrange(m)):
            for exponent in (1, 2, 31, 32, 33, 0x10001, rng.getrandbits(40) | 1):
                powers.append(Power(base % m, exponent, m))
    return powers


def common_cores() -> list[Any]:
    """Return every core with a bus wide enough, in its first configuration, fastest first."""
    points = [core.points(192)[0] for core in all_cores().values()]
    points = sorted(points, key=lambda point: point.core_cycles(192))
    return [pytest.param(point, id=point.name) for point in points if point.bus_width >= 16]


@pytest.mark.parametrize("core", common_cores())
@pytest.mark.one_in(10)
def test_every_core_and_policy_raises_to_powers(core: Core) -> None:
    exponentiator = Exponentiator(ExponentiatorDesign(core))
    powers = random.Random(1).sample(small_powers(192) + small_powers(100), 30)
    for policy in Policy:
        check(exponentiator, powers, policy)


@pytest.mark.parametrize("core", common_cores())
@pytest.mark.one_in(10)
def test_every_core_multiplies_two_numbers(core: Core) -> None:
    exponentiator = Exponentiator(ExponentiatorDesign(core))
    rng = random.Random(5)
    items: list[Power | ModularProduct] = []
    for length in (192, 100, 33, 8, 2):
        for m in (dense_modulus(rng, length), (1 << length) - 1, (1 << (length - 1)) + 1):
            for x, y in ((0, m - 1), (m - 1, 0), (1, m - 1), (m - 1, m - 1)):
                items.append(ModularProduct(x, y, m))
            items.append(Power(rng.randrange(m), rng.getrandbits(20) | 1, m))
            items.append(ModularProduct(rng.randrange(m), rng.randrange(m), m))
    outcomes = exponentiator.run(items)
    cycles: dict[int, set[int]] = {}
    for item, outcome in zip(items, outcomes, strict=True):
        if isinstance(item, Power):
            assert outcome.result == pow(item.base, item.exponent, item.modulus)
        else:
            assert outcome.result == item.x * item.y % item.modulus, f"{item}: {outcome}"
            cycles.setdefault(item.bits, set()).add(outcome.cycles)
    assert all(len(found) == 1 for found in cycles.values())
    refused = [ModularProduct(3, 11, 11), ModularProduct(11, 3, 11), ModularProduct(3, 255, 11)]
    good = ModularProduct(3, 4, 11)
    found = exponentiator.run([refused[0], good, refused[1], good, refused[2], good])
    assert [outcome.result for outcome in found] == [None, 1] * 3
    wanted = [Status.OPERAND_RANGE, Status.OPERAND_RANGE, Status.OPERAND_LENGTH]
    assert [outcome.error for outcome in found[::2]] == wanted


def test_tool_refuses_factors_that_are_not_below_the_modulus() -> None:
    for product in (ModularProduct(3, 11, 11), ModularProduct(11, 3, 11)):
        with pytest.raises(RequestError, match="must lie between 0 and the modulus"):
            unit("dsp", 192, (("alpha", "5"),)).product(product)


@pytest.mark.parametrize("policy", Policy)
def test_exponents_of_all_lengths_and_small_values(policy: Policy) -> None:
    m = 0xF123_4567_89AB_CDEF
    powers = [Power(0x1234_5678, exponent, m) for exponent in range(1, 70)]
    powers += [Power(5, (1 << bits) - 1, m) for bits in range(7, 65)]
    powers += [Power(5, 1 << bits, m) for bits in range(7, 64)]
    check(unit("dsp", 192, (("alpha", "5"),)), powers, policy)


@pytest.mark.parametrize("bits", [96, pytest.param(192, marks=nightly)])
@pytest.mark.parametrize("policy", [Policy.CONSTANT, Policy.LADDER])
def test_cycles_are_the_same_for_all_numbers_of_a_length(policy: Policy, bits: int) -> None:
    rng = random.Random(2)
    exponents = [1 << (bits - 1), (1 << bits) - 1, 1, 2, 3, 0x10001, 1 << 64]
    exponents += [1 << (bits - 1) | 1 << place for place in range(0, bits, 2)]
    exponents += [((1 << bits) - 1) ^ 1 << place for place in range(0, bits, 2)]
    exponents += [rng.getrandbits(bits) | 1 << (bits - 1) for _ in range(10)]
    assert len(exponents) >= 100
    powers = []
    for number, exponent in enumerate(exponents):
        m = (dense_modulus(rng, bits), (1 << bits) - 1, (1 << (bits - 1)) + 1)[number % 3]
        base = (rng.randrange(m), 0, 1, m - 1)[number % 4]
        powers.append(Power(base, exponent, m, exponent_bits=bits, length=bits))
    outcomes = check(unit("dsp", 192, (("alpha", "5"),)), powers, policy)
    assert len({outcome.cycles for outcome in outcomes}) == 1
    assert len({outcome.setup_cycles for outcome in outcomes}) == 1


def check_moduli(moduli: list[tuple[int, int]]) -> None:
    """Check powers modulo numbers, each with a length, over `dsp`.

    The cycles of the set-up depend on the length and on the highest beat alone.
    """
    rng = random.Random(8)
    powers = []
    for m, length in moduli:
        powers += [Power(base, 0xB, m, length=length) for base in (rng.randrange(m), m - 1)]
    outcomes = check(unit("dsp", 192, (("alpha", "5"),)), powers, Policy.LADDER)
    cycles: dict[tuple[int, int], set[int]] = {}
    for power, outcome in zip(powers, outcomes, strict=True):
        top = (power.modulus.bit_length() - 1) // 34
        cycles.setdefault((power.bits, top), set()).add(outcome.setup_cycles)
    assert all(len(found) == 1 for found in cycles.values()), cycles


def test_every_small_modulus_is_set_up_at_every_length_over_dsp() -> None:
    # One length of each number of words, so of each n; the last one is the built width.
    lengths = (7, 33, 65, 97, 129, 161, 192)
    check_moduli([(m, length) for length in lengths for m in range(3, 64, 2)])


@pytest.mark.parametrize("step", [13, pytest.param(1, marks=nightly)])
def test_moduli_with_leading_zeros_are_set_up_over_dsp(step: int) -> None:
    rng = random.Random(9)
    moduli = []
    for length in range(2, 193, step):
        bits = rng.randrange(2, length + 1)
        moduli += [(m, length) for m in (3, (1 << length) - 1, dense_modulus(rng, bits))]
        # The highest beat is 1, and the one below it all ones.
        moduli += [((1 << 34 * beat) + 1, length) for beat in range(1, 6) if 34 * beat < length]
        moduli += [((1 << 34 * beat) - 1, length) for beat in range(1, 6) if 34 * beat <= length]
    check_moduli(moduli)


@pytest.mark.parametrize("length", [2, 32, 33, 100, 512, 576, 1024, 2048])
def test_numbers_on_the_way_to_r_squared_are_operands_over_dsp(length: int) -> None:
    """Below 2^35 m; the largest ones are those of moduli of all bits with M' = 2^34 - 1 or 1."""
    design = unit("dsp", 2048).design
    rng = random.Random(length)
    top = 1 << length
    ones = [(m % top | 1) for m in (top - (1 << 34) + 1, top - 1, (1 << 34) + 1)]
    for m in (3, *(dense_modulus(rng, length) for _ in range(20)), *ones):
        if m < 3 or m >= top:
            continue
        unit_of_m = design.arithmetic(m, length)
        width, power = design.width, unit_of_m.power
        v = pow(2, unit_of_m.radix + width // 2, m << width)
        numbers = [v]
        for _ in range(power.bit_length()):
            v = unit_of_m.product(v, v, canonical=False)
            numbers.append(v)
        # The last factor is a power of two, which has a beat of its own only.
        factor = 1 << width * (power - (1 << power.bit_length() - 1))
        v = unit_of_m.product(v, factor, canonical=False)
        assert max(*numbers, v) < m << 35 < 1 << unit_of_m.radix - 1
        assert factor < 1 << unit_of_m.radix - 16
        assert v % m == pow(2, 2 * unit_of_m.radix, m)


def test_short_public_exponents_need_no_table() -> None:
    m = dense_modulus(random.Random(6), 192)
    powers = [Power(5, 0x10001, m, exponent_bits=bits) for bits in (17, 18)]
    short, long = check(unit("dsp", 192, (("alpha", "5"),)), powers, Policy.SLIDING)
    assert (short.multiplications, long.multiplications) == (19, 35)
    # Sixteen products fewer, of the same time each.
    assert 0.4 < short.cycles / long.cycles < 0.6


@nightly  # every run has the interval of products, and how many there are
def test_two_clocks_give_the_cycles_of_the_paper_as_they_are() -> None:
    exponentiator = unit("dsp", 512, (("clocking", "double"),))
    m = dense_modulus(random.Random(3), 512)
    for policy in (Policy.SLIDING, Policy.CONSTANT):
        outcome = check(exponentiator, [Power(5, (1 << 512) - 1, m)], policy)[0]
        assert outcome.cycles + outcome.setup_cycles <= WORST_CASE[512]


@pytest.mark.parametrize("clocking", [Clocking.SINGLE, Clocking.DOUBLE])
@pytest.mark.parametrize(("alpha", "bits"), [(5, 192), (17, 512), (1, 128)])
@pytest.mark.one_in(6)
def test_products_follow_each_other_at_the_interval_of_the_model(
    alpha: int, bits: int, clocking: Clocking
) -> None:
    config = Dsp(bits=bits, alpha=alpha, clocking=clocking)
    assert abs(product_interval(config) - config.sizes(bits).interval) < 0.1


@nightly
def test_row_that_the_words_fill_is_busy_more_than_95_percent_of_the_time() -> None:
    config = Dsp(bits=2048, alpha=31, clocking=Clocking.DOUBLE)
    assert utilisation(config, 2048, product_interval(config)) > 0.95


@nightly  # as above
@pytest.mark.parametrize("bits", [512, 1024, 1536, 2048])
def test_worst_case_cycles_are_not_above_those_of_the_paper(bits: int) -> None:
    rng = random.Random(bits)
    m = dense_modulus(rng, bits)
    power = Power(rng.randrange(m), (1 << bits) - 1, m)
    exponentiator = unit("dsp", 2048)
    sliding = check(exponentiator, [power], Policy.SLIDING)[0]
    # An exponent of ones fills every window; clk1x has half of the block clock's cycles. The limit
    # even holds with the modulus's set-up, which is not in the paper's count.
    assert (sliding.cycles + sliding.setup_cycles) / 2 <= WORST_CASE[bits]
    # The paper's bound for windows of 5 bits: t + ceil((t + 1) / 5) + 20, t = bits - 1.
    assert sliding.multiplications <= bits - 1 + -(-bits // 5) + 20
    exponentiator.prepare()
    begin = time.perf_counter()
    constant = check(exponentiator, [power], Policy.CONSTANT)[0]
    seconds = time.perf_counter() - begin
    assert constant.cycles / 2 <= 1.1 * WORST_CASE[bits]
    assert seconds <= SIMULATION_SECONDS, f"{seconds:.1f} s for {constant.cycles} cycles"


def test_public_modexp_records(vectors_dir: Path) -> None:
    """The short ones; the nightly test has all of them."""
    powers = modexp_records(vectors_dir)
    short = [power for power in powers if max(power.bits, power.e_bits) <= 192]
    check(unit("dsp", 192, (("alpha", "5"),)), short, Policy.CONSTANT)


@nightly
@pytest.mark.parametrize("core", [core.values[0].name for core in common_cores()])
def test_all_public_modexp_records(core: str, vectors_dir: Path) -> None:
    """Each in a build not much wider than it; the long ones with every policy if that is fast."""
    powers = modexp_records(vectors_dir)
    assert len(powers) > 50
    checked = 0
    for low, high in ((0, 256), (256, 1024), (1024, 2048)):
        chosen = [power for power in powers if low < max(power.bits, power.e_bits) <= high]
        # No shorter than every core can be built by default.
        bits = max(192, *(max(power.bits, power.e_bits) for power in chosen))
        if core == "karatsuba" and bits > karatsuba.MAX_BITS:
            continue
        fast = bits <= 256 or core in ("dsp", "smm")
        for policy in list(Policy) if fast else [Policy.CONSTANT]:
            checked += len(check(unit(core, bits), chosen, policy))
    assert checked >= len(powers) - 1


def modexp_records(folder: Path) -> list[Power]:
    """Return the ModExp records with an odd modulus of 3 or more and an exponent of 1 or more."""
    return [
        Power(vector.base % vector.m, vector.exponent, vector.m)
        for vector in read_powers(folder / "openssl-bnmod.txt")
        if vector.m % 2 and vector.m >= 3 and vector.exponent >= 1
    ]


@pytest.mark.parametrize(
    ("power", "status"),
    [
        (Power(1, 3, 10), Status.MODULUS_EVEN),
        (Power(0, 3, 1, length=8), Status.MODULUS_ONE),
        (Power(0, 3, (1 << 193) + 1), Status.MODULUS_LENGTH),
        (Power(0, 3, 0x1FF, length=8), Status.MODULUS_LENGTH),
        (Power(11, 3, 11), Status.OPERAND_RANGE),
        (Power(1, 0, 11), Status.OPERAND_RANGE),
        (Power(1, 1 << 200, 11), Status.OPERAND_LENGTH),
    ],
)
def test_hardware_refuses_bad_numbers_and_goes_on(power: Power, status: Status) -> None:
    good = Power(3, 5, 11)
    outcomes = unit("dsp", 192, (("alpha", "5"),)).run([good, power, good])
    assert [outcome.error for outcome in outcomes] == [0, status, 0]
    assert [outcome.result for outcome in outcomes] == [1, None, 1]


@pytest.mark.parametrize(
    ("power", "words"),
    [
        (Power(1, 3, 10), "the modulus must be odd"),
        (Power(0, 3, 1), "the modulus must be odd and at least 3"),
        (Power(0, 3, (1 << 193) + 1), "194 bits, more than the 192"),
        (Power(11, 3, 11), "must lie between 0 and the modulus"),
        (Power(1, 0, 11), "the exponent must be at least 1"),
        (Power(1, 1 << 200, 11), "the exponent has 201 bits, more than the 192"),
    ],
)
def test_tool_refuses_bad_numbers_in_words(power: Power, words: str) -> None:
    with pytest.raises(RequestError, match=words):
        unit("dsp", 192, (("alpha", "5"),)).check(power)


def test_command_prints_the_fixed_keys(tool: Tool) -> None:
    numbers = ["--modulus", "f123456789abcdef", "--base", "0x53", "--exponent", "0x10001"]
    build = ["--set", "alpha=5", "--bits", "192", "--policy", "sliding"]
    content = tool.json("modexp", "dsp", *numbers, *build)
    assert list(content) == ["result", "cycles", "multiplications", "policy"]
    assert int(content["result"], 16) == pow(0x53, 0x10001, 0xF123456789ABCDEF)
    tool.refuses("--policy", "modexp", "dsp", *numbers, "--policy", "fast")


def test_committed_modules_of_default_builds_are_the_generated_ones() -> None:
    assert len(modules()) == 3
    assert outdated(modules()) == {}


def check_synthesis(target: str, tool: Tool) -> dict[str, Any]:
    build = ["--set", "core=dsp", "--set", "alpha=2", "--bits", "40", "--target", target]
    content = tool.json("synth", "modexp", *build)
    assert tuple(content) == JSON_KEYS
    m = (1 << 40) - 1
    power = Power(2, m, m)
    outcome = check(unit("dsp", 40, (("alpha", "2"),)), [power], Policy.CONSTANT)[0]
    assert content["cycles"] == outcome.cycles
    return content


@pytest.mark.nightly
def test_exponentiator_is_synthesised_with_its_table_in_block_ram(tool: Tool) -> None:
    content = check_synthesis("xc4v", tool)
    assert content["dsp"] == 2 and 0 < content["bram"] <= 7
    assert 1000 < content["lut"] < 10_000 and content["ge"] is None


@nightly
def test_netlist_of_the_exponentiator_computes_powers(tool: Tool) -> None:
    content = check_synthesis("osu018", tool)
    assert 5_000 < content["ge"] < 100_000 and content["tmin_ns"] > 1


def test_a_lazy_unit_is_known_by_the_hook_of_the_core_alone() -> None:
    class OtherMultiplier(Dsp):
        name = "other"

    ours = ExponentiatorDesign(Dsp(bits=72, alpha=2))
    other = ExponentiatorDesign(OtherMultiplier(bits=72, alpha=2))
    assert other.multiplier() == ours.multiplier().replace("core dsp", "core other")
    assert other.parameters() == ours.parameters()
    assert [path.name for path in other.sources()] == [path.name for path in ours.sources()]
