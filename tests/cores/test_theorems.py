# SPDX-License-Identifier: Apache-2.0
"""The theorems for every width hold, and what they take from the hardware is proved of it."""

import re
import shutil
from pathlib import Path

import pytest
from needs import needs

from montcore.support.errors import CheckFailedError, RequestError
from montcore_lab.proofs.runner import find_proofs, run_proof
from montcore_lab.proofs.theorems import FOLDER, check_theorems, hypotheses, theorems

TASKS = {proof.label: proof for proof in find_proofs()}
USED = sorted({line.task for line in hypotheses()})


@pytest.fixture
def copied(tmp_path: Path) -> Path:
    """The theorems of hr and the lemmas that they use, in a folder of the test."""
    for name in ("loop.v", "hr.v"):
        shutil.copy(FOLDER / name, tmp_path)
    return tmp_path / "hr.v"


@needs("coqc")
def test_every_theorem_holds_and_rests_on_its_hypotheses_alone(own_cache: Path) -> None:
    number, _ = check_theorems()
    assert number == len(theorems()) > 20


@needs("coqc")
@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("16 * M <= power b l ->\n  -M", "4 * M <= power b l ->\n  -M", "coqc refuses hr.v"),
        ("Proof. lia. Qed.", "Admitted.", "has Admitted"),
        pytest.param(
            *("< 7 * (M * power b l)", "< 6 * (M * power b l)", "coqc refuses hr.v"),
            marks=pytest.mark.nightly,
        ),
    ],
)
def test_a_theorem_that_is_wrong_is_refused(
    copied: Path, own_cache: Path, old: str, new: str, complaint: str
) -> None:
    text = copied.read_text()
    assert text.count(old) == 1
    copied.write_text(text.replace(old, new))
    with pytest.raises(CheckFailedError, match=complaint):
        check_theorems(copied.parent)


@needs("coqc")
def test_a_theorem_that_rests_on_an_axiom_is_refused(copied: Path, own_cache: Path) -> None:
    copied.unlink()
    with copied.with_name("loop.v").open("a") as file:
        file.write("Require Import Classical.\nTheorem t (P : Prop) : P \\/ ~P.\n")
        file.write("Proof. apply classic. Qed.\n")
    with pytest.raises(CheckFailedError, match=r"more than its hypotheses.*classic"):
        check_theorems(copied.parent)


def test_without_coq_a_sentence_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("montcore_lab.proofs.theorems.shutil.which", lambda name: None)
    with pytest.raises(RequestError, match=r"need coqc, which is missing; .*coq"):
        check_theorems()


def test_every_hypothesis_is_an_assertion_of_a_proof() -> None:
    for line in hypotheses():
        proof = TASKS[line.task]
        assert line.theorem in theorems(), line
        assert not re.match("mutant|alive", proof.task), line
        assert line.labels, line
        for label in line.labels:
            assert re.search(rf"\b{label}\s*:\s*assert\b", proof.property_file.read_text()), line


@pytest.mark.nightly
@pytest.mark.parametrize("task", USED)
def test_every_hypothesis_holds(task: str) -> None:
    verdict = run_proof(TASKS[task])
    assert verdict.passed, f"{task}: {verdict.text}"
