# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: it sorts, filters, shows every point, asks no network."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from needs import require
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from test_compare import ENTRIES

from montcore.compare import report
from montcore.compare.budget import recommend
from montcore.compare.run import Request

#: Without these, Chromium asks its maker's servers for news at every start.
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"),
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    report.write_html(path, ENTRIES, recommend(ENTRIES, [], "area-time"), Request(256).as_object())
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    require("chromium", "chromedriver")
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*QUIET, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    started = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    yield started
    started.quit()


def labels(browser: Any) -> list[str]:
    cells = browser.find_elements(By.CSS_SELECTOR, "#table tbody tr td:first-child")
    return [cell.text.rstrip(" ★◆") for cell in cells]


def heading(browser: Any, key: str) -> None:
    browser.find_element(By.CSS_SELECTOR, f'th[data-key="{key}"] button').click()


def column(browser: Any, key: str) -> list[float]:
    script = """
      const keys = [...document.querySelectorAll('#table th')].map((h) => h.dataset.key);
      return [...document.querySelectorAll('#table tbody tr')]
        .map((row) => row.cells[keys.indexOf(arguments[0])].textContent);"""
    texts = browser.execute_script(script, key)
    return [float(text.replace(",", "")) for text in texts if text]


def test_table_sorts_and_filters(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    assert sorted(labels(browser)) == sorted(entry.label for entry in ENTRIES)
    heading(browser, "ge")
    rising = column(browser, "ge")
    assert rising == sorted(rising) and len(rising) == 5
    heading(browser, "ge")
    assert column(browser, "ge") == rising[::-1]
    box = browser.find_element(By.ID, "filter")
    box.send_keys("smm -xc7")
    assert set(labels(browser)) == {"smm n=1", "smm n=8"}
    assert "2 of 6 points" in browser.find_element(By.ID, "count").text
    box.clear()
    box.send_keys("nothing like it")
    assert labels(browser) == []


def test_plot_has_a_dot_for_every_point_and_is_linked_to_the_table(
    browser: Any, page: Path
) -> None:
    browser.get(page.as_uri())
    select = browser.find_element(By.ID, "target")
    for target in ("osu018", "xc7"):
        select.send_keys(target)
        good = [e for e in ENTRIES if e.target == target and e.status == "ok"]
        dots = browser.find_elements(By.CSS_SELECTOR, "#plot circle")
        assert len(dots) == len(good)
        frame = browser.find_element(By.ID, "plot").rect
        for dot in dots:
            box = dot.rect
            assert frame["x"] <= box["x"] and box["x"] + box["width"] <= frame["x"] + frame["width"]
            assert frame["y"] <= box["y"]
            assert box["y"] + box["height"] <= frame["y"] + frame["height"]
        dots[0].click()
        chosen = browser.find_elements(By.CSS_SELECTOR, "#table tr.chosen")
        assert len(chosen) == 1
        name = chosen[0].find_element(By.CSS_SELECTOR, "td").text.rstrip(" ★◆")
        assert browser.find_element(By.ID, "detail").text.startswith(f"{name} on {target}")


def test_failed_point_is_shown_with_its_reason(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    row = browser.find_element(By.CSS_SELECTOR, "#table tr.failed")
    row.click()
    assert "ABC took too long" in browser.find_element(By.ID, "detail").text


@pytest.mark.parametrize("width", [1280, 400])
def test_page_fits_the_window(browser: Any, page: Path, width: int) -> None:
    # Windows of a desktop browser are not that narrow; the page is given the width itself.
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        browser.get(page.as_uri())
        script = "return document.documentElement.scrollWidth"
        assert browser.execute_script(script) <= width
        size = "return parseFloat(getComputedStyle(document.body).fontSize)"
        assert browser.execute_script(size) >= 14
        for element in browser.find_elements(
            By.CSS_SELECTOR, "#recommendation p, #plot, #controls"
        ):
            assert element.rect["width"] <= width and element.rect["height"] > 20
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_page_asks_no_network_and_has_no_errors(browser: Any, page: Path) -> None:
    browser.get_log("performance")
    browser.get(page.as_uri())
    events = browser.get_log("performance")
    messages = [json.loads(event["message"])["message"] for event in events]
    asked = [
        message["params"]["request"]["url"]
        for message in messages
        if message["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [page.as_uri()]
    severe = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert severe == []
