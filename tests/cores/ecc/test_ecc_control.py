# SPDX-License-Identifier: Apache-2.0
"""On the netlist, the curve engine's control depends on no scalar, point or random number."""

from dataclasses import replace
from pathlib import Path

import pytest
from mutants import replaced

from montcore.cores import get_core
from montcore.ecc.design import EngineDesign
from montcore_lab.proofs.ecc import engine_faults, knowledge

BUILDS = [
    pytest.param("cs4", 40, {}, id="cs4"),
    pytest.param("karatsuba", 64, {}, id="karatsuba"),
    pytest.param("smm", 256, {"npe": "8"}, id="smm-256"),
]


def built(core: str = "smm", bits: int = 40) -> EngineDesign:
    return EngineDesign(get_core(core).configure({"npe": "1"} if core == "smm" else {}, bits))


@pytest.mark.nightly
@pytest.mark.parametrize(("core", "bits", "settings"), BUILDS)
def test_control_is_blind_over_other_cores_and_at_real_widths(
    core: str, bits: int, settings: dict[str, str]
) -> None:
    design = EngineDesign(get_core(core).configure(settings, bits))
    assert engine_faults(design) == []


def test_control_and_addresses_do_not_depend_on_numbers() -> None:
    assert engine_faults(built()) == []


@pytest.mark.parametrize("kind", ["beats", "assumed"])
@pytest.mark.nightly  # that data is found, the mutants show in every run
def test_each_signal_that_control_may_know_is_needed(kind: str) -> None:
    known = knowledge(built())
    for left_out in getattr(known, kind):
        less = tuple(one for one in getattr(known, kind) if one != left_out)
        faults = engine_faults(built(), replace(known, **{kind: less}))
        assert faults, f"{left_out} is named but lets nothing through"


MUTANTS = {
    "a look-up ends at the entry that is looked for": (
        "table",
        "whole = fetched_q && entry_r_q == '1",
        "whole = fetched_q && entry_r_q == index_q",
    ),
    "a look-up reads only the entry that is looked for": (
        "table",
        "step ? address(slot_q, row_q, entry_q)",
        "step ? address(slot_q, row_q, index_q)",
    ),
    "a swap waits where the ladder does not swap": (
        "sequence",
        "sum_free && not_read && !digits_i.busy;",
        "sum_free && not_read && !digits_i.busy && digits_i.swap;",
    ),
    "a scalar that is odd is not added to": (
        "scalar",
        "(adding && !to_second)",
        "(adding && !to_second && !odd_q[0])",
    ),
    "the stream of scalars waits for a bit of them": (
        "packets",
        "assign x_ready_o = state_q == StOperands",
        "assign x_ready_o = !x_data_i[3] && state_q == StOperands",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
@pytest.mark.one_in(5)
def test_control_by_data_is_found(name: str, tmp_path: Path) -> None:
    file, old, new = MUTANTS[name]
    design = built()
    sources = replaced(tmp_path, design.sources(), f"montcore_ecc_{file}", (old, new))
    assert engine_faults(design, sources=sources)
