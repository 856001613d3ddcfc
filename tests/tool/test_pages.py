# SPDX-License-Identifier: Apache-2.0
"""Pages and help name only existing verbs, options and parts, and the origin of each
architecture; the status table and the page of the nightly tests follow from what was measured."""

import importlib
import re
import subprocess
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from typer.main import get_command

from montcore.cli.main import app
from montcore.cores import all_cores
from montcore.cores.core import OURS
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import repository_files
from montcore_lab.pages import status
from montcore_lab.papers.registry import all_papers
from montcore_lab.proofs.runner import find_proofs

FOLDERS = ("docs", "examples", "hw", "sw", "riscv", "lab")
PATTERNS = ("*.md", *(f"{folder}/**/*.md" for folder in FOLDERS), "pyproject.toml", "Makefile")
PAGES = sorted(path for pattern in PATTERNS for path in REPO_ROOT.glob(pattern))


@cache
def command_line() -> Any:
    """Return the command line, which takes a while to make."""
    return get_command(app)


def code_of(page: Path) -> list[str]:
    """Return the code spans and blocks of a page, each on one line."""
    text = page.read_text(encoding="utf-8")
    if page.suffix != ".md":
        return text.splitlines()
    blocks = re.findall(r"^```.*?\n(.*?)^```", text, re.M | re.S)
    inline = re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    joined = [piece.replace("\\\n", " ") for piece in blocks]
    return [line for piece in joined for line in piece.splitlines()] + [
        " ".join(piece.split()) for piece in inline
    ]


def faults(line: str) -> list[str]:
    """Return the names in a line's commands that the command line does not have."""
    found = []
    for words in re.findall(r"(?:^|[\s/])montcore ([a-z][^|;&]*)", line):
        command: Any = command_line()
        named = words.split()
        while named and hasattr(command, "commands"):
            if not re.fullmatch(r"[a-z][a-z0-9-]*", named[0]):
                break
            if named[0] not in command.commands:
                found.append(f"there is no montcore {words}")
                break
            command = command.commands[named.pop(0)]
        else:
            known = {option for item in command.params for option in item.opts} | {"--help"}
            options = {word for word in named if re.fullmatch(r"--[a-z][a-z0-9-]*", word)}
            found += [f"montcore {words}: {option}" for option in sorted(options - known)]
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(REPO_ROOT).as_posix())
def test_page_names_only_commands_and_options_that_are_there(page: Path) -> None:
    assert [fault for line in code_of(page) for fault in faults(line)] == []


def long_lines(text: str) -> list[str]:
    """Return a page's lines of prose above 100 columns; one link, code span or macro is none."""
    prose = re.sub(r"^ *```.*?^ *```", "", text, flags=re.M | re.S).splitlines()
    single = r"\s*(?:[-*] |\d+\. )?(?:`[^`]*`|\{\{.*\}\}|!?\[[^]]*\]\([^)]*\)|\S+)[.,:;)]*"
    return [
        line
        for line in prose
        if len(line) > 100 and not re.match(r"\s*[|#]", line) and not re.fullmatch(single, line)
    ]


def test_prose_of_every_page_is_at_most_100_columns_wide() -> None:
    pages = [path for path in repository_files() if path.suffix == ".md"]
    found = {page: long_lines(page.read_text(encoding="utf-8")) for page in pages}
    assert {page: lines for page, lines in found.items() if lines} == {}
    assert long_lines("a " * 51) and not long_lines("| " + "a " * 51)


def test_a_command_that_is_not_there_is_found() -> None:
    for wrong in (
        "montcore prove",
        "x/montcore maintain soup --check",
        "montcore mul smm --modulos 5",
        "montcore maintain figures --checks",
    ):
        assert faults(wrong), wrong
    for right in ("montcore rsa sign --key K", "montcore maintain lint --fix", "montcore VERB"):
        assert not faults(right), right


def test_modules_that_are_named_as_programs_are_programs() -> None:
    """Only modules started by another process or by `make` are programs."""
    named: set[str] = set()
    for path in repository_files():
        if path.suffix in (".md", ".py", ".yaml", ".yml", ".sh", ".sv", ".toml", ".in", "") and (
            path.is_file() and "vectors" not in path.parts
        ):
            text = path.read_text(encoding="utf-8", errors="replace")
            named |= set(re.findall(r"-m[\"',\s]+(montcore(?:_lab)?(?:\.\w+)*)\b", text))
    assert named == {
        "montcore",
        "montcore.cli.doctor",
        "montcore_lab.cli.showcase",
        "montcore.synth.yosys_driver",
        "montcore_lab.lint.slang",
        "montcore_lab.mutation.checks",
        "montcore_lab.proofs.yosys",
    }
    programs = {
        ".".join(path.relative_to(root).with_suffix("").parts)
        for root in (REPO_ROOT / "src", REPO_ROOT / "lab" / "src")
        for path in root.rglob("*.py")
        if 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")
    }
    assert programs == (named - {"montcore"}) | {"montcore.__main__"}


