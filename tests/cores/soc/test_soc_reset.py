# SPDX-License-Identifier: Apache-2.0
"""A reset of each style works at any moment, in two simulators."""

import random
import re
from pathlib import Path

import pytest
from command_line import Tool
from needs import require
from programs import output_of, program

from montcore.bundle.parts import write_flat
from montcore.bundle.pipeline import make
from montcore.bundle.system import SystemBundle
from montcore.cores import get_core
from montcore.model.spec import montgomery_product
from montcore.sim.toolchain import verilator_root
from montcore.soc.design import RESET_LEVELS, RESET_STYLES, AcceleratorDesign, Reset
from montcore.soc.wrapper import BUSES, bus_reset, declared, find_bus
from montcore.support.errors import RequestError

BENCH = Path(__file__).parents[2] / "support" / "rtl" / "soc_reset_tb.sv"
BITS = 44
#: Module between the bench and the top module, whose port names depend on the style.
DUT = """
module soc_reset_dut (
    input logic pclk, input logic active, output logic irq,
    {ports}
);
{numbers}  {top} u_top (.pclk(pclk), .irq(irq), {connected});
endmodule
"""
STYLES = [(style, level) for style in RESET_STYLES for level in RESET_LEVELS]


def a_design(style: str, level: str) -> AcceleratorDesign:
    core = get_core("rc").configure({"w": "16"}, BITS)
    return AcceleratorDesign(None, multiplier=core, reset=Reset(style, level))


def written(folder: Path, style: str, level: str) -> tuple[str, list[str], list[Path]]:
    """Write the RTL; return its top module, what the bench is compiled with, and the files."""
    design, bus = a_design(style, level), find_bus("apb")
    bundle = SystemBundle(design, "apb")
    name, files = bundle.name, [folder / file for file in bundle.write_rtl(folder)]
    rng = random.Random(1)
    m = rng.getrandbits(BITS) | 1 << (BITS - 1) | 1
    x, y = rng.randrange(m), rng.randrange(m)
    assert design.multiplier is not None
    z = montgomery_product(x, y, m, design.multiplier.r_bits(BITS))
    numbers = {"Modulus": m, "X": x, "Y": y, "Z": z}
    ports = [f".{port.name}({port.name})" for port in bus.ports]
    value = "active" if level == "high" else "!active"
    dut = folder / "soc_reset_dut.sv"
    dut.write_text(
        DUT.format(
            ports=",\n".join(declared(port) for port in bus.ports),
            numbers="".join(
                f"  localparam logic [63:0] {key} = 64'h{number:x};\n"
                for key, number in numbers.items()
            ),
            top=name,
            connected=", ".join([f".{bus_reset(design, bus)}({value})", *ports]),
        )
    )
    return name, ["-DASYNC=1"] if style == "async" else [], [*files, dut]


def outcome(folder: Path, *words: str) -> tuple[int, int]:
    """Run the bench; return rounds and errors."""
    done = program(*words, cwd=folder)
    found = re.search(r"^(\d+) rounds, (\d+) errors$", done.stdout, re.M)
    assert found, done.stdout[-2000:] + done.stderr[-2000:]
    return int(found[1]), int(found[2])


def icarus(folder: Path, name: str, defines: list[str]) -> tuple[int, int]:
    """Run the bench with the one file of Verilog-2005."""
    require("iverilog")
    assert write_flat(folder, name, "xc7") == ""
    command = ["iverilog", "-g2012", *defines, "-s", "soc_reset_tb", "-o", "bench"]
    output_of(*command, f"{name}.v", "soc_reset_dut.sv", BENCH, cwd=folder)
    return outcome(folder, "vvp", "-n", "bench")


def verilator(
    folder: Path, defines: list[str], files: list[Path], patch: pytest.MonkeyPatch
) -> tuple[int, int]:
    """Run the bench with the SystemVerilog."""
    root = verilator_root()
    patch.setenv("VERILATOR_ROOT", str(root))
    words = ["--binary", "--timing", "-Wno-fatal", "-Wno-lint", "-Wno-style", "--Mdir", "model"]
    words += ["--top-module", "soc_reset_tb", "--x-initial", "unique", *defines]
    words += ["-CFLAGS", "-std=c++20"]  # coroutines, for the delays
    output_of(root / "bin" / "verilator", *words, *files, BENCH, cwd=folder)
    return outcome(folder, "model/Vsoc_reset_tb")


@pytest.mark.parametrize(("style", "level"), STYLES)
@pytest.mark.one_in(4)
def test_reset_at_any_moment_in_icarus(style: str, level: str, tmp_path: Path) -> None:
    name, defines, _ = written(tmp_path, style, level)
    assert icarus(tmp_path, name, defines) == (100, 0)


@pytest.mark.nightly
@pytest.mark.parametrize(("style", "level"), STYLES)
def test_reset_at_any_moment_in_verilator(
    style: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, defines, files = written(tmp_path, style, level)
    assert verilator(tmp_path, defines, files, monkeypatch) == (100, 0)


@pytest.mark.nightly  # a fault, to test the bench above
def test_a_build_without_the_style_fails_with_a_reset_at_any_moment(tmp_path: Path) -> None:
    name, defines, _ = written(tmp_path, "sync", "low")
    rounds, errors = icarus(tmp_path, name, [*defines, "-DASYNC=1"])
    assert rounds == 100 and errors > 0


#: Every style with both numbers of clocks behind one bus, and every pair of a style and a bus: the
#: shells take the reset from the same module, before their registers and the crossing.
BUNDLES = [
    (style, level, bus, clocks)
    for number, (style, level) in enumerate(STYLES)
    for place, bus in enumerate(BUSES)
    for clocks in ((1, 2) if place == 0 else (1 + (number + number // 2 + place) % 2,))
]


@pytest.mark.nightly
@pytest.mark.parametrize(("style", "level", "bus", "clocks"), BUNDLES)
def test_bundles_with_each_style_pass_their_own_test(
    style: str, level: str, bus: str, clocks: int, tmp_path: Path
) -> None:
    core = get_core("rc").configure({"w": "16"}, BITS)
    design = AcceleratorDesign(None, None, clocks, core, Reset(style, level))
    made = make(SystemBundle(design, bus), tmp_path / "made")
    assert made.test.failed == 0 and made.test.passed > 200


def test_what_is_no_style_is_refused(tmp_path: Path, tool: Tool) -> None:
    with pytest.raises(RequestError, match="sync or async, not slow"):
        Reset("slow")
    with pytest.raises(RequestError, match="low or high, not middle"):
        Reset("sync", "middle")
    words = ("build", "rc", "--bits", "44", "-o", tmp_path / "new")
    for more, sentence in (
        (["--reset", "async"], "need --bus"),
        (["--bus", "apb", "--reset", "slow"], "--reset takes sync or async"),
        (["--bus", "apb", "--reset-level", "up"], "--reset-level takes low or high"),
    ):
        tool.refuses(sentence, *words, *more)
