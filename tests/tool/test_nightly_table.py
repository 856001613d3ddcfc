# SPDX-License-Identifier: Apache-2.0
"""The page of the nightly tests: which have passed with these sources, with others, or not."""

import importlib
import subprocess
from types import ModuleType

import pytest

from montcore.support.paths import REPO_ROOT

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
        "Last passed with other sources or programs:",
        f"- `{NAMES[1]}`",
        "Not passed (dtc not installed):",
        f"- `{NAMES[2]}`\n",
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
