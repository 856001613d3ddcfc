# SPDX-License-Identifier: Apache-2.0
"""The formal proofs hold, their mutants fail, and the control of a core is independent of its
data."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.support.errors import CheckFailedError
from montcore_lab.proofs import QUICK, Proof, find_proofs, read_tasks, run_proof
from montcore_lab.proofs.independence import reaching_data

PROOFS = find_proofs()
#: `make test` runs the first quick proof of each file. A mutant shows that its property can fail,
#: which a change of the RTL seldom alters: one quick mutant in so many runs, and that of a file
#: whose proof takes longer than all others. `make nightly` runs the rest.
MUTANTS_PER_RUN = 8
LONG = {"ecc/ecc_random:width3_beats3": "ecc/ecc_random:mutant_stale"}


def _marked() -> Iterator[object]:
    mutants, proved = 0, set()
    for proof in PROOFS:
        daily = QUICK in proof.tags and proof.label not in LONG
        if daily and proof.mutant:
            daily = mutants % MUTANTS_PER_RUN == 0 or proof.label in LONG.values()
            mutants += 1
        elif daily:
            daily = proof.file not in proved
            proved.add(proof.file)
        marks = [] if daily else [pytest.mark.nightly]
        yield pytest.param(proof, id=proof.label, marks=marks)


@pytest.mark.parametrize("proof", list(_marked()))
def test_proof_comes_out_as_expected(proof: Proof) -> None:
    verdict = run_proof(proof)
    assert verdict.passed, f"{proof.label}: {verdict.text}"


def test_every_property_file_has_a_quick_mutant() -> None:
    files = {proof.file for proof in PROOFS}
    caught = {proof.file for proof in PROOFS if proof.mutant and QUICK in proof.tags}
    assert files == caught
    assert len(files) >= 5


def test_a_file_without_tasks_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.sby"
    file.write_text("[options]\nmode bmc\n")
    with pytest.raises(ValueError, match="names no"):
        read_tasks(file)


def test_a_verdict_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CheckFailedError, match="cone of montcore_smm"):
        reaching_data(get_core("smm").configure({}, 64), ["u_front.u_loader.no_such_register"])
