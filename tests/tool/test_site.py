# SPDX-License-Identifier: Apache-2.0
"""The site: it builds offline and strictly, its figures are computed, its commands are run."""

import re
import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import pytest
from page_commands import code_blocks, commands, run_outside
from programs import output_of

from montcore.bundle import driver
from montcore.compare import blocks
from montcore.cores import all_cores, get_core
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore_lab.pages import overview
from montcore_lab.papers.ledger import Ledger
from montcore_lab.site import assemble, build, examples, figures

PAGES = sorted(assemble.PAGES.glob("**/*.md"))
SLOW = "<!-- slow -->"
_BLOCK = re.compile(r"^(<!-- .*? -->\n)?```console\n(.*?)^```", re.M | re.S)


@dataclass(frozen=True)
class Block:
    """Commands of a page, and the mark above them: none, `SLOW`, or the test that runs them."""

    mark: str
    commands: list[str]


def blocks_of(page: Path) -> list[Block]:
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Block(mark.strip(), commands(text)) for mark, text in found]


def test_each_command_is_run_here_or_in_the_test_that_is_named(tmp_path: Path) -> None:
    every = [block for page in PAGES for block in blocks_of(page)]
    assert sum(len(block.commands) for block in every) > 8
    for block in every:
        assert block.commands
        if not block.mark:
            run_outside(block.commands, tmp_path)
        elif block.mark != SLOW:
            named = re.fullmatch(r"<!-- elsewhere: (\S+) -->", block.mark)
            assert named and (REPO_ROOT / named[1]).exists(), block.mark


@pytest.mark.nightly
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_commands_of_a_page_work_in_order(page: Path, tmp_path: Path) -> None:
    every = (block for block in blocks_of(page) if block.mark in ("", SLOW))
    run_outside([command for block in every for command in block.commands], tmp_path)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert build.build(folder / "pages") > 25
    return folder / "pages"


def test_sources_of_the_site_have_every_guide_and_datasheet(tmp_path: Path) -> None:
    """With every link and figure; what Sphinx makes of them is nightly, and part of `make site`."""
    assemble.assemble(tmp_path)
    guides = {page.relative_to(assemble.PAGES).as_posix() for page in PAGES}
    assert guides.isdisjoint(assemble.pages().values()), "one page would replace another"
    for page in PAGES:
        assert (tmp_path / page.relative_to(assemble.PAGES)).is_file(), page
    for name in all_cores():
        assert (tmp_path / "datasheets" / f"{name}.md").is_file()


@pytest.mark.nightly
def test_site_has_every_guide_datasheet_and_example(site: Path) -> None:
    for page in PAGES:
        assert (site / page.relative_to(assemble.PAGES)).with_suffix(".html").is_file(), page
    theory = (site / "theory.html").read_text(encoding="utf-8")
    for name in all_cores():
        assert (site / "datasheets" / f"{name}.html").is_file()
    for name in blocks.ALL_DIAGRAMS:
        assert f"blocks-{name}.svg" in theory and f">{name}<" in theory
        assert list((site / "_images").glob(f"blocks-{name}.svg"))
    api = (site / "api.html").read_text(encoding="utf-8")
    for name in ("montcore.cores.core.Core", "montcore.synth.flow.synthesise"):
        assert f'id="{name}"' in api
    chart = next((site / "_images").glob("choice*.svg")).read_text(encoding="utf-8")
    for _, target, objective, budget, _ in figures.WANTS:
        assert figures.best(target, objective, budget)[0].label.split()[0] in chart


@pytest.mark.nightly
def test_site_asks_no_network(site: Path) -> None:
    loaded = re.compile(r'<(?:script|img|link)[^>]*(?:src|href)="(?:https?:)?//')
    for page in site.glob("**/*.html"):
        assert not loaded.search(page.read_text(encoding="utf-8")), page


