# SPDX-License-Identifier: Apache-2.0
"""Netlists of the FPGA families are simulated before their figures count, and wrong ones found."""

import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from fixture_core import CORE, FixtureConfig

from montcore.cores import get_core
from montcore.cores.base import AnyCore
from montcore.errors import CheckFailedError
from montcore.paths import HW_DIR
from montcore.sim import RtlBuild
from montcore.synth import fpga_model, synthesise
from montcore.synth.check import check_netlist, check_port, measure_cycles
from montcore.synth.design import Design
from montcore.synth.fpga import MAPPED, XILINX_FAMILIES, synthesise_xilinx
from montcore.synth.fpga_model import FpgaBuild
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys

MODELS = Path(fpga_model.__file__).parent / "maps" / "fpga_models.v"
BENCH = Path(__file__).parent / "rtl" / "block_ram_bench.v"
CONFIG = FixtureConfig(bits=16, bus=8)


def mapped(core: AnyCore, config: Any, family: str, work: Path) -> FpgaBuild:
    """Map a core to a family and return the build of its netlist."""
    design = Design.of(
        core.top_of(config),
        core.sources(),
        core.sv_parameters(config, family),
        choices=core.flow_choices(config, family),
    )
    if family == "ecp5":
        commands = [design.read_command(work), f"synth_ecp5 -nowidelut -top {design.top}"]
        run_yosys([*commands, f"write_verilog -noattr {MAPPED}"], work, "ecp5", DEFAULT_OPTIONS)
    else:
        synthesise_xilinx(design, family, work, DEFAULT_OPTIONS)
    return FpgaBuild(design.top, (work / MAPPED,), family=family)


def check(core: AnyCore, config: Any, build: FpgaBuild) -> int:
    """Check a netlist against the RTL and the specification."""
    rtl = measure_cycles(core, config, config.bits, 5, RtlBuild.of_core(core, config))
    return check_netlist(
        core, config, build, rtl, number=6, seed=5, length=config.bits, progress=lambda _: None
    )


@pytest.mark.parametrize("family", [*XILINX_FAMILIES, "ecp5"])
def test_netlists_with_multipliers_carries_and_memories_are_right(
    tmp_path: Path, family: str
) -> None:
    # Words of 20 bits take the cascades of DSP blocks where a family has them.
    core = get_core("smm")
    config = core.configure({"npe": "2", "w": "32"}, 64)
    build = mapped(core, config, family, tmp_path)
    text = build.sources[0].read_text()
    block = {"xc2v": "MULT18X18 ", "xc4v": "DSP48 ", "xc5v": "DSP48E ", "ecp5": "MULT18X18D "}
    assert block.get(family, "DSP48E1 ") in text
    assert check(core, config, build) > 20


def test_a_wrong_bit_pattern_of_a_look_up_table_is_found(tmp_path: Path) -> None:
    build = mapped(CORE, CONFIG, "xc7", tmp_path)
    text = build.sources[0].read_text()
    assert check(CORE, CONFIG, build) > 20
    tables = list(re.finditer(r"LUT[3-6] #\(\s*\.INIT\((\d+)'h([0-9a-f]+)\)", text))
    assert len(tables) > 10
    for number in range(3):
        table = random.Random(number).choice(tables)
        width, old = int(table[1]), int(table[2], 16)
        wrong = tmp_path / f"wrong_{number}.v"
        new = f"{old ^ ((1 << width) - 1):x}"
        wrong.write_text(text[: table.start(2)] + new + text[table.end(2) :])
        with pytest.raises(CheckFailedError, match="netlist"):
            check(CORE, CONFIG, FpgaBuild(build.top, (wrong,), family="xc7"))


def test_a_figure_is_refused_if_its_netlist_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MONTCORE_CACHE", str(tmp_path))
    found = synthesise(CORE, CONFIG, "xc7")
    assert found.gate_level_checked > 20 and found.lut
    assert Path(found.log_dir, MAPPED).is_file()

    def broken(*arguments: Any) -> Any:
        result = synthesise_xilinx(*arguments)
        file = Path(arguments[2]) / MAPPED
        text = file.read_text()
        assert "FDRE " in text and "LUT4 " in text
        file.write_text(re.sub(r"(LUT4 #\(\s*\.INIT\(16'h)[0-9a-f]+", r"\g<1>6996", text))
        return result

    monkeypatch.setattr("montcore.synth.flow.synthesise_xilinx", broken)
    with pytest.raises(CheckFailedError, match="netlist"):
        synthesise(CORE, CONFIG, "xc7", fresh=True)


def test_port_checks_find_faults_that_right_products_do_not_show() -> None:
    # A waiting result changes, a packet of a wrong length is taken, a result follows a zeroize.
    for bug, told in ((0, ""), (6, "with gaps"), (11, "wrong packets"), (14, "zeroize")):
        config = FixtureConfig(bits=16, bus=8, bug=bug)
        build = RtlBuild.of_core(CORE, config)
        if not told:
            assert check_port(CORE, config, 16, 5, build, "it") > 12
            continue
        with pytest.raises(CheckFailedError, match=told):
            check_port(CORE, config, 16, 5, build, "it")


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="Icarus is not installed")
@pytest.mark.parametrize(
    ("family", "rows", "width"),
    [
        *((family, 64, 34) for family in ("xc2v", "xc4v", "xc5v", "xc7")),
        *((family, 700, 32) for family in ("xc4v", "xc5v", "xc7")),
    ],
)
def test_models_of_block_memories_are_like_the_memory(
    tmp_path: Path, family: str, rows: int, width: int
) -> None:
    source = HW_DIR / "common" / "rtl" / "montcore_block_ram.sv"
    design = Design.of("montcore_block_ram", [source], {"Rows": rows, "Width": width})
    found = synthesise_xilinx(design, family, tmp_path, DEFAULT_OPTIONS)
    assert found.bram > 0
    lines = (tmp_path / MAPPED).read_text().splitlines(keepends=True)
    netlist = tmp_path / "plain.v"
    # Without the first contents, of which the models have none.
    netlist.write_text("".join(line for line in lines if ".INIT" not in line))
    program = tmp_path / "bench.vvp"
    values = {"Rows": rows, "Width": width, "AddrBits": (rows - 1).bit_length()}
    options = [f"-Pblock_ram_bench.{name}={value}" for name, value in values.items()]
    command = ["iverilog", "-g2012", "-DXILINX", "-s", "block_ram_bench", *options]
    files = [str(path) for path in (BENCH, MODELS, netlist)]
    subprocess.run([*command, "-o", str(program), *files], check=True)
    done = subprocess.run(["vvp", "-n", str(program)], capture_output=True, text=True, check=True)
    assert "PASS" in done.stdout, done.stdout
