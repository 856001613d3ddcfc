# SPDX-License-Identifier: Apache-2.0
"""On the netlist, the exponentiator's control depends neither on base nor on exponent."""

from pathlib import Path
from typing import Any

import pytest
from mutants import faulty

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import PRODUCT, Policy
from montcore_lab.proofs.modexp import control_knows, reaching_exponentiator

BUILDS = {
    "dsp": ("dsp", 64, {"alpha": "3"}),
    "mx": ("mx", 40, {"w": "16"}),
    "cs4": ("cs4", 40, {"w": "16"}),
    "smm": ("smm", 70, {"npe": "1"}),
    "hr": ("hr", 40, {"w": "16", "radix": "4"}),
    "a pair": ("dsp", 72, {"alpha": "2"}),
    "2 slots": ("cs4", 40, {"w": "16"}),
}
#: What is built over the multiplier besides one exponentiator.
SEVERAL: dict[str, Any] = {"a pair": {"pair": True}, "2 slots": {"slots": 2}}
BLIND = (Policy.CONSTANT, Policy.LADDER, PRODUCT)


def built(name: str = "dsp") -> ExponentiatorDesign:
    core, bits, settings = BUILDS[name]
    row = get_core(core).configure(settings, bits)
    return ExponentiatorDesign(row, **SEVERAL.get(name, {}))


@pytest.mark.parametrize("policy", BLIND)
@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.one_in(21)
def test_control_does_not_depend_on_data(name: str, policy: int) -> None:
    design = built(name)
    assert reaching_exponentiator(design, policy, [control_knows(design)]) == [[]]


def test_sliding_windows_show_the_exponent() -> None:
    design = built()
    (found,) = reaching_exponentiator(design, Policy.SLIDING, [control_knows(design)])
    assert "y_data_i" in found


@pytest.mark.nightly  # the sliding windows above are quicker to find
@pytest.mark.parametrize("name", ["dsp", "a pair", "2 slots"])
def test_the_data_is_found_where_a_cut_lets_it_through(name: str) -> None:
    design = built(name)
    known = control_knows(design)
    cuts = [[name for name in known if name != left_out] for left_out in known]
    found = reaching_exponentiator(design, Policy.CONSTANT, cuts)
    for left_out, inputs in zip(known, found, strict=True):
        assert inputs, f"{left_out} is cut but lets nothing through"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # Before the last beat, by a bit of the base and by a later verdict.
        ("packets", "x_ready_o = state_i", "x_ready_o = !x_data_i[3] && state_i"),
        ("packets", "y_ready_o = !y_done_q", "y_ready_o = !e_nonzero_q && !y_done_q"),
        # The sign of the comparison, after it was a verdict.
        ("packets", "y_ready_o = !y_done_q", "y_ready_o = !below_i && !y_done_q"),
        ("table", "AddrBits'(beat_q), half_q})", "AddrBits'(beat_q), digit_q[Window-1:1]})"),
    ],
    ids=["the base stalls", "a part of a verdict stalls", "the sign stalls", "the digit's address"],
)
@pytest.mark.nightly  # that data is found at all, the sliding windows above show in every run
def test_control_by_data_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str
) -> None:
    design = built()
    build = faulty(tmp_path, design.build(), f"montcore_modexp_{file}", old, new)
    monkeypatch.setattr(ExponentiatorDesign, "build", lambda self: build)
    (found,) = reaching_exponentiator(design, Policy.CONSTANT, [control_knows(design)])
    assert found
