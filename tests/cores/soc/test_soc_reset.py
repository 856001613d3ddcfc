# SPDX-License-Identifier: Apache-2.0
"""A reset of each style works at any moment."""

import random
import re
from pathlib import Path

import pytest
from command_line import Tool
from needs import require
from programs import output_of

from montcore.bundle.parts import write_flat
from montcore.bundle.pipeline import make
from montcore.bundle.system import SystemBundle
from montcore.cores import get_core
from montcore.model.spec import montgomery_product
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


def design(style: str, level: str, clocks: int = 1) -> AcceleratorDesign:
    core = get_core("rc").configure({"w": "16"}, BITS)
    return AcceleratorDesign(None, None, clocks, core, Reset(style, level))


def write_rtl(folder: Path, style: str, level: str) -> str:
    """Write the RTL of a multiplier and the module around it; return the name of its top module."""
    chosen, bus = design(style, level), find_bus("apb")
    bundle = SystemBundle(chosen, "apb")
    bundle.write_rtl(folder)
    rng = random.Random(1)
    m = rng.getrandbits(BITS) | 1 << (BITS - 1) | 1
    x, y = rng.randrange(m), rng.randrange(m)
    assert chosen.multiplier is not None
    z = montgomery_product(x, y, m, chosen.multiplier.r_bits(BITS))
    numbers = {"Modulus": m, "X": x, "Y": y, "Z": z}
    ports = [f".{port.name}({port.name})" for port in bus.ports]
    value = "active" if level == "high" else "!active"
    (folder / "soc_reset_dut.sv").write_text(
        DUT.format(
            ports=",\n".join(declared(port) for port in bus.ports),
            numbers="".join(
                f"  localparam logic [63:0] {key} = 64'h{number:x};\n"
                for key, number in numbers.items()
            ),
            top=bundle.name,
            connected=", ".join([f".{bus_reset(chosen, bus)}({value})", *ports]),
        )
    )
    return bundle.name


def outcome(folder: Path, style: str, level: str, *defines: str) -> tuple[int, int]:
    """Run the bench with the one file of Verilog-2005; return rounds and errors."""
    require("iverilog")
    name = write_rtl(folder, style, level)
    assert write_flat(folder, name, "xc7") == ""
    command = ["iverilog", "-g2012", *defines, "-s", "soc_reset_tb", "-o", "bench"]
    output_of(*command, f"{name}.v", "soc_reset_dut.sv", BENCH, cwd=folder)
    said = output_of("vvp", "-n", "bench", cwd=folder)
    found = re.search(r"^(\d+) rounds, (\d+) errors$", said, re.M)
    assert found, said[-2000:]
    return int(found[1]), int(found[2])


@pytest.mark.parametrize(("style", "level"), STYLES)
@pytest.mark.one_in(4)
def test_reset_at_any_moment(style: str, level: str, tmp_path: Path) -> None:
    defines = ["-DASYNC=1"] if style == "async" else []
    assert outcome(tmp_path, style, level, *defines) == (100, 0)


@pytest.mark.nightly  # a fault, to test the bench above
def test_a_build_without_the_style_fails_with_a_reset_at_any_moment(tmp_path: Path) -> None:
    rounds, errors = outcome(tmp_path, "sync", "low", "-DASYNC=1")
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
    made = make(SystemBundle(design(style, level, clocks), bus), tmp_path / "made")
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
