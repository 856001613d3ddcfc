# SPDX-License-Identifier: Apache-2.0
"""The README's table of cores: every figure from the ledger, with digests that go stale."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_compare import LARGE, SMALL, blocks

from montcore.cli import main as cli
from montcore.compare.pictures import area_time
from montcore.cores import all_cores
from montcore.maintain import overview, ranking
from montcore.maintain.site import figures
from montcore.papers.ledger import Ledger, Measurement
from montcore.papers.run import measure
from montcore.papers.subject import Subject
from montcore.support.markdown import replace_block
from montcore.synth import options

OVERVIEW = ["maintain", "overview"]
FIGURES: dict[str, dict[str, float | int | None]] = {
    "osu018": {"cycles": 144, "interval": 130, "ge": 15_400.0, "ge_memory": 3072.0, "lut": None}
    | {"memory_bits": 2048, "tmin_ns": 2.21, "energy_nj": 87.2, "core_cycles": 142},
    "xc7": {"cycles": 144, "interval": 130, "lut": 2687, "ff": 1430, "dsp": 0},
}


def entered(subject: Subject) -> Measurement:
    """Return made-up figures of a point, with current digests."""
    assert isinstance(subject, overview.CoreSubject)
    return Measurement(
        dict(FIGURES[subject.target]), subject.digest(), "2026-01-01", subject.flow_digest()
    )


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger with every point of the table."""
    made = Ledger(tmp_path / "cores.json")
    made.entries = {subject.command: entered(subject) for subject in overview.subjects()}
    made.save()
    return made


@pytest.fixture
def readme(ledger: Ledger, tmp_path: Path) -> Path:
    """A page whose table is that of the ledger."""
    path = tmp_path / "cores.md"
    path.write_text("\n".join(["before", *overview.MARKS, "after", ""]))
    path.write_text(overview.page(ledger, path.read_text()))
    return path


def test_the_committed_table_says_what_was_measured_and_marks_what_is_out_of_date() -> None:
    assert overview.mismatches(Ledger.load(overview.PATH)) == []


def test_table_has_a_line_for_each_configuration_and_dashes_for_what_failed() -> None:
    fpga = [replace(blocks("smm", n, 1800, 7, 128), interval=None) for n in (1, 8)]
    broken = replace(SMALL, status="failed", ge=None, tmin_ns=None)
    lines = overview.table([fpga[1], LARGE, broken, fpga[0]])
    assert [line[1] for line in lines] == ["n=8", "n=1"]
    assert all(len(line) == len(overview.HEADER) for line in lines)
    # The latency of the port, 23, not the datapath's 22; 80.1 kGE with memory x 4 ns x 23.
    assert lines[0][2:] == ["23", "16", "80.0", "0.1", "4.00", "7.4", "5.1", "80", "1800", "7"]
    assert lines[1][4] == "-" and lines[1][10] == "1800"
    page = "\n".join(["before", *overview.MARKS, "after"])
    text = replace_block(page, overview.block(lines), overview.MARKS)
    assert text.startswith("before\n") and text.endswith("\nafter") and "| n=8 |" in text
    assert "core cycles" not in text


def test_every_core_stands_in_the_table_on_both_targets() -> None:
    found = overview.subjects()
    assert {subject.core for subject in found} == set(all_cores())
    assert len({subject.command for subject in found}) == len(found)
    for target in overview.TARGETS:
        assert sum(subject.target == target for subject in found) == len(found) / 2


def test_table_is_what_the_ledger_says_and_nothing_else(ledger: Ledger, readme: Path) -> None:
    assert overview.complaints(ledger, readme) == []
    figures = "w=32 | 144 | 130 | 15.4 | 3.1 | 2.21 | 5.9 | 5.3 | 87 |"
    line = f"| [cs4](../hw/rows/cs4/README.md) | {figures}"
    text = readme.read_text()
    assert f"{line} 2687 | 0 |" in text and text.startswith("before\n")
    readme.write_text(text.replace("| 144 | 130 | 15.4 |", "| 144 | 130 | 15.3 |", 1))
    assert overview.complaints(ledger, readme) == [
        "the table of cores.md is not what cores.json says"
    ]


