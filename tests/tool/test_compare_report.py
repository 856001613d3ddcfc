# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser: it sorts, filters, shows every point, asks no network.

It recommends, is used with the keyboard, and exports.
"""

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from report_browser import advice, fresh, select, severe, slide
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from test_compare import ENTRIES, LARGE, SMALL, blocks, gates

from montcore.compare import report
from montcore.compare.budget import OBJECTIVES, parse_budget, recommend
from montcore.compare.run import Request


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    report.write_html(path, ENTRIES, recommend(ENTRIES, [], "area-time"), Request(256).as_object())
    return path


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
    on_gates = [entry.label for entry in ENTRIES if entry.target == "osu018"]
    assert sorted(labels(browser)) == sorted(on_gates)
    heading(browser, "ge")
    rising = column(browser, "ge")
    assert rising == sorted(rising) and len(rising) == 5
    heading(browser, "ge")
    assert column(browser, "ge") == rising[::-1]
    box = browser.find_element(By.ID, "filter")
    box.send_keys("smm -xc7")
    assert set(labels(browser)) == {"smm n=1", "smm n=8"}
    assert "2 of 5 points on osu018" in browser.find_element(By.ID, "count").text
    box.clear()
    box.send_keys("nothing like it")
    assert labels(browser) == []


def test_plot_has_a_dot_for_every_point_and_is_linked_to_the_table(
    browser: Any, page: Path
) -> None:
    browser.get(page.as_uri())
    for target in ("osu018", "xc7"):
        select(browser, "target", target)
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


TIED = [
    blocks("cs", 1, 2389, 0, 258),
    blocks("cs4", 2, 2687, 0, 130),
    blocks("rc", 1, 1533, 0, 258),
    blocks("op", 16, 2006, 0, 258),
    gates("cs", 1, 17_200, 2.21, 271, 258),
    gates("cs4", 2, 15_400, 2.21, 142, 130),
]


@pytest.fixture(scope="module")
def tied(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report on points that tie in one figure, and that lie close together."""
    path = tmp_path_factory.mktemp("tied") / "report.html"
    report.write_html(path, TIED, recommend(TIED, [], "latency"), Request(256).as_object())
    return path


def plotted(browser: Any) -> list[str]:
    """Return what the plot shows: the titles of its dots."""
    dots = browser.find_elements(By.CSS_SELECTOR, "#plot circle title")
    return [dot.get_attribute("textContent") for dot in dots]


@pytest.mark.nightly  # every run has test_table_sorts_and_filters, and the dots of each target
def test_target_and_filter_act_on_plot_and_table_alike(browser: Any, tied: Path) -> None:
    browser.get(tied.as_uri())
    box = browser.find_element(By.ID, "filter")
    for target in ("xc7", "osu018"):
        select(browser, "target", target)
        for words, wanted in (
            ("", {"cs", "cs4", "rc", "op"}),
            ("cs", {"cs"}),
            ("cs*", {"cs", "cs4"}),
            ("n=1", {"cs", "rc"}),
            ("-cs4", {"cs", "rc", "op"}),
            ("cs4 2", {"cs4"}),
        ):
            box.clear()
            box.send_keys(words or " ")
            labelled = {e.label for e in TIED if e.target == target and e.core in wanted}
            assert set(labels(browser)) == labelled, (target, words)
            assert sorted(plotted(browser)) == sorted(labelled), (target, words)


@pytest.mark.nightly  # every run has the front of each target in test_targets_side_by_side
def test_front_is_a_staircase_that_meets_no_point_another_beats(browser: Any, tied: Path) -> None:
    browser.get(tied.as_uri())
    select(browser, "target", "xc7")
    script = """
      const line = document.querySelector("#plot .front"), length = line.getTotalLength();
      const close = [];
      for (const dot of document.querySelectorAll("#plot circle")) {
        let least = 1e9;
        for (let at = 0; at <= length; at += 0.5) {
          const point = line.getPointAtLength(at);
          least = Math.min(least, Math.hypot(point.x - dot.cx.baseVal.value,
            point.y - dot.cy.baseVal.value));
        }
        if (least < 3) close.push(dot.querySelector("title").textContent);
      }
      return close;"""
    assert sorted(browser.execute_script(script)) == ["cs4 n=2", "rc n=1"]
    browser.find_element(By.ID, "frontier").click()
    assert sorted(labels(browser)) == sorted(plotted(browser)) == ["cs4 n=2", "rc n=1"]


def test_axes_keep_their_ticks_when_the_data_are_close_together(browser: Any, tied: Path) -> None:
    browser.get(tied.as_uri())
    select(browser, "target", "xc7")
    browser.find_element(By.ID, "filter").send_keys("cs4")
    texts = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#plot text")]
    numbers = [text for text in texts if text.replace(",", "").replace(".", "").isdigit()]
    # 130 cycles, 2687 LUT: each axis has three or more around its one value.
    assert len([text for text in numbers if 100 < float(text.replace(",", "")) < 170]) >= 3
    assert len([text for text in numbers if 2000 < float(text.replace(",", "")) < 3500]) >= 3


