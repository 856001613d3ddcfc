# SPDX-License-Identifier: Apache-2.0
"""The exponentiator under a second simulator, Icarus Verilog: its products, and zeroize."""

import json
from pathlib import Path

import pytest
from icarus import run_sources

from montcore.cores import get_core
from montcore.modexp.design import Design


@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        ("dsp", 40, {"alpha": "2", "clocking": "double"}),
        ("mx", 24, {}),
        # Flip-flop memories in each ring through the multiplier: where Icarus once stood still.
        ("smm", 64, {"w": "32", "npe": "2"}),
        pytest.param("smm", 64, {"w": "16", "npe": "4"}, marks=pytest.mark.nightly),
        pytest.param("dsp", 100, {"alpha": "2"}, marks=pytest.mark.nightly),
    ],
    ids=["dsp", "mx", "smm", "smm-4-lanes", "dsp-single"],
)
def test_products_and_powers_are_as_in_the_model(
    tmp_path: Path, core: str, bits: int, settings: dict[str, str]
) -> None:
    found = get_core(core)
    built = Design(found, found.configure(settings, bits))
    environment = {"MONTCORE_BENCH_DESIGN": json.dumps([core, bits, settings])}
    run_sources(tmp_path, "modexp_internal", built.build(), environment)
