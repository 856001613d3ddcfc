# SPDX-License-Identifier: Apache-2.0
"""The formal proofs hold, their mutants fail, and the control of a core is independent of its
data."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.cores.contract import port_verdicts
from montcore.support.errors import CheckFailedError
from montcore.support.paths import HW_DIR
from montcore_lab.proofs.alive import dead, variants
from montcore_lab.proofs.runner import Proof, find_proofs, read_proofs, run_proof
from montcore_lab.proofs.verdicts import verdict_faults

PROOFS = [proof for proof in find_proofs() if not proof.alive]
#: The tasks that show a property file's assertions alive; those of a few files are quick.
ALIVE: dict[Path, list[Proof]] = {}
for _proof in find_proofs():
    if _proof.alive:
        ALIVE.setdefault(_proof.property_file, []).append(_proof)
#: `make test` runs the first quick proof of every fourth file; simulations have each unit. A mutant
#: shows that its property can fail, which a change of the RTL seldom alters: one in so many runs.
MUTANTS_PER_RUN = 40
#: Files whose proofs are nightly, as they take longest and simulations have the same property in
#: every run: of ports, the random sequences; of units and of the sources of random numbers and of
#: keys, their own tests.
SIMULATED = {
    *("smm/smm_port", "dsp/dsp_port", "karatsuba/karatsuba_port", "common/row_port"),
    *("modexp/modexp_hr", "modexp/modexp_mx", "hr/hr_divide", "soc/pka_draw"),
    "ecc/ecc_random",
}


def _marked() -> Iterator[object]:
    mutants, proved = 0, list[str]()
    for proof in PROOFS:
        name = proof.label.partition(":")[0]
        daily = proof.quick and name not in SIMULATED
        if daily and proof.mutant:
            daily = mutants % MUTANTS_PER_RUN == 0
            mutants += 1
        elif daily:
            daily = name not in proved and len(proved) % 4 == 0
            proved += [name] if name not in proved else []
        marks = [] if daily else [pytest.mark.nightly]
        yield pytest.param(proof, id=proof.label, marks=marks)


@pytest.mark.parametrize("proof", list(_marked()))
def test_proof_comes_out_as_expected(proof: Proof) -> None:
    verdict = run_proof(proof)
    assert verdict.passed, f"{proof.label}: {verdict.text}"


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(
            file,
            id=file.stem,
            marks=[] if all(task.quick for task in tasks) else [pytest.mark.nightly],
        )
        for file, tasks in ALIVE.items()
    ],
)
def test_every_part_of_every_assertion_is_alive(file: Path) -> None:
    verdicts = [run_proof(task) for task in ALIVE[file]]
    assert all(verdict.passed for verdict in verdicts), verdicts
    assert not dead(file, [verdict.text for verdict in verdicts])


def test_every_property_file_has_a_run_for_its_assertions() -> None:
    assert set(HW_DIR.glob("**/formal/*_proof.sv")) == set(ALIVE)


def test_an_assertion_that_is_never_reached_is_dead() -> None:
    (task,) = find_proofs(["hr/hr_block:alive"])[:1]
    verdict = run_proof(task)
    # The block is not the topmost one.
    assert [part.label for part in dead(task.property_file, [verdict.text])] == ["a_exact_top"]


def test_each_disjunct_is_dropped_but_not_for_the_switch_of_a_mutant() -> None:
    made, parts = variants(
        "(\n    input a);\na_x : assert (a || (c));\na_y : assert (`MUTANT || f);"
    )
    assert [part.text for part in parts] == ["a", "(c)", "`MUTANT"]
    assert "begin a_x__0_0 : assert (((c)) || free_alive[0]); a_x__0_1 : assert ((a) ||" in made


def test_every_name_that_leaves_a_proof_out_of_a_run_is_that_of_a_proof() -> None:
    assert {proof.label.partition(":")[0] for proof in PROOFS} >= SIMULATED


def test_every_property_file_has_a_quick_mutant() -> None:
    modules = {proof.name for proof in PROOFS}
    caught = {proof.name for proof in PROOFS if proof.mutant and proof.quick}
    assert modules == caught
    assert {file.stem for file in HW_DIR.glob("**/formal/*_proof.sv")} <= {
        proof.top for proof in PROOFS
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("[a]\nall = pdr\n@b = quick\n", "no task of a"), ("[a]\nb = quick\n", "no engine for a:b")],
)
def test_a_file_without_tasks_or_engines_is_refused(
    tmp_path: Path, text: str, complaint: str
) -> None:
    file = tmp_path / "proofs.ini"
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_proofs(file)


def test_a_verdict_that_does_not_exist_is_refused() -> None:
    with pytest.raises(CheckFailedError, match=r"the netlist has no u_front\.u_nothing"):
        verdict_faults(get_core("smm").configure({}, 64), port_verdicts("u_front.u_nothing."))
