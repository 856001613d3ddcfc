# SPDX-License-Identifier: Apache-2.0
"""The tables of measured figures in the datasheets: every figure from a ledger."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from montcore.cli import main as cli
from montcore.cores import all_cores
from montcore.maintain import datasheets, overview, ranking
from montcore.papers.ledger import Ledger, Measurement
from montcore.papers.registry import all_papers
from montcore.papers.subject import PointSubject, Subject
from montcore.support.errors import CheckFailedError

DATASHEETS = ["maintain", "datasheets"]
CELLS: dict[str, float | int | None] = {
    **{"cycles": 552, "interval": 514, "ge": 49_000.0, "ge_memory": 11_000.0, "tmin_ns": 2.5},
    **{"ff": 4700, "energy_nj": 300.0, "core_cycles": 550},
}
TABLES: dict[str, float | int | None] = {
    **{"cycles": 144, "interval": 130, "lut": 3542, "ff": 1471, "dsp": 5, "bram": 2},
    **{"fmax_mhz": 161.25, "core_cycles": 142},
}


def entered(subject: PointSubject, figures: dict[str, float | int | None]) -> Measurement:
    """Return made-up figures of a point, with current digests."""
    return Measurement(dict(figures), subject.digest(), "2026-01-01", subject.flow_digest())


@pytest.fixture
def sheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The datasheet of cs4, without figures; the ledgers are empty, and no other core has one."""
    path = tmp_path / "hw" / "cs4" / "README.md"
    path.parent.mkdir(parents=True)
    path.write_text("\n".join(["before", *datasheets.MARKS, "after", ""]))
    monkeypatch.setattr(datasheets, "REPO_ROOT", tmp_path)
    monkeypatch.setattr(datasheets, "sheets", lambda: {"cs4": path})
    monkeypatch.setattr(datasheets, "PATH", tmp_path / "datasheets.json")
    monkeypatch.setattr(overview, "PATH", tmp_path / "cores.json")
    monkeypatch.setattr(ranking, "PATH", tmp_path / "ranking.json")
    monkeypatch.setattr("montcore.papers.run.subjects_of", lambda _: [])
    return path


def of_cs4(target: str, bits: int) -> overview.CoreSubject:
    """Return the point of the default parameters of cs4."""
    [found] = [
        subject
        for subject in datasheets.subjects()
        if (subject.core, subject.target, subject.bits) == ("cs4", target, bits)
        and not subject.settings
    ]
    return found


def rows_of(text: str) -> list[list[str]]:
    """Return the cells of the rows below the headings of a page's tables."""
    lines = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("|")]
    return [line for line in lines if line[0] != "parameters" and not line[0].startswith("---")]


def test_the_committed_datasheets_say_what_was_measured_and_mark_what_is_out_of_date() -> None:
    assert datasheets.mismatches() == []


def test_every_core_has_a_datasheet_with_its_points() -> None:
    assert datasheets.sheets().keys() == all_cores().keys() == datasheets.found().keys()
    wanted = [point for core in all_cores().values() for point in core.datasheet_points]
    commands = {subject.command for subject in datasheets.subjects()}
    assert len(commands) == len(wanted) + len(datasheets.FPGA_POINTS)
    assert {subject.core for subject in datasheets.subjects()} == set(all_cores())


def test_a_point_stands_once_and_not_beside_a_table_of_a_paper_that_has_it() -> None:
    in_papers = {
        (table.datasheet, row.subject.command)
        for paper in all_papers().values()
        for table in paper.tables
        for row in table.rows
        if row.subject is not None
    }
    shown = set()
    for core, points in datasheets.found().items():
        for point in points:
            entry = point.entry
            key = (entry.label, entry.bits, entry.target, entry.wires)
            assert key not in shown
            shown.add(key)
            if entry.target != datasheets.GATES and entry.bits != overview.BITS:
                assert (datasheets.sheets()[core], point.command) not in in_papers
    # A row of cs in the table of its paper is in the datasheet of mx, so that of cs has it too.
    assert any(point.entry.target == "xc2v" for point in datasheets.found()["cs"])
    assert all(point.entry.target != "xc2v" for point in datasheets.found()["mx"])


