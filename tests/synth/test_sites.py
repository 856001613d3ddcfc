# SPDX-License-Identifier: Apache-2.0
"""Fixed places of DSP blocks."""

import json
from pathlib import Path

import pytest

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.synth.fpga.ecp5 import ECP5, SITES, fix_blocks, rows_of
from montcore.synth.process import ToolError

KIND = "MULT18X18D"
ROWS = (("s0", "s1", "s2", "s3"), ("t0", "t1"))


def netlist(folder: Path, names: list[str]) -> Path:
    """Write a netlist of blocks, and a cell of another type."""
    cells = {name: {"type": KIND, "attributes": {}} for name in names}
    cells["a.other"] = {"type": "LUT4", "attributes": {}}
    path = folder / "netlist.json"
    path.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    return path


def places(path: Path) -> dict[str, str | None]:
    """Return the place of each cell."""
    cells = json.loads(path.read_text())["modules"]["top"]["cells"]
    return {name: cell["attributes"].get("BEL") for name, cell in cells.items()}


def test_each_row_of_blocks_is_in_the_middle_of_a_row_of_the_device(tmp_path: Path) -> None:
    path = netlist(tmp_path, ["core.a.mult", "core.b.mult", "core.c.mult", "core.d.mult"])
    fix_blocks(path, "top", rows_of("b. a.;c."), ROWS)
    assert places(path) == {
        "core.a.mult": "s2",
        "core.b.mult": "s1",
        "core.c.mult": "t0",
        "core.d.mult": None,
        "a.other": None,
    }


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("core.;x.", "core. is in the names of 3 blocks"),
        (";x.", "x. is in the names of 0 blocks"),
        ("a.;a. b. c.", "3 blocks do not fit into a row of 2"),
    ],
)
def test_blocks_that_cannot_be_placed_are_refused(tmp_path: Path, choice: str, reason: str) -> None:
    path = netlist(tmp_path, ["core.a.mult", "core.b.mult", "core.c.mult"])
    with pytest.raises(ToolError, match=reason):
        fix_blocks(path, "top", rows_of(choice), ROWS)


def test_the_blocks_of_the_staged_datapath_fit_the_device() -> None:
    """All 90 of them, in three rows; other schedules and depths leave the places to nextpnr."""
    assert [len(row) for row in SITES] == [52, 52, 52]
    assert len({site for row in SITES for site in row}) == 156
    config = Karatsuba(bits=192, schedule=KaratsubaSchedule.PAPER)
    rows = rows_of(config.flow_choices(ECP5.technology)["blocks"])
    assert [len(row) for row in rows] == [27, 36, 27]
    assert len({part for row in rows for part in row}) == 90
    for other in (
        Karatsuba(bits=192),
        Karatsuba(bits=192, schedule=KaratsubaSchedule.PAPER, depth=2),
        Karatsuba(bits=213, schedule=KaratsubaSchedule.PAPER),
    ):
        assert "blocks" not in Karatsuba.flow_choices(other, ECP5.technology)
