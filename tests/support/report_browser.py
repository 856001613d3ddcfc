# SPDX-License-Identifier: Apache-2.0
"""Chromium for the tests of the report, quiet and without a network."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from needs import require
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.select import Select

#: Without these flags, Chromium contacts its vendor's servers at every start.
QUIET = (
    *("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--no-first-run", "--disable-quic"),
)


def open_browser(profile: Path) -> Iterator[Any]:
    """Yield a browser that logs its requests and errors."""
    require("chromium", "chromedriver")
    options = Options()
    options.binary_location = str(shutil.which("chromium"))
    for flag in (*QUIET, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.add_experimental_option("prefs", {"download.default_directory": str(profile)})
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    started = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    yield started
    started.quit()


def fresh(browser: Any, address: str) -> None:
    """Open a page again: a change only after the "#" would not reload it."""
    browser.get("about:blank")
    browser.get(address)


def select(browser: Any, name: str, value: str) -> None:
    """Choose an item of a list of the page."""
    Select(browser.find_element(By.ID, name)).select_by_value(value)


def slide(browser: Any, key: str, step: int) -> None:
    """Move a slider to a step."""
    script = """
      const slider = document.querySelector(`#sliders input[data-key="${arguments[0]}"]`);
      slider.value = arguments[1];
      slider.dispatchEvent(new Event("input"));"""
    browser.execute_script(script, key, step)


def advice(browser: Any) -> str:
    """Return the page's recommendation."""
    return str(browser.find_element(By.ID, "advice").text)


def severe(browser: Any) -> list[Any]:
    """Return the errors of the page since the last time."""
    return [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]


@contextmanager
def window(browser: Any, width: int) -> Iterator[None]:
    """Set the width of pages in pixels; below 600, emulate a phone.

    A desktop browser window cannot be that narrow, so the page's own width is set.
    """
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        yield
    finally:
        browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
