# SPDX-License-Identifier: Apache-2.0
"""The papers' plotted figures as a page: its data are the ledger's, and Chromium shows them.

The multiplier of Table 2 of karatsuba-2018, in one to four parts.
"""

import re
from collections.abc import Collection, Iterator
from html import escape
from pathlib import Path
from typing import Any

import pytest
from command_line import Tool
from report_browser import open_browser, window

from montcore.cores.karatsuba import Karatsuba
from montcore.support.errors import RequestError
from montcore.synth.design import Design
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.process import ToolError
from montcore.synth.yosys import run_yosys
from montcore_lab.papers import charts
from montcore_lab.papers.base import Panel
from montcore_lab.papers.karatsuba2018 import published as karatsuba2018
from montcore_lab.papers.karatsuba2018.splitting import KINDS, SOURCE, TARGETS, TOP, Splitting
from montcore_lab.papers.karatsuba2018.table import IntegerMultiplier
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.registry import all_papers
from montcore_lab.papers.smm2021 import published as smm2021

PAPERS = list(all_papers().values())
#: One measurement of ours that is called out of date.
OLD = "montcore papers --measure --again --paper smm-2021 --only 'Table 1 npe=8'"


def every_point(
    ledger: Ledger, outdated: Collection[str] = ()
) -> Iterator[tuple[Panel, charts.PlottedBar]]:
    for chart in (chart for paper in PAPERS for chart in paper.charts):
        for panel in chart.panels:
            for point in charts.bars(chart, panel, ledger, outdated):
                yield panel, point


def test_every_plotted_figure_of_the_papers_is_on_the_page() -> None:
    """The other figures of the papers are diagrams, algorithms and a photograph."""
    found = {paper.name: [chart.title for chart in paper.charts] for paper in PAPERS}
    numbers = {name: [title.split(":")[0] for title in titles] for name, titles in found.items()}
    assert {name: titles for name, titles in numbers.items() if titles} == {
        "smm-2021": ["Figure 7", "Figure 8"],
        "karatsuba-2018": ["Figure 7", "Figure 8"],
    }


def test_data_of_the_page_are_those_of_the_ledger_and_of_the_papers() -> None:
    ledger = Ledger.load()
    shown = list(every_point(ledger, {OLD}))
    text = charts.html(PAPERS, ledger, {OLD})
    own = 0
    for panel, point in shown:
        assert f"<td>{point.text}</td>" in text
        if "measured" not in point.about:
            continue
        own += 1
        _, date, command = point.about.split("; ", 2)
        entry = ledger.entries[command]
        assert date == f"measured {entry.date}" and escape(point.about) in text
        assert ("†" in point.text) == (command == OLD)
        if panel.column.title == "logic, kGE":
            assert point.value == pytest.approx((entry.figures["ge"] or 0) / 1e3)
        if panel.column.title == "memory, kbit":
            assert point.value == entry.figures["ram_kbits"]
    assert own >= 5 * 18 + 6
    figures = ledger.entries[OLD].figures
    fast = [point.value for _, point in shown if OLD in point.about]
    assert fast[2] == figures["fast_256"]
    assert fast[3] == pytest.approx(100 / (figures["interval_256"] or 0))


def test_bars_of_the_papers_are_the_printed_figures_and_derived_ones_are_marked() -> None:
    seven, [eight] = (
        [charts.bars(chart, panel, Ledger(), ()) for panel in chart.panels]
        for chart in all_papers()["smm-2021"].charts
    )
    for place, column in enumerate(smm2021.COLUMNS):
        points = [panel[place] for panel in seven]
        assert {point.label for point in points} == {str(column.npe)}
        cycles, rate = column.cycles_at(256), column.millions_per_second
        wanted = [column.kge, column.ram_kbits, cycles, rate]
        assert [point.value for point in points] == wanted
        assert not any("‡" in point.text for point in points)
        rate = rate * 1e3 / column.kge
        point = eight[place]
        assert point.value == pytest.approx(rate)
        assert point.text == f"{rate:.1f} ‡"
    # Without a ledger there are no figures of ours, and the page states how many are not measured.
    assert not any("measured" in point.about for _, point in every_point(Ledger()))
    text = charts.html(PAPERS, Ledger(), ())
    assert text.count("Not measured: 18 of ours.") == 2


def test_lengths_of_bars_are_in_proportion_to_their_figures_or_their_logarithms() -> None:
    values = [2.0, 20.0, 200.0]
    assert charts.shares(values, False) == pytest.approx([1, 10, 100])
    shares = charts.shares(values, True)
    assert shares[2] == 100 and shares[1] - shares[0] == pytest.approx(shares[2] - shares[1])
    assert charts.shares([10.0], True) == [100]


def test_command_writes_the_page_and_refuses_papers_without_plots(
    tmp_path: Path, tool: Tool
) -> None:
    path = tmp_path / "new" / "figures.html"
    said = tool.json("papers", "--paper", "smm-2021", "--figures", path)
    assert said == {"papers": ["smm-2021"], "figures": str(path)}
    assert "Figure 8: products" in path.read_text(encoding="utf-8")
    words = ("papers", "--paper", "riscv-2021", "--figures", path)
    tool.refuses("riscv-2021 has no plotted figure", *words)
    with pytest.raises(RequestError, match="cannot be used"):
        charts.write(tmp_path, PAPERS, Ledger(), ())


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("charts") / "figures.html"
    charts.write(path, PAPERS, Ledger.load(), {OLD})
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from open_browser(tmp_path_factory.mktemp("profile"))


@pytest.mark.parametrize("width", [1280, 800, 360])
@pytest.mark.one_in(2)
def test_page_fits_the_window(browser: Any, page: Path, width: int) -> None:
    with window(browser, width):
        browser.get(page.as_uri())
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width


def test_page_follows_the_dark_mode(browser: Any, page: Path) -> None:
    for scheme, colour in (("dark", "rgb(255, 255, 255)"), ("light", "rgb(0, 0, 0)")):
        features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
        browser.get(page.as_uri())
        assert browser.execute_script("return getComputedStyle(document.body).color") == colour
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_page_asks_no_network_and_has_no_script(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"<script|<link|\bsrc=|\bhref=|url\(", text)
    assert "default-src 'none'" in text


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
