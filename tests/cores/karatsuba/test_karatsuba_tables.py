# SPDX-License-Identifier: Apache-2.0
"""The tables of karatsuba-2018: published figures, and our counterparts."""

import pytest

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.karatsuba2018.table import IntegerMultiplier


@pytest.mark.parametrize("rows", [karatsuba2018.TABLE_3, karatsuba2018.TABLE_4])
def test_every_target_depth_and_size_has_one_row(
    rows: tuple[karatsuba2018.KaratsubaRow, ...],
) -> None:
    keys = {(row.target, row.depth, row.bits) for row in rows}
    assert len(keys) == len(rows) == 3 * 2 * len(karatsuba2018.LENGTHS)


@pytest.mark.parametrize("rows", [karatsuba2018.TABLE_3, karatsuba2018.TABLE_4])
def test_the_settings_of_a_row_make_a_configuration_of_the_core(
    rows: tuple[karatsuba2018.KaratsubaRow, ...],
) -> None:
    for row in rows:
        config = Karatsuba.configure(row.settings, row.bits)
        assert (config.depth, config.schedule) == (row.depth, KaratsubaSchedule.PAPER)


def test_published_times_are_cycles_over_clock() -> None:
    """Two of the published times, so that a slip in copying columns would show."""
    found = karatsuba2018.row("xc6v", 1, 256)
    assert found is not None and round(1000 * found.cycles / found.mhz, 1) == 353.7
    deep = karatsuba2018.row("xc5v", 2, 512)
    assert deep is not None and round(1000 * deep.cycles / deep.mhz, 1) == 943.6


def test_the_integer_multiplier_is_what_the_core_builds() -> None:
    made = IntegerMultiplier(depth=1, bits=192, target="xc6v").design()
    assert made.top == "montcore_karatsuba_pass" and ("Part", 48) in made.parameters
