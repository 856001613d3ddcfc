# SPDX-License-Identifier: Apache-2.0
"""The tables of karatsuba-2018: published figures, and the command that measures beside them."""

import pytest

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule
from montcore.papers import __main__ as tables
from montcore.papers import karatsuba2018
from montcore.synth.fpga import FpgaResult


@pytest.mark.parametrize("rows", [karatsuba2018.TABLE_3, karatsuba2018.TABLE_4])
def test_every_target_depth_and_size_has_one_row(rows: tuple[karatsuba2018.Row, ...]) -> None:
    keys = {(row.target, row.depth, row.bits) for row in rows}
    assert len(keys) == len(rows) == 3 * 2 * len(karatsuba2018.LENGTHS)


@pytest.mark.parametrize("rows", [karatsuba2018.TABLE_3, karatsuba2018.TABLE_4])
def test_the_settings_of_a_row_make_a_configuration_of_the_core(
    rows: tuple[karatsuba2018.Row, ...],
) -> None:
    for row in rows:
        config = CORE.configure(row.settings, row.bits)
        assert (config.depth, config.schedule) == (row.depth, Schedule.PAPER)


def test_published_times_are_cycles_over_clock() -> None:
    """Two of the published times, so that a slip in copying columns would show."""
    found = karatsuba2018.row("xc6v", 1, 256)
    assert found is not None and round(1000 * found.cycles / found.mhz, 1) == 353.7
    deep = karatsuba2018.row("xc5v", 2, 512)
    assert deep is not None and round(1000 * deep.cycles / deep.mhz, 1) == 943.6


def test_a_row_that_the_paper_has_not_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert tables.main(["--target", "xc6v", "--bits", "521", "--depth", "1"]) == 2
    assert "Table 4 has no row for xc6v, depth 1, 521 bits" in capsys.readouterr().err


def test_a_row_holds_both_figures(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[int, KaratsubaConfig, str]] = []

    def measure(table: int, config: KaratsubaConfig, target: str) -> FpgaResult:
        asked.append((table, config, target))
        return FpgaResult(lut=11, lut_ram=0, ff=22, dsp=33, bram=0, cells={})

    monkeypatch.setattr(tables, "measure", measure)
    assert tables.main(["--target", "xc7", "--bits", "512", "--depth", "2", "--table", "3"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    assert line == "| xc7 | DFP | 512 | 23703 | 11 | 8122 | 22 | 492 | 33 | 10 | 10 |"
    assert asked == [(3, KaratsubaConfig(bits=512, depth=2, schedule=Schedule.PAPER), "xc7")]


def test_the_integer_multiplier_is_what_the_core_builds() -> None:
    config = KaratsubaConfig(bits=192, schedule=Schedule.PAPER)
    made = tables.design(3, config, "xc6v")
    assert made.top == "karatsuba_pass" and ("Part", 48) in made.parameters
    whole = tables.design(4, config, "xc6v")
    assert whole.top == "karatsuba" and ("PaperSchedule", 1) in whole.parameters
