# SPDX-License-Identifier: Apache-2.0
"""A cached result is used only for the same files, arguments, code and tools."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from programs import write_script

from montcore_lab.checkout import remembered as module
from montcore_lab.checkout.remembered import Question, remembered
from montcore_lab.lint.complaints import complaints
from montcore_lab.proofs.runner import find_proofs, run_proof

pytestmark = pytest.mark.usefixtures("own_cache")


def _question(folder: Path) -> Question:
    (folder / "a.sv").write_text("module a; endmodule\n")
    return Question(["lint", "a"], (folder / "a.sv",), asked_by=("montcore.hdl",), programs=("sh",))


def test_a_package_that_is_not_there_is_no_key(tmp_path: Path) -> None:
    with pytest.raises(ModuleNotFoundError):
        replace(_question(tmp_path), asked_by=("montcore.nothing",)).key()


def test_the_same_question_is_answered_without_asking(tmp_path: Path) -> None:
    question = _question(tmp_path)
    assert remembered(question, lambda: ["one"]) == ["one"]
    assert remembered(question, lambda: ["two"]) == ["one"]


def test_everything_that_decides_an_answer_is_in_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = _question(tmp_path)
    keys = {
        question.key(),
        replace(question, about=["lint", "b"]).key(),
        replace(question, files=()).key(),
        replace(question, files=(tmp_path / "missing.sv",)).key(),
        replace(question, asked_by=("montcore_lab.proofs",)).key(),
        replace(question, programs=("cat",)).key(),
        replace(question, programs=("no-such-program",)).key(),
    }
    (tmp_path / "a.sv").write_text("module a; logic b; endmodule\n")
    keys.add(question.key())
    monkeypatch.setattr(module, "installed_packages", lambda: "another Yosys")
    keys.add(question.key())
    assert len(keys) == 9


def test_the_folder_of_a_file_is_not_in_the_key(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    assert _question(tmp_path).key() == _question(tmp_path / "elsewhere").key()


def test_what_is_not_to_be_kept_is_asked_again(tmp_path: Path) -> None:
    question = _question(tmp_path)
    assert remembered(question, lambda: ["late"], lambda found: found != ["late"]) == ["late"]
    assert remembered(question, lambda: ["sound"]) == ["sound"]


def test_a_damaged_answer_is_asked_again(tmp_path: Path, own_cache: Path) -> None:
    question = _question(tmp_path)
    assert remembered(question, lambda: 1) == 1
    (file,) = (own_cache / "answers").iterdir()
    file.write_text("{")
    assert remembered(question, lambda: 2) == 2


def test_a_program_runs_again_until_it_finds_nothing(tmp_path: Path) -> None:
    body = 'echo ran >> "${0%/*}/runs"\ngrep -q good "$1" || { echo bad; exit 1; }'
    script = write_script(tmp_path / "tool", body)
    file = tmp_path / "input"

    def runs() -> int:
        return len((tmp_path / "runs").read_text().splitlines())

    file.write_text("wrong")
    assert complaints([script, file], about=[file]) == ["bad"]
    assert complaints([script, file], about=[file]) == ["bad"]
    assert runs() == 2
    file.write_text("good")
    assert complaints([script, file], about=[file]) == []
    assert complaints([script, file], about=[file]) == []
    assert runs() == 3
    os.utime(script, (0, 0))  # another version of the program
    module._program.cache_clear()
    assert complaints([script, file], about=[file]) == []
    assert runs() == 4


@pytest.mark.nightly
def test_a_proof_that_holds_is_not_run_again_unless_it_is_asked_for() -> None:
    (proof,) = find_proofs(["common/montcore_csa:rows6_w8"])
    assert {path.stem for path in proof.inputs()} >= {"montcore_csa_proof", "montcore_csa"}
    first = run_proof(proof)
    assert (first.passed, first.text) == (True, "PASS")
    assert run_proof(proof).text == "PASS, earlier"
    assert run_proof(proof, again=True).text == "PASS"
