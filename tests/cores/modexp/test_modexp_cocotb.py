# SPDX-License-Identifier: Apache-2.0
"""The exponentiator under a second simulator, Icarus Verilog: powers, zeroize, residues."""

from pathlib import Path

import pytest
from core_styles import small_styles
from icarus import run_exponentiator
from mutants import faulty

from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.modexp.design import ExponentiatorDesign

nightly = pytest.mark.nightly


@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        pytest.param("dsp", 40, {"alpha": "2", "clocking": "double"}, marks=nightly),
        # Results in two vectors, in one beat and in several.
        pytest.param("mx", 24, {}, marks=nightly),
        pytest.param("mx", 40, {"w": "16"}, marks=nightly),
        # Flip-flop memories in every loop through the multiplier, on which Icarus could hang.
        pytest.param("smm", 64, {"w": "32", "npe": "2"}, marks=nightly),
        pytest.param("smm", 64, {"w": "16", "npe": "4"}, marks=nightly),
        pytest.param("dsp", 100, {"alpha": "2"}, marks=nightly),
        pytest.param("cs4", 40, {"w": "16"}, marks=nightly),
        ("smm", 40, {"w": "16", "npe": "1"}),
        pytest.param("hr", 32, {"w": "16", "radix": "4"}, marks=nightly),
    ],
    ids=[*("dsp", "mx-1-beat", "mx", "smm", "smm-4-lanes", "dsp-single", "cs4"), *("smm-16", "hr")],
)
def test_powers_take_their_products_and_leave_nothing(
    tmp_path: Path, core: str, bits: int, settings: dict[str, str]
) -> None:
    run_exponentiator(tmp_path, ExponentiatorDesign(get_core(core).configure(settings, bits)))


@nightly
@pytest.mark.parametrize(
    "core", list(small_styles()), ids=lambda core: f"{core.name} {core.label()}"
)
def test_every_style_of_every_core_leaves_nothing(tmp_path: Path, core: Core) -> None:
    run_exponentiator(tmp_path, ExponentiatorDesign(core))


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("montcore_modexp_store", "zeroize_i || wipe_i || reset_q", "zeroize_i || reset_q"),
        ("montcore_modexp_store", "sweep_store = clear_q &&", "sweep_store = clear_q && all_q &&"),
        ("montcore_modexp_sequence", "          swap_q        <= 1'b0;\n", ""),
    ],
    ids=["the multiplier", "the store", "a bit of the exponent"],
)
@pytest.mark.nightly  # a fault of the RTL, to test the bench above
def test_what_a_fault_leaves_is_found(tmp_path: Path, file: str, old: str, new: str) -> None:
    design = ExponentiatorDesign(get_core("dsp").configure({"alpha": "2"}, 40))
    rtl = faulty(tmp_path, design.build(), file, old, new)
    with pytest.raises(AssertionError, match="leaves"):
        run_exponentiator(tmp_path, design, rtl, "nothing_that_depends_on_secrets")
