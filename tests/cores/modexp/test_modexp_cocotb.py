# SPDX-License-Identifier: Apache-2.0
"""The exponentiator under a second simulator, Icarus Verilog: products, zeroize, residues."""

import json
from pathlib import Path

import pytest
from core_styles import small_styles
from icarus import run_sources
from mutants import faulty

from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.modexp.design import ExponentiatorDesign
from montcore.sim.build import RtlBuild

nightly = pytest.mark.nightly


def run_bench(folder: Path, build: RtlBuild, design: list[object], only: str = "") -> None:
    """Run the tests of modexp_internal, or the one with a name, on a build."""
    environment = {"MONTCORE_BENCH_DESIGN": json.dumps(design)}
    if only:
        environment["COCOTB_TEST_FILTER"] = only
    run_sources(folder, "modexp_internal", build, environment)


@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        pytest.param("dsp", 40, {"alpha": "2", "clocking": "double"}, marks=nightly),
        # Results in two vectors, in one beat and in several.
        pytest.param("mx", 24, {}, marks=nightly),
        pytest.param("mx", 40, {"w": "16"}, marks=nightly),
        # Flip-flop memories in every loop through the multiplier, on which Icarus could hang.
        ("smm", 64, {"w": "32", "npe": "2"}),
        pytest.param("smm", 64, {"w": "16", "npe": "4"}, marks=nightly),
        pytest.param("dsp", 100, {"alpha": "2"}, marks=nightly),
        pytest.param("cs4", 40, {"w": "16"}, marks=nightly),
        pytest.param("smm", 40, {"w": "16", "npe": "1"}, marks=nightly),
        pytest.param("hr", 32, {"w": "16", "radix": "4"}, marks=nightly),
    ],
    ids=[
        *("dsp", "mx-1-beat", "mx", "smm", "smm-4-lanes", "dsp-single", "cs4"),
        *("smm-16", "hr"),
    ],
)
def test_products_and_powers_are_as_in_the_model(
    tmp_path: Path, core: str, bits: int, settings: dict[str, str]
) -> None:
    found = get_core(core)
    built = ExponentiatorDesign(found.configure(settings, bits))
    run_bench(tmp_path, built.build(), [core, bits, settings])


@nightly
@pytest.mark.parametrize(
    "core", list(small_styles()), ids=lambda core: f"{core.name} {core.label()}"
)
def test_every_style_of_every_core_is_as_in_the_model(tmp_path: Path, core: Core) -> None:
    settings = {name: str(value) for name, value in core.settings().items()}
    run_bench(tmp_path, ExponentiatorDesign(core).build(), [core.name, core.bits, settings])


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("montcore_modexp_store", "zeroize_i || wipe_i || reset_q", "zeroize_i || reset_q"),
        (
            "montcore_modexp_store",
            "sweep_store = clear_q &&",
            "sweep_store = clear_q && all_q &&",
        ),
        ("montcore_modexp_sequence", "          swap_q        <= 1'b0;\n", ""),
    ],
    ids=["the multiplier", "the store", "a bit of the exponent"],
)
@pytest.mark.nightly  # a fault of the RTL, to test the bench above
def test_what_a_fault_leaves_is_found(tmp_path: Path, file: str, old: str, new: str) -> None:
    core, settings = get_core("dsp"), {"alpha": "2"}
    build = ExponentiatorDesign(core.configure(settings, 40)).build()
    rtl = faulty(tmp_path, build, file, old, new)
    with pytest.raises(AssertionError, match="leaves"):
        only = "nothing_that_depends_on_secrets"
        run_bench(tmp_path, rtl, ["dsp", 40, settings], only)
