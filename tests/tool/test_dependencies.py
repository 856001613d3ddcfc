# SPDX-License-Identifier: Apache-2.0
"""What a test depends on: a change of any of it runs the test again."""

import os
import re
from pathlib import Path

import dependencies
import pytest
from dependencies import ALWAYS, ROOMS, TABLE, changed_files, files, parts
from programs import output_of

from montcore.cores import all_cores
from montcore.support.paths import REPO_ROOT

TESTS = REPO_ROOT / "tests"


def files_in(folder: str) -> list[Path]:
    return sorted((REPO_ROOT / folder).glob("test_*.py"))


@pytest.mark.parametrize("folder", TABLE)
def test_a_row_has_every_room_that_its_tests_name(folder: str) -> None:
    for test in files_in(folder):
        text = test.read_text(encoding="utf-8")
        named = re.findall(r"\bmontcore(?:_lab)?[._]([a-z]+)\b", text)
        known = [REPO_ROOT / part for part in parts(test)]
        for room in (REPO_ROOT / ROOMS[name] for name in named if name in ROOMS):
            assert not {room, *room.parents}.isdisjoint(known), f"{test.name}: {room.name}"


#: Names by which tests reach a part of the checkout.
PLACES = {"REPO_ROOT": "", "HW_DIR": "hw", "RISCV_DIR": "riscv", "VECTORS_DIR": "vectors"}
_PLACE = re.compile(rf"\b({'|'.join(PLACES)}|vectors_dir)\b((?: / \"[\w.-]+\")*)")


@pytest.mark.parametrize("folder", TABLE)
def test_a_row_has_every_part_of_the_checkout_that_its_tests_name(folder: str) -> None:
    for test in files_in(folder):
        known = {REPO_ROOT / part for part in parts(test)}
        for line in test.read_text(encoding="utf-8").splitlines():
            for name, below in _PLACE.findall("" if " import " in line else line):
                path = REPO_ROOT.joinpath(PLACES[name.upper()], *re.findall(r'"(.+?)"', below))
                assert not known.isdisjoint((path, *path.parents)), f"{test.name}: {line.strip()}"


@pytest.mark.parametrize("folder", TABLE)
def test_a_row_has_all_hardware_of_its_cores(folder: str) -> None:
    (test, *_) = files_in(folder)
    for core in all_cores().values():
        if folder.rpartition("/")[2] in core.folder().relative_to(REPO_ROOT).parts:
            assert set(core.sources()) <= files(test)


def test_every_room_has_a_place_in_the_table() -> None:
    packages = (REPO_ROOT / "src" / "montcore", REPO_ROOT / "lab" / "src" / "montcore_lab")
    there = {path.parent.name for package in packages for path in package.glob("*/__init__.py")}
    assert there - {"cli"} == ROOMS.keys() - {"riscv"}
    for part in {part for test in map(files_in, TABLE) for part in parts(test[0])}:
        assert (REPO_ROOT / part).exists(), part


def test_what_no_row_names_depends_on_everything() -> None:
    found = files(TESTS / "tool" / "test_site.py")
    assert REPO_ROOT / "README.md" in found and REPO_ROOT / "hw/smm/rtl/montcore_smm.sv" in found
    assert found == files(TESTS / "papers" / "test_papers.py")


@pytest.mark.parametrize(
    "changed",
    ["hw/modexp/rtl/montcore_modexp_engine.sv", "tests/support/tcl", "src/montcore/support"],
)
def test_a_shared_part_reaches_the_files_in_all_that_use_it(changed: str) -> None:
    below = {path for path in files(TESTS / "tool/test_site.py") if f"/{changed}" in str(path)}
    assert below
    users = [folder for folder, (_, others) in TABLE.items() if "hw" in others.split()]
    for folder in TABLE if not changed.startswith("hw") else [*users, "tests/cores/dsp"]:
        assert below <= files(files_in(folder)[0]), folder


def test_the_firmware_depends_on_the_riscv_library() -> None:
    assert REPO_ROOT / "riscv/src/mul.S" in files(TESTS / "cores/soc/test_litex.py")


def test_a_core_is_of_no_concern_to_another_ones_tests() -> None:
    found = files(files_in("tests/cores/karatsuba")[0])
    assert not any(
        "hw/smm" in str(path) or (path.suffix == ".md" and "docs" in str(path)) for path in found
    )
    assert all((REPO_ROOT / part).exists() for part in ALWAYS)


@pytest.mark.parametrize("what", ["_content", "installed_packages", "PROGRAMS"])
def test_a_kept_test_runs_again_with_another_file_or_other_tools(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = frozenset({REPO_ROOT / "pyproject.toml"})
    before = dependencies._digest.__wrapped__(file)
    assert dependencies._digest.__wrapped__(file) == before
    other = {"PROGRAMS": ("sh",)}.get(what, lambda *_: "another")
    monkeypatch.setattr(dependencies, what, other)
    assert dependencies._digest.__wrapped__(file) != before


#: Variables by which a make tells those that it starts what it was asked for.
MAKES_OWN = {"AGAIN", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"}


def test_only_a_run_that_asks_for_it_repeats_what_has_passed() -> None:
    def recipe(*words: str) -> str:
        # `make test AGAIN=1` hands its words to every make below it.
        kept = {name: value for name, value in os.environ.items() if name not in MAKES_OWN}
        return output_of("make", "--dry-run", "test", *words, cwd=REPO_ROOT, env=kept)

    assert "run_tests.py --keep" in recipe()
    again = recipe("AGAIN=1")
    assert "run_tests.py" in again and "--keep" not in again


def test_what_differs_from_main_is_what_git_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        output_of("git", *identity, *words, cwd=tmp_path)

    monkeypatch.setattr("dependencies.REPO_ROOT", tmp_path)
    git("init", "-q", "-b", "main")
    (tmp_path / "old").write_text("1")
    (tmp_path / "kept").write_text("1")
    git("add", ".")
    git("commit", "-qm", "first")
    assert changed_files() == frozenset()
    git("switch", "-qc", "branch")
    (tmp_path / "committed").write_text("1")
    git("add", ".")
    git("commit", "-qm", "second")
    (tmp_path / "old").write_text("2")
    (tmp_path / "new").write_text("1")
    assert {path.name for path in changed_files()} == {"committed", "old", "new"}
