# SPDX-License-Identifier: Apache-2.0
"""Placed netlists: legal rows, wires of every net, and figures that include the wires."""

import itertools
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from asic_tools import mac, needs_asic
from command_line import Tool

from montcore.cores import all_cores
from montcore.synth.asic.flow import Netlist, run_flow
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.memory import Macro, access_ns
from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.placement.legalise import check_legal, legalise, pack
from montcore.synth.asic.placement.trees import length_of, spanning_tree
from montcore.synth.asic.placement.wires import Net
from montcore.synth.asic.sizing.editable import Gate
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.flow import synthesise
from montcore.synth.options import DEFAULT_OPTIONS, LATCH, NONE, PLACED, chosen_options
from montcore.synth.process import ToolError
from montcore_lab.benches.module import instances
from montcore_lab.calibration.routed import read_routes

OPTIONS = replace(DEFAULT_OPTIONS, wires=PLACED)

pytestmark = needs_asic


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Netlist:
    """A 12-bit multiply-accumulate unit with a memory, placed."""
    work = tmp_path_factory.mktemp("placed")
    return run_flow(mac(12), work, OPTIONS)


def trees(number: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the edges of every tree over some nodes, from their Pruefer sequences."""
    for sequence in itertools.product(range(number), repeat=number - 2):
        degree = [1 + sequence.count(node) for node in range(number)]
        edges = []
        for node in sequence:
            leaf = degree.index(1)
            edges.append((leaf, node))
            degree[leaf] -= 1
            degree[node] -= 1
        first, second = (node for node in range(number) if degree[node] == 1)
        yield [*edges, (first, second)]


def test_trees_are_as_short_as_the_best_of_all_trees() -> None:
    rng = random.Random(1)
    for number in (2, 3, 4, 5, 6):
        for _ in range(4):
            points = [(rng.randrange(50) * 1.0, rng.randrange(50) * 1.0) for _ in range(number)]
            found = spanning_tree(points)

            def far(a: int, b: int, at: list[tuple[float, float]] = points) -> float:
                return abs(at[a][0] - at[b][0]) + abs(at[a][1] - at[b][1])

            best = min(sum(far(a, b) for a, b in edges) for edges in trees(number))
            assert found.length == pytest.approx(best)
            assert length_of(points) == pytest.approx(best)
            for pin, parent in enumerate(found.parents):
                assert found.lengths[pin] == (far(pin, parent) if parent >= 0 else 0.0)
            assert sorted(found.order) == list(range(number))


def test_trees_of_many_pins_join_them_all() -> None:
    rng = random.Random(2)
    for number in (40, 600):
        points = [(rng.random() * 300, rng.random() * 300) for _ in range(number)]
        tree = spanning_tree(points)
        seen = {0}
        for pin in tree.order[1:]:
            assert tree.parents[pin] in seen
            seen.add(pin)
        assert len(seen) == number
        # Uniformly distributed points: about 0.7 sqrt(n A).
        assert tree.length < 1.3 * (number * 300 * 300) ** 0.5


def test_delay_of_a_wire_is_elmores() -> None:
    known = cell_library().wire
    net = Net(
        ((0, "Y"), (1, "A"), (2, "A")), spanning_tree([(0, 0), (1000, 0), (1000, 500)]), known
    )
    first, second = net.delays([0.0, 0.01, 0.02])[1:]
    wire = known.pf_per_um
    expected = 270e-3 * (500 * wire + 500 * wire + 0.03)
    assert first == pytest.approx(expected)
    assert second == pytest.approx(expected + 135e-3 * (250 * wire + 0.02))


_GRID = """
import hashlib, numpy as np
from montcore.synth.asic.placement.electrostatic import Circuit, spread
side = 16
here = np.arange(side * side).reshape(side, side)
pairs = np.concatenate(
    [np.stack([a.ravel(), b.ravel()], axis=1)
     for a, b in ((here[1:], here[:-1]), (here[:, 1:], here[:, :-1]))]
)
number = len(pairs)
circuit = Circuit(
    width=np.full(side * side, 5.0), cell=pairs.ravel(), offset=np.zeros(2 * number),
    start=np.arange(0, 2 * number, 2), weight=np.ones(number), row=5.0, length=90.0, rows=18,
)
at = spread(circuit, 1)
print(circuit.wire(at) / number, hashlib.sha256(np.concatenate(at).tobytes()).hexdigest())
"""


def test_a_mesh_is_placed_with_short_wires_and_alike_on_every_processor() -> None:
    """The best wires of this mesh have a length of 5; numpy is alike without vectors."""
    found = set()
    for barred in ("", "AVX2 FMA3 AVX512F", "X86_V3 X86_V4"):  # names of older and newer releases
        environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": barred}
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", _GRID],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        found.add(done.stdout)
    (only,) = found
    assert 4.5 < float(only.split()[0]) < 6.5


def test_packed_cells_do_not_overlap_and_move_little() -> None:
    rng = random.Random(3)
    widths = [rng.choice([2.0, 3.0, 4.0, 12.0]) for _ in range(220)]
    length, rows, row = 150.0, 10, 12.5
    wishes = [(rng.random() * (length - 12), rng.randrange(rows) * row) for _ in widths]
    found = pack(wishes, widths, length, rows, row)
    spans = sorted(
        (level, left, left + width) for (left, level), width in zip(found, widths, strict=True)
    )
    for (level, _, end), (other, begin, _) in itertools.pairwise(spans):
        assert level != other or begin >= end - 1e-9
    assert all(
        left >= 0 and left + width <= length + 1e-9
        for (left, _), width in zip(found, widths, strict=True)
    )
    # Cells that are legal already stay where they are.
    again = pack([(left, level * row) for left, level in found], widths, length, rows, row)
    assert [level for _, level in again] == [level for _, level in found]
    assert [left for left, _ in again] == pytest.approx([left for left, _ in found])


def test_rows_that_cannot_hold_the_cells_are_refused() -> None:
    with pytest.raises(ToolError, match="cannot hold all cells"):
        pack([(0.0, 0.0)] * 3, [6.0] * 3, 10.0, 1, 10.0)


def test_overlaps_and_places_off_the_grid_are_found() -> None:
    geometry = cell_library().geometry
    gates = [Gate(f"g{number}", "NAND2X1", {}) for number in range(2)]
    layout = Layout(geometry, 80.0, 2, [(0.0, 0.0), (1.6, 0.0)])
    with pytest.raises(ToolError, match="g0 and g1 overlap in row 0"):
        check_legal(layout, gates)
    legalise(layout, gates)
    assert layout.at[0] != layout.at[1]
    layout.at[1] = (40.3, 0.0)
    with pytest.raises(ToolError, match="not on the grid"):
        check_legal(layout, gates)
    layout.at[1] = (79.2, 10.0)
    with pytest.raises(ToolError, match="not inside the rows"):
        check_legal(layout, gates)


def test_every_net_has_wires_and_every_cell_a_legal_place(placed: Netlist) -> None:
    physical = placed.physical
    assert physical is not None
    check_legal(physical.layout, physical.gates)
    assert len(physical.layout.slices) == 1
    pins: dict[str, int] = {}
    for item in instances(placed.verilog):
        for net in item.pins.values():
            pins[net] = pins.get(net, 0) + 1
    named = re.findall(r"^\*D_NET (\S+)", physical.spef.read_text(), flags=re.M)
    assert len(named) == len(set(named)) == physical.figures["nets"]
    lacking = {net for net, count in pins.items() if count > 1 and "{" not in net} - set(named)
    assert lacking == set()
    assert {gate.name for gate in physical.gates} == {
        item.name for item in instances(placed.verilog)
    }


def test_wires_lengthen_the_period_and_every_kind_of_path_is_timed(placed: Netlist) -> None:
    timing, ideal = placed.timing, placed.ideal
    assert timing.tmin_ns is not None and ideal.tmin_ns is not None
    assert ideal.tmin_ns < timing.tmin_ns < 1.6 * ideal.tmin_ns
    # Sizing does not count the paths from inputs; here one reads the memory, as a register does.
    assert timing.in_ns is not None and 0 < timing.in_ns < 1.01 * timing.tmin_ns
    assert timing.out_ns is not None and 0 < timing.out_ns < timing.tmin_ns
    assert timing.insertion_ns is not None and 0.1 < timing.insertion_ns < 1.0
    assert timing.skew_ns is not None and timing.skew_ns < 0.2
    assert timing.hold_ns is not None and timing.hold_ns > 0


def test_clock_has_as_many_levels_to_every_register(placed: Netlist) -> None:
    physical = placed.physical
    assert physical is not None
    driver = {
        gate.pins["Y"]: gate for gate in physical.gates if gate.cell == "INVX8" and "Y" in gate.pins
    }
    levels = set()
    for gate in physical.gates:
        pin = "clk_i" if Macro.of_cell(gate.cell) else "CLK"
        if pin in gate.pins:
            net, depth = gate.pins[pin], 0
            while net in driver:
                net, depth = driver[net].pins["A"], depth + 1
            assert physical.names[net] == "clk_i"
            levels.add(depth)
    assert levels == {physical.clock.levels}
    assert physical.clock.levels % 2 == 0


def test_no_cell_drives_more_than_its_tables_reach(placed: Netlist) -> None:
    physical = placed.physical
    assert physical is not None
    macros = tuple((macro, 1.5) for macro in placed.macros)
    library = read_library(cell_library(), macros).within_tables()
    cells = library.cells
    worst = 0.0
    for net in physical.wires.values():
        (gate, pin), *sinks = net.pins
        if gate < 0:
            continue
        load = net.capacitance + sum(
            cells[physical.gates[sink].cell].caps[name] for sink, name in sinks if sink >= 0
        )
        worst = max(worst, load / cells[physical.gates[gate].cell].max_load[pin])
    assert 0.3 < worst <= 1.0
    assert library.max_slew_ns == 1.2


@pytest.mark.nightly  # every measurement simulates its placed netlist
def test_placed_core_with_latches_computes_what_its_rtl_does(own_results: Path) -> None:
    core = all_cores()["smm"].configure({"npe": "1", "w": "4"}, 19)
    result = synthesise(core, "osu018", opts=chosen_options(memory=LATCH))
    assert result.gate_level_checked > 10
    assert result.cells["LATCH"] > 50 and result.ge_memory == 0
    assert result.tmin_ns_no_wires is not None and result.tmin_ns is not None
    assert result.tmin_ns_no_wires < result.tmin_ns
    assert (result.wires, result.memory) == ("placed", "latch")
    assert result.command.endswith("--target osu018 --wires placed --memory latch")
    assert result.placement["clock_buffers"] > 1


@pytest.mark.nightly  # two netlists, each checked
def test_memory_as_flip_flops_has_no_macros(own_results: Path) -> None:
    core = all_cores()["smm"].configure({"npe": "1", "w": "4"}, 19)
    macro = synthesise(core, "osu018", opts=chosen_options(NONE))
    flops = synthesise(core, "osu018", opts=chosen_options(NONE, "flops"))
    assert macro.ff is not None and flops.ff is not None
    assert flops.ff == macro.ff + macro.memory_bits > macro.ff
    assert flops.ge_memory == 0 and flops.gate_level_checked > 10


def test_macros_cost_by_their_size() -> None:
    small, large = Macro(8, 32), Macro(64, 32)
    assert small.area_ge(chosen_options(NONE)) == 1.5 * 256
    # (8 + 6)(32 + 6) register bits of 675 F^2 in gates of 24 um2.
    assert small.area_ge(OPTIONS) == pytest.approx(14 * 38 * 675 * 0.18**2 / 24)
    assert large.area_ge(OPTIONS) / large.bits < small.area_ge(OPTIONS) / small.bits
    assert access_ns(large, OPTIONS) == pytest.approx(access_ns(small, OPTIONS) + 3 * 0.09)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--target", "xc7", "--wires", "none"], "are only for ASIC targets, not for xc7"),
        (["--target", "osu018", "--wires", "all"], "--wires takes placed or none, not 'all'"),
        (["--target", "osu018", "--memory", "ram"], "--memory takes macro or latch or flops"),
    ],
)
def test_wrong_choices_are_refused(options: list[str], reason: str, tool: Tool) -> None:
    tool.refuses(reason, "synth", "rc", "--bits", "8", *options)


ROUTED = """
UNITS DISTANCE MICRONS 100 ;
NETS 2 ;
- a
  ( g0 Y ) ( g1 A )
+ ROUTED metal1 ( 100 200 ) M2_M1
  NEW metal2 ( 100 200 ) ( * 1200 ) M3_M2
  NEW metal3 ( 100 1200 ) ( 900 * ) ;
- b
+ ROUTED metal2 ( 0 0 ) ( * 500 ) ;
END NETS
"""


def test_routed_lengths_are_read_by_layer() -> None:
    lengths, vias = read_routes(ROUTED)
    assert lengths == {"a": {2: 10.0, 3: 8.0}, "b": {2: 5.0}}
    assert vias == {"a": 2, "b": 0}
