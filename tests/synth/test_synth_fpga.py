# SPDX-License-Identifier: Apache-2.0
"""FPGA figures: classification of resources, fixed places, and a clock from place and route."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from mapping import mapped, resources
from programs import write_script

from montcore.cores import get_core
from montcore.cores.karatsuba import Karatsuba, KaratsubaSchedule
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth.design import Design
from montcore.synth.flow import synthesise
from montcore.synth.fpga import routed
from montcore.synth.fpga.ecp5 import ECP5, SITES, fix_blocks, rows_of
from montcore.synth.fpga.levels import structure
from montcore.synth.fpga.resources import count_resources
from montcore.synth.fpga.routed import read_clocks, slowest, wrapper
from montcore.synth.options import Options
from montcore.synth.process import ToolError

RTL = REPO_ROOT / "tests" / "support" / "rtl"


def mul(width: int) -> Design:
    return Design.of("synth_mul", [RTL / "synth_mul.sv"], {"Width": width})


def test_cells_are_counted_as_resources() -> None:
    cells = {"LUT2": 3, "LUT6": 4, "INV": 1, "CARRY4": 9, "MUXF7": 2, "RAM32M": 2, "SRL16E": 1}
    cells |= {"FDRE": 5, "FDSE_1": 1, "DSP48E1": 2, "RAMB18E1": 1}
    found = count_resources(cells, 6)
    assert found == {"lut": 8 + 9, "lut_ram": 9, "ff": 6, "dsp": 2, "bram": 1}
    assert count_resources({"RAM32X1D": 1}, 4)["lut_ram"] == 4
    assert count_resources({"RAM32X1D": 1}, 6)["lut_ram"] == 2
    lattice = {"LUT4": 2, "CCU2C": 3, "TRELLIS_DPR16X4": 1, "TRELLIS_FF": 4, "MULT18X18D": 1}
    found = count_resources(lattice, 4)
    assert found == {"lut": 2 + 6 + 6, "lut_ram": 6, "ff": 4, "dsp": 1, "bram": 0}


@pytest.mark.nightly
def test_xilinx_multiplier_is_one_block(tmp_path: Path) -> None:
    found = mapped(mul(16), "xc7", tmp_path)
    assert (found.dsp, found.bram) == (1, 0)
    assert found.fmax_mhz is None
    assert "IBUF" not in found.cells
    assert (found.levels, found.depth) == (1, 2)
    assert found.critical_path == ["1 DSP48E1"]


def test_technology_is_a_parameter_and_no_define() -> None:
    switches = {
        name
        for path in HW_DIR.glob("**/rtl/*.sv")
        for name in re.findall(r"^\s*`(?:ifn?def|elsif)\s+(\w+)", path.read_text(), re.M)
    }
    # A port cannot depend on a parameter.
    assert switches <= {"MONTCORE_CLK2X", "MONTCORE_CURVE_CLK2X", "SYNTHESIS", "VERILATOR"}


def test_wrapper_connects_every_port() -> None:
    ways = {"clk_i": ("input", 1), "a_i": ("input", 5), "z_o": ("output", 10), "b_i": ("input", 5)}
    ports = {name: {"direction": way, "bits": [0] * width} for name, (way, width) in ways.items()}
    text = wrapper(mul(5), ports)
    assert ".z_o(out[9:0])" in text and "reg [9:0] in_q, held_q;" in text
    assert ".a_i(held_q[4:0])" in text and ".b_i(held_q[9:5])" in text


@pytest.mark.nightly  # every run reads a report like nextpnr's below
def test_ecp5_gives_a_clock_and_the_resources_of_the_core_alone(tmp_path: Path) -> None:
    found = mapped(mul(16), "ecp5", tmp_path, Options(nextpnr_seeds=(1,)))
    assert (found.dsp, found.lut) == (1, 0)
    assert found.ff is not None and found.ff <= 64
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
    """The port's clock is limited by its own paths, the fast clock's, and the crossing paths."""
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
        slow, fast, crossing_ns = numbers
        clocks = read_clocks(report(*numbers), TWO_CLOCKS)
        assert clocks == {"clk_i": slow, "clk2x_i": fast, "crossing": 1000 / crossing_ns}
        assert slowest(clocks, TWO_CLOCKS) == port
    assert read_clocks({"fmax": {nets["clk_i"]: {"achieved": 5.0}}}, TWO_CLOCKS) is None


@pytest.mark.nightly
def test_two_clocks_come_back_from_place_and_route(tmp_path: Path) -> None:
    found = mapped(TWO_CLOCKS, "ecp5", tmp_path, Options(nextpnr_seeds=(1,)))
    assert set(found.clocks_mhz) == {"clk_i", "clk2x_i", "crossing"}
    assert found.fmax_mhz is not None
    assert found.fmax_mhz <= found.clocks_mhz["crossing"] / 2 + 0.01


@pytest.fixture
def nextpnr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which `fake_nextpnr` writes the program that takes nextpnr's place."""
    monkeypatch.setattr(routed, "find_program", lambda _: str(tmp_path / "nextpnr"))
    return tmp_path