def test_worked_examples_come_to_the_product_for_other_numbers_too() -> None:
    assert set(examples.EXAMPLES) == set(blocks.DIAGRAMS) <= set(all_cores())
    for core, (work, _) in examples.EXAMPLES.items():
        for x, y, m in ((1, 1, 3), (0xFE, 0xFE, 0xFF), (0x52, 0x13, 0x95), (0, 7, 0x81)):
            steps = work(x, y, m)
            assert steps.result == x * y * pow(2, -steps.r_bits, m) % m, (core, x, y, m)
        assert examples.markdown(core)


def test_wrong_example_cannot_be_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {"cs": (lambda x, y, m: examples.interleaved(x + 1, y, m, 1), {"w": "8"})}
    monkeypatch.setattr(examples, "EXAMPLES", wrong)
    with pytest.raises(CheckFailedError, match="the worked example of cs is wrong"):
        examples.markdown("cs")


@pytest.mark.parametrize("core", blocks.ALL_DIAGRAMS)
def test_diagram_has_no_text_wider_than_its_box_and_no_box_on_another(core: str) -> None:
    boxes, arrows = blocks.parts(core)
    assert len({(box.column, box.row) for box in boxes}) == len(boxes)
    assert {name for a in arrows for name in (a.start, a.end)} == {box.name for box in boxes}
    for box in boxes:
        assert max(map(len, box.lines)) <= 25, box
    ElementTree.fromstring(blocks.diagram(core))


def test_choice_is_the_best_figure_and_says_that_it_is_stale() -> None:
    ledger = Ledger.load()
    for _, target, objective, budget, words in figures.WANTS:
        entry, stale = figures.best(target, objective, budget)
        line = next(x for x in figures.choice_table().splitlines() if f"[{entry.label}]" in x)
        assert (overview.STALE in line) == stale or words not in line
        known = ledger.figures()[entry.command or f"{entry.label}"] if entry.command else None
        assert known is None or known["cycles"] == entry.cycles
    assert figures.figure("cs4", "cycles", form="{:d}") in ("144", f"144 {overview.STALE}")


@pytest.mark.parametrize("link", ["absent.md", "../nowhere/x.svg", "hw/none.sv"])
def test_link_to_nothing_is_an_error(link: str, tmp_path: Path) -> None:
    page = REPO_ROOT / "docs" / "page.md"
    with pytest.raises(CheckFailedError, match="is broken"):
        assemble.relinked(f"[words]({link})", page, "page.md", {}, {})
    assert assemble.relinked(f"```\n[words]({link})\n```", page, "page.md", {}, {}).count(link)


def test_broken_link_of_a_built_page_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#there">b</a><img src="gone.png">')
    (tmp_path / "b.html").write_text('<p id="here"></p><a href="a.html">a</a>')
    assert build.broken_links(tmp_path) == ["a.html: b.html#there", "a.html: gone.png"]


@pytest.mark.nightly  # as all that Sphinx makes; every run has the links of the sources
def test_warning_of_sphinx_is_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Sphinx treats CI=true as a request for colours, and keeps the setting of earlier runs.
    monkeypatch.setenv("CI", "true")
    monkeypatch.setattr("sphinx._cli.util.colour._COLOURING_DISABLED", False)

    def small(folder: Path) -> None:
        (folder / "conf.py").write_text('project = "x"\nextensions = ["myst_parser"]\n')
        (folder / "index.md").write_text("# x\n\n[there](missing.md)\n")

    monkeypatch.setattr(build, "assemble", small)
    with pytest.raises(CheckFailedError, match=r"the site has warnings: docs/site/index\.md"):
        build.build(tmp_path / "out")


def test_driver_example_of_the_firmware_page_compiles(tmp_path: Path) -> None:
    *_, code = code_blocks((assemble.PAGES / "firmware.md").read_text(encoding="utf-8"), "c")
    core = get_core("rc").configure({"w": "8"}, 16)
    shutil.copy(REPO_ROOT / "sw/driver/montcore_driver.h", tmp_path)
    header = driver.constants(core, "rc_l16_w8", None)
    (tmp_path / "rc_l16_w8.h").write_text(header, encoding="utf-8")
    (tmp_path / "page.c").write_text(code, encoding="utf-8")
    output_of("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", "page.c", cwd=tmp_path)