def test_each_architecture_is_of_a_paper_that_is_compared_or_our_own() -> None:
    papers = {core.name: core.paper for core in all_cores().values()}
    assert set(papers.values()) <= {*all_papers(), OURS}
    assert papers["cs4"] == papers["rc"] == OURS


def test_readme_fits_two_screens_with_picture_status_and_five_commands() -> None:
    text = (REPO_ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 90
    assert "](docs/images/cores-256.png)" in text and "<!-- status:begin -->" in text
    (commands,) = re.findall(r"^\| to \| .*\n\| --- .*\n((?:\|.*\n)+)", text, re.M)
    assert len(commands.splitlines()) == 5
    assert re.search(
        r"`make run` [\d.]+ minutes or\s`make test` [\d.]+ minutes \(\d+ \w+ \d+\)", text
    )
    # The newest and the oldest Python that setup looks for.
    script = (REPO_ROOT / "tools" / "setup.sh").read_text(encoding="utf-8")
    newest, *_, oldest = re.findall(r"python(3\.\d+)", script.split("in ${PYTHON:-python3 ")[1])[:5]
    assert f"Any Python from {oldest} to {newest} serves" in text


def test_every_core_is_in_the_table_with_a_name() -> None:
    found = status.statuses({})
    assert [item.core for item in found] == [*all_cores(), "modexp", "ecc"]
    assert all(item.name and len(item.cells()) == len(status.HEADER) for item in found)


@pytest.mark.parametrize("core", [*all_cores(), "modexp", "ecc"])
def test_each_cell_has_something_behind_it(core: str) -> None:
    [item] = (item for item in status.statuses({}) if item.core == core)
    proofs = [proof for proof in find_proofs([]) if proof.label.startswith(f"{item.core}/")]
    assert (item.proofs, item.mutants) == (
        len([proof for proof in proofs if not proof.mutant and not proof.alive]),
        len([proof for proof in proofs if proof.mutant]),
    )
    # After a change of the RTL no figure is up to date, and no netlist is named.
    assert item.mutants and item.control
    assert item.protocol or item.core == "ecc"
    assert item.exhaustive or item.core in ("modexp", "ecc")


def test_the_tests_of_control_take_every_registered_core() -> None:
    assert "for core in all_cores().values()" in (status.TESTS / "test_control.py").read_text()


def test_a_core_without_tests_and_figures_has_dashes(tmp_path: Path) -> None:
    folder = REPO_ROOT / "hw" / "common"
    found = status.status("toy", folder, {})
    assert found.cells()[1:4] == ["", "-", "-"] and found.cells()[5:] == ["-", ""]


NAMES = [
    f"tests/{name}" for name in ("a/test_a.py::test_1", "a/test_c.py::test_2", "test_b.py::test_3")
]


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program, as a module."""
    monkeypatch.syspath_prepend(REPO_ROOT / "tools")
    return importlib.import_module("nightly_table")


def test_each_test_is_counted_or_named(table: ModuleType) -> None:
    page = table.page(NAMES, {NAMES[0]: 70.2}, {NAMES[1]}, "`abc` of 2026-11-24", ["dtc"])
    assert "on the sources of\ncommit `abc` of 2026-11-24.\n" in page
    assert "| [tests/a](../tests/a) | 2 | 1 | 70 | 70 |" in page
    assert "| [tests](../tests) | 1 | 0 |  |  |" in page
    assert "| all | 3 | 1 | 70 | 70 |" in page
    rest = page.partition("| all ")[2].split("\n\n")
    assert rest[1:] == [
        "Last passed with other sources or programs, and how many choices of parameters:",
        f"- `{NAMES[1]}`, 1",
        "Not passed (dtc not installed), likewise:",
        f"- `{NAMES[2]}`, 1\n",
    ]


def test_tests_of_every_folder_are_collected(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = ["tests/test_a.py::test_1[x]", "riscv/tests/test_b.py::test_2"]
    said = "\n".join([*names, "", "2/5 tests collected (3 deselected) in 1.0s"])
    done = subprocess.CompletedProcess([], 0, said, "")
    monkeypatch.setattr(table.subprocess, "run", lambda *_, **__: done)
    assert table.nightly_tests() == names


def test_a_record_with_other_sources_does_not_count(
    table: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    collected = {(): NAMES, (f"--resume={table.kept_file()}",): NAMES[1:]}
    monkeypatch.setattr(table, "nightly_tests", lambda *options: collected[options])
    # A test may take no time and has passed all the same.
    monkeypatch.setattr(table, "recorded", lambda _: {NAMES[0]: 0.0, NAMES[1]: 0.0})
    assert table.main(["--check"]) == 1
    assert capsys.readouterr().out.split() == NAMES[1:]


def test_the_committed_page_has_the_words_of_the_program(table: ModuleType) -> None:
    page = table.PAGE.read_text(encoding="utf-8")
    head = table.HEAD.partition("{commit}")[0].format(command=table.COMMAND)
    assert page.startswith(head)
