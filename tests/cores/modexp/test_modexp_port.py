# SPDX-License-Identifier: Apache-2.0
"""The exponentiator's port with pauses, wrong packets, zeroize and reset at any moment."""

import pytest
from modexp_port import Port, directed_suite

from montcore.cores import get_core
from montcore.modexp.design import ExponentiatorDesign

nightly = pytest.mark.nightly


@pytest.mark.parametrize(
    ("core", "bits", "settings"),
    [
        ("dsp", 40, {"alpha": "2"}),
        ("cs4", 40, {"w": "16"}),
        ("mx", 40, {"w": "16"}),
        ("mx", 24, {"w": "32", "shape": "2d"}),
        pytest.param("dsp", 100, {"alpha": "2", "clocking": "double"}, marks=nightly),
        pytest.param("smm", 50, {"w": "16", "npe": "1"}, marks=nightly),
        pytest.param("karatsuba", 192, {}, marks=nightly),
    ],
)
@pytest.mark.one_in(4)
def test_port_keeps_its_rules(core: str, bits: int, settings: dict[str, str]) -> None:
    found = get_core(core)
    port = Port(ExponentiatorDesign(found.configure(settings, bits)))
    directed_suite(port, moments=1200, step=3)
    # Both kinds of power and the product, each at the requested lengths.
    assert len(port.cycles) > 10
