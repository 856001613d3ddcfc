# SPDX-License-Identifier: Apache-2.0
"""Netlists of the FPGA families are simulated before their figures count, and wrong ones found."""

import re
from pathlib import Path
from typing import Any

import pytest
from fixture_core import FixtureCore
from mapping import FAMILIES, resources, simulated, with_models
from needs import needs

from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.sim.build import RtlBuild
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT, module_files
from montcore.synth.design import Design
from montcore.synth.flow import synthesise
from montcore.synth.fpga.xilinx import Xilinx
from montcore.synth.gatesim.check import check_netlist, check_port, measure_cycles
from montcore.synth.gatesim.fpga_model import FpgaBuild
from montcore.synth.gatesim.primitives import XILINX, share
from montcore.synth.gatesim.vendor_cells import with_models as restated
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.process import ToolError
from montcore.synth.target import MAPPED

BENCH = REPO_ROOT / "tests" / "support" / "rtl" / "block_ram_bench.v"
DSP_BENCH = BENCH.with_name("dsp48e2_bench.v")
CONFIG = FixtureCore(bits=16, bus=8)


def mapped(core: Core, family: str, work: Path) -> FpgaBuild:
    """Map a core to a family and return the build of its netlist."""
    on = FAMILIES[family]
    design = Design.of(
        core.top,
        core.sources(),
        core.sv_parameters(on.technology),
        choices=core.flow_choices(on.technology),
    )
    on.map(design, work, DEFAULT_OPTIONS)
    return on.simulator(design, work)


def check(core: Core, build: FpgaBuild) -> int:
    """Check a netlist against the RTL and the specification."""
    rtl = measure_cycles(core, core.bits, 5, RtlBuild.of_core(core))
    return check_netlist(
        core, build, rtl, number=6, seed=5, length=core.bits, progress=lambda _: None
    )


@pytest.mark.nightly  # every run has xc7 in test_tool_json.py
@pytest.mark.parametrize("family", FAMILIES)
def test_netlists_with_multipliers_carries_and_memories_are_right(
    tmp_path: Path, family: str
) -> None:
    # Words of 20 bits take the cascades of DSP blocks where a family has them.
    config = get_core("smm").configure({"npe": "1", "w": "32"}, 64)
    build = mapped(config, family, tmp_path)
    text = build.sources[0].read_text()
    block = {"xc2v": "MULT18X18 ", "xc4v": "DSP48 ", "xc5v": "DSP48E ", "ecp5": "MULT18X18D "}
    block |= {"xcup": "DSP48E2 ", "nexus": "MULT18X18 ", "gatemate": "CC_ADDF "}
    assert block.get(family, "DSP48E1 ") in text
    assert check(config, build) > 20


@pytest.mark.parametrize(
    ("family", "registers"),
    [
        ("xcup", ["AREG(32'd2)", "BREG(32'd2)", "MREG(1'h1)", "PREG(1'h1)"]),
        ("ecp5", [f'REG_{name}_CLK("CLK0")' for name in ("INPUTA", "INPUTB", "OUTPUT")]),
    ],
)
@pytest.mark.nightly
def test_registers_in_the_multipliers_are_right(
    tmp_path: Path, family: str, registers: list[str]
) -> None:
    config = get_core("dsp").configure({"alpha": "1"}, 20)
    build = mapped(config, family, tmp_path)
    text = build.sources[0].read_text()
    assert all(f".{register}" in text for register in registers)
    assert check(config, build) > 20


