# SPDX-License-Identifier: Apache-2.0
"""The report's own recommendation, its keyboard, its export and its link, in a real browser."""

import csv
import io
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report_browser import open_browser, window
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select
from test_compare import ENTRIES, LARGE, SMALL

from montcore.compare import report
from montcore.compare.budget import OBJECTIVES, parse_budget, recommend
from montcore.compare.run import Request

WIDTHS = (1280, 768, 390)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    report.write_html(path, ENTRIES, recommend(ENTRIES, [], "area-time"), Request(256).as_object())
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    yield from open_browser(tmp_path_factory.mktemp("profile"))


def fresh(browser: Any, address: str) -> None:
    """Open a page again: a change only after the "#" would not reload it."""
    browser.get("about:blank")
    browser.get(address)


def slide(browser: Any, key: str, step: int) -> None:
    """Move a slider to a step."""
    script = """
      const slider = document.querySelector(`#sliders input[data-key="${arguments[0]}"]`);
      slider.value = arguments[1];
      slider.dispatchEvent(new Event("input"));"""
    browser.execute_script(script, key, step)


def advice(browser: Any) -> str:
    return str(browser.find_element(By.ID, "advice").text)


@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if name != "dsp"])
def test_advice_is_what_the_tool_recommends_and_follows_at_once(
    browser: Any, page: Path, objective: str
) -> None:
    fresh(browser, page.as_uri())
    Select(browser.find_element(By.ID, "objective")).select_by_value(objective)
    gates = [entry for entry in ENTRIES if entry.target == "osu018"]
    (wanted,) = recommend(gates, [], objective)
    best = "highest" if objective == "throughput" else "least"
    start = f"{wanted.entry.label} has the {best} {objective} of 4 points"
    assert advice(browser).startswith(start)
    slide(browser, "area", 200)
    command = advice(browser).splitlines()[-1]
    budget = command.split('"')[1]
    assert command.startswith("montcore recommend --bits 256 --targets osu018 --minimise")
    (wanted,) = recommend(gates, [parse_budget(budget)], objective)
    assert wanted.fits and wanted.entry is not LARGE
    assert advice(browser).startswith(wanted.entry.label + " has")
    picked = browser.find_elements(By.CSS_SELECTOR, "#plot .pick")
    assert len(picked) == 1


def test_limits_that_no_point_keeps_are_said(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    slide(browser, "area", 0)
    slide(browser, "latency_us", 0)
    assert advice(browser).startswith("No point meets these limits.")
    assert browser.find_element(By.ID, "advice").get_attribute("class") == "misses"
    slide(browser, "area", 400)
    assert advice(browser).startswith(LARGE.label)


def test_link_brings_the_same_view_back(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    Select(browser.find_element(By.ID, "objective")).select_by_value("area")
    slide(browser, "interval_us", 150)
    Select(browser.find_element(By.ID, "across")).select_by_value("latency_us")
    browser.find_element(By.ID, "filter").send_keys("smm")
    browser.find_element(By.CSS_SELECTOR, 'th[data-key="ge"] button').click()
    browser.find_element(By.ID, "theme").click()
    browser.find_element(By.CSS_SELECTOR, "#table tbody tr").click()
    script = "return [location.hash, document.querySelector('main').innerText]"
    address, text = browser.execute_script(script)
    link = browser.find_element(By.ID, "permalink").get_attribute("href")
    assert link == page.as_uri() + address and "interval_us" in address
    fresh(browser, link)
    assert browser.execute_script(script) == [address, text]
    theme = browser.execute_script("return document.documentElement.dataset.theme")
    assert theme in ("dark", "light")
    # Invalid text after the "#" does no harm.
    fresh(browser, page.as_uri() + "#target=nemo&sort=x&osu018.area=much&row=none&theme=red&a.b=1")
    assert advice(browser).startswith(LARGE.label)


def test_keyboard_goes_from_point_to_point_and_chooses(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    dots = browser.find_elements(By.CSS_SELECTOR, "#plot circle")
    dots[0].send_keys(Keys.ARROW_RIGHT)
    seen = []
    for _ in dots:
        active = browser.switch_to.active_element
        seen.append(active.get_attribute("data-row"))
        hint = browser.find_element(By.ID, "hint")
        assert hint.is_displayed() and "GE, memory" not in hint.text
        name = active.find_element(By.CSS_SELECTOR, "title").get_attribute("textContent")
        assert hint.text.startswith(f"{name}: ")
        active.send_keys(Keys.ARROW_RIGHT)
    assert len(set(seen)) == len(dots)
    active = browser.switch_to.active_element
    active.send_keys(Keys.ENTER)
    assert browser.find_element(By.ID, "detail").text.count(" on osu018: ") == 1


def test_export_has_the_table_and_the_plot_that_are_shown(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    browser.find_element(By.ID, "filter").send_keys("smm")
    lines = list(csv.DictReader(io.StringIO(browser.execute_script("return csvText()"))))
    assert {line["label"] for line in lines} == {SMALL.label, LARGE.label}
    (large,) = [line for line in lines if line["label"] == LARGE.label]
    assert float(large["ge"]) == LARGE.ge and large["command"] == LARGE.command
    picture = ElementTree.fromstring(browser.execute_script("return svgText()"))
    circles = [item for item in picture.iter() if item.tag.endswith("}circle")]
    assert len(circles) == 2 and all("fill" in str(item.get("style")) for item in circles)
    for name in ("csv", "svg"):
        browser.find_element(By.ID, name).click()
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []


def test_dark_and_light_keep_text_readable(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    script = """
      const light = (text) => {
        const [r, g, b] = text.match(/[\\d.]+/g).map((v) => (v / 255) ** 2.2);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const body = getComputedStyle(document.body);
      const [a, b] = [light(body.color), light(body.backgroundColor)];
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), b];"""
    seen = set()
    for _ in range(2):
        browser.find_element(By.ID, "theme").click()
        contrast, paper = browser.execute_script(script)
        assert contrast > 7
        seen.add(paper > 0.5)
    assert seen == {True, False}


@pytest.mark.parametrize("width", WIDTHS)
def test_page_fits_every_width(browser: Any, page: Path, tmp_path: Path, width: int) -> None:
    with window(browser, width):
        fresh(browser, page.as_uri())
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        for item in browser.find_elements(By.CSS_SELECTOR, "#sliders label, #advice, #frame"):
            assert item.rect["x"] >= 0 and item.rect["x"] + item.rect["width"] <= width
        assert browser.get_screenshot_as_file(str(tmp_path / f"{width}.png"))


def test_chosen_point_shows_the_block_diagram_of_its_core(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    for row in browser.find_elements(By.CSS_SELECTOR, "#table tbody tr"):
        row.click()
        core = row.find_element(By.CSS_SELECTOR, "td").text.split()[0]
        (drawn,) = browser.find_elements(By.CSS_SELECTOR, "#diagram svg")
        title = drawn.find_element(By.CSS_SELECTOR, "title").get_attribute("textContent")
        assert title.startswith(f"Block diagram of {core}: ") and drawn.rect["height"] > 100
