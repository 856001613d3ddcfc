# SPDX-License-Identifier: Apache-2.0
"""On the netlist, the exponentiator's control depends neither on base nor on exponent."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from mutants import faulty

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import PRODUCT, Policy
from montcore_lab.proofs.modexp import exponentiator_faults, knowledge

BUILDS = {
    "cs4": ("cs4", 40, {"w": "16"}),
    "dsp": ("dsp", 64, {"alpha": "3"}),
    "mx": ("mx", 40, {"w": "16"}),
    "smm": ("smm", 70, {"npe": "1"}),
    "hr": ("hr", 40, {"w": "16", "radix": "4"}),
    "a pair": ("dsp", 72, {"alpha": "2"}),
    "2 slots": ("cs4", 40, {"w": "16"}),
}
#: What is built over the multiplier besides one exponentiator.
SEVERAL: dict[str, Any] = {"a pair": {"pair": True}, "2 slots": {"slots": 2}}
BLIND = (Policy.CONSTANT, Policy.LADDER, PRODUCT)


def built(name: str = "cs4") -> ExponentiatorDesign:
    core, bits, settings = BUILDS[name]
    row = get_core(core).configure(settings, bits)
    return ExponentiatorDesign(row, **SEVERAL.get(name, {}))


@pytest.mark.parametrize("policy", BLIND)
@pytest.mark.parametrize("name", BUILDS)
@pytest.mark.one_in(21)
def test_control_does_not_depend_on_data(name: str, policy: int) -> None:
    assert exponentiator_faults(built(name), policy) == []


def test_sliding_windows_show_the_exponent() -> None:
    assert exponentiator_faults(built(), Policy.SLIDING)


@pytest.mark.parametrize("kind", ["verdicts", "beats", "assumed"])
@pytest.mark.parametrize("name", ["dsp", "a pair", "2 slots"])
@pytest.mark.nightly  # that data is found, the mutants show in every run
def test_each_signal_that_control_may_know_is_needed(name: str, kind: str) -> None:
    design = built(name)
    known = getattr(knowledge(design), kind)
    for left_out in known:
        less = tuple(one for one in known if one != left_out)
        faults = exponentiator_faults(
            design, Policy.CONSTANT, replace(knowledge(design), **{kind: less})
        )
        assert faults, f"{left_out} is named but lets nothing through"


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        # Before the last beat, by a bit of the base and by a later verdict.
        ("packets", "x_ready_o = state_i", "x_ready_o = !x_data_i[3] && state_i"),
        ("packets", "y_ready_o = !y_done_q", "y_ready_o = !e_nonzero_q && !y_done_q"),
        # The sign of the comparison, after it was a verdict.
        ("packets", "y_ready_o = !y_done_q", "y_ready_o = !below_i && !y_done_q"),
        ("table", "AddrBits'(beat_q), half_q})", "AddrBits'(beat_q), digit_q[Window-1:1]})"),
        (
            "packets",
            "factor_q) x_bad_q <= !below_i;",
            "factor_q) x_bad_q <= !below_i;\n      if (x_beat && x_data_i[15:0] == 16'hbeef) "
            "e_length_q <= e_length_q - 1'b1;",
        ),
        ("sequence", "!begun_q && moved_last;", "!begun_q && moved_last && digit_o != '0;"),
    ],
    ids=[
        *("the base stalls", "a part of a verdict stalls", "the sign stalls"),
        *("the digit's address", "a word of the base changes the length", "a zero is skipped"),
    ],
)
def test_control_by_data_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: str, old: str, new: str
) -> None:
    design = built()
    build = faulty(tmp_path, design.build(), f"montcore_modexp_{file}", old, new)
    monkeypatch.setattr(ExponentiatorDesign, "build", lambda self: build)
    assert exponentiator_faults(design, Policy.CONSTANT)