def test_core_looks_the_same_in_every_report(browser: Any, page: Path, tied: Path) -> None:
    seen: dict[str, set[tuple[str, str]]] = {}
    for path in (page, tied):
        browser.get(path.as_uri())
        for mark in browser.find_elements(By.CSS_SELECTOR, "[data-core]"):
            look = (mark.get_attribute("fill"), mark.get_attribute("d"))
            seen.setdefault(mark.get_attribute("data-core"), set()).add(look)
    assert set(seen) == {"cs", "cs4", "mx", "op", "rc", "smm"}
    assert all(len(looks) == 1 for looks in seen.values()), seen
    assert len(set.union(*seen.values())) == len(seen)


def test_failed_point_is_shown_with_its_reason(browser: Any, page: Path) -> None:
    browser.get(page.as_uri())
    row = browser.find_element(By.CSS_SELECTOR, "#table tr.failed")
    row.click()
    assert "ABC took too long" in browser.find_element(By.ID, "detail").text


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
    assert severe(browser) == []


@pytest.mark.parametrize("objective", [name for name in OBJECTIVES if name != "dsp"])
@pytest.mark.one_in(4)
def test_advice_is_what_the_tool_recommends_and_follows_at_once(
    browser: Any, page: Path, objective: str
) -> None:
    fresh(browser, page.as_uri())
    select(browser, "objective", objective)
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
    assert len(browser.find_elements(By.CSS_SELECTOR, "#plot .pick")) == 1
    star = browser.find_element(By.CSS_SELECTOR, '#table [title="recommended"]')
    assert star.find_element(By.XPATH, "..").text.startswith(wanted.entry.label)
    limit = float(budget.removeprefix("area<="))
    outside = {entry.label for entry in gates if (entry.area or limit + 1) > limit}
    grey = browser.find_elements(By.CSS_SELECTOR, "#table tr.outside td:first-child")
    assert {cell.text.rstrip(" ★◆") for cell in grey} == outside
    dots = browser.find_elements(
        By.CSS_SELECTOR, '#plot circle[aria-label$="(outside the limits)"]'
    )
    assert len(dots) == len(browser.find_elements(By.CSS_SELECTOR, "#plot .outside")) > 0


def test_budgets_of_the_command_hold_in_the_report(browser: Any, tmp_path: Path) -> None:
    """On a slider where there is one for the figure, else always."""
    for text, slider in (("area<=60000", True), ("ge>=20000", False)):
        budgets = [parse_budget(text)]
        gates = [entry for entry in ENTRIES if entry.target == "osu018"]
        (choice,) = recommend(gates, budgets, "area")
        request = Request(256, budgets=tuple(budgets), objective="area").as_object()
        report.write_html(tmp_path / "page.html", ENTRIES, [choice], request)
        fresh(browser, (tmp_path / "page.html").as_uri())
        assert advice(browser).startswith(choice.entry.label)
        assert f'--budget "{text}"' in advice(browser)
        moved = browser.execute_script("return document.querySelector('[data-key=area]').value")
        assert (moved != "400") is slider


def test_names_stay_when_the_table_is_scrolled(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    script = """
      const box = document.querySelector('.scroll'), cell = document.querySelector('#table td');
      document.getElementById('table').style.width = '3000px';
      const before = cell.getBoundingClientRect().left;
      box.scrollLeft = 500;
      return [box.scrollLeft, cell.getBoundingClientRect().left - before];"""
    assert browser.execute_script(script) == [500, 0]


def test_limits_that_no_point_keeps_are_said(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    slide(browser, "area", 0)
    slide(browser, "latency_us", 0)
    assert advice(browser).startswith("No point meets these limits.")
    assert browser.find_element(By.ID, "advice").get_attribute("class") == "misses"
    slide(browser, "area", 400)
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
    assert severe(browser) == []


@pytest.mark.nightly  # every run has the report sorted and filtered
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


@pytest.mark.nightly
def test_chosen_point_shows_the_block_diagram_of_its_core(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    for row in browser.find_elements(By.CSS_SELECTOR, "#table tbody tr"):
        row.click()
        core = row.find_element(By.CSS_SELECTOR, "td").text.split()[0]
        (drawn,) = browser.find_elements(By.CSS_SELECTOR, "#diagram svg")
        title = drawn.find_element(By.CSS_SELECTOR, "title").get_attribute("textContent")
        assert title.startswith(f"Block diagram of {core}: ") and drawn.rect["height"] > 100
