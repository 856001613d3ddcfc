# SPDX-License-Identifier: Apache-2.0
"""The curve engine under a second simulator, Icarus Verilog: the protocol of its port."""

from pathlib import Path

import pytest
from icarus import play_sequences
from mutants import faulty
from needs import require
from programs import program

from montcore.bundle.styles import port
from montcore.cores import get_core
from montcore.ecc.design import EngineDesign
from montcore_lab.lint.dialects import copies_for_icarus_11

nightly = pytest.mark.nightly


def engine(contexts: int) -> EngineDesign:
    return EngineDesign(get_core("smm").configure({}, 9), contexts)


@pytest.mark.parametrize(
    ("contexts", "packets"),
    [(1, 3), *(pytest.param(contexts, 40, marks=nightly) for contexts in (1, 2))],
)
def test_the_port_keeps_the_contract(tmp_path: Path, contexts: int, packets: int) -> None:
    """Pauses, order, refused curves and packets, zeroize and reset at any moment."""
    play_sequences(tmp_path, packets, engine(contexts))


FAULTS = {
    "a beat of the answer that is not taken vanishes": ("if (z_ready_i) begin", "begin"),
    "without a curve an answer has numbers": ("head_q ? !loaded_q :", "head_q ? 1'b0 :"),
    "a curve is taken while an operation runs": (
        "assign cfg_ready_o = !clear_i && (",
        "assign cfg_ready_o = !clear_i && (state_q == StRun || ",
    ),
}


@nightly
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_port_is_found(tmp_path: Path, name: str) -> None:
    build = port(engine(1)).rtl
    rtl = faulty(tmp_path, build, "montcore_ecc_packets", *FAULTS[name])
    with pytest.raises(AssertionError):
        play_sequences(tmp_path, 40, engine(1), rtl=rtl)


@pytest.mark.parametrize("contexts", [1, 2])
def test_no_name_is_taken_for_a_new_net(tmp_path: Path, contexts: int) -> None:
    """Icarus Verilog 11 does so for a package constant in a port expression."""
    require("iverilog")
    design = engine(contexts)
    copies = copies_for_icarus_11(design.sources(), tmp_path)
    flags = ("-g2012", "-Wimplicit", "-t", "null", "-s", design.top)
    done = program("iverilog", *flags, *copies)
    assert done.returncode == 0 and "implicit" not in done.stderr, done.stderr
