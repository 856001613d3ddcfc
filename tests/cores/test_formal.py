# SPDX-License-Identifier: Apache-2.0
"""The formal proofs hold, their mutants fail, and the control of a core is blind to its data."""

from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.cores.technology import Tech
from montcore.prove import QUICK, Proof, find_proofs, read_tasks, run_proof
from montcore.prove.independence import VERDICTS, reaching_data
from montcore.support.errors import CheckFailedError

PROOFS = find_proofs()


def _marked(proof: Proof) -> object:
    marks = [] if QUICK in proof.tags else [pytest.mark.nightly]
    return pytest.param(proof, id=proof.label, marks=marks)


@pytest.mark.parametrize("proof", [_marked(proof) for proof in PROOFS])
def test_proof_comes_out_as_expected(proof: Proof) -> None:
    verdict = run_proof(proof)
    assert verdict.passed, f"{proof.label}: {verdict.text}"


def test_every_property_file_has_a_mutant_that_make_test_runs() -> None:
    files = {proof.file for proof in PROOFS}
    caught = {proof.file for proof in PROOFS if proof.mutant and QUICK in proof.tags}
    assert files == caught
    assert len(files) >= 5


def test_a_file_without_tasks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.sby"
    file.write_text("[options]\nmode bmc\n")
    with pytest.raises(ValueError, match="names no"):
        read_tasks(file)


def _smm_reaching(length: int, npe: int, tree: int, verdicts: tuple[str, ...]) -> list[str]:
    parameters = {
        "Length": length,
        "WordBits": 32,
        "NumPe": npe,
        "Tech": int(Tech.ASIC if tree else Tech.GENERIC),
    }
    return reaching_data(get_core("smm"), parameters, verdicts)


@pytest.mark.parametrize(("length", "npe", "tree"), [(64, 1, 1), (256, 8, 0), (521, 3, 0)])
def test_smm_control_outputs_do_not_depend_on_data(length: int, npe: int, tree: int) -> None:
    assert _smm_reaching(length, npe, tree, VERDICTS) == []


@pytest.mark.parametrize("left_out", VERDICTS)
def test_the_data_is_found_where_a_verdict_lets_it_through(left_out: str) -> None:
    verdicts = tuple(verdict for verdict in VERDICTS if verdict != left_out)
    # 70 bits end inside a word, so that the length check looks at data too.
    assert "cfg_data_i" in _smm_reaching(70, 2, 0, verdicts)


def test_a_verdict_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CheckFailedError, match="cone of montcore_smm"):
        _smm_reaching(64, 1, 0, ("u_front.u_loader.no_such_register",))
