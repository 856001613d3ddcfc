# SPDX-License-Identifier: Apache-2.0
"""On the netlist, the curve engine's control depends on no scalar, point or random number."""

from pathlib import Path

import pytest
from mutants import replaced

from montcore.cores import get_core
from montcore.ecc.design import EngineDesign
from montcore.support.errors import CheckFailedError
from montcore_lab.proofs.ecc import EngineCone, control_knows

BUILDS = [
    pytest.param("cs4", 40, {}, id="cs4"),
    pytest.param("karatsuba", 64, {}, id="karatsuba"),
    pytest.param("smm", 256, {"npe": "8"}, id="smm-256"),
]


def built(core: str = "smm", bits: int = 40) -> EngineDesign:
    return EngineDesign(get_core(core).configure({"npe": "1"} if core == "smm" else {}, bits))


@pytest.mark.nightly
@pytest.mark.parametrize(("core", "bits", "settings"), BUILDS)
def test_control_is_blind_over_other_cores_and_at_real_widths(
    core: str, bits: int, settings: dict[str, str]
) -> None:
    design = EngineDesign(get_core(core).configure(settings, bits))
    assert EngineCone(design).reaching(control_knows(design)) == set()


KNOWN = control_knows(built())


@pytest.fixture(scope="module")
def cone() -> EngineCone:
    """The netlist of a small engine."""
    return EngineCone(built())


def test_control_and_addresses_do_not_depend_on_numbers(cone: EngineCone) -> None:
    assert cone.reaching(KNOWN) == set()


@pytest.mark.parametrize("left_out", KNOWN)
def test_the_data_is_found_where_a_cut_lets_it_through(cone: EngineCone, left_out: str) -> None:
    assert cone.reaching([name for name in KNOWN if name != left_out])


def test_a_cut_that_does_not_exist_is_refused(cone: EngineCone) -> None:
    with pytest.raises(CheckFailedError, match=r"no u_engine\.nothing"):
        cone.reaching(["u_engine.nothing"])


MUTANTS = {
    "a look-up ends at the entry that is looked for": (
        "table",
        "whole = fetched_q && entry_r_q == '1",
        "whole = fetched_q && entry_r_q == index_q",
    ),
    "a look-up reads only the entry that is looked for": (
        "table",
        "step ? address(slot_q, row_q, entry_q)",
        "step ? address(slot_q, row_q, index_q)",
    ),
    "a swap waits where the ladder does not swap": (
        "sequence",
        "sum_free && not_read && !digits_i.busy;",
        "sum_free && not_read && !digits_i.busy && digits_i.swap;",
    ),
    "a scalar that is odd is not added to": (
        "scalar",
        "(adding && !to_second)",
        "(adding && !to_second && !odd_q[0])",
    ),
    "the stream of scalars waits for a bit of them": (
        "packets",
        "assign x_ready_o = state_q == StOperands",
        "assign x_ready_o = !x_data_i[3] && state_q == StOperands",
    ),
}


@pytest.mark.nightly  # that data is found at all, the cuts above show in every run
@pytest.mark.parametrize("name", MUTANTS)
def test_control_by_data_is_found(name: str, tmp_path: Path) -> None:
    file, old, new = MUTANTS[name]
    design = built()
    sources = replaced(tmp_path, design.sources(), f"montcore_ecc_{file}", (old, new))
    mutant = EngineCone(design, sources)
    assert mutant.reaching(KNOWN)
