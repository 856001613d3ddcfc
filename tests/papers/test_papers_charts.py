# SPDX-License-Identifier: Apache-2.0
"""The papers' plotted figures as a page: its data are the ledger's, and Chromium shows them."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_browser import open_browser, window
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from montcore.cli import main as cli
from montcore.support.errors import RequestError
from montcore_lab.papers import charts
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.registry import all_papers
from montcore_lab.papers.smm2021 import published as smm2021

PAPERS = list(all_papers().values())
FIGURE_7 = 'section[data-chart^="smm-2021 Figure 7"]'
#: One measurement of ours that is called out of date.
OLD = "montcore papers --measure --again --paper smm-2021 --only 'Table 1 npe=8'"


def every_point(shown: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for chart in (chart for paper in shown for chart in paper["charts"]):
        for line in chart["lines"]:
            for point in line["points"]:
                yield chart, point


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
    text = charts.html(PAPERS, ledger, {OLD})
    (kept,) = re.findall(r'<script id="data"[^>]*>(.*?)</script>', text, re.S)
    shown = json.loads(kept.replace("<\\/", "</"))
    own = 0
    for chart, point in every_point(shown):
        if "command" not in point:
            continue
        own += 1
        entry = ledger.entries[point["command"]]
        assert point["date"] == entry.date
        assert point["stale"] == (point["command"] == OLD)
        values = dict(zip([p["title"] for p in chart["panels"]], point["values"], strict=True))
        if "logic, kGE" in values:
            assert values["logic, kGE"] == pytest.approx((entry.figures["ge"] or 0) / 1e3)
            assert values["memory, kbit"] == entry.figures["ram_kbits"]
    assert own >= 2 * 18 + 6
    fast = [
        point
        for chart, point in every_point(shown)
        if point.get("command") == OLD and chart["title"].startswith("Figure 7")
    ]
    (figures,) = (ledger.entries[point["command"]].figures for point in fast)
    assert fast[0]["values"][2] == figures["fast_256"]
    assert fast[0]["values"][3] == pytest.approx(100 / (figures["interval_256"] or 0))


def test_bars_of_the_papers_are_the_printed_figures_and_derived_ones_are_marked() -> None:
    shown = charts.data(PAPERS, Ledger(), ())
    seven, eight = shown[0]["charts"]
    for column, point in zip(smm2021.COLUMNS, seven["lines"][0]["points"], strict=True):
        assert point["label"] == str(column.npe)
        cycles, rate = column.cycles_at(256), column.millions_per_second
        assert point["values"] == [column.kge, column.ram_kbits, cycles, rate]
        assert not any("‡" in text for text in point["texts"])
    for column, point in zip(smm2021.COLUMNS, eight["lines"][0]["points"], strict=True):
        rate = column.millions_per_second * 1e3 / column.kge
        assert point["values"] == [pytest.approx(rate)]
        assert point["texts"] == [f"{rate:.1f} ‡"]
    # Without a ledger there are no figures of ours, and the page states how many are not measured.
    assert not any("command" in point for _, point in every_point(shown))
    assert seven["lacking"] == eight["lacking"] == 18


def test_command_writes_the_page_and_refuses_papers_without_plots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "new" / "figures.html"
    assert cli.run(["papers", "--paper", "smm-2021", "--figures", str(path), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"papers": ["smm-2021"], "figures": str(path)}
    assert "Figure 8: products" in path.read_text(encoding="utf-8")
    assert cli.run(["papers", "--paper", "riscv-2021", "--figures", str(path)]) == 2
    assert "riscv-2021 has no plotted figure" in capsys.readouterr().err
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


def bars(browser: Any, line: str) -> list[Any]:
    return list(browser.find_elements(By.CSS_SELECTOR, f'{FIGURE_7} .bar[data-line="{line}"]'))


def legend(browser: Any, line: str) -> Any:
    buttons = browser.find_elements(By.CSS_SELECTOR, f"{FIGURE_7} .legend button")
    return next(button for button in buttons if button.text.removesuffix(" †") == line)


def test_legend_hides_and_shows_a_line_in_all_panels_of_its_figure(
    browser: Any, page: Path
) -> None:
    browser.get(page.as_uri())
    every = len(browser.find_elements(By.CSS_SELECTOR, ".bar"))
    assert len(bars(browser, "the paper")) == 4 * 8
    legend(browser, "the paper").click()
    assert bars(browser, "the paper") == []
    assert legend(browser, "the paper").get_attribute("aria-pressed") == "false"
    assert len(browser.find_elements(By.CSS_SELECTOR, ".bar")) == every - 4 * 8
    legend(browser, "the paper").click()
    assert len(bars(browser, "the paper")) == 4 * 8


def test_hint_has_figure_date_and_command_of_ours(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    entry = Ledger.load().entries[OLD]
    fast = next(
        bar
        for bar in bars(browser, "ours, fast schedule")
        if bar.get_attribute("data-label") == "8"
    )
    ActionChains(browser).move_to_element(fast).perform()
    hint = browser.find_element(By.ID, "hint")
    assert hint.is_displayed()
    assert f"logic, kGE: {(entry.figures['ge'] or 0) / 1e3:.1f}" in hint.text
    assert f"measured {entry.date}, out of date" in hint.text and OLD in hint.text
    assert fast.get_attribute("fill").startswith("url(#")  # hatched
    theirs = bars(browser, "the paper")[7]
    assert theirs.get_attribute("fill") == "#d55e00"
    ActionChains(browser).move_to_element(theirs).perform()
    assert "logic, kGE: 139.3" in hint.text and "as the paper states it" in hint.text
    assert "measured" not in hint.text


def test_heights_of_bars_are_in_proportion_to_their_figures(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    first = bars(browser, "the paper")[:8]
    scale = [
        float(bar.get_attribute("height")) / float(bar.get_attribute("data-value")) for bar in first
    ]
    assert scale == pytest.approx([scale[0]] * 8)


@pytest.mark.parametrize("width", [1280, 800, 360])
def test_page_fits_the_window_and_the_hint_stays_in_it(
    browser: Any, page: Path, width: int
) -> None:
    with window(browser, width):
        browser.get(page.as_uri())
        script = "return document.documentElement.scrollWidth"
        assert browser.execute_script(script) <= width
        for bar in (bars(browser, "ours, fast schedule")[7], bars(browser, "the paper")[0]):
            browser.execute_script("arguments[0].focus()", bar)
            box = browser.find_element(By.ID, "hint").rect
            assert box["x"] >= 0 and box["x"] + box["width"] <= width


def test_page_follows_the_dark_mode_and_its_button_changes_it(browser: Any, page: Path) -> None:
    def ground() -> str:
        return str(browser.execute_script("return getComputedStyle(document.body).backgroundColor"))

    for scheme, colour in (("dark", "rgb(20, 24, 28)"), ("light", "rgb(255, 255, 255)")):
        features = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", features)
        browser.get(page.as_uri())
        assert ground() == colour
        browser.find_element(By.ID, "theme").click()
        assert ground() != colour
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_page_asks_no_network_and_has_no_errors(browser: Any, page: Path) -> None:
    browser.get_log("performance")
    browser.get_log("browser")
    browser.get(page.as_uri())
    events = [json.loads(item["message"])["message"] for item in browser.get_log("performance")]
    asked = [
        event["params"]["request"]["url"]
        for event in events
        # The browser's own first page may still be loading.
        if event["method"] == "Network.requestWillBeSent"
        and event["params"]["documentURL"] == page.as_uri()
    ]
    assert asked == [page.as_uri()]
    assert [item for item in browser.get_log("browser") if item["level"] == "SEVERE"] == []
