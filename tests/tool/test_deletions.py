# SPDX-License-Identifier: Apache-2.0
"""Nothing that is shipped deletes a file that it did not make."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from needs import require
from programs import program

from montcore.bundle import build
from montcore.cli import main as cli
from montcore.cores import get_core
from montcore.support.errors import TransientError
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import repository_files


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    core = get_core("cs").configure({}, 8)
    return build(core, tmp_path_factory.mktemp("bundle") / "cs").path


def contents(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("sim", "place"),
    [
        *(("icarus", place) for place in ("mine", ".", "test", "../neighbour")),
        ("none", "mine"),
        pytest.param("verilator", "mine", marks=pytest.mark.nightly),
    ],
)
@pytest.mark.one_in(3)
def test_a_bundles_test_leaves_the_files_of_its_folder(
    bundle: Path, tmp_path: Path, sim: str, place: str
) -> None:
    require("iverilog")
    folder = Path(shutil.copytree(bundle, tmp_path / "bundle"))
    mine = folder / place
    mine.mkdir(exist_ok=True)
    for name in ("thesis.txt", "output.txt", "simulation", "model", "clock.cpp", "build"):
        (mine / name).write_text(f"my {name}")
    before = contents(tmp_path)
    done = program("sh", "run_test.sh", cwd=folder, env={**os.environ, "BUILD": place, "SIM": sim})
    assert contents(tmp_path) == before
    assert done.returncode == (2 if sim == "none" else 0), done.stdout + done.stderr


#: A request of each verb with a folder, without the folder.
REQUESTS = {
    "build": "cs --bits 8",
    "compare": "--bits 8 --cores cs --targets xc7",
    "recommend": "--bits 256 --targets osu018",
    "peers": "secworks --source .",
    "maintain site": "",
    "maintain release": "",
    "maintain registers": "",
    "maintain measure module": "--top t absent.sv",
}
NAMES = ("montcore-notes.txt", "index.html", "thesis.whl", "build/main.c", "rtl/mine.sv")


def folder_options() -> list[tuple[str, str]]:
    """Return the options of the command line that take a folder to write to."""

    def walk(command: Any, words: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, (*words, name))
        for option in command.params:
            if getattr(option, "metavar", None) == "DIR" and "--source" not in option.opts:
                yield " ".join(words), max(option.opts, key=len)

    return list(walk(typer.main.get_command(cli.app), ()))


@pytest.mark.parametrize(("verb", "option"), folder_options())
def test_a_verb_leaves_the_files_of_its_folder(
    own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verb: str, option: str
) -> None:
    def reached(*_: Any, **__: Any) -> Any:
        raise TransientError("work would have begun")

    lab = ("montcore_lab.release.copy_sources", "montcore_lab.peers.measure.measure")
    for place in ("montcore.compare.run.sweep", *lab):
        monkeypatch.setattr(place, reached)
    monkeypatch.setattr("montcore_lab.pages.figures.complaints", lambda _: [])
    for name in NAMES:
        (tmp_path / "mine" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "mine" / name).write_text(name)
    before = contents(tmp_path / "mine")
    cli.run([*verb.split(), *REQUESTS[verb].split(), option, str(tmp_path / "mine")])
    left = contents(tmp_path / "mine")
    assert {name: left.get(name) for name in before} == before


def test_scripts_delete_recursively_only_what_they_made() -> None:
    """What a variable names must come from mktemp; .venv has a check of its own."""
    for path in repository_files():
        if path.suffix not in (".sh", ".in", ".tcl", "") or ".ci" in path.parts:
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for word in re.findall(r"\brm -[a-z]*r[a-z]* ([^\n;&|>]*\$\S*)", text):
            name = word.strip("\"' ").removeprefix("$").split('"')[0]
            made = re.search(rf"^\s*{re.escape(name)}=\$\(mktemp -d", text, re.M)
            assert made or name == "VENV", f"{path.relative_to(REPO_ROOT)}: {word}"
