# SPDX-License-Identifier: Apache-2.0
"""Netlists of the FPGA families are simulated before their figures count, and wrong ones found."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fixture_core import FixtureCore
from mapping import FAMILIES, resources
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
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.process import ToolError
from montcore.synth.target import MAPPED
from montcore.synth.yosys import run_yosys

BENCH = REPO_ROOT / "tests" / "support" / "rtl" / "block_ram_bench.v"
BLOCK_BENCH = BENCH.with_name("dsp_block_bench.v")
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


@pytest.mark.nightly  # every run has ecp5 and xc7 below, and xc5v in test_synth_fpga.py
@pytest.mark.parametrize("family", FAMILIES)
def test_netlists_with_multipliers_carries_and_memories_are_right(
    tmp_path: Path, family: str
) -> None:
    # Words of 20 bits take the cascades of DSP blocks where a family has them.
    core = get_core("smm")
    config = core.configure({"npe": "1", "w": "32"}, 64)
    build = mapped(config, family, tmp_path)
    text = build.sources[0].read_text()
    block = {"xc2v": "MULT18X18 ", "xc4v": "DSP48 ", "xc5v": "DSP48E ", "ecp5": "MULT18X18D "}
    block |= {"nexus": "MULT18X18 ", "gatemate": "CC_ADDF "}
    assert block.get(family, "DSP48E1 ") in text
    assert check(config, build) > 20


def test_registers_in_the_multipliers_of_ecp5_are_right(tmp_path: Path) -> None:
    config = get_core("dsp").configure({"alpha": "1"}, 20)
    build = mapped(config, "ecp5", tmp_path)
    text = build.sources[0].read_text()
    registers = ("REG_INPUTA_CLK", "REG_INPUTB_CLK", "REG_OUTPUT_CLK")
    assert all(f'.{name}("CLK0")' in text for name in registers)
    assert check(config, build) > 20


@pytest.mark.nightly  # a wrong netlist is found in every run below
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
def test_differences_before_multipliers_are_right_on_newer_families(tmp_path: Path) -> None:
    # Packed into the adder before the multiplier they gave wrong products.
    core = get_core("karatsuba")
    config = core.configure({}, 40)
    build = mapped(config, "xc7", tmp_path)
    assert "DSP48E1 " in build.sources[0].read_text()
    assert check(config, build) > 20


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


@needs("iverilog")
@pytest.mark.parametrize(
    ("family", "rows", "width"),
    [
        *((family, 64, 34) for family in ("xc2v", "xc5v")),
        *((family, 700, 32) for family in ("xc4v", "xc7")),
        # The same primitives in their other shape.
        *(pytest.param(family, 64, 34, marks=pytest.mark.nightly) for family in ("xc4v", "xc7")),
        pytest.param("xc5v", 700, 32, marks=pytest.mark.nightly),
    ],
)
@pytest.mark.one_in(4)
def test_models_of_block_memories_are_like_the_memory(
    tmp_path: Path, family: str, rows: int, width: int
) -> None:
    sources = module_files(["pkg", "ram_macro", "block_ram"])
    design = Design.of("montcore_block_ram", sources, {"Rows": rows, "Width": width})
    found = resources(design, family, tmp_path)
    assert found.bram > 0 and found.lut_ram == 0
    lines = (tmp_path / MAPPED).read_text().splitlines(keepends=True)
    netlist = tmp_path / "plain.v"
    # Without the first contents, of which the models have none.
    netlist.write_text("".join(line for line in lines if ".INIT" not in line))
    program = tmp_path / "bench.vvp"
    values = {"Rows": rows, "Width": width, "AddrBits": (rows - 1).bit_length()}
    options = [f"-Pblock_ram_bench.{name}={value}" for name, value in values.items()]
    command = ["iverilog", "-g2012", "-s", "block_ram_bench", *options]
    files = [str(path) for path in (BENCH, *XILINX.own_files(), netlist)]
    subprocess.run([*command, "-o", str(program), *files], check=True)
    done = subprocess.run(["vvp", "-n", str(program)], capture_output=True, text=True, check=True)
    assert "PASS" in done.stdout, done.stdout


#: Configurations of DSP blocks that the mapped cores use: parameters, INMODE and OPMODE.
BLOCKS = {
    "product": ("AREG=1 BREG=1 MREG=1 PREG=0", 0, "7'h05"),
    "no registers": ("AREG=0 BREG=0 MREG=0 PREG=0", 0, "7'h05"),
    "two registers": ("AREG=2 BREG=2 MREG=1 PREG=1", 0, "7'h05"),
    "adder before": ("AREG=1 BREG=1 DREG=1 ADREG=1 MREG=1 PREG=0", 4, "7'h05"),
    "subtractor before": ("AREG=0 BREG=1 DREG=0 ADREG=1 MREG=1 PREG=1", 12, "7'h05"),
    "C": ("AREG=1 BREG=0 CREG=1 MREG=0 PREG=1", 0, "7'h35"),
    "own sum": ("AREG=1 BREG=1 MREG=1 PREG=1", 0, "7'h25"),
    "cascade": ("AREG=0 BREG=0 MREG=0 PREG=0", 0, "7'h15"),
    "shifted cascade": ("AREG=0 BREG=0 MREG=1 PREG=0", 0, "7'h55"),
    "shifted own sum": ("AREG=1 BREG=1 MREG=1 PREG=1", 0, "7'h65"),
    "own sum or C": ("AREG=1 BREG=1 CREG=0 MREG=1 PREG=1", 0, "{2'b01, choice, 4'b0101}"),
    "either shifted": ("AREG=1 BREG=1 MREG=1 PREG=1", 0, "{1'b1, !choice, choice, 4'b0101}"),
}
#: Those whose carry is an input.
CARRIES = ("shifted own sum", "shifted cascade")
_PORTS = """(input clk, input [29:0] a, input [17:0] b, input [47:0] c, input [24:0] d,
  input [47:0] cascade, input choice, input [7:0] enable, input [5:0] clear, output [{top}:0] p);
