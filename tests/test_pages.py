# SPDX-License-Identifier: Apache-2.0
"""What pages and help promise is there: verbs, parts, and the origin of each architecture."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from montcore.cli import app
from montcore.cores import all_cores
from montcore.cores.base import OURS
from montcore.papers.tables import PAPERS
from montcore.paths import HW_DIR, REPO_ROOT

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


def test_each_architecture_is_of_a_paper_that_is_compared_or_our_own() -> None:
    papers = {core.name: core.paper for core in all_cores().values()}
    assert set(papers.values()) <= {*PAPERS, OURS}
    assert papers["cs4"] == papers["rc"] == OURS
    readme = " ".join((REPO_ROOT / "README.md").read_text(encoding="utf-8").split())
    assert "each after a published architecture" not in readme
