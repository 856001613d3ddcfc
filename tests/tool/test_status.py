# SPDX-License-Identifier: Apache-2.0
"""The README's status table: each cell follows from tests, proofs and measured figures."""

from pathlib import Path

import pytest

from montcore.cores import all_cores
from montcore.support.paths import REPO_ROOT
from montcore_lab.pages import status
from montcore_lab.proofs import find_proofs


def test_every_core_is_in_the_table_with_a_name() -> None:
    found = status.statuses({})
    assert [item.core for item in found] == [*all_cores(), "modexp", "ecc"]
    assert all(item.name and len(item.cells()) == len(status.HEADER) for item in found)


@pytest.mark.parametrize("core", [*all_cores(), "modexp", "ecc"])
def test_each_cell_has_something_behind_it(core: str) -> None:
    [item] = (item for item in status.statuses({}) if item.core == core)
    proofs = [proof for proof in find_proofs([]) if proof.label.startswith(f"{item.core}/")]
    assert (item.proofs, item.mutants) == (
        len([proof for proof in proofs if not proof.mutant]),
        len([proof for proof in proofs if proof.mutant]),
    )
    # After a change of the RTL no figure is up to date, and no netlist is named.
    assert item.mutants and item.control
    assert item.protocol or item.core == "ecc"
    assert item.exhaustive or item.core in ("modexp", "ecc")


def test_the_tests_of_control_take_every_registered_core() -> None:
    for path in status.CONTROL_TESTS:
        assert "for core in all_cores().values()" in path.read_text(), path


def test_a_core_without_tests_and_figures_has_dashes(tmp_path: Path) -> None:
    folder = REPO_ROOT / "hw" / "common"
    found = status.status("toy", folder, {})
    assert found.cells()[1:4] == ["", "-", "-"] and found.cells()[5:] == ["-", ""]
