# SPDX-License-Identifier: Apache-2.0
"""Computed dependencies of a test: all files whose change must run it again, but not every file."""

import os
import subprocess
from pathlib import Path
from typing import cast

import dependencies
import pytest
from dependencies import changed_files, files, hardware, modules, reached, scan
from runs_of_tests import copy_rules, run_tests

from montcore.cores import all_cores
from montcore.support.paths import REPO_ROOT

TESTS = REPO_ROOT / "tests"
ALL: frozenset[str] = frozenset()


def source(module: str) -> Path:
    return REPO_ROOT / "src" / "montcore" / f"{module}.py"


def test_a_test_of_one_core_depends_on_that_core_and_what_it_shares() -> None:
    found = files(TESTS / "cores" / "test_control.py", frozenset({"rc"}))
    rc, smm = hardware("rc"), hardware("smm")
    assert rc <= found and not (smm - rc) & found
    assert {source("cores/rc"), source("cores/row"), source("prove/independence")} <= found
    assert not {source("cores/smm"), source("cores/karatsuba"), source("rsa/keys")} & found
    assert REPO_ROOT / "requirements.txt" in found and REPO_ROOT / "README.md" not in found


@pytest.mark.parametrize("core", all_cores())
def test_the_hardware_of_a_core_is_what_the_registry_lists(core: str) -> None:
    assert set(all_cores()[core].sources()) <= hardware(core)


def test_a_test_of_all_cores_depends_on_all_of_the_hardware() -> None:
    found = files(TESTS / "tool" / "test_verify.py", ALL)
    assert set().union(*map(hardware, all_cores())) <= found
    assert {source(f"cores/{core}") for core in all_cores()} <= found
    assert source("sim/build") in found and source("sim/build").parent / "lz4" / "lz4.h" in found


def test_programs_and_benches_that_a_test_names_count_as_imports() -> None:
    found = reached(TESTS / "cores" / "smm" / "test_smm_cocotb.py", frozenset({"smm"}))
    assert {modules()[name] for name in ("smm_zeroize", "smm_port", "icarus")} <= found
    assert source("cli/main") in reached(TESTS / "tool" / "test_tool_failures.py", ALL)
    assert source("prove/yosys") in reached(TESTS / "cores" / "test_verdict_control.py", ALL)


def test_imports_within_functions_and_parts_of_the_checkout_are_seen(tmp_path: Path) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(
        "from montcore.support.paths import REPO_ROOT\n"
        "PAGE = REPO_ROOT / 'docs' / 'papers.md'\n"
        "def test_it():\n"
        "    from montcore.rsa import keys\n"
    )
    assert scan(file).places == {"docs"} and "montcore.rsa.keys" in scan(file).modules
    found = files(file, ALL)
    assert source("rsa/keys") in found and REPO_ROOT / "docs" / "papers.md" in found


def test_a_change_runs_a_kept_test_again_only_where_it_depends_on_it(
    tmp_path: Path, own_cache: Path
) -> None:
    """In a temporary folder, with a file for each of two tests."""
    copy_rules(tmp_path)
    first, second = tmp_path / "test_first.py", tmp_path / "test_second.py"
    first.write_text("def test_a(): pass\n")
    second.write_text("def test_b(): pass\n")

    def run() -> str:
        done = run_tests("--keep", tmp_path)
        assert done.returncode == 0, done.stdout
        return done.stdout.splitlines()[-1]

    assert run() == "tests: 2 passed, 0 failed"
    assert run() == "tests: 2 passed, 2 of them in earlier runs, 0 failed"
    second.write_text("def test_b(): assert True\n")
    assert run() == "tests: 2 passed, 1 of them in earlier runs, 0 failed"
    record = (own_cache / "passed" / "tests.txt").read_text().splitlines()
    digests = {line.split(" ", 2)[2]: line.split(" ")[0] for line in record}
    assert len(digests) == 2 and len(set(digests.values())) == 2


@pytest.mark.parametrize(
    "installed", ["installed_packages", "PROGRAMS"], ids=["another package", "another program"]
)
def test_a_kept_test_runs_again_with_other_tools(
    installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = frozenset({REPO_ROOT / "pyproject.toml"})
    before = dependencies._digest.__wrapped__(file)
    assert dependencies._digest.__wrapped__(file) == before
    other = {"installed_packages": lambda: "another pytest", "PROGRAMS": ("sh",)}
    monkeypatch.setattr(dependencies, installed, other[installed])
    assert dependencies._digest.__wrapped__(file) != before


@pytest.mark.parametrize(
    "name, same, other",
    [
        ("a.py", '"""New."""\ndef f():\n    """New."""\n    return "#"  # new\n', "return 1"),
        ("a.sv", 'wire a;  // new\n// new\ninitial $display("// x");\n', '"// y"'),
        ("a.sv", 'wire a; initial $display("// x");', "wire a; // verilator lint_off WIDTH\n"),
        ("a.md", "text\n", "other text\n"),
    ],
    ids=["python", "string", "pragma", "page"],
)
def test_comments_and_docstrings_are_no_change_of_code(
    name: str, same: str, other: str, tmp_path: Path
) -> None:
    before = {
        "a.py": 'def f():\n    """Old."""\n    return "#"  # old\n',
        "a.sv": 'wire a;  // old\ninitial $display("// x");\n',
        "a.md": "text\n",
    }
    file = tmp_path / name
    file.write_text(before[name])
    code = dependencies.code(file)
    file.write_text(same)
    assert dependencies.code(file) == code
    file.write_text(before[name] + other)
    assert dependencies.code(file) != code


@pytest.mark.parametrize(
    "test, reads",
    [
        ("tests/cores/test_lint.py", True),
        ("tests/tool/test_site.py", True),
        ("tests/cores/smm/test_smm_rtl.py", False),
        ("tests/rsa/test_rsa.py", False),
    ],
)
def test_only_tests_of_texts_run_again_for_a_comment(test: str, reads: bool) -> None:
    class Item:
        path = REPO_ROOT / test

    item = cast(pytest.Item, Item())
    assert dependencies.reads_texts(item) is reads
    pages = {path for path in dependencies.dependencies(item) if dependencies.is_page(path)}
    assert bool(pages) is reads


#: Variables by which a make tells those that it starts what it was asked for.
MAKES_OWN = {"AGAIN", "MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS"}


def test_only_a_run_that_asks_for_it_repeats_what_has_passed() -> None:
    def recipe(*words: str) -> str:
        said = subprocess.run(
            ["make", "--dry-run", "test", *words],
            cwd=REPO_ROOT,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
            # `make test AGAIN=1` hands its words to every make below it.
            env={name: value for name, value in os.environ.items() if name not in MAKES_OWN},
        )
        return said.stdout

    assert "run_tests.py --keep" in recipe()
    again = recipe("AGAIN=1")
    assert "run_tests.py" in again and "--keep" not in again


def test_what_differs_from_main_is_what_git_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def git(*words: str) -> None:
        identity = ("-c", "user.name=a", "-c", "user.email=a@example.org")
        subprocess.run(["git", *identity, *words], cwd=tmp_path, check=True, timeout=60)

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