"""


def block_of(kind: str, name: str) -> str:
    """Return the instance of a DSP block in the configuration of a name of `BLOCKS`."""
    settings, inmode, opmode = BLOCKS[name]
    values = dict(word.split("=") for word in settings.split())
    own = {"DSP48": "SUBTRACTREG", "DSP48E": "MULTCARRYINREG ALUMODEREG"}
    own["DSP48E1"] = "INMODEREG ALUMODEREG"
    off = f"CREG CARRYINREG CARRYINSELREG OPMODEREG {own[kind]}"
    if kind == "DSP48E1":
        off += " DREG ADREG"
        values["USE_DPORT"] = '"TRUE"' if inmode else '"FALSE"'
    if kind != "DSP48":
        values |= {"ACASCREG": values["AREG"], "BCASCREG": values["BREG"]}
    values = dict.fromkeys(off.split(), "0") | values
    links = {"CLK": "clk", "A": "a", "B": "b", "C": "c", "PCIN": "cascade", "P": "p"}
    links |= {"OPMODE": opmode, "CARRYINSEL": "2'd0", "RSTP": "clear[0]"}
    links["CARRYIN"] = "choice" if name in CARRIES else "1'b0"
    links |= {"RSTA": "clear[1]", "RSTB": "clear[2]", "RSTC": "clear[3]", "RSTM": "clear[4]"}
    links |= {"CEC": "enable[2]", "CEM": "enable[3]", "CEP": "enable[4]"}
    if kind == "DSP48":
        links |= {"A": "a[17:0]", "CEA": "enable[0]", "CEB": "enable[1]", "SUBTRACT": "1'b0"}
    else:
        links |= {"CEA1": "enable[0]", "CEA2": "enable[5]", "CEB1": "enable[1]"}
        links |= {"CEB2": "enable[6]", "ALUMODE": "4'd0", "CARRYINSEL": "3'd0"}
    if kind == "DSP48E1":
        links |= {"D": "d", "INMODE": f"5'd{inmode}", "CED": "enable[7]", "CEAD": "enable[2]"}
        links |= {"RSTD": "clear[5]"}
    parameters = ", ".join(f".{key}({value})" for key, value in values.items())
    ports = ", ".join(f".{key}({value})" for key, value in links.items())
    return f"{kind} #({parameters}) block ({ports});"


def module_of(module: str, instances: list[str]) -> str:
    """Return a module with blocks, whose results are one vector."""
    blocks = [
        text.replace("block (", f"block_{number} (").replace("(p)", f"(p[{48 * number}+:48])")
        for number, text in enumerate(instances)
    ]
    head = f"module {module} {_PORTS}".replace("{top}", str(48 * len(blocks) - 1))
    return "\n".join((head, *blocks, "endmodule\n"))


def lower_blocks(work: Path, instances: list[str]) -> None:
    """Write blocks mapped for the netlist simulators, as module `mapped`."""
    (work / "blocks.v").write_text(module_of("mapped", instances))
    lowering = FpgaBuild("mapped", (work / "blocks.v",), models=XILINX)._lowering()
    stop = next(number for number, line in enumerate(lowering) if line.startswith("setundef"))
    run_yosys([*lowering[:stop], "write_verilog -noattr mapped.v"], work, "map", DEFAULT_OPTIONS)


@needs("iverilog")
@pytest.mark.parametrize("kind", ["DSP48", "DSP48E1"])
def test_the_map_of_dsp_blocks_is_like_the_blocks(tmp_path: Path, kind: str) -> None:
    # Virtex-4 has no adder before the multiplier.
    names = [name for name in BLOCKS if kind != "DSP48" or not BLOCKS[name][1]]
    instances = [block_of(kind, name) for name in names]
    (tmp_path / "wanted.v").write_text(module_of("wanted", instances))
    lower_blocks(tmp_path, instances)
    program = tmp_path / "bench.vvp"
    models = share() / XILINX.shared
    files = [BLOCK_BENCH, tmp_path / "wanted.v", tmp_path / "mapped.v", models]
    command = ["iverilog", "-g2012", "-s", "dsp_block_bench", "-o", str(program)]
    command.append(f"-Pdsp_block_bench.Blocks={len(names)}")
    subprocess.run([*command, *map(str, files)], check=True)
    done = subprocess.run(["vvp", "-n", str(program)], capture_output=True, text=True, check=True)
    assert "PASS" in done.stdout, done.stdout


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("DSP48E1", (".OPMODEREG(0)", ".OPMODEREG(1)")),
        ("DSP48E1", (".OPMODE(7'h05)", ".OPMODE({2'd0, choice, 4'h5})")),
        ("DSP48E1", (".OPMODE(7'h05)", ".OPMODE(7'h33)")),
        ("DSP48E1", (".ALUMODE(4'd0)", ".ALUMODE(4'd3)")),
        ("DSP48E1", (".INMODE(5'd0)", ".INMODE(5'd2)")),
        ("DSP48E", (".CARRYINSEL(3'd0)", ".CARRYINSEL(3'd1)")),
        ("DSP48E", (".CARRYINREG(0)", ".CARRYINREG(1)")),
        ("DSP48", (".SUBTRACT(1'b0)", ".SUBTRACT(1'b1)")),
        ("DSP48", (".OPMODE(7'h05)", ".OPMODE(7'h25)")),
    ],
)
def test_a_block_that_the_map_does_not_know_is_refused(
    tmp_path: Path, kind: str, change: tuple[str, str]
) -> None:
    block = block_of(kind, CARRIES[0] if "CARRYINREG" in change[0] else "product")
    assert change[0] in block
    with pytest.raises(ToolError, match="NO_MODEL_OF_THIS_DSP_BLOCK"):
        lower_blocks(tmp_path, [block.replace(*change)])