def fake_nextpnr(folder: Path, body: str) -> None:
    """Write a program that knows its `$seed` and the `$report` that it has to write."""
    lines = [
        'while [ "$1" != --report ]; do shift; done; report=$2',
        'while [ "$1" != --seed ]; do shift; done; seed=$2',
    ]
    write_script(folder / "nextpnr", "\n".join([*lines, body]))


@pytest.mark.parametrize(("good", "seeds"), [(3, [1, 2, 3]), (1, [1]), (9, [1, 2, 3])])
@pytest.mark.one_in(3)
def test_after_an_unroutable_seed_the_next_is_tried(
    nextpnr: Path, tmp_path: Path, good: int, seeds: list[int]
) -> None:
    """With a substitute for nextpnr that routes with only one seed."""
    fmax = {"fmax": {"$glbnet$clk$TRELLIS_IO_IN": {"achieved": 50.0}}}
    routes = f'[ "$seed" = {good} ] || {{ echo "ERROR: Failed to route arc"; exit 125; }}'
    fake_nextpnr(nextpnr, f"{routes}\necho '{json.dumps(fmax)}' > $report")
    opts = Options(nextpnr_seeds=(1,))
    if good in seeds:
        assert mapped(mul(6), "ecp5", tmp_path, opts).fmax_mhz == 50.0
    else:
        with pytest.raises(ToolError, match="Failed to route"):
            mapped(mul(6), "ecp5", tmp_path, opts)
    assert [seed for seed in range(10) if (tmp_path / f"nextpnr-{seed}.log").exists()] == seeds


@pytest.mark.parametrize(
    "target",
    ["ecp5", *(pytest.param(name, marks=pytest.mark.nightly) for name in ("nexus", "gatemate"))],
)
def test_clock_is_the_median_of_the_seeds_and_the_spread_is_stated(
    nextpnr: Path, tmp_path: Path, target: str
) -> None:
    """With a substitute for nextpnr whose clock depends on the seed."""
    speeds = {1: 90, 2: 110, 3: 70, 4: 100, 5: 95}
    cases = " ".join(f"{seed}) speed={speed};;" for seed, speed in speeds.items())
    report = 'echo "{\\"fmax\\": {\\"core.clk_i\\": {\\"achieved\\": $speed}}}" > $report'
    fake_nextpnr(nextpnr, f'case "$seed" in {cases} esac\n{report}')
    work = tmp_path / target
    work.mkdir()
    found = mapped(mul(6), target, work)
    assert (found.fmax_min_mhz, found.fmax_mhz, found.fmax_max_mhz) == (70, 95, 110)
    assert found.seeds_mhz == {str(seed): speed for seed, speed in speeds.items()}
    assert found.clocks_mhz == {"clk_i": 95}


@pytest.mark.nightly  # places and routes
@pytest.mark.parametrize(
    ("target", "width", "blocks"),
    # Each takes ten seconds, most of them for starting nextpnr.
    [("nexus", 16, 1), pytest.param("gatemate", 3, 0, marks=pytest.mark.nightly)],
)
def test_a_second_family_gives_a_clock(
    target: str, width: int, blocks: int, tmp_path: Path
) -> None:
    """With multiplier blocks and without."""
    found = mapped(mul(width), target, tmp_path, Options(nextpnr_seeds=(1,)))
    assert found.dsp == blocks
    # If a block were not timed, only the path from one register to the next would remain.
    assert found.fmax_mhz is not None and 30 < found.fmax_mhz < 700


def test_depth_of_a_netlist_is_counted_in_cells_and_registers() -> None:
    def cell(kind: str, ins: dict[str, int], outs: dict[str, int]) -> dict[str, object]:
        pins = {name: [bit] for name, bit in {**ins, **outs}.items()}
        ways = dict.fromkeys(ins, "input") | dict.fromkeys(outs, "output")
        return {"type": kind, "connections": pins, "port_directions": ways, "parameters": {}}

    # in 2 -> LUT -> FF -> LUT, LUT, LUT -> FF -> out 9; the middle register also feeds itself.
    cells = {
        "a": cell("LUT1", {"I0": 2}, {"O": 3}),
        "b": cell("FDRE", {"D": 3, "C": 1}, {"Q": 4}),
        "c": cell("LUT2", {"I0": 4, "I1": 8}, {"O": 5}),
        "d": cell("LUT1", {"I0": 5}, {"O": 6}),
        "e": cell("LUT1", {"I0": 6}, {"O": 7}),
        "f": cell("FDRE", {"D": 7, "C": 1}, {"Q": 8}),
        "g": cell("FDRE", {"D": 8, "C": 1}, {"Q": 9}),
    }
    ports = {"i": {"direction": "input", "bits": [2]}, "o": {"direction": "output", "bits": [9]}}
    found = structure({"modules": {"top": {"cells": cells, "ports": ports}}}, "top")
    assert (found.levels, found.path, found.depth) == (3, "2 LUT1, 1 LUT2", 3)
    cells["h"] = cell("PLL", {"I": 2}, {"O": 10})
    with pytest.raises(CheckFailedError, match="cells PLL is not known"):
        structure({"modules": {"top": {"cells": cells, "ports": ports}}}, "top")


