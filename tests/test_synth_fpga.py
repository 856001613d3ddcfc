# SPDX-License-Identifier: Apache-2.0
"""FPGA figures: what counts as which resource, and a clock from place and route."""

import json
from pathlib import Path

import pytest

from montcore.cores import get_core
from montcore.errors import RequestError
from montcore.paths import HW_DIR
from montcore.synth import synthesise
from montcore.synth.design import Design
from montcore.synth.fpga import (
    count_resources,
    read_clocks,
    read_ports,
    slowest,
    synthesise_ecp5,
    synthesise_xilinx,
    wrapper,
)
from montcore.synth.options import DEFAULT_OPTIONS, Options

RTL = Path(__file__).parent / "rtl"


def mul(width: int) -> Design:
    return Design.of("synth_mul", [RTL / "synth_mul.sv"], {"Width": width})


def test_cells_are_counted_as_resources() -> None:
    cells = {
        "LUT2": 3,
        "LUT6": 4,
        "INV": 1,
        "CARRY4": 9,
        "MUXF7": 2,
        "RAM32M": 2,
        "SRL16E": 1,
        "FDRE": 5,
        "FDSE_1": 1,
        "DSP48E1": 2,
        "RAMB18E1": 1,
    }
    found = count_resources(cells, "xc7")
    assert (found.lut, found.lut_ram, found.ff, found.dsp, found.bram) == (8 + 9, 9, 6, 2, 1)
    assert count_resources({"RAM32X1D": 1}, "xc4v").lut_ram == 4
    assert count_resources({"RAM32X1D": 1}, "xc7").lut_ram == 2
    lattice = {"LUT4": 2, "CCU2C": 3, "TRELLIS_DPR16X4": 1, "TRELLIS_FF": 4, "MULT18X18D": 1}
    found = count_resources(lattice, "ecp5")
    assert (found.lut, found.lut_ram, found.ff, found.dsp) == (2 + 6 + 6, 6, 4, 1)


def test_xilinx_multiplier_is_one_block(tmp_path: Path) -> None:
    found = synthesise_xilinx(mul(16), "xc7", tmp_path, DEFAULT_OPTIONS)
    assert (found.dsp, found.bram, found.fmax_mhz) == (1, 0, None)
    assert "IBUF" not in found.cells


def test_wrapper_connects_every_port(tmp_path: Path) -> None:
    ports = read_ports(mul(5), tmp_path, DEFAULT_OPTIONS)
    assert sorted((port.name, port.width, port.is_input) for port in ports) == [
        ("a_i", 5, True),
        ("b_i", 5, True),
        ("clk_i", 1, True),
        ("z_o", 10, False),
    ]
    text = wrapper("synth_mul", ports, "clk_i")
    assert ".z_o(out[9:0])" in text and "reg [9:0] in_q, held_q;" in text
    assert "(held_q[4:0])" in text and "(held_q[9:5])" in text


def test_ecp5_gives_a_clock_and_the_resources_of_the_core_alone(tmp_path: Path) -> None:
    found = synthesise_ecp5(mul(16), tmp_path, Options(nextpnr_seeds=(1,)))
    assert (found.dsp, found.lut) == (1, 0)
    assert found.ff <= 64
    assert found.fmax_mhz is not None and 100 < found.fmax_mhz < 800
    # Nothing was optimised away in the wrapper: its own shift registers are there too.
    design = json.loads((tmp_path / "wrapper.json").read_text())["modules"]["wrapper"]
    kinds = [cell["type"] for cell in design["cells"].values()]
    assert kinds.count("MULT18X18D") == 1
    assert kinds.count("TRELLIS_FF") >= found.ff + 32 + 32 + 32


TWO_CLOCKS = Design.of(
    "synth_two_clocks", [RTL / "synth_two_clocks.sv"], {"Width": 8}, fast_clock="clk2x_i"
)


def test_two_clocks_and_what_crosses_between_them() -> None:
    """The port's clock is held back by its own paths, the fast clock's, and those between."""
    nets = {"clk_i": "$glbnet$clk$TRELLIS_IO_IN", "clk2x_i": "$glbnet$clk2x$TRELLIS_IO_IN"}

    def report(slow: float, fast: float, crossing_ns: float) -> dict[str, object]:
        def path(first: str, last: str, delay: float) -> dict[str, object]:
            ends = {"from": f"posedge {nets[first]}", "to": f"posedge {nets[last]}"}
            return {**ends, "path": [{"delay": delay / 2}, {"delay": delay / 2}]}

        return {
            "fmax": {nets["clk_i"]: {"achieved": slow}, nets["clk2x_i"]: {"achieved": fast}},
            "critical_paths": [
                path("clk_i", "clk_i", 99),
                path("clk_i", "clk2x_i", crossing_ns),
                path("clk2x_i", "clk_i", 1),
                {"from": "async", "to": f"posedge {nets['clk_i']}", "path": [{"delay": 99}]},
            ],
        }

    for numbers, port in (((90, 300, 2), 90), ((90, 100, 2), 50), ((90, 300, 10), 50)):
        clocks = read_clocks(report(*numbers), TWO_CLOCKS)
        assert clocks is not None
        assert clocks == {
            "clk_i": numbers[0],
            "clk2x_i": numbers[1],
            "crossing": 1000 / numbers[2],
        }
        assert slowest(clocks, TWO_CLOCKS) == port
    assert read_clocks({"fmax": {nets["clk_i"]: {"achieved": 5.0}}}, TWO_CLOCKS) is None


def test_two_clocks_come_back_from_place_and_route(tmp_path: Path) -> None:
    found = synthesise_ecp5(TWO_CLOCKS, tmp_path, Options(nextpnr_seeds=(1,)))
    assert set(found.clocks_mhz) == {"clk_i", "clk2x_i", "crossing"}
    assert found.fmax_mhz is not None
    assert found.fmax_mhz <= found.clocks_mhz["crossing"] / 2 + 0.01


def test_second_clock_is_refused_where_there_is_no_timing_for_it() -> None:
    core = get_core("dsp")
    config = core.configure({"alpha": "2", "clocking": "double"}, 40)
    with pytest.raises(
        RequestError, match="osu018 is timed with one clock, and dsp_double has two"
    ):
        synthesise(core, config, "osu018")


@pytest.mark.parametrize("family", ["xc4v", "xc5v", "xc6v", "xc7", "ecp5"])
def test_memories_with_a_registered_output_are_block_ram(tmp_path: Path, family: str) -> None:
    common = HW_DIR / "common" / "rtl"
    sources = [common / "mont_ram_macro.sv", common / "mont_block_ram.sv"]
    design = Design.of("mont_block_ram", sources, {"Rows": 62, "Width": 34})
    if family == "ecp5":
        found = synthesise_ecp5(design, tmp_path, Options(nextpnr_seeds=(1,)))
    else:
        found = synthesise_xilinx(design, family, tmp_path, DEFAULT_OPTIONS)
    assert (found.bram, found.lut_ram) == (1, 0)


@pytest.mark.parametrize("family", ["xc2v", "xc5v"])
def test_older_families_map(tmp_path: Path, family: str) -> None:
    found = synthesise_xilinx(mul(6), family, tmp_path, DEFAULT_OPTIONS)
    assert found.lut > 0 or found.dsp == 1
    assert found.ff >= 12
