# SPDX-License-Identifier: Apache-2.0
"""`karatsuba` under a second simulator, Icarus Verilog: the numbers inside against the model."""

from pathlib import Path

import pytest
from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule, Style
from montcore.lint.rtl import for_icarus_11

BENCHES = Path(__file__).with_name("cocotb")


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "style"),
    [
        (20, 1, Schedule.FAST, Style.TILES),
        (23, 1, Schedule.FAST, Style.TREE),
        pytest.param(64, 1, Schedule.FAST, Style.TREE, marks=pytest.mark.nightly),
        (64, 2, Schedule.FAST, Style.TILES),
        (20, 1, Schedule.PAPER, Style.GRID),
        (64, 1, Schedule.PAPER, Style.TREE),
        (64, 2, Schedule.PAPER, Style.TILES),
    ],
)
def test_every_number_is_as_in_the_model(
    tmp_path: Path, bits: int, depth: int, schedule: Schedule, style: Style
) -> None:
    config = KaratsubaConfig(bits=bits, depth=depth, schedule=schedule)
    copies = []
    for source in CORE.sources():
        copies.append(tmp_path / source.name)
        copies[-1].write_text(for_icarus_11(source.read_text()))
    runner = get_runner("icarus")
    runner.build(
        sources=copies,
        hdl_toplevel=CORE.top,
        parameters={**CORE.sv_parameters(config), "Style": int(style)},
        build_dir=tmp_path / "build",
        timescale=("1ns", "1ps"),
        log_file=tmp_path / "build.log",
    )
    results = runner.test(
        test_module="karatsuba_internal",
        hdl_toplevel=CORE.top,
        build_dir=tmp_path / "build",
        test_dir=BENCHES,
        results_xml=str(tmp_path / "results.xml"),
        log_file=tmp_path / "run.log",
    )
    count, failed = get_results(results)
    assert count > 0 and failed == 0, (tmp_path / "run.log").read_text()[-6000:]
