# SPDX-License-Identifier: Apache-2.0
"""FPGA figures: what counts as which resource, and a clock from place and route."""

import json
from pathlib import Path

import pytest

from montcore.synth.design import Design
from montcore.synth.fpga import (
    count_resources,
    read_ports,
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


@pytest.mark.parametrize("family", ["xc2v", "xc5v"])
def test_older_families_map(tmp_path: Path, family: str) -> None:
    found = synthesise_xilinx(mul(6), family, tmp_path, DEFAULT_OPTIONS)
    assert found.lut > 0 or found.dsp == 1
    assert found.ff >= 12