def test_tables_are_what_the_ledgers_say_and_nothing_else(sheet: Path) -> None:
    cells, tables = of_cs4("osu018", 1024), of_cs4("ecp5", 256)
    ledger = Ledger(datasheets.PATH)
    ledger.entries = {
        cells.command: entered(cells, CELLS),
        tables.command: entered(tables, TABLES),
    }
    ledger.save()
    [placed] = [subject for subject in ranking.subjects() if subject.core == "cs4"]
    wired = Ledger(ranking.PATH)
    more = {"tmin_ns_no_wires": 2.25, "tmin_in_ns": 1.0, "tmin_out_ns": 1.0}
    more |= {"ge_flops": 20_000.0, "tmin_flops_ns": 4.0}
    figures: dict[str, float | int | None] = {
        **CELLS,
        **more,
        "cycles": 100,
        "interval": 50,
        "ge_memory": 1000.0,
    }
    wired.entries = {placed.command: entered(placed, figures)}
    wired.save()
    assert datasheets.mismatches()[0].startswith("hw/cs4/README.md is not what the ledgers say")
    datasheets.write()
    assert datasheets.mismatches() == []
    text = sheet.read_text()
    assert text.startswith("before\n") and text.endswith("after\n")
    # (49 + 11) kGE x 2.5 ns x 552; with wires (49 + 1) x 2.5 x 100, as flip-flops 20 x 4 x 100.
    assert rows_of(text) == [
        ["w=32", "1024", "macros", "no", *("49.0", "11.0", "2.50", "552", "514", "82.80", "77.10")],
        ["w=32", "256", "macros", "yes", *("49.0", "1.0", "2.50", "100", "50", "12.50", "6.25")],
        ["w=32", "256", "flip-flops", "yes", *("20.0", "0.0", "4.00", "100", "50", "8.00", "4.00")],
        ["w=32", "256", "ecp5", "3,542", "1,471", "5", "2", "161.2"],
    ]
    assert "`montcore synth cs4 --bits 1024 --target osu018 --wires none`" in text
    assert "(../../docs/measuring.md)" in text and "†" not in text
    sheet.write_text("no marks")
    with pytest.raises(CheckFailedError, match="lacks the marks"):
        datasheets.write()


def test_a_core_without_figures_has_the_command_that_measures_them(sheet: Path) -> None:
    datasheets.write()
    text = sheet.read_text()
    assert rows_of(text) == [] and "Not measured: `montcore maintain datasheets`." in text


def test_figure_goes_stale_with_its_sources_and_is_marked(sheet: Path) -> None:
    subject = of_cs4("ecp5", 256)
    ledger = Ledger(datasheets.PATH)
    without = {**TABLES, "fmax_mhz": None}
    ledger.entries = {subject.command: replace(entered(subject, without), digest="0")}
    ledger.save()
    datasheets.write()
    text = sheet.read_text()
    assert rows_of(text) == [["w=32 †", "256", "ecp5", "3,542", "1,471", "5", "2", "-"]]
    assert "† Measured on earlier sources" in text
    said = datasheets.complaints(ledger)
    assert f"measured with earlier sources: {subject.command}" in said
    assert f"not measured: {of_cs4('osu018', 64).command}" in said
    ledger.entries["montcore synth of nothing"] = ledger.entries[subject.command]
    ledger.save()
    assert datasheets.mismatches() == ["in the ledger, but in no table: montcore synth of nothing"]


def test_run_measures_only_what_is_due_and_check_measures_nothing(
    sheet: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []

    def measured(book: Ledger, lacking: Sequence[Subject], done: Any, _workers: int) -> int:
        for item in lacking:
            assert isinstance(item, PointSubject)
            asked.append(item.command)
            book.entries[item.command] = entered(
                item, CELLS if item.target == datasheets.GATES else TABLES
            )
            book.save()
            done(item, "")
        return 0

    monkeypatch.setattr("montcore.papers.run.measure", measured)
    only = ["--only", "cs4 --bits 1024 --target xc2v"]
    assert cli.run([*DATASHEETS, *only]) == 0
    assert asked == ["montcore synth cs4 --bits 1024 --target xc2v"]
    assert len(rows_of(sheet.read_text())) == 1
    assert cli.run([*DATASHEETS, "--check"]) == 1 and len(asked) == 1
    assert "not measured: montcore synth cs4 --bits 64" in capsys.readouterr().out
    assert cli.run(DATASHEETS) == 0
    assert sorted(asked) == sorted(subject.command for subject in datasheets.subjects())
    assert cli.run([*DATASHEETS, "--check"]) == 0 and cli.run(DATASHEETS) == 0
    assert len(asked) == len(datasheets.subjects())
    good = sheet.read_text()
    sheet.write_text(good.replace("| 2.50 |", "| 2.40 |", 1))
    assert cli.run([*DATASHEETS, "--check"]) == 1
    assert cli.run([*DATASHEETS, "--write"]) == 0 and sheet.read_text() == good


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--check", "--again"], "measure nothing"),
        (["--write", "--only", "cs4"], "measure nothing"),
        (["--check", "--write"], "writes nothing"),
        (["--only", "nosuchcore"], "no measurement has 'nosuchcore' in its command"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.run([*DATASHEETS, *words]) == 2
    assert said in capsys.readouterr().err