def test_figure_goes_stale_with_its_sources_and_with_its_flow(
    ledger: Ledger, readme: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (subject,) = [s for s in overview.subjects() if s.core == "cs4" and s.target == "xc7"]
    good = ledger.entries[subject.command]
    for changed, words in (
        (replace(good, digest="0"), "measured with earlier sources: montcore synth"),
        (replace(good, flow="0"), "measured with an earlier flow: montcore synth"),
    ):
        ledger.entries[subject.command] = changed
        said, unmarked = overview.complaints(ledger, readme)
        assert said.startswith(words) and subject.command in said
        assert unmarked == "the table of cores.md is not what cores.json says"
        marked = overview.page(ledger, readme.read_text())
        assert "| w=32 † | 144 | 130 |" in marked and "† Measured on earlier sources" in marked
    del ledger.entries[subject.command]
    assert overview.complaints(ledger, readme)[0] == f"not measured: {subject.command}"
    assert "†" not in readme.read_text()
    ledger.entries[subject.command] = good
    monkeypatch.setattr(options, "GE_PER_MEMORY_BIT", 2.0)
    *stale, _ = overview.complaints(ledger, readme)
    assert stale and all(
        line.endswith("osu018 --wires none") and "earlier flow" in line for line in stale
    )


def test_run_measures_only_what_is_stale_and_check_measures_nothing(
    ledger: Ledger,
    readme: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (subject,) = [s for s in overview.subjects() if s.core == "cs4" and s.target == "xc7"]
    good = ledger.entries[subject.command]
    ledger.entries[subject.command] = replace(good, figures={**good.figures, "lut": 1}, digest="0")
    ledger.save()
    asked: list[Subject] = []

    def measured(book: Ledger, lacking: Sequence[Subject], done: Any, _workers: int) -> int:
        for item in lacking:
            asked.append(item)
            book.entries[item.command] = entered(item)
            book.save()
            done(item, "")
        return 0

    monkeypatch.setattr("montcore.papers.run.measure", measured)
    monkeypatch.setattr(overview, "PATH", ledger.path)
    monkeypatch.setattr(overview, "PAGE", readme)
    # The default of `complaints` is the committed page: here it is the one of this test.
    monkeypatch.setattr(overview.complaints, "__defaults__", (readme,))
    assert cli.run([*OVERVIEW, "--check"]) == 1 and not asked
    assert "measured with earlier sources" in capsys.readouterr().out
    assert cli.run(OVERVIEW) == 0 and asked == [subject]
    assert "1 of 1: montcore synth cs4" in capsys.readouterr().err
    assert "| 2687 |" in readme.read_text()
    assert cli.run([*OVERVIEW, "--check"]) == 0 and cli.run(OVERVIEW) == 0 and asked == [subject]


@pytest.mark.nightly  # test_papers.py measures such a point in `make test`
def test_point_is_measured_with_what_the_table_needs(own_results: Path, tmp_path: Path) -> None:
    subject = overview.CoreSubject("rc", (("w", "8"),), 16, "xc7")
    book = Ledger(tmp_path / "cores.json")
    assert measure(book, [subject], lambda _, problem: None, 1) == 0
    figures = Ledger.load(book.path).entries[subject.command].figures
    assert figures["lut"] and figures["cycles"] and figures["energy_nj"] is None
    assert subject.entry(book).figures()["cycles"] == figures["cycles"]


PLACED_FIGURES: dict[str, float | int | None] = {
    **{"cycles": 144, "interval": 130, "ge": 15_000.0, "ge_memory": 3000.0, "tmin_ns": 2.5},
    **{"tmin_ns_no_wires": 2.25, "tmin_in_ns": 1.0, "tmin_out_ns": 1.0, "energy_nj": 128.0},
    **{"ge_flops": 28_000.0, "tmin_flops_ns": 2.0},
}


def placed(subject: ranking.PlacedSubject, **changed: float | None) -> Measurement:
    """Return made-up figures of a placed core, with current digests."""
    figures = {**PLACED_FIGURES, **changed}
    return Measurement(figures, subject.digest(), "2026-01-01", subject.flow_digest())


def test_the_committed_ranking_says_what_was_measured() -> None:
    assert ranking.mismatches(Ledger.load(ranking.PATH)) == []


def test_ranking_is_in_the_order_of_area_and_time_with_dashes_for_what_is_not_measured(
    tmp_path: Path,
) -> None:
    ledger = Ledger(tmp_path / "ranking.json")
    every = ranking.subjects()
    assert {subject.core for subject in every} == set(all_cores())
    for subject in every:
        if subject.core == "cs4":
            ledger.entries[subject.command] = placed(subject)
        if subject.core == "rc":
            changed = {"ge_flops": 20_000.0, "tmin_flops_ns": 2.25, "energy_nj": None}
            ledger.entries[subject.command] = placed(subject, tmin_ns=5.0, **changed)
    lines = ranking.table(ledger, frozenset())
    # 18 kGE x 2.5 ns x 144 cycles; 28 kGE x 2 ns x 144.
    cs4 = ["15.0", "3.0", "2.50", "2.25", "6.5", "5.9", "128", "28.0", "2.00", "8.1", "7.3"]
    rc = ["15.0", "3.0", "5.00", "2.25", "13.0", "11.7", "-", "20.0", "2.25", "6.5", "5.9"]
    assert [line[0].partition("]")[0] for line in lines[:2]] == ["[cs4", "[rc"]
    assert lines[0][2:] == cs4 and lines[1][2:] == rc
    assert all(line[2:] == ["-"] * 11 for line in lines[2:])
    orders = [ranking.order(ledger, figure) for figure in (ranking.MACROS, ranking.FLIP_FLOPS)]
    assert orders == [["cs4", "rc"], ["rc", "cs4"]]
    (subject,) = [item for item in every if item.core == "rc"]
    ledger.entries[subject.command] = replace(placed(subject), digest="0")
    page = "\n".join(["before", *ranking.MARKS, "after"])
    text = ranking.page(ledger, page)
    assert "| w=32 † | 15.0 |" in text and "† Measured on earlier sources" in text
    assert any("earlier sources" in fault for fault in ranking.complaints(ledger))
    assert [stale for entry, stale in overview.entries(ledger, every) if entry.core == "rc"] == [
        True
    ]


def test_figures_go_stale_with_the_method_of_placement(monkeypatch: pytest.MonkeyPatch) -> None:
    subject = ranking.subjects()[0]
    assert subject.command.endswith("--target osu018 --wires placed")
    before = subject.flow_digest()
    monkeypatch.setattr("montcore.synth.asic.osu018.PLACEMENT_METHOD", -1)
    assert subject.flow_digest() != before


def test_the_plot_and_the_table_of_choices_have_wires(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path / "ranking.json")
    every = ranking.subjects()
    ledger.entries = {subject.command: placed(subject) for subject in every}
    ledger.save()
    page = tmp_path / "cores.md"
    page.write_text("\n".join(ranking.MARKS))
    for name, path in (("PATH", ledger.path), ("PAGE", page), ("PICTURE", tmp_path / "picture")):
        monkeypatch.setattr(ranking, name, path)
    assert ranking.renew(ledger) == 0 and (tmp_path / "picture.png").is_file()
    assert "| 15.0 | 3.0 | 2.50 | 2.25 |" in page.read_text()
    figures._entries.cache_clear()
    entry, stale = figures.best("osu018", "area")
    assert (entry.ge, entry.tmin_ns, stale) == (15_000.0, 2.5, False)
    assert "osu018, with wires: lower left" in area_time([entry], 256).axes[0].get_title("left")
    alone = area_time([replace(entry, wires="none")], 256)
    assert "osu018: lower left" in alone.axes[0].get_title("left")
    figures._entries.cache_clear()
