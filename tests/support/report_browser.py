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
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    started = webdriver.Chrome(options, Service(shutil.which("chromedriver")))
    yield started
    started.quit()


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
