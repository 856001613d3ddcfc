# SPDX-License-Identifier: Apache-2.0
"""The figures on other cell libraries: the page, and the comparison with what is committed."""

from dataclasses import replace
from pathlib import Path

import pytest
from command_line import Tool

from montcore.synth.options import NONE
from montcore_lab.pages import libraries
from montcore_lab.pages.libraries import LibraryFigures


def test_the_page_has_the_committed_figures() -> None:
    known = list(libraries.load().values())
    assert {item.library for item in known} <= libraries.SOURCES.keys()
    assert libraries.PAGE.read_text(encoding="utf-8") == libraries.page(known)


def test_a_folder_without_libraries_is_refused(tmp_path: Path, tool: Tool) -> None:
    tool.refuses("has no folder named sg13g2 or asap7", "maintain", "libraries", str(tmp_path))
    (tmp_path / "sg13g2").mkdir()
    tool.refuses(".lib does not exist", "maintain", "libraries", str(tmp_path))


def test_what_differs_from_the_committed_figures_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(libraries, "DATA", tmp_path / "libraries.json")
    kept = ("montcore synth a", "sg13g2", "0", "a", NONE)
    one = LibraryFigures(*kept, 10.0, 5, 2.0, 50, None, None, None, None, None, "2026-11-27")
    assert one.kge_us == 1.0
    assert libraries.differences([one]) == ["not committed: montcore synth a"]
    libraries.DATA.write_text(libraries.save([one]))
    assert libraries.differences([replace(one, date="2026-11-28")]) == []
    (said,) = libraries.differences([replace(one, tmin_ns=2.1)])
    assert said == "tmin_ns is 2.1, committed is 2.0: montcore synth a"
