# SPDX-License-Identifier: Apache-2.0
"""A verdict passes one bit of a packet to control, after its last beat: proved on the netlists.

The port's time before the last operand beat: a mutant that stalls by data is found.
"""

import random
from pathlib import Path
from typing import Any

import pytest
from mutants import STALL, mutated

from montcore.cores.contract import Verdict, port_verdicts
from montcore.cores.core import Core
from montcore.cores.cs4 import Cs4
from montcore.cores.smm import Smm
from montcore.model.spec import montgomery_product
from montcore.sim.build import RtlBuild
from montcore.sim.simulator import Simulator
from montcore.sim.types import Product
from montcore.support.errors import CheckFailedError
from montcore.verification.run import verify
from montcore_lab.proofs.verdicts import verdict_faults

CONFIGURED = Smm(bits=70, w=32, npe=2)
LOADER, CONFIG = "montcore_loader", "montcore_config"
NOT_VALID = " depends on data"


def says(faults: list[str], told: str) -> bool:
    """Tell whether a fault is among others; with `NOT_VALID`, of any signal."""
    return told in faults or (told == NOT_VALID and any(one.endswith(told) for one in faults))


@pytest.mark.nightly  # the next tests find a stall in every run
def test_a_stall_through_a_verdict_register_is_found(tmp_path: Path) -> None:
    core = mutated(Smm, tmp_path, LOADER, *STALL).model_validate(CONFIGURED.params())
    assert says(verdict_faults(core), NOT_VALID)


MUTANTS = {
    "the verdict is shown from the first beat on": (
        LOADER,
        "bank_q[use_q] == BankFull && range_q[use_q]",
        "range_q[use_q]",
        NOT_VALID,
    ),
    "a bank is full when X ends, before Y does": (
        LOADER,
        "assign complete = joint && loaded_i && last_q && x_last_i && y_last_i;",
        "assign complete = joint && loaded_i && x_last_i;",
        "u_front.u_loader.range_q[0] is valid before the packet's last beat",
    ),
    "a full bank's verdict follows what comes in": (
        LOADER,
        "if (clear_i) range_q <= '0;",
        "if (clear_i) range_q <= '0;\n    else if (!complete && bank_q[use_q] == BankFull)\n"
        "      range_q[use_q] <= x_data_i[0];",
        "u_front.u_loader.range_q[1] changes while it is valid",
    ),
    "a modulus is judged at its first beat": (
        CONFIG,
        "if (cfg_last_i) begin",
        "if (cfg_last_i || first) begin",
        "u_front.u_config.odd_q[0] is valid before the packet's last beat",
    ),
    "the stream of the modulus waits for an odd word": (
        CONFIG,
        "assign cfg_ready_o = ready_i && state_q == StLoad;",
        "assign cfg_ready_o = ready_i && state_q == StLoad && (first || odd_q || index_q != 1);",
        NOT_VALID,
    ),
}


def test_a_result_that_waits_a_cycle_for_the_final_addition_is_found(tmp_path: Path) -> None:
    late = (
        "assign load     = last_i || (leave && !last_q);",
        "logic late_q;\n"
        "  always_ff @(posedge clk_i) late_q <= rst_ni && last_i && take_other_i;\n"
        "  assign load = (last_i && !take_other_i) || late_q || (leave && !last_q);",
    )
    core = mutated(Cs4, tmp_path, "montcore_row_output", late).configure({"w": "16"}, 40)
    assert says(verdict_faults(core), NOT_VALID)


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.one_in(6)
def test_each_obligation_finds_its_mutant(name: str, tmp_path: Path) -> None:
    file, old, new, told = MUTANTS[name]
    core = mutated(Smm, tmp_path, file, (old, new)).model_validate(CONFIGURED.params())
    assert says(verdict_faults(core), told)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"stages": ("u_front.u_loader.bank_q[1:0]==0",)}, NOT_VALID),
        ({"stages": ("u_front.u_loader.x_below_q==1",)}, NOT_VALID),
        ({"stages": ("u_front.u_loader.nothing==1",)}, "has no u_front.u_loader.nothing"),
        ({"register": "u_front.u_loader.nothing"}, "has no u_front.u_loader.nothing"),
        ({"stages": ("u_front.u_loader.bank_q",)}, "is no condition"),
    ],
)
@pytest.mark.one_in(9)
def test_a_wrong_statement_about_a_verdict_is_refused(change: dict[str, Any], told: str) -> None:
    *others, first, second = port_verdicts()
    wrong = Verdict(**{**first.__dict__, **change})
    try:
        faults = verdict_faults(CONFIGURED, [*others, wrong, second])
    except CheckFailedError as error:
        faults = [str(error)]
    assert any(told in fault for fault in faults), faults


SMALL = Smm(bits=64, w=16, npe=2)


@pytest.fixture
def stalling(tmp_path: Path) -> type[Core]:
    """`smm` with the mutated loader."""
    return mutated(Smm, tmp_path, "montcore_loader", *STALL)


def test_a_stall_by_an_operand_bit_changes_nothing_but_the_time_of_the_beats(
    stalling: type[Core],
) -> None:
    rng = random.Random(7)
    m = rng.getrandbits(64) | 1 | 1 << 63
    products = [Product(rng.randrange(m), rng.randrange(m), m, 64) for _ in range(20)]
    outcomes = Simulator(stalling.model_validate(SMALL.params())).run(products)
    for product, outcome in zip(products, outcomes, strict=True):
        assert outcome.z == montgomery_product(product.x, product.y, m, 64)
    assert len({(outcome.cycles, outcome.core_cycles) for outcome in outcomes}) == 1
    assert len({outcome.timing.whole for outcome in outcomes if outcome.timing}) > 1


def test_verify_finds_the_stall(stalling: type[Core]) -> None:
    result = verify(stalling.model_validate(SMALL.params()), random_count=60, seed=1)
    assert result.cycles_min == result.cycles_max
    told = [failure.what for failure in result.failures]
    assert any("port timing depends on data (operands coming in" in what for what in told)
    assert any("the last beat of X or of the modulus is taken after" in what for what in told)
    assert all("port timing" in what for what in told), told
    assert all(failure.command.startswith("montcore verify smm") for failure in result.failures)


def test_the_times_of_the_right_core_do_not_vary() -> None:
    rtl = RtlBuild.of_core(SMALL)
    rng = random.Random(8)
    products = []
    for top in (0, 1 << 63):
        m = rng.getrandbits(63) | 1 | top
        products += [Product(rng.randrange(m), rng.randrange(m), m, 64) for _ in range(10)]
    outcomes = Simulator(SMALL, rtl=rtl).run(products)
    times = {outcome.timing.whole for outcome in outcomes if outcome.timing is not None}
    assert len(times) == 1
    (one,) = times
    # Four beats of each operand and of the result, one a cycle, from the first offer on.
    assert one[:4] == (0, 3, 0, 3) and one[5] == one[4] + 3 and one[6] >= one[5]
    assert len({outcome.setup.whole for outcome in outcomes if outcome.setup}) == 1
