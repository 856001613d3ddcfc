# SPDX-License-Identifier: Apache-2.0
"""The curve engine under a second simulator, Icarus Verilog: the protocol of its port."""

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from icarus import run_sources
from needs import require

from montcore.cores import get_core
from montcore.ecc.design import EngineDesign
from montcore.hdl.dialects import for_icarus_11
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CheckedPort

nightly = pytest.mark.nightly
#: The bench's tests in `make test`.
FIRST = [(1, "curves_that_are_refused")]


def engine(contexts: int) -> EngineDesign:
    return EngineDesign(get_core("smm").configure({}, 9), contexts)


def built(design: EngineDesign) -> RtlBuild:
    """Return the engine itself: the bench is its source of randomness."""
    port = CheckedPort(design.core.top, f"{design.top}.u_multiplier.u_core", design.width)
    return RtlBuild(design.top, tuple(design.sources()), design.parameters(), (), (port,))


def run_bench(folder: Path, contexts: int, only: str = "", rtl: RtlBuild | None = None) -> None:
    """Run the tests of ecc_protocol, or those with a name, on an engine for small primes."""
    environment = {"MONTCORE_BENCH_DESIGN": json.dumps(["smm", 9, {}, contexts])}
    if only:
        environment["COCOTB_TEST_FILTER"] = only
    run_sources(folder, "ecc_protocol", rtl or built(engine(contexts)), environment)


@pytest.mark.parametrize(
    ("contexts", "only"),
    [*FIRST, pytest.param(1, "", marks=nightly), pytest.param(2, "", marks=nightly)],
)
def test_protocol_of_the_port(tmp_path: Path, contexts: int, only: str) -> None:
    run_bench(tmp_path, contexts, only)


FAULTS = {
    "a beat of the answer that is not taken vanishes": (
        "if (z_ready_i) begin",
        "begin",
        "a result beat changed",
    ),
    "without a curve an answer has numbers": (
        "head_q ? !loaded_q :",
        "head_q ? 1'b0 :",
        "without a curve the status alone",
    ),
    "a curve is taken while an operation runs": (
        "assign cfg_ready_o = !clear_i && (",
        "assign cfg_ready_o = !clear_i && (state_q == StRun || ",
        "failed",
    ),
}


@nightly
@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_the_port_is_found(tmp_path: Path, name: str) -> None:
    old, new, message = FAULTS[name]
    build = built(engine(1))
    (source,) = (path for path in build.sources if path.name == "montcore_ecc_packets.sv")
    text = source.read_text()
    assert text.count(old) == 1
    (tmp_path / "fault").mkdir()
    copy = tmp_path / "fault" / source.name
    copy.write_text(text.replace(old, new))
    sources = tuple(copy if path == source else path for path in build.sources)
    with pytest.raises(AssertionError, match=message):
        run_bench(tmp_path, 1, rtl=replace(build, sources=sources))


@pytest.mark.parametrize("contexts", [1, 2])
def test_no_name_is_taken_for_a_new_net(tmp_path: Path, contexts: int) -> None:
    """Icarus Verilog 11 does so for a package constant in a port expression."""
    require("iverilog")
    design = engine(contexts)
    copies = []
    for source in design.sources():
        copies.append(tmp_path / source.name)
        copies[-1].write_text(for_icarus_11(source.read_text()))
    command = ["iverilog", "-g2012", "-Wimplicit", "-t", "null", "-s", design.top]
    done = subprocess.run(
        [*command, *map(str, copies)], capture_output=True, text=True, check=True, timeout=120
    )
    found = [line for line in done.stderr.splitlines() if "implicit" in line]
    assert not found
