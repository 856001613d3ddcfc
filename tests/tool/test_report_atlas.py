# SPDX-License-Identifier: Apache-2.0
"""The report shows the whole atlas, in a real browser: widths, targets, units, links."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from report_browser import advice, fresh, select, severe, slide, window
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from montcore.bundle import waves
from montcore.compare import blocks, report
from montcore.compare.budget import recommend
from montcore.compare.entry import Entry
from montcore.compare.predict import ORIGIN
from montcore.compare.run import Request
from montcore.cores import get_core
from montcore.support.paths import REPO_ROOT


def point(core: str, bits: int, target: str, size: int, **more: Any) -> Entry:
    """Return a multiplier with the cycles of its formula and an area to calculate with."""
    built = get_core(core).configure({}, bits)
    figures = (
        {"ge": 1000.0 * size, "ge_memory": 500.0, "tmin_ns": 2.0, "energy_nj": 3.0 * size}
        if target == "osu018"
        else {"lut": 100 * size, "dsp": 0}
    )
    return Entry(
        core, {key: str(value) for key, value in built.settings().items()}, bits, target,
        cycles=built.core_cycles(bits) + 2, core_cycles=built.core_cycles(bits),
        interval=built.interval(bits), checked=100, date="2026-01-02T03:04:05+00:00",
        command=f"montcore synth {core} --bits {bits} --target {target}", **{**figures, **more},
    )  # fmt: skip


ASKED = [
    point(core, 256, target, size)
    for core, size in (("cs4", 15), ("rc", 12), ("hr", 30))
    for target in ("osu018", "xc7")
]
#: At 128 bits, `rc` is so small that it is best; the prediction would be better still.
NARROW = [point("cs4", 128, "xc7", 14), point("rc", 128, "xc7", 2)]
GUESS = replace(
    point("hr", 128, "xc7", 1), origin=ORIGIN, errors={"lut": 0.062}, checked=0, date=""
)
LONE_GUESS = replace(GUESS, bits=160)
#: A point of the same width that the command left out, with less area and time than all others.
BEYOND = replace(point("op", 256, "xc7", 1), interval=1)
UNITS = [
    Entry(
        "modexp", {"core": core, "w": "32"}, 256, "xc7", lut=lut, dsp=0, cycles=cycles, checked=12,
        command="montcore synth modexp",
    )
    for core, lut, cycles in (("cs4", 3758, 51_362), ("rc", 2500, 95_093))
]  # fmt: skip


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    choices = recommend(ASKED, [], "area-time")
    others = [*NARROW, BEYOND, GUESS, LONE_GUESS, *UNITS]
    request = Request(256, ("cs4", "rc", "hr"), ("osu018", "xc7")).as_object()
    report.write_html(path, ASKED, choices, request, others=others)
    return path


def shown(browser: Any) -> list[str]:
    """Return the visible columns of each row of the table, with bars."""
    script = """
      return [...document.querySelectorAll('#table tbody tr')].map((row) =>
        [...row.cells].slice(0, 3).map((cell) => cell.textContent.replace(/ [★◆]/, ''))
          .join('|'));"""
    found: list[str] = browser.execute_script(script)
    return found


def test_width_is_chosen_and_the_recommendation_follows(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    widths = [item.text for item in Select(browser.find_element(By.ID, "bits")).options]
    assert widths == ["128 bits", "160 bits", "256 bits"]
    assert len(shown(browser)) == 3 and all("|256|osu018" in row for row in shown(browser))
    select(browser, "bits", "128")
    assert Select(browser.find_element(By.ID, "target")).first_selected_option.text == "xc7"
    assert shown(browser) == ["cs4 w=32|128|xc7", "rc w=32|128|xc7"]
    assert advice(browser).startswith("rc w=32 has the least area-time of 2 points on xc7")
    assert "montcore recommend --bits 128 --targets xc7 --minimise" in advice(browser)
    # A column without any figure for the rows shown is hidden.
    heads = browser.find_elements(By.CSS_SELECTOR, "#table th")
    assert [head.text for head in heads if head.is_displayed()][:5] == (
        ["core and parameters", "bits", "target", "latency", "interval"]
    )
    assert "GE" not in [head.text for head in heads if head.is_displayed()]


def test_what_the_command_left_out_is_shown_on_request(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    select(browser, "target", "xc7")
    assert len(shown(browser)) == 3 and "of 3 points on xc7" in advice(browser)
    browser.find_element(By.ID, "further").click()
    assert len(shown(browser)) == 4
    assert advice(browser).startswith("op w=32 shape=1d has the least area-time of 4 points on xc7")
    link = browser.find_element(By.ID, "permalink").get_attribute("href")
    assert "further=1" in link
    fresh(browser, link)
    assert len(shown(browser)) == 4
    select(browser, "bits", "128")
    assert len(shown(browser)) == 2


def test_title_and_command_follow_what_is_shown(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    select(browser, "target", "xc7")
    assert "recommend --bits 256 --cores cs4,rc,hr --targets xc7" in advice(browser)
    select(browser, "objective", "energy")
    assert advice(browser).strip() == "xc7 has no figure that energy compares."
    select(browser, "objective", "area")
    browser.find_element(By.ID, "further").click()
    assert "recommend --bits 256 --targets xc7" in advice(browser)
    select(browser, "work", "modexp")
    title = browser.find_element(By.ID, "title")
    assert title.text == "256-bit modular exponentiation"
    select(browser, "work", "product")
    select(browser, "bits", "128")
    assert title.text == "128-bit Montgomery multiplication"
    # The command chose cores on its own targets only.
    assert "recommend --bits 128 --targets xc7" in advice(browser)


def test_targets_side_by_side(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    assert len(browser.find_elements(By.CSS_SELECTOR, "#plot circle")) == 3
    browser.find_element(By.ID, "beside").click()
    names = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#plot .name")]
    dots = browser.find_elements(By.CSS_SELECTOR, "#plot circle")
    assert names == ["osu018", "xc7"] and len(dots) == len(shown(browser)) == 6
    texts = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#plot text")]
    # Each target has its own axes: time where it has a clock, cycles where it has none.
    assert "us between results" in texts and "cycles between results" in texts
    assert len(browser.find_elements(By.CSS_SELECTOR, "#plot .front")) == 2
    seen = set()
    dots[0].send_keys(Keys.ARROW_RIGHT)
    for _ in dots:
        active = browser.switch_to.active_element
        seen.add(active.get_attribute("data-row"))
        active.send_keys(Keys.ARROW_RIGHT)
    assert len(seen) == 6
    width = browser.find_element(By.ID, "plot").rect["width"]
    lefts = {dot.get_attribute("data-panel"): dot.rect["x"] for dot in dots}
    assert set(lefts) == {"0", "1"} and lefts["1"] - lefts["0"] > width / 4


def test_exponentiators_are_compared_with_each_other_alone(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    select(browser, "work", "modexp")
    assert shown(browser) == ["modexp core=cs4 w=32|256|xc7", "modexp core=rc w=32|256|xc7"]
    words = advice(browser)
    assert words.startswith("modexp core=cs4 w=32 has the least area-time of 2 points")
    other = (
        "The best other core, modexp core=rc w=32, needs 1.23 times as much, "
        "237,732,500 LUT cycles."
    )
    assert other in words
    assert "recommend --bits 256 --cores modexp --targets xc7" in words
    texts = [item.text for item in browser.find_elements(By.CSS_SELECTOR, "#plot text")]
    assert "cycles an operation" in texts
    legend = browser.find_element(By.ID, "legend").text
    assert "cs4" in legend and "rc" in legend and "hr" not in legend
    browser.find_element(By.CSS_SELECTOR, "#table tbody tr").click()
    titles = browser.find_elements(By.CSS_SELECTOR, "#diagram svg > title")
    named = [item.get_attribute("textContent").split(":")[0] for item in titles]
    assert named == ["Block diagram of modexp", "Block diagram of cs4"]


def test_prediction_is_marked_and_never_recommended(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    assert not browser.find_element(By.ID, "predictable").is_displayed()
    select(browser, "bits", "128")
    assert "hr w=32 radix=8|128|xc7" not in shown(browser)
    browser.find_element(By.ID, "predicted").click()
    assert "hr w=32 radix=8|128|xc7" in shown(browser)
    (hollow,) = browser.find_elements(By.CSS_SELECTOR, "#plot .mark.guessed")
    style = "const s = getComputedStyle(arguments[0]); return [s.fill, s.stroke];"
    fill, stroke = browser.execute_script(style, hollow)
    assert fill == "none" and stroke == "rgb(0, 114, 178)"  # the colour of `hr`
    assert advice(browser).startswith("rc w=32 has the least area-time of 2 points")
    row = browser.find_element(By.CSS_SELECTOR, "#table tr.guessed")
    assert "◆" not in row.text and "★" not in row.text
    row.click()
    assert "128 bits, predicted, not measured" in browser.find_element(By.ID, "detail").text
    sheet = browser.find_element(By.ID, "figures").text
    assert "LUT 100 (± 6 %)" in sheet and "checks" not in sheet
    select(browser, "bits", "160")
    assert advice(browser).startswith("No point of this width has been measured on this target.")


def test_datasheet_has_formula_checks_commands_and_picture(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    browser.find_element(By.CSS_SELECTOR, "#table tbody tr").click()
    row = browser.find_element(By.CSS_SELECTOR, "#table tr.chosen td").text.split()[0]
    assert "256 bits, measured on this machine, 2026-01-02" in (
        browser.find_element(By.ID, "detail").text
    )
    sheet = browser.find_element(By.ID, "figures").text
    assert row == "hr" and "n + 7; m = ceil(L / 32), n = ceil((32 m + 4) / 8)" in sheet
    assert "checked 100" in sheet and "40 at 256" in sheet.replace("\n", " ")
    assert "montcore synth hr --bits 256 --target osu018" in sheet
    for verb in ("verify", "build"):
        assert f"montcore {verb} hr --set w=32 --set radix=8 --bits 256" in sheet
    assert len(browser.find_elements(By.CSS_SELECTOR, "#diagram svg")) == 1


def test_link_brings_the_same_view_back(browser: Any, page: Path) -> None:
    fresh(browser, page.as_uri())
    select(browser, "bits", "128")
    select(browser, "objective", "area")
    select(browser, "across", "cycles")
    slide(browser, "area", 150)
    for name in ("predicted", "beside", "theme"):
        browser.find_element(By.ID, name).click()
    browser.find_element(By.ID, "filter").send_keys("-cs4")
    browser.find_element(By.CSS_SELECTOR, 'th[data-key="lut"] button').click()
    browser.find_element(By.CSS_SELECTOR, "#table tr.guessed").click()
    script = "return [location.hash, document.querySelector('main').innerText]"
    address, text = browser.execute_script(script)
    for part in ("bits=128", "predicted=1", "beside=1", "xc7.area="):
        assert part in address
    link = browser.find_element(By.ID, "permalink").get_attribute("href")
    assert link == page.as_uri() + address
    fresh(browser, link)
    assert browser.execute_script(script) == [address, text]
    theme = browser.execute_script("return document.documentElement.dataset.theme")
    assert theme in ("dark", "light")
    fresh(browser, page.as_uri() + "#work=modexp")
    assert "--cores modexp" in advice(browser)
    # Invalid text after the "#" does no harm.
    wrong = "#work=nothing&bits=7&target=ecp5&sort=x&xc7.area=much&row=none&theme=red&a.b=1"
    fresh(browser, page.as_uri() + wrong)
    assert len(shown(browser)) == 3 and "--bits 256" in advice(browser)
    assert severe(browser) == []


@pytest.mark.parametrize("width", [1280, 768, 390])
@pytest.mark.one_in(2)
def test_everything_at_once_fits_every_width(browser: Any, page: Path, width: int) -> None:
    with window(browser, width):
        fresh(browser, page.as_uri() + "#beside=1&bits=256&row=hr+w%3D32+radix%3D8")
        assert browser.execute_script("return document.documentElement.scrollWidth") <= width
        size = "return parseFloat(getComputedStyle(document.body).fontSize)"
        assert browser.execute_script(size) >= 14
        parts = "#plot, #figures dd, #detail, #controls label, .controls label, #legend, "
        parts += "#controls, #recommendation p, #sliders label, #advice, #frame"
        for item in browser.find_elements(By.CSS_SELECTOR, parts):
            if item.is_displayed():
                assert item.rect["x"] >= 0 and item.rect["x"] + item.rect["width"] <= width
        for item in browser.find_elements(By.CSS_SELECTOR, "#recommendation p, #plot, #controls"):
            assert item.rect["height"] > 20
        # No text of the plot is cut off.
        script = """
          const own = document.getElementById('plot').getBoundingClientRect();
          return [...document.querySelectorAll('#plot text')].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.left < own.left - 1 || box.right > own.right + 1
              || box.top < own.top - 1 || box.bottom > own.bottom + 1;
          }).map((text) => text.textContent);"""
        assert browser.execute_script(script) == []


PICTURES = [REPO_ROOT / "docs" / "images" / "smm-timing.svg", *blocks.ALL_DIAGRAMS, "long names"]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda item: getattr(item, "stem", item))
@pytest.mark.one_in(8)
def test_no_picture_cuts_its_text_off(browser: Any, tmp_path: Path, picture: Path | str) -> None:
    """With the fonts of this machine: in the picture, and in the box where there is one."""
    if isinstance(picture, Path):
        text = picture.read_text(encoding="utf-8")
    elif picture in blocks.ALL_DIAGRAMS:
        text = blocks.diagram(picture)
    else:
        lanes = [
            {"name": "clk_i", "wave": "p......"},
            waves.bit_lane("a_long_signal_name", [0] * 7),
        ]
        text = waves.draw(lanes, "one column is one clock cycle")
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8>{text}")
    browser.get((tmp_path / "page.html").as_uri())
    script = """
      const svg = document.querySelector('svg'), own = svg.getBoundingClientRect();
      const inside = (box, other) => box.left >= other.left - 0.5 && box.right <= other.right + 0.5
        && box.top >= other.top - 0.5 && box.bottom <= other.bottom + 0.5;
      const place = (element) => element.getBoundingClientRect();
      const boxes = [...svg.querySelectorAll('rect[rx="5"]')].map(place);
      const within = (text, box) => {
        const x = (text.left + text.right) / 2, y = (text.top + text.bottom) / 2;
        return x > box.left && x < box.right && y > box.top && y < box.bottom;
      };
      const texts = [...svg.querySelectorAll('text')];
      const cut = (text) => !inside(place(text), own)
        || boxes.some((box) => within(place(text), box) && !inside(place(text), box));
      return [texts.length, texts.filter(cut).map((text) => text.textContent)];"""
    count, cut = browser.execute_script(script)
    assert count > 2 and cut == []
