# SPDX-License-Identifier: Apache-2.0
"""`smm` with few DSP blocks: words of 16 bits, several rows, one block for each element."""

import random
from pathlib import Path

import pytest
from mapping import FAMILIES, resources
from products import check, dense_modulus
from test_smm_rtl import simulator

from montcore.cores.smm import Smm
from montcore.sim.types import Product
from montcore.synth.design import Design

WORD = 16
BLOCKS = 4

#: Block cycles, blocks times cycles of latency, by width.
BLOCK_CYCLES = {256: 536, 384: 1176, 521: 2400, 1024: 8216}


@pytest.mark.parametrize("bits", BLOCK_CYCLES)
@pytest.mark.nightly  # every run has rows of 4-bit words, with their cycles, in test_smm_rtl.py
def test_four_blocks_are_busy_in_nine_of_ten_cycles(bits: int) -> None:
    """At least 90 % of the block cycles are for the 2 n^2 + n word products of n words."""
    config = Smm(bits=bits, npe=BLOCKS, w=WORD)
    sim, rng = simulator(config), random.Random(bits)
    m = dense_modulus(rng, bits)
    products = [Product(rng.randrange(m), rng.randrange(m), m, bits) for _ in range(3)]
    check(sim, config, products)
    (outcome,) = sim.run(products[:1], "single")
    assert BLOCKS * outcome.cycles == BLOCK_CYCLES[bits]
    words = config.words(bits)
    assert (2 * words**2 + words) / (BLOCKS * outcome.cycles) > 0.9


@pytest.mark.nightly  # with fewer bits, and so rows, the digits have a multiplier of their own
def test_the_netlist_has_one_block_for_each_element(tmp_path: Path) -> None:
    """With four rows: the quotient digits need no multiplier of their own."""
    core = Smm(bits=256, npe=BLOCKS, w=WORD)
    technology = FAMILIES["xc7"].technology
    design = Design.of(
        core.top,
        core.sources(),
        core.sv_parameters(technology),
        choices=core.flow_choices(technology),
    )
    assert resources(design, "xc7", tmp_path).dsp == BLOCKS