def test_second_clock_is_refused_where_there_is_no_timing_for_it() -> None:
    config = get_core("dsp").configure({"alpha": "2", "clocking": "double"}, 40)
    words = "osu018 is timed with one clock, and montcore_dsp_double has two"
    with pytest.raises(RequestError, match=words):
        synthesise(config, "osu018")


@pytest.mark.nightly
def test_core_may_choose_its_placer_and_router(tmp_path: Path) -> None:
    design = replace(mul(6), choices=(("placer", "static"), ("router", "router2")))
    found = mapped(design, "ecp5", tmp_path, Options(nextpnr_seeds=(1,)))
    assert found.fmax_mhz is not None and found.fmax_mhz > 100
    # Output of these two algorithms at each pass; the defaults report neither step lengths nor
    # wires.
    log = (tmp_path / "nextpnr-1.log").read_text()
    assert "steplen=" in log and "overused=0" in log


def grid(width: int, **choices: str) -> Design:
    sources = [HW_DIR / "karatsuba" / "rtl" / "montcore_karatsuba_grid.sv"]
    return Design.of("montcore_karatsuba_grid", sources, {"Width": width}, choices=choices)


@pytest.mark.nightly
def test_adders_of_virtex_5_blocks_are_used_where_a_core_asks_for_it(tmp_path: Path) -> None:
    usual = resources(grid(40), "xc5v", tmp_path)
    packed = resources(grid(40, dsp_adders="packed"), "xc5v", tmp_path)
    later = resources(grid(40), "xc6v", tmp_path)
    assert usual.dsp == packed.dsp == packed.cells["DSP48E"] == later.cells["DSP48E1"] == 6
    assert packed.lut == later.lut < 0.6 * usual.lut
    assert packed.ff == later.ff < usual.ff


KIND = "MULT18X18D"
ROWS = (("s0", "s1", "s2", "s3"), ("t0", "t1"))


def netlist(folder: Path, names: list[str]) -> Path:
    """Write a netlist of blocks, and a cell of another type."""
    cells = {name: {"type": KIND, "attributes": {}} for name in names}
    cells["a.other"] = {"type": "LUT4", "attributes": {}}
    path = folder / "netlist.json"
    path.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    return path


def places(path: Path) -> dict[str, str | None]:
    """Return the place of each cell."""
    cells = json.loads(path.read_text())["modules"]["top"]["cells"]
    return {name: cell["attributes"].get("BEL") for name, cell in cells.items()}


def test_each_row_of_blocks_is_in_the_middle_of_a_row_of_the_device(tmp_path: Path) -> None:
    path = netlist(tmp_path, ["core.a.mult", "core.b.mult", "core.c.mult", "core.d.mult"])
    fix_blocks(path, "top", rows_of("b. a.;c."), ROWS)
    assert places(path) == {
        "core.a.mult": "s2",
        "core.b.mult": "s1",
        "core.c.mult": "t0",
        "core.d.mult": None,
        "a.other": None,
    }


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ("core.;x.", "core. is in the names of 3 blocks"),
        (";x.", "x. is in the names of 0 blocks"),
        ("a.;a. b. c.", "3 blocks do not fit into a row of 2"),
    ],
)
def test_blocks_that_cannot_be_placed_are_refused(tmp_path: Path, choice: str, reason: str) -> None:
    path = netlist(tmp_path, ["core.a.mult", "core.b.mult", "core.c.mult"])
    with pytest.raises(ToolError, match=reason):
        fix_blocks(path, "top", rows_of(choice), ROWS)


def test_the_blocks_of_the_staged_datapath_fit_the_device() -> None:
    """All 90 of them, in three rows; other schedules and depths leave the places to nextpnr."""
    assert [len(row) for row in SITES] == [52, 52, 52]
    assert len({site for row in SITES for site in row}) == 156
    config = Karatsuba(bits=192, schedule=KaratsubaSchedule.PAPER)
    rows = rows_of(config.flow_choices(ECP5.technology)["blocks"])
    assert [len(row) for row in rows] == [27, 36, 27]
    assert len({part for row in rows for part in row}) == 90
    for other in (
        Karatsuba(bits=192),
        Karatsuba(bits=192, schedule=KaratsubaSchedule.PAPER, depth=2),
        Karatsuba(bits=213, schedule=KaratsubaSchedule.PAPER),
    ):
        assert "blocks" not in Karatsuba.flow_choices(other, ECP5.technology)
