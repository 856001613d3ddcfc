# SPDX-License-Identifier: Apache-2.0
"""A verdict passes one bit of a packet to control, after its last beat: proved on the netlists."""

from pathlib import Path
from typing import Any

import pytest
from mutants import STALL, mutated

from montcore.cores import all_cores, get_core
from montcore.cores.contract import Verdict, port_verdicts
from montcore.cores.core import Core
from montcore.cores.smm import Smm
from montcore.support.errors import CheckFailedError
from montcore_lab.proofs.independence import reaching_data
from montcore_lab.proofs.verdicts import verdict_faults

CONFIGURED = Smm(bits=70, w=32, npe=2)
LOADER, CONFIG = "montcore_loader", "montcore_config"
NOT_VALID = "control depends on a verdict that is not valid"


BUILDS = [
    ("smm", {"npe": "2", "w": "32"}, 70),
    ("smm", {"npe": "8", "w": "32", "schedule": "paper"}, 256),
    ("mx", {"w": "8"}, 21),
    ("mx", {"w": "8", "shape": "2d"}, 21),
    ("cs", {"w": "8"}, 21),
    ("op", {"w": "8"}, 21),
    ("op", {"w": "8", "shape": "2d"}, 21),
    ("cs4", {"w": "16"}, 21),
    ("rc", {"w": "8"}, 21),
]


def subjects() -> list[Any]:
    """Return every core in its first usual configuration, and some builds of several words."""
    points = [core.points(70)[0] for core in all_cores().values()]
    points += [get_core(name).configure(settings, bits) for name, settings, bits in BUILDS]
    return [pytest.param(core, id=f"{core.name} {core.label()}") for core in dict.fromkeys(points)]


@pytest.mark.parametrize("core", subjects())
@pytest.mark.one_in(99)
def test_verdicts_are_valid_after_the_last_beat_only(core: Core) -> None:
    assert verdict_faults(core) == []


@pytest.mark.nightly  # test_port_timing.py finds a stall in every run
def test_a_stall_through_a_verdict_register_is_found(tmp_path: Path) -> None:
    core = mutated(Smm, tmp_path, LOADER, *STALL).model_validate(CONFIGURED.params())
    # The cone of logic alone does not find it: the data passes through a register that is cut.
    assert reaching_data(core) == []
    assert NOT_VALID in verdict_faults(core)


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


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.one_in(6)
def test_each_obligation_finds_its_mutant(name: str, tmp_path: Path) -> None:
    file, old, new, told = MUTANTS[name]
    core = mutated(Smm, tmp_path, file, (old, new)).model_validate(CONFIGURED.params())
    assert reaching_data(core) == []
    assert told in verdict_faults(core)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"stages": ("u_front.u_loader.bank_q[1:0]==0",)}, NOT_VALID),
        ({"stages": ("u_front.u_loader.x_below_q==1",)}, "x_data_i is behind a control output"),
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
