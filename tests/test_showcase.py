# SPDX-License-Identifier: Apache-2.0
"""The showcase computes its figures right, keeps the paper's numbers, and can be interrupted."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from montcore import showcase
from montcore.errors import CheckFailedError
from montcore.papers import smm2021
from montcore.plots import paper_kge_us


def row(npe: int) -> showcase.Row:
    """Return a row of figures that are easy to calculate with."""
    cycles = (60, 70, 80, 120, 170)
    return showcase.Row(npe, cycles, (50, 60, 70, 110, 160), cycles, 50_000, 2500, 3750, 5.0, 1.0)


def test_every_cell_of_the_papers_table_obeys_the_papers_formula() -> None:
    filled = 0
    for column in smm2021.COLUMNS:
        for length in smm2021.LENGTHS:
            m = -(-length // 32)
            r = -(-m // column.npe)
            found = column.cycles_at(length)
            if found is not None:
                assert found == 5 * r + 2 * m * r + 7
                filled += 1
    assert filled == 37


def test_the_papers_rates_follow_from_its_cycles() -> None:
    for column in smm2021.COLUMNS:
        cycles = column.cycles_at(256)
        assert cycles is not None
        assert column.millions_per_second == pytest.approx(100 / cycles, abs=0.011)


def test_rates_and_area_time_are_calculated_as_the_metrics_say() -> None:
    figures = row(4)
    assert figures.kge_us == pytest.approx(50 * 5e-3 * 80)
    assert figures.millions_per_second(10) == pytest.approx(100 / 70)
    assert figures.per_second_per_ge == pytest.approx(1 / (5e-9 * 70) / 50_000)
    assert paper_kge_us(4) == pytest.approx(91.0 * 49 * 9 / 1000)


def test_the_table_has_three_lines_for_each_npe_and_a_cell_for_each_column() -> None:
    header, lines = showcase.npe_table([row(1), row(8)])
    assert [line[0] for line in lines] == ["1", "", "", "8", "", ""]
    assert {len(line) for line in lines} == {len(header)}


def test_the_picture_is_the_same_for_the_same_figures(tmp_path: Path) -> None:
    rows = [row(npe) for npe in showcase.NPES]
    first = showcase.draw(rows, tmp_path / "a")
    second = showcase.draw(rows, tmp_path / "b")
    assert [path.suffix for path in first] == [".png", ".svg"]
    for one, other in zip(first, second, strict=True):
        assert one.read_bytes() == other.read_bytes()


def test_the_datasheets_block_is_replaced_and_nothing_else() -> None:
    page = f"before\n{showcase._MARKS[0]}\nold\n{showcase._MARKS[1]}\nafter\n"
    block = showcase.datasheet_block([row(2)])
    new = showcase.replace_block(page, block)
    assert new.startswith("before\n") and new.endswith("\nafter\n") and "old" not in new
    assert showcase.replace_block(new, block) == new
    with pytest.raises(CheckFailedError):
        showcase.replace_block("no marks", block)


def test_the_datasheet_has_a_place_for_the_measured_table() -> None:
    page = showcase.DATASHEET.read_text()
    assert showcase.replace_block(page, showcase.datasheet_block([row(1)])) != page


def test_ctrl_c_ends_the_measurement_and_its_workers(tmp_path: Path) -> None:
    code = (
        "import montcore.showcase as s, time, os, sys\n"
        "def slow(npe):\n"
        "    os.write(1, f'worker {os.getpid()}\\n'.encode())\n"
        "    time.sleep(60)\n"
        "s.measure = slow\n"
        "try:\n"
        "    s.measure_all((1, 2), print)\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(130)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    workers = [int(process.stdout.readline().split()[1]) for _ in range(2)]
    os.killpg(process.pid, signal.SIGINT)
    assert process.wait(timeout=20) == 130
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{pid}").exists() for pid in workers) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not [pid for pid in workers if Path(f"/proc/{pid}").exists()]
    process.stdout.close()
