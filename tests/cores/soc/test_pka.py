# SPDX-License-Identifier: Apache-2.0
"""The accelerator over a bus: each answer, to chosen and to random accesses, is the contract's."""

import hashlib
import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pka_bench as pka
import pka_contract
import pytest
from icarus import run_sources
from mutants import replaced
from pka_bench import LIMIT, bench_of, command, load, number, result, slot_at, sources, write
from pka_contract import EXPONENTIATOR, MULTIPLIER, MULTIPLY, Contract, ContractCase
from pka_sequences import Tried, Writer

from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.sim.build import RtlBuild
from montcore.soc.design import AcceleratorDesign
from montcore.soc.wrapper import BUSES
from montcore.support.paths import PREFIX

nightly = pytest.mark.nightly
BITS = 192
M = (1 << BITS) - 237
#: The first lines of a sequence.
START = ["reset 4", f"idle {LIMIT}"]


def over(core: Core, folder: Path, limit: int = LIMIT) -> Tried:
    """Return the simulator of an exponentiator over a core."""
    return Tried(bench_of(folder, AcceleratorDesign(core)), limit)


def alone(core: Core, folder: Path, limit: int = LIMIT) -> Tried:
    """Return the simulator of a multiplier."""
    return Tried(bench_of(folder, AcceleratorDesign(None, multiplier=core)), limit)


def exponentiator(folder: Path) -> Tried:
    """Return the usual exponentiator; its longest command, a ladder, has 19,444 cycles."""
    return over(get_core("smm").configure({"npe": "2", "w": "32"}, BITS), folder, 20_000)


def multiplier(folder: Path) -> Tried:
    """Return the usual multiplier."""
    return alone(get_core("smm").configure({"npe": "3"}, 96), folder, 100)


Unit = Callable[[Path], Tried]
UNITS = pytest.mark.parametrize("unit", [exponentiator, multiplier])


# ---- chosen accesses ---------------------------------------------------------------------------


def factors(x: int, y: int, bits: int, y_bits: int = 0) -> list[str]:
    """Return the lines that write two factors, or base and exponent."""
    return [*number(slot_at(1), x, bits), *number(slot_at(2), y, y_bits or bits)]


def power(x: int, e: int, bits: int, e_bits: int, policy: int = 0) -> list[str]:
    lines = [*factors(x, e, bits, e_bits), write(pka.Y_LENGTH, e_bits)]
    return [*lines, *command(pka.POWER, policy=policy)]


def locked(m: int, d: int, bits: int, d_bits: int) -> list[str]:
    lines = [write(pka.LENGTH, bits), write(pka.Y_LENGTH, d_bits), *number(pka.KEY, m, bits)]
    return [*lines, *number(slot_at(9), d, d_bits), *command(pka.LOCK)]


