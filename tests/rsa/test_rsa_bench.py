# SPDX-License-Identifier: Apache-2.0
"""The measured cycles of powers with a secret exponent."""

import pytest
from command_line import Tool
from rsa_tools import small_exponentiator, small_key

from montcore.rsa.operations import BLINDING_BITS
from montcore_lab.benches.rsa import power_cycles

#: The build that test_rsa.py uses too.
REQUEST = ("maintain", "measure", "rsa", "--set", "core=dsp", "--set", "alpha=6", "--size")


def test_blinded_exponents_cost_the_squares_and_products_of_their_bits() -> None:
    hardware, key = small_exponentiator(1024), small_key()
    with_blinding, without = (
        power_cycles(hardware, key, 1, crt=True, blind=blind) for blind in (True, False)
    )
    share = BLINDING_BITS / (key.n.bit_length() // 2)
    assert 0.5 * share < with_blinding / without - 1 < share
    two_rows = power_cycles(hardware, key, 2, crt=True, blind=True)
    assert two_rows == pytest.approx(with_blinding / 2, rel=0.05)


def test_the_verb_prints_all_steps(tool: Tool) -> None:
    """The sums are those of the steps; in a series n is loaded already."""
    out = tool(*REQUEST, "1024", "--steps")
    rows = [line.split("│")[1:4] for line in out.splitlines() if "│" in line]
    figures = {name.strip(): [cell.strip() for cell in cells] for name, *cells in rows}
    counts = {
        name: [int(cell.replace(",", "") or 0) for cell in cells]
        for name, cells in figures.items()
        if name != "relative to the powers"
    }
    last = list(counts).index("all but the powers")
    steps = list(counts.values())[:last]
    powers = [name for name in counts if name.startswith("power")]
    assert len(steps) == 7 and len(powers) == 2
    for column in range(2):
        whole, secret = sum(each[column] for each in steps), sum(counts[p][column] for p in powers)
        assert counts["all"][column] == whole
        assert counts["all but the powers"][column] == whole - secret
        share = float(figures["relative to the powers"][column].split()[0])
        assert share == pytest.approx(100 * (whole - secret) / secret, abs=0.06)
    assert counts["blinding"][0] > counts["blinding"][1]
    assert tool.run(*REQUEST, "100").status == 2


@pytest.mark.nightly  # every run has the other table, and the figures in the test before it
def test_the_verb_prints_both_methods(tool: Tool) -> None:
    out = tool(*REQUEST, "1024")
    assert "CRT" in out and "one power" in out