@pytest.mark.nightly  # test_synth_flow.py finds a wrong netlist in every run
def test_a_product_one_cycle_early_in_ecp5_is_found(tmp_path: Path) -> None:
    config = get_core("dsp").configure({"alpha": "1"}, 20)
    build = mapped(config, "ecp5", tmp_path)
    netlist = build.sources[0]
    text = netlist.read_text()
    assert '.REG_OUTPUT_CLK("CLK0")' in text
    netlist.write_text(text.replace('.REG_OUTPUT_CLK("CLK0")', '.REG_OUTPUT_CLK("NONE")'))
    with pytest.raises(CheckFailedError, match="netlist"):
        check(config, build)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("family", "schedule", "bits", "text"),
    [
        # Differences packed into the adder before the multiplier gave wrong products.
        ("xc7", "fast", 40, "DSP48E1 "),
        ("xcup", "fast", 40, "DSP48E2 "),
        # Blocks packed as those of Virtex-6, in cascades.
        ("xc5v", "paper", 96, ".PCOUT("),
    ],
)
def test_sums_around_multipliers_are_right(
    tmp_path: Path, family: str, schedule: str, bits: int, text: str
) -> None:
    config = get_core("karatsuba").configure({"schedule": schedule}, bits)
    build = mapped(config, family, tmp_path)
    assert text in build.sources[0].read_text()
    assert check(config, build) > 20


