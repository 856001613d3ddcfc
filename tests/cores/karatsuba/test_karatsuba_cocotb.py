# SPDX-License-Identifier: Apache-2.0
"""`karatsuba` in Icarus Verilog, the numbers inside against the model; its DSP blocks of Yosys."""

import random
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest
from icarus import run_bench, run_sources
from mapping import mapped
from needs import needs
from programs import output_of

from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.cores.technology import Tech
from montcore.sim.build import RtlBuild
from montcore.synth.design import Design
from montcore.synth.fpga.ecp5 import ECP5
from montcore.synth.target import MAPPED

(LATTICE,) = ECP5.headers


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "tech"),
    [
        (20, 1, KaratsubaSchedule.FAST, Tech.GENERIC),
        (23, 1, KaratsubaSchedule.FAST, Tech.ASIC),
        pytest.param(64, 1, KaratsubaSchedule.FAST, Tech.ASIC, marks=pytest.mark.nightly),
        (64, 2, KaratsubaSchedule.FAST, Tech.GENERIC),
        (20, 1, KaratsubaSchedule.LEAN, Tech.ASIC),
        (64, 1, KaratsubaSchedule.LEAN, Tech.GENERIC),
        (20, 1, KaratsubaSchedule.PAPER, Tech.DSP48E),
        (64, 1, KaratsubaSchedule.PAPER, Tech.ASIC),
        (32, 2, KaratsubaSchedule.PAPER, Tech.GENERIC),
        (48, 2, KaratsubaSchedule.PAPER, Tech.DSP48E1),
    ],
)
@pytest.mark.one_in(10)
def test_every_number_is_as_in_the_model(
    tmp_path: Path, bits: int, depth: int, schedule: KaratsubaSchedule, tech: Tech
) -> None:
    config = Karatsuba(bits=bits, depth=depth, schedule=schedule)
    run_bench(tmp_path, "karatsuba_internal", config, {"Tech": int(tech)})


@pytest.mark.nightly  # the tests of sequences have its products in every run
@pytest.mark.parametrize("bits", [32, 72])
def test_every_number_of_the_staged_datapath_is_as_in_the_model(tmp_path: Path, bits: int) -> None:
    """With the model of the multiplier of ECP5."""
    core = Karatsuba(bits=bits, schedule=KaratsubaSchedule.PAPER)
    build = RtlBuild.of_core(core)
    parameters = {**core.sv_parameters(), "Tech": int(Tech.MULT18)}
    sources = (LATTICE, *build.sources)
    run_sources(
        tmp_path, "karatsuba_internal", replace(build, parameters=parameters, sources=sources)
    )


BENCH = """
module bench;
  reg clk = 0, clear = 1, start = 0;
  reg [{top}:0] a = 0, b = 0;
  wire [{double}:0] p;
  reg [{top}:0] factors [0:{last}];
  integer i;
  montcore_karatsuba_columns dut (
    .clk_i(clk), .clear_i(clear), .start_i(start), .a_i(a), .b_i(b), .p_o(p));
  always #5 clk = ~clk;
  initial begin
    $readmemh("factors.hex", factors);
    repeat (4) @(negedge clk);
    clear = 0;
    for (i = 0; i < {last}; i = i + 2) begin
      a = factors[i]; b = factors[i + 1]; start = 1; @(negedge clk);
      start = 0; repeat (6) @(negedge clk);
      $display("%h", p);
    end
    $finish;
  end
endmodule
"""


def factors(width: int, signed: bool, count: int) -> list[tuple[int, int]]:
    """Return pairs: all pairs of extremes, and random ones."""
    low = -(1 << (width - 1)) if signed else 0
    high = (1 << (width - 1)) - 1
    part = (width - 1) // 4
    edges = [low, low + 1, 0, 1, high, high >> part, (1 << part) - 1, high - (1 << 2 * part)]
    rng = random.Random(width)
    pairs = [(a, b) for a in edges for b in edges]
    return pairs + [(rng.randint(low, high), rng.randint(low, high)) for _ in range(count)]


@pytest.mark.nightly  # each takes ten seconds to map
@needs("iverilog")
@pytest.mark.parametrize(("part", "signed"), [(16, True), (12, True), (14, False)])
def test_thirteen_blocks_make_the_product(tmp_path: Path, part: int, signed: bool) -> None:
    design = Design.of(
        "montcore_karatsuba_columns", Karatsuba.sources(), {"Part": part, "Signed": int(signed)}
    )
    found = mapped(design, "xc6v", tmp_path)
    assert found.dsp == 13

    width = 4 * part + 1
    pairs = factors(width, signed, 60)
    mask = (1 << width) - 1
    hexes = [f"{number & mask:x}" for pair in pairs for number in pair]
    (tmp_path / "factors.hex").write_text("\n".join(hexes) + "\n")
    bench = BENCH.format(top=width - 1, double=2 * width - 1, last=len(hexes) - 1)
    (tmp_path / "bench.v").write_text(bench)
    package = find_spec("pyosys")
    assert package is not None and package.origin is not None
    cells = Path(package.origin).parent / "share" / "xilinx" / "cells_sim.v"
    files = ("bench.v", MAPPED, cells)
    output_of("iverilog", "-g2012", "-o", "bench.vvp", *files, cwd=tmp_path)
    products = [int(line, 16) for line in output_of("vvp", "-n", "bench.vvp", cwd=tmp_path).split()]
    assert products == [a * b & ((1 << 2 * width) - 1) for a, b in pairs]
