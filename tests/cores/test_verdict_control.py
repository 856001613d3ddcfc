# SPDX-License-Identifier: Apache-2.0
"""A verdict tells control one bit of a packet, after its last beat: proved on the netlists."""

from pathlib import Path
from typing import Any

import pytest
from mutants import STALL, mutated

from montcore.cores import get_core
from montcore.cores.smm import CORE
from montcore.prove.independence import VERDICTS, reaching_data
from montcore.prove.verdicts import (
    OPERANDS,
    Verdict,
    modulus_verdicts,
    port_verdicts,
    verdict_faults,
)
from montcore.support.errors import CheckFailedError

SMM = {"Length": 70, "WordBits": 32, "NumPe": 2, "Tech": 0}
LOADER, CONFIG = "montcore_loader.sv", "montcore_config.sv"
NOT_VALID = "control depends on a verdict that is not valid"


def array_verdicts(words: int) -> list[Verdict]:
    """Return the verdicts of the array of `mx`: they pass one stage for each word."""
    front = "g_array.u_array.u_front."
    stages = [f"{front}token_q==1&{front}code_q==0"]
    for word in range(words):
        valid = f"{front}valid_late_q[{word}:{word}]==1"
        stages.append(f"{valid}&{front}code_late_q[{3 * word + 2}:{3 * word}]==0")
    found = [Verdict(f"{front}{name}_below_q", words - 1, tuple(stages), OPERANDS) for name in "xy"]
    return modulus_verdicts("g_array.u_array.") + found


BUILDS: list[tuple[str, dict[str, str], int, list[Verdict]]] = [
    ("smm", {"npe": "2", "w": "32"}, 70, port_verdicts()),
    ("smm", {"npe": "8", "w": "32", "schedule": "paper"}, 256, port_verdicts()),
    ("karatsuba", {}, 70, port_verdicts()),
    ("dsp", {"alpha": "2"}, 70, port_verdicts("u_core.")),
    ("mx", {"w": "8"}, 21, port_verdicts("g_row.u_shell.u_front.")),
    ("mx", {"w": "8", "shape": "2d"}, 21, array_verdicts(3)),
    ("cs", {"w": "8"}, 21, port_verdicts("u_shell.u_front.")),
    ("op", {"w": "8"}, 21, port_verdicts("u_shell.u_front.")),
    ("cs4", {"w": "16"}, 21, port_verdicts("u_shell.u_front.")),
    ("rc", {"w": "8"}, 21, port_verdicts("u_shell.u_front.")),
]


@pytest.mark.parametrize(
    ("name", "settings", "bits", "verdicts"),
    BUILDS,
    ids=[f"{name} {' '.join(settings.values())}" for name, settings, _, _ in BUILDS],
)
def test_verdicts_are_valid_after_the_last_beat_only(
    name: str, settings: dict[str, str], bits: int, verdicts: list[Verdict]
) -> None:
    core = get_core(name)
    parameters = core.configure(settings, bits).sv_parameters()
    assert verdict_faults(core, parameters, verdicts) == []


def test_a_stall_through_a_verdict_register_is_found(tmp_path: Path) -> None:
    core = mutated(CORE, tmp_path, LOADER, STALL)
    # The cone of logic alone does not see it: the data goes through a register that is cut.
    assert reaching_data(core, SMM, VERDICTS) == []
    assert NOT_VALID in verdict_faults(core, SMM, port_verdicts())


MUTANTS = {
    "the verdict is shown from the first beat on": (
        LOADER,
        "bank_q[use_q] == BankFull && range_q[use_q]",
        "range_q[use_q]",
        NOT_VALID,
    ),
    "a bank is full when X ends, before Y does": (
        LOADER,
        "assign complete = joint && loaded_i && last_index && x_last_i && y_last_i;",
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
def test_each_obligation_finds_its_mutant(name: str, tmp_path: Path) -> None:
    file, old, new, told = MUTANTS[name]
    core = mutated(CORE, tmp_path, file, [(old, new)])
    assert reaching_data(core, SMM, VERDICTS) == []
    assert told in verdict_faults(core, SMM, port_verdicts())


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
def test_a_wrong_statement_about_a_verdict_is_refused(change: dict[str, Any], told: str) -> None:
    *others, first, second = port_verdicts()
    wrong = Verdict(**{**first.__dict__, **change})
    try:
        faults = verdict_faults(CORE, SMM, [*others, wrong, second])
    except CheckFailedError as error:
        faults = [str(error)]
    assert any(told in fault for fault in faults), faults