@pytest.mark.nightly
def test_a_figure_is_refused_if_its_netlist_is_wrong(
    own_results: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = synthesise(CONFIG, "xc7", opts=Options(gate_products=6))
    assert found.gate_level_checked > 20 and found.lut
    assert Path(found.log_dir, MAPPED).is_file()

    usual = Xilinx.map

    def broken(on: Xilinx, design: Design, work: Path, opts: Options) -> Any:
        result = usual(on, design, work, opts)
        file = work / MAPPED
        text = file.read_text()
        assert "FDRE " in text and "LUT4 " in text
        file.write_text(re.sub(r"(LUT4 #\(\s*\.INIT\(16'h)[0-9a-f]+", r"\g<1>6996", text))
        return result

    monkeypatch.setattr(Xilinx, "map", broken)
    with pytest.raises(CheckFailedError, match="netlist"):
        synthesise(CONFIG, "xc7", fresh=True, opts=Options(gate_products=6))


def test_port_checks_find_faults_that_right_products_do_not_show() -> None:
    # A waiting result changes, a packet of a wrong length is taken, a result follows a zeroize.
    for bug, told in ((0, ""), (6, "with gaps"), (11, "wrong packets"), (14, "zeroize")):
        config = FixtureCore(bits=16, bus=8, bug=bug)
        build = RtlBuild.of_core(config)
        if not told:
            assert check_port(config, 16, 5, build, "it") > 12
            continue
        with pytest.raises(CheckFailedError, match=told):
            check_port(config, 16, 5, build, "it")


# Half a block, with words as wide as it, and a whole one.
XCUP_MEMORIES = ((700, 16), (64, 34), (700, 32), (512, 72))


@needs("iverilog")
@pytest.mark.parametrize(
    ("family", "rows", "width"),
    [
        *((family, 64, 34) for family in ("xc2v", "xc4v", "xc5v", "xc7")),
        *((family, 700, 32) for family in ("xc4v", "xc5v", "xc7")),
        *(("xcup", *shape) for shape in XCUP_MEMORIES),
    ],
)
@pytest.mark.nightly
def test_models_of_block_memories_are_like_the_memory(
    tmp_path: Path, family: str, rows: int, width: int
) -> None:
    sources = module_files(["pkg", "ram_macro", "block_ram"])
    design = Design.of("montcore_block_ram", sources, {"Rows": rows, "Width": width})
    found = resources(design, family, tmp_path)
    assert found.bram > 0 and found.lut_ram == 0
    netlist = with_models(tmp_path / MAPPED, design.top, tmp_path)
    values = {"Rows": rows, "Width": width, "AddrBits": (rows - 1).bit_length()}
    files = (BENCH, *XILINX.own_files(), netlist)
    said = simulated("block_ram_bench", files, tmp_path, values)
    assert "PASS" in said, said


WIDE = {"WRITE_WIDTH_A": f"{36:b}", "READ_WIDTH_B": f"{36:b}"}


@pytest.mark.parametrize(
    ("kind", "values", "pins"),
    [
        ("RAMB36", WIDE | {"DOB_REG": "1"}, {}),
        ("RAMB36", WIDE | {"RAM_EXTENSION_A": "LOWER"}, {}),
        ("RAMB36", WIDE | {"IS_CLKA_INVERTED": "1"}, {}),
        ("RAMB36", WIDE | {"WRITE_WIDTH_B": "1001"}, {}),
        ("RAMB36", WIDE | {"READ_WIDTH_A": f"{36:b}"}, {}),
        ("RAMB36", WIDE | {"READ_WIDTH_B": "1001"}, {}),
        ("RAMB36E1", WIDE | {"RAM_MODE": "SDP"}, {}),
        ("RAMB18SDP", {"DO_REG": "1"}, {}),
        ("DP16KD", {"DATA_WIDTH_A": "100", "DATA_WIDTH_B": "100"}, {}),
        ("DP16KD", {"DATA_WIDTH_A": "1001", "DATA_WIDTH_B": f"{18:b}"}, {}),
        ("DP16KD", {"DATA_WIDTH_A": "1001", "DATA_WIDTH_B": "1001"}, {"DIA0": [7]}),
        ("DP16KD", {"REGMODE_B": "OUTREG"}, {}),
        ("DP16KD", {"CLKBMUX": "INV"}, {}),
        ("RAM64M", {"IS_WCLK_INVERTED": "1"}, {}),
        ("DSP48E", {}, {"CARRYINSEL": ["0", "1", "1"]}),
        ("DSP48E", {"USE_MULT": "NONE"}, {"OPMODE": list("1010000")}),
        ("DSP48E1", {"USE_SIMD": "TWO24"}, {"OPMODE": list("1010000")}),
        ("DSP48E1", {}, {"OPMODE": list("1000000")}),
        ("DSP48E1", {}, {"OPMODE": list("1011110")}),
        ("DSP48E1", {}, {"OPMODE": [7, *"010000"]}),
        ("DSP48E2", {}, {"OPMODE": list("000011000")}),
        ("DSP48E2", {}, {"OPMODE": list("101000010")}),
        ("DSP48E2", {"AMULTSEL": "AD"}, {"OPMODE": list("101000000")}),
        ("DSP48E2", {"ALUMODEREG": "1"}, {"OPMODE": list("101000000")}),
        ("DSP48E2", {}, {"OPMODE": list("101000000"), "CARRYOUT": [7]}),
    ],
)
def test_memories_and_blocks_without_a_model_are_refused(
    kind: str, values: dict[str, str], pins: dict[str, list[Any]]
) -> None:
    item = {"type": kind, "parameters": values, "connections": pins}
    with pytest.raises(CheckFailedError, match=f"no model of a {kind} "):
        restated({"netnames": {}, "cells": {"block": item}})


@needs("iverilog")
def test_the_model_of_dsp48e2_agrees_with_its_predecessor_and_with_products(tmp_path: Path) -> None:
    """In every mode that Yosys infers, and on its two more bits of a factor."""
    older = tmp_path / "dsp48e1.v"
    text = (share() / "xilinx" / "cells_sim.v").read_text()
    older.write_text(re.findall(r"^module DSP48E1 .*?^endmodule", text, re.M | re.S)[0])
    (model,) = (path for path in XILINX.own_files() if path.name == "dsp48e2.v")
    said = simulated("dsp48e2_bench", (DSP_BENCH, model, older), tmp_path, {})
    assert "right: 5994 and 999" in said, said


def test_a_clock_that_the_model_of_a_dsp_block_ignores_is_refused(tmp_path: Path) -> None:
    block = "DSP48E1 #(.IS_CLK_INVERTED(1'b1)) block (.CLK(clk), .P(p))"
    netlist = tmp_path / "block.v"
    netlist.write_text(f"module m(input clk, output [47:0] p); {block}; endmodule")
    with pytest.raises(ToolError, match="selection is not empty"):
        FpgaBuild("m", (netlist,))._make(tmp_path)
