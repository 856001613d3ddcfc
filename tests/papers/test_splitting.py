# SPDX-License-Identifier: Apache-2.0
"""The multiplier in one to four parts for comparison with Table 2 of karatsuba-2018."""

from pathlib import Path

import pytest

from montcore.cores.karatsuba import Karatsuba
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import ToolError
from montcore.synth.yosys import run_yosys
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.karatsuba2018.splitting import KINDS, SOURCE, TARGETS, TOP, Splitting
from montcore_lab.papers.karatsuba2018.table import IntegerMultiplier
from montcore_lab.papers.ledger import Ledger


def prove(work: Path, bits: int, parts: int, source: Path = SOURCE) -> None:
    """Prove that the multiplier gives the product of every pair of factors."""
    specification = work / "specification.v"
    specification.write_text(
        f"module specification(input [{bits - 1}:0] x_i, y_i, output [{2 * bits - 1}:0] z_o);\n"
        "assign z_o = x_i * y_i;\nendmodule\n"
    )
    design = Design.of(TOP, (source,), {"Bits": bits, "Parts": parts})
    commands = [
        design.read_command(work),
        f"hierarchy -top {TOP}",
        "proc",
        "flatten",
        f"rename {TOP} implementation",
        f"read_verilog {specification}",
        "proc",
        "miter -equiv -flatten specification implementation both",
        "sat -verify -prove trigger 0 both",
    ]
    run_yosys(commands, work, "prove", DEFAULT_OPTIONS)


@pytest.mark.parametrize("parts", KINDS)
@pytest.mark.parametrize("bits", [5, 6])
def test_the_multiplier_in_parts_is_proved_at_small_sizes(
    tmp_path: Path, bits: int, parts: int
) -> None:
    prove(tmp_path, bits, parts)


def test_a_wrong_multiplier_in_parts_is_not_proved(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.sv"
    wrong.write_text(SOURCE.read_text().replace("<< ((k + j) * N)", "<< ((k + j + 1) * N)"))
    with pytest.raises(ToolError):
        prove(tmp_path, 5, 2, wrong)


#: By family, where another number of parts takes fewer blocks than four: size and that number.
FEWER = {"xc5v": {224: 2}, "xc7": {}}


@pytest.mark.parametrize("target", TARGETS)
def test_which_splitting_takes_the_fewest_dsp_blocks(target: str) -> None:
    figures = Ledger.load().figures()
    found = {parts: figures[Splitting(parts, target).command] for parts in KINDS}
    fewer = {}
    for bits in karatsuba2018.LENGTHS:
        blocks = {parts: figures[f"dsp_{bits}"] or 0 for parts, figures in found.items()}
        least = min(blocks.values())
        assert least > 0
        if blocks[4] > least:
            fewer[bits] = next(parts for parts in blocks if blocks[parts] == least)
    assert fewer == FEWER[target]


def test_by_its_own_table_four_parts_are_not_the_least_at_192_bits() -> None:
    table = karatsuba2018.TABLE_2
    kinds = ("two parts", "three parts", "four parts")
    least = [min(kinds, key=lambda kind: table[kind][at]) for at in range(5)]
    assert least == ["three parts", *["four parts"] * 4]


def test_the_integer_multiplier_has_the_parameters_that_it_is_built_with() -> None:
    # Slang silently accepts a parameter that a module does not have.
    files = {path.stem: path for path in Karatsuba.sources()}
    text = files[karatsuba2018.INTEGER_MULTIPLIER].read_text(encoding="utf-8")
    design = IntegerMultiplier(1, 192, "xc5v").design()
    assert design.top == "montcore_karatsuba_pass" and ("Part", 48) in design.parameters
    for name, _ in design.parameters:
        assert f"parameter int unsigned {name} " in text