def every_length(tried: Tried) -> list[str]:
    """Every register; products, and powers of every policy, of every kind of length."""
    rng, widest = random.Random(1), tried.core.bits
    lines = [*START, *(f"r {at:x}" for at in (*range(0, 0x40, 4), pka.KEY)), write(pka.KEY, 1)]
    lengths = {2, 3, 31, 32, 33, 64, 65, 100, widest // 2, widest - 1, widest}
    for bits in sorted(length for length in lengths if length <= widest):
        m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
        lines += load(m, bits)
        for x, y in ((m - 1, m - 1), (rng.randrange(m), rng.randrange(m))):
            op = MULTIPLY if tried.units == MULTIPLIER else pka.PRODUCT
            lines += [*factors(x, y, bits), *command(op), *result(bits)]
        if tried.units == EXPONENTIATOR:
            for policy, e_bits in ((0, bits), (0, 20), (1, 20), (2, 20)):
                e = rng.getrandbits(e_bits) | 1
                lines += [*power(x, e, bits, e_bits, policy), *result(bits)]
    return lines


def a_locked_key(tried: Tried) -> list[str]:
    """It is used, and neither read nor changed nor used otherwise."""
    key = locked(M, 0x123456789ABCDEF01, BITS, 65)
    change = [*number(pka.KEY, 3, 32), *number(slot_at(9), 1, 32), *result(BITS, 8)]
    again = [*change, write(pka.LENGTH, 64), write(pka.Y_LENGTH, 2), *command(pka.LOCK)]
    use = [*number(slot_at(1), 1234, BITS), *command(pka.KEY_POWER), *result(BITS)]
    # The exponent goes with the key's own modulus only, even if another is the same number.
    lines = [*START, *key, *again, *command(pka.KEY_LOAD), *use, *load(M, BITS), *use]
    # The sliding window's sequence depends on the exponent.
    sliding = [*command(pka.KEY_LOAD), *command(pka.KEY_POWER, policy=1), f"r {pka.STATUS:x}"]
    # A key that is not locked cannot be used.
    return [*lines, *sliding, *START, *key[:-3], *command(pka.KEY_LOAD)]


def zeroize(keep: int, tried: Tried) -> list[str]:
    """Operands, key and modulus are cleared, at any moment of a power and after it."""
    key, clear = locked(M, 5, BITS, 3), write(pka.CONTROL, 1 | keep)
    use = [*number(slot_at(1), 3, BITS), *command(pka.KEY_POWER), *result(BITS)]
    begin = [*load(M, BITS), *factors(3, 0x2AAAAAAA, 32), write(pka.Y_LENGTH, 30)]
    ended = [f"idle {LIMIT}", f"r {pka.ERROR:x}", f"r {pka.STATUS:x}"]
    after = [line for slot in range(8) for line in result(BITS, slot)]
    after += [*command(pka.PRODUCT), *command(pka.KEY_LOAD), *use]
    after += [*load(M, BITS), *power(3, 5, BITS, 3), *result(BITS)]
    lines = []
    moments = (0, 1, 2, 3, 5, 8, 13, 30, 60, 100, 200, 400, 1000, 1500)
    for until in (*(f"run {moment}" for moment in moments), f"idle {LIMIT}"):
        under_way = [write(pka.COMMAND, pka.POWER | 0x32100), until, clear]
        lines += [*START, *key, *begin, *under_way, *ended, *after]
    # No key is locked yet: its slots are cleared in any case.
    locks = [write(pka.LENGTH, BITS), write(pka.Y_LENGTH, 3), *command(pka.LOCK)]
    return [*lines, *START, *number(pka.KEY, M, BITS), clear, *locks, *command(pka.KEY_LOAD)]


CHOSEN: list[tuple[str, Unit, Callable[[Tried], list[str]]]] = [
    ("every length", exponentiator, every_length),
    ("every length of a multiplier", multiplier, every_length),
    ("a locked key", exponentiator, a_locked_key),
    ("zeroize", exponentiator, partial(zeroize, 0)),
    ("zeroize but the key", exponentiator, partial(zeroize, pka.KEEP)),
]


@pytest.mark.parametrize(
    ("unit", "lines"), [pytest.param(*rest, id=name) for name, *rest in CHOSEN]
)
def test_chosen_accesses_are_answered_as_the_contract_says(
    tmp_path: Path, unit: Unit, lines: Callable[[Tried], list[str]]
) -> None:
    tried = unit(tmp_path)
    assert not tried.wrong(lines(tried))


@nightly
@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        ("dsp", 100, {"alpha": "2"}),
        ("dsp", 100, {"alpha": "2", "clocking": "double"}),
        ("rc", 50, {"w": "16"}),
        ("karatsuba", 192, {}),
        ("mx", 40, {"w": "16"}),
    ],
)
def test_over_other_cores_and_beats(
    tmp_path: Path, core: str, bits: int, settings: dict[str, str]
) -> None:
    tried = over(get_core(core).configure(settings, bits), tmp_path)
    assert not tried.wrong(every_length(tried))


@nightly
@pytest.mark.parametrize("core", all_cores())
@pytest.mark.parametrize("bits", [24, 130])
def test_every_core_by_itself(core: str, bits: int, tmp_path: Path) -> None:
    own = all_cores()[core]
    for style in own.styles(bits) if bits == 24 else own.points(bits)[:1]:
        tried = alone(style, tmp_path)
        assert not tried.wrong(every_length(tried))


def test_cycles_of_a_power_do_not_depend_on_the_numbers(tmp_path: Path) -> None:
    rng, device, seen = random.Random(3), exponentiator(tmp_path).bench, set()
    for e in (1, 1 << 39, (1 << 40) - 1, rng.getrandbits(40) | 1):
        lines = [*load(M, BITS), *power(rng.randrange(M), e, BITS, 40), f"r {pka.CYCLES:x}"]
        seen.add(device.played(lines)[0][-1].value)
    assert len(seen) == 1


