# SPDX-License-Identifier: Apache-2.0
"""On the netlist, the exponentiator's control depends neither on base nor on exponent."""

from pathlib import Path

import pytest
from mutants import faulty

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import PRODUCT, Policy
from montcore_lab.proofs.independence import verdict_registers
from montcore_lab.proofs.modexp import control_knows, reaching_exponentiator

BUILDS = [
    ("dsp", 64, {"alpha": "3"}),
    ("mx", 40, {"w": "16"}),
    ("cs4", 40, {"w": "16"}),
    ("smm", 70, {"npe": "1"}),
    ("hr", 40, {"w": "16", "radix": "4"}),
]
BLIND = (Policy.CONSTANT, Policy.LADDER, PRODUCT)


def built(core: str, bits: int, settings: dict[str, str]) -> ExponentiatorDesign:
    found = get_core(core)
    return ExponentiatorDesign(found.configure(settings, bits))


@pytest.mark.parametrize("policy", BLIND)
@pytest.mark.parametrize(("core", "bits", "settings"), BUILDS, ids=[core for core, *_ in BUILDS])
@pytest.mark.one_in(15)
def test_control_does_not_depend_on_data(
    core: str, bits: int, settings: dict[str, str], policy: int
) -> None:
    design = built(core, bits, settings)
    # A lazy unit is a datapath without the core's front end.
    verdicts = () if design.core.lazy_unit() is not None else tuple(verdict_registers(design.core))
    assert reaching_exponentiator(design, policy, [control_knows(verdicts)]) == [[]]


def test_sliding_windows_show_the_exponent() -> None:
    (found,) = reaching_exponentiator(built(*BUILDS[0]), Policy.SLIDING, [control_knows()])
    assert "y_data_i" in found


@pytest.mark.nightly  # the sliding windows above are quicker to find
def test_the_data_is_found_where_a_cut_lets_it_through() -> None:
    known = control_knows()
    cuts = [[name for name in known if name != left_out] for left_out in known]
    found = reaching_exponentiator(built(*BUILDS[0]), Policy.CONSTANT, cuts)
    for left_out, inputs in zip(known, found, strict=True):
        assert inputs, f"{left_out} is cut but lets nothing through"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Before the last beat, by a bit of the base and by a later verdict.
        ("x_ready_o = state_i == StOperands", "x_ready_o = !x_data_i[3] && state_i == StOperands"),
        ("y_ready_o = !y_done_q", "y_ready_o = !e_nonzero_q && !y_done_q"),
        # The sign of the comparison, after it was a verdict.
        ("y_ready_o = !y_done_q", "y_ready_o = !below_i && !y_done_q"),
    ],
    ids=["the base stalls its stream", "a part of a verdict stalls", "the sign stalls"],
)
@pytest.mark.nightly  # that data is found at all, the sliding windows above show in every run
def test_a_stall_by_data_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str
) -> None:
    design = built(*BUILDS[0])
    build = faulty(tmp_path, design.build(), "montcore_modexp_packets", old, new)
    monkeypatch.setattr(ExponentiatorDesign, "build", lambda self: build)
    (found,) = reaching_exponentiator(design, Policy.CONSTANT, [control_knows()])
    assert found
