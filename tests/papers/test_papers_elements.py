# SPDX-License-Identifier: Apache-2.0
"""The elements of the papers: complete, with existing counterparts, and printed."""

import re
import shlex
from typing import Any

import pytest
import typer
from command_line import Tool
from typer.main import get_command

from montcore.cli import main as cli
from montcore.cores import get_core
from montcore.support.paths import REPO_ROOT
from montcore_lab.papers import page
from montcore_lab.papers.base import Paper
from montcore_lab.papers.elements import (
    NEED_A_REASON,
    Element,
    ElementKind,
    ElementVerdict,
    is_command,
)
from montcore_lab.papers.ledger import Ledger
from montcore_lab.papers.registry import all_papers

PAPERS = tuple(all_papers().values())
NUMBERED = r"\b{kind}s? ((?:[\dIV]+(?:\([a-z]\))?)(?:(?:, | and | to )[\dIV]+)*)"
#: What each paper numbers in print: its tables, figures and algorithms.
NUMBERS = {
    "smm-2021": {"Table": "1 2", "Figure": "1 2 3 4 5 6 7 8"},
    "mmm-mx-2006": {"Table": "I II", "Figure": "1 2 3 4", "Algorithm": "1 2 3"},
    "karatsuba-2018": {"Table": "1 2 3 4 5", "Figure": "1 2 3 4 5 6 7 8", "Algorithm": "1 2 3"},
    "dsp48-2007": {"Table": "1 2 3 4", "Figure": "1 2 3 4 5 6", "Algorithm": "1 2 3"},
    "riscv-2021": {"Table": "1 2 3 4 5 6 7 8", "Figure": "1"},
}


def elements() -> list[Any]:
    """Return every element with a descriptive name."""
    return [
        pytest.param(element, id=f"{paper.name}: {element.what}")
        for paper in PAPERS
        for element in paper.elements
    ]


def complaint(text: str) -> str:
    """Return the fault of a command of montcore, or of pytest with part of a test's name."""
    words = shlex.split(text)
    if words[0] == "pytest":
        file, _, part = words[1:4]
        tests = re.findall(r"^def (test_\w+)", (REPO_ROOT / file).read_text(encoding="utf-8"), re.M)
        return "" if any(part in test for test in tests) else f"no test of {file} has {part}"
    command: Any = get_command(cli.make_app())
    rest = words[1:]
    while hasattr(command, "commands"):
        if rest[0] not in command.commands:
            return f"there is no montcore {rest[0]}"
        command = command.commands[rest.pop(0)]
    try:
        command.make_context(words[1], rest)
    except typer.Exit:
        return ""
    except typer.TyperException as error:
        return f"{type(error).__name__}: {error}"
    return ""


def settings_of(text: str) -> tuple[str, dict[str, str], int] | None:
    """Return core, parameters and built width of a command that names all three."""
    found = re.match(r"montcore (?:synth|verify) (\w+)", text)
    bits = re.search(r"--bits (\d+)", text)
    if found is None or bits is None or found[1] in ("modexp", "ecc"):
        return None
    pairs = (pair.split("=") for pair in re.findall(r"--set (\S+)", text))
    return found[1], {key: value for key, value in pairs}, int(bits[1])


@pytest.mark.parametrize("element", elements())
def test_counterparts_are_there(element: Element) -> None:
    assert element.ours
    for ours in element.ours:
        if not is_command(ours):
            assert (REPO_ROOT / ours).exists(), ours
            continue
        assert complaint(ours) == "", ours
        if configuration := settings_of(ours):
            core, settings, bits = configuration
            get_core(core).configure(settings, bits)


@pytest.mark.parametrize("element", elements())
def test_verdicts_that_need_it_have_a_reason(element: Element) -> None:
    if element.verdict in NEED_A_REASON:
        assert element.why.endswith("."), element
    assert bool(element.measure) == (element.verdict is ElementVerdict.OPEN)
    if element.measure:
        assert complaint(element.measure) == "", element.measure


def test_counterparts_that_are_not_there_are_found() -> None:
    for wrong in (
        "montcore mull smm --bits 8",
        "montcore synth smm --targets xc7 --bits 8",
        "montcore synth smm --bits eight --target xc7",
        "montcore ec add smm",
        "pytest tests/papers/test_papers_elements.py -k nobody_wrote_it",
    ):
        assert complaint(wrong), wrong
    assert not complaint("montcore ec mul smm --curve P-256 --scalar 5")


def named(paper: Paper, kind: str) -> set[str]:
    """Return the numbers of tables, figures or algorithms that a paper's elements name."""
    found: set[str] = set()
    for element in paper.elements:
        for numbers in re.findall(NUMBERED.format(kind=kind), f"{element.what}; {element.where}"):
            plain = re.sub(r"\([a-z]\)", "", numbers)
            for first, last in re.findall(r"(\d+) to (\d+)", plain):
                found |= {str(number) for number in range(int(first), int(last))}
            found |= set(re.split(r", | and | to ", plain))
    return found


@pytest.mark.parametrize("paper", PAPERS, ids=lambda paper: paper.name)
def test_every_table_figure_and_algorithm_in_print_is_an_element(paper: Paper) -> None:
    for kind, numbers in NUMBERS[paper.name].items():
        assert named(paper, kind) == set(numbers.split()), kind
    kinds = {element.kind for element in paper.elements}
    assert {ElementKind.ARCHITECTURE, ElementKind.ALGORITHM} & kinds
    applied = ElementKind.FUTURE if paper.name == "dsp48-2007" else ElementKind.APPLICATION
    assert {ElementKind.CLAIM, applied} <= kinds
    assert len({(element.kind, element.what) for element in paper.elements}) == len(paper.elements)


@pytest.mark.parametrize("name", NUMBERS)
def test_command_prints_the_elements(name: str, tool: Tool) -> None:
    found = tool.json("papers", "--paper", name)["elements"]
    paper = all_papers()[name]
    assert [item["element"] for item in found[name]] == [item.what for item in paper.elements]
    text = tool("papers", "--paper", name, "--wide")
    for element in paper.elements:
        assert element.what in text and element.why in text and element.measure in text


def test_pages_have_the_elements_and_their_links_lead_somewhere() -> None:
    links: set[str] = set()
    for paper in PAPERS:
        text = page.whole(paper, Ledger.load().figures())
        for element in paper.elements:
            assert f"| {element.kind.value}: {element.what} | {element.where} |" in text
        links |= set(re.findall(r"\]\((?!https?:)([^)#]+)", text))
    assert len(links) > 50
    assert [link for link in links if not (REPO_ROOT / "docs" / link).exists()] == []
