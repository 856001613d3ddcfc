# SPDX-License-Identifier: Apache-2.0
"""The crossing between a bus's clock and a clock of the accelerator's own, in Icarus."""

import re
from pathlib import Path

import pytest
from icarus import run_sources

from montcore.sim.build import RtlBuild
from montcore.soc.design import CROSSING_MODULES
from montcore.soc.registers import SOC_DIR
from montcore.support.paths import PREFIX, module_files

#: Periods of the core's clock in picoseconds; that of the bus has 10,000.
PERIODS = (2_630, 5_000, 9_974, 10_026, 20_200, 41_370)
#: The one in every run: the edges drift past each other.
QUICK = 10_026
#: A row of the table of hw/soc/README.md: period, fewest and most cycles, mean of many.
ROW = re.compile(r"\| ([\d.]+) \| (\d+)(?: to (\d+))? \| ([\d.]+) \|")


def _rows() -> dict[int, str]:
    """Return the page's figures for each period, in the bench's format."""
    text = (SOC_DIR / "README.md").read_text(encoding="utf-8")
    text = text.split("## A separate clock\n")[1].split("\n## ")[0]
    found = {}
    for period, fewest, most, mean in ROW.findall(text):
        nearest = min(PERIODS, key=lambda known: abs(known - 10_000 * float(period)))
        found[nearest] = f"{fewest} {most or fewest} {round(10 * float(mean))}"
    return found


@pytest.mark.nightly  # every run has the limits of every crossing in test_bundle_crossing.py
@pytest.mark.parametrize(
    "period",
    [
        pytest.param(period, marks=[] if period == QUICK else pytest.mark.nightly)
        for period in PERIODS
    ],
)
def test_crossing_between_clocks_of_any_periods(tmp_path: Path, period: int) -> None:
    files = tuple(module_files(CROSSING_MODULES))
    build = RtlBuild(f"{PREFIX}{CROSSING_MODULES[-1]}", files, {}, ports=())
    environment = {"CORE_PS": str(period), "CYCLES": _rows()[period]}
    run_sources(tmp_path, "soc_cdc", build, environment)


def test_the_page_says_what_each_period_costs() -> None:
    assert set(_rows()) == set(PERIODS)