def test_cycles_of_a_product_do_not_depend_on_the_numbers_or_the_moment(tmp_path: Path) -> None:
    rng, device, seen = random.Random(4), multiplier(tmp_path).bench, set()
    for pause in range(4):
        m = rng.getrandbits(96) | 1 << 95 | 1
        for x, y in ((0, 0), (m - 1, m - 1), (rng.randrange(m), rng.randrange(m))):
            asked = [f"run {pause}", *command(MULTIPLY), f"r {pka.CYCLES:x}"]
            lines = [*load(m, 96), *factors(x, y, 96), *asked]
            seen.add(device.played(lines)[0][-1].value)
    assert len(seen) == 1


# ---- random accesses ---------------------------------------------------------------------------


@UNITS
def test_every_answer_is_that_of_the_contract(tmp_path: Path, unit: Unit) -> None:
    assert not unit(tmp_path).failing(0, 100)


@nightly
@pytest.mark.timeout(3600)
@UNITS
@pytest.mark.parametrize("first", range(1_000, 21_000, 1_000))
def test_twenty_thousand_sequences(tmp_path: Path, unit: Unit, first: int) -> None:
    assert not unit(tmp_path).failing(first, 1_000)


class KeepsOperands(Contract):
    """As if zeroize left the slots."""

    def zeroized(self, case: ContractCase, keep: bool) -> ContractCase:
        after = super().zeroized(case, keep)
        left = replace(after.unit, slots=case.unit.slots)
        return replace(after, unit=left, end=left)


class ForgetsKey(Contract):
    """As if no key were kept."""

    def zeroized(self, case: ContractCase, keep: bool) -> ContractCase:
        return super().zeroized(case, False)


class TakesEvery(Contract):
    """As if a command while busy were not noticed."""

    def started(self, case: ContractCase) -> ContractCase:
        return case if case.end is not None else super().started(case)


@pytest.mark.parametrize("wrong", [KeepsOperands, ForgetsKey, TakesEvery])
def test_another_contract_is_not_kept(tmp_path: Path, wrong: type[Contract]) -> None:
    found = replace(exponentiator(tmp_path), contract=wrong).failing(0, 100)
    assert found.startswith("sequence") and len(found.splitlines()) < 30, found


#: Faults in the RTL: file, text, and its replacement.
FAULTS = (
    ("pka_sequence", "pending_q      <= rst_ni && under_way;", "pending_q <= 1'b0;"),
    ("pka_sequence", "standing_q     <= '0;", "standing_q.locked <= 1'b0;"),
    ("pka_sequence", "else if (Units[1] || all_q) last_row", "else if (Units[1]) last_row"),
    (
        "pka_sequence",
        "key_loaded <= cfg_error_i == '0 && use_key",
        "key_loaded <= cfg_error_i == '0",
    ),
    ("pka_memory", "(!locked_i || hidden)", "1'b1"),
    ("pka_memory", "(is_key && write_i &&", "(is_key &&"),
    ("pka", "|| (command_start && busy)", ""),
)


@nightly
@pytest.mark.parametrize(("name", "old", "new"), FAULTS)
def test_a_fault_in_the_rtl_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, old: str, new: str
) -> None:
    def changed(design: AcceleratorDesign) -> list[Path]:
        return replaced(tmp_path, sources(design), f"{PREFIX}{name}", (old, new))

    monkeypatch.setattr(pka, "sources", changed)
    assert exponentiator(tmp_path).failing(0, 500).startswith("sequence")


@nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("bus", BUSES)
def test_every_bus_keeps_the_contract(tmp_path: Path, bus: str) -> None:
    design, limit = AcceleratorDesign(get_core("dsp").configure({"alpha": "2"}, 40)), 20_000
    build = RtlBuild(f"{PREFIX}{pka.NAME}", tuple(sources(design, bus)), {}, ports=())
    digest = hashlib.sha256(Path(pka_contract.__file__).read_bytes()).hexdigest()
    lines = list[str]()
    for seed in range(40):
        lines += Writer(random.Random(seed), EXPONENTIATOR, 40, limit).sequence()
    environment = {"SOC_BUS": bus, "LENGTH": "40", "CYCLES": str(limit), "MODEL": digest}
    run_sources(tmp_path, "soc_contract", build, {**environment, "LINES": "\n".join(lines)})
