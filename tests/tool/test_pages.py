# SPDX-License-Identifier: Apache-2.0
"""What pages and help promise is there: verbs, parts, and the origin of each architecture."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from montcore.cli.main import app
from montcore.cores import all_cores
from montcore.cores.core import OURS
from montcore.papers.registry import all_papers
from montcore.support.paths import HW_DIR, REPO_ROOT

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/*.md", "hw/**/*.md", "sw/**/*.md", "pyproject.toml", "Makefile")
    for path in REPO_ROOT.glob(pattern)
)
SOURCES = sorted(
    path
    for pattern in ("**/*.py", "**/*.in", "**/*.html")
    for path in (REPO_ROOT / "src" / "montcore").glob(pattern)
)


def verbs() -> set[str]:
    """Return the verbs of the command line."""
    return set(get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(REPO_ROOT).as_posix())
def test_page_names_only_verbs_that_are_there(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    code = re.findall(r"`([^`\n]+)`", text) + re.findall(r"^```.*?\n(.*?)^```", text, re.M | re.S)
    named = {
        verb
        for piece in code
        for verb in re.findall(r"(?:^|[\s/])montcore ([a-z][a-z0-9-]*)", piece, re.M)
    }
    assert named <= verbs()


@pytest.mark.parametrize(
    ("words", "there"),
    [
        (r"bus\s+(shell|wrapper)s?", (HW_DIR / "bus").is_dir()),
        (r"bus\s+tests?\b", (HW_DIR / "bus").is_dir()),
        (r"`?montcore prove\b", "prove" in verbs()),
        (r"(build|builds|verify|verifies|choose|chooses), proves?\b", "prove" in verbs()),
    ],
)
def test_nothing_is_promised_that_is_not_there(words: str, there: bool) -> None:
    promised = [
        path.relative_to(REPO_ROOT).as_posix()
        for path in (*PAGES, *SOURCES)
        if re.search(words, path.read_text(encoding="utf-8"))
    ]
    assert there or promised == []


def tables(page: Path) -> list[list[dict[str, str]]]:
    """Return the tables of a page, each row by its headings."""
    found: list[list[dict[str, str]]] = []
    heading: list[str] = []
    for line in [*page.read_text(encoding="utf-8").splitlines(), ""]:
        if not line.startswith("|"):
            heading = []
            continue
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not heading:
            heading = cells
            found.append([])
        elif not set(line) <= set("|-: "):
            found[-1].append(dict(zip(heading, cells, strict=False)))
    return found


def test_area_times_time_in_a_datasheet_counts_memory_and_the_latency_of_the_port() -> None:
    checked = 0
    for page in HW_DIR.glob("**/README.md"):
        for row in (row for table in tables(page) for row in table):
            for heading, cycles in (
                ("(kGE + memory) x us", "latency"),
                ("kGE us, one product", "latency"),
                ("kGE us, sustained", "interval"),
            ):
                if heading not in row:
                    continue
                assert "core cycles" not in row
                memory = float(row.get("memory kGE") or float(row["memory GE"]) / 1e3)
                area = float(row["kGE"]) + memory
                wanted = area * float(row["Tmin ns"]) * float(row[cycles]) / 1e3
                assert float(row[heading]) == pytest.approx(wanted, abs=0.051), (page, row)
                checked += 1
    assert checked > 15


def test_each_architecture_is_of_a_paper_that_is_compared_or_our_own() -> None:
    papers = {core.name: core.paper for core in all_cores().values()}
    assert set(papers.values()) <= {*all_papers(), OURS}
    assert papers["cs4"] == papers["rc"] == OURS
    readme = " ".join((REPO_ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "each after a published architecture" not in readme
