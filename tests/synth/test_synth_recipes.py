# SPDX-License-Identifier: Apache-2.0
"""The better recipe is kept, area is given back without time, late signals pass one XOR only.

Nets beyond the limits of the library are repaired where their gates are placed.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from asic_tools import mac, needs_asic

from montcore.synth.asic import flow
from montcore.synth.asic.adders import order_inputs
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.placement.layout import Layout
from montcore.synth.asic.placement.repair import Repair
from montcore.synth.asic.placement.trees import Point
from montcore.synth.asic.placement.wires import Wires
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sizing.recover import recover
from montcore.synth.asic.sizing.timer import OUTPUT_SHARE
from montcore.synth.asic.sizing.tune import Limits, Tuner
from montcore.synth.options import CELLS

pytestmark = needs_asic


def test_the_recipe_with_the_least_area_times_period_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipes = dict(flow.RECIPES)

    def product(name: str, chosen: dict[str, tuple[str, ...]]) -> tuple[float, str]:
        monkeypatch.setattr(flow, "RECIPES", chosen)
        (tmp_path / name).mkdir()
        netlist = flow.run_flow(mac(2), tmp_path / name, CELLS)
        assert netlist.timing.tmin_ns is not None
        return netlist.ge * netlist.timing.tmin_ns, netlist.recipe

    alone = [product(name, {name: commands}) for name, commands in recipes.items()]
    assert len({product for product, _ in alone}) > 1
    assert product("all", recipes) == min(alone)
    assert product("turned", dict(reversed(recipes.items()))) == min(alone)


def netlist_of(path: Path, cells: dict[str, tuple[str, dict[str, int]]]) -> EditableNetlist:
    """Return a netlist with an input of bit 2 and an output of bit 9."""
    ports = {"a": ("input", 2), "z": ("output", 9)}
    module = {
        "ports": {name: {"direction": way, "bits": [bit]} for name, (way, bit) in ports.items()},
        "netnames": {name: {"bits": [bit]} for name, (_, bit) in ports.items()},
        "cells": {
            name: {"type": kind, "connections": {pin: [bit] for pin, bit in pins.items()}}
            for name, (kind, pins) in cells.items()
        },
    }
    path.write_text(json.dumps({"modules": {"top": module}}))
    return EditableNetlist(path, "top")


def test_buffers_and_drives_without_use_are_given_back(tmp_path: Path) -> None:
    """A long path of inverters sets the period; a short one has a buffer and a strong inverter."""
    flop, clock = "DFFPOSX1", {"CLK": 1}
    chain = {f"i{n}": ("INVX1", {"A": 20 + n, "Y": 21 + n}) for n in range(6)}
    netlist = netlist_of(
        tmp_path / "n.json",
        {
            "start": (flop, {**clock, "D": 2, "Q": 20}),
            **chain,
            "end": (flop, {**clock, "D": 26, "Q": 9}),
            "spare": ("BUFX2", {"A": 20, "Y": 30}),
            "strong": ("INVX8", {"A": 30, "Y": 31}),
            "other": (flop, {**clock, "D": 31, "Q": 32}),
            "out": ("BUFX2", {"A": 32, "Y": 10}),
        },
    )
    tuner = Tuner(netlist, read_library(cell_library()))
    period, area = tuner.timer.period, tuner.area()
    assert recover(tuner) <= period + 1e-4
    assert tuner.area() < area
    kept = {gate.name: gate for gate in netlist.gates}
    assert "spare" not in kept and kept["strong"].cell == "INVX1"
    assert kept["strong"].pins["A"] == 20
    assert kept.keys() >= {"start", "end", "other", "out", *chain}


def test_a_buffer_on_the_slow_path_goes_back_to_its_driver(tmp_path: Path) -> None:
    """The tuner moves its sink, and the recovery of area drops it; the path is as without it."""
    flop, clock = "DFFPOSX1", {"CLK": 1}
    ends = {
        "start": (flop, {**clock, "D": 2, "Q": 20}),
        "end": (flop, {**clock, "D": 22, "Q": 9}),
        "gate": ("INVX1", {"A": 21, "Y": 22}),
    }
    tuner = Tuner(
        netlist_of(tmp_path / "n.json", {**ends, "slow": ("BUFX2", {"A": 20, "Y": 21})}),
        read_library(cell_library()),
    )
    period = tuner.timer.period
    assert tuner.run(Limits()) < period
    recover(tuner)
    kept = {gate.name: gate for gate in tuner.netlist.gates}
    assert kept.keys() == ends.keys() and kept["gate"].pins["A"] == 20


def test_the_latest_input_of_an_adder_is_the_last_one(tmp_path: Path) -> None:
    """The sum of one adder is the first input of the next, beside an inverted and a plain bit."""

    def cell(kind: str, outputs: str, **pins: int) -> dict[str, object]:
        return {
            "type": kind,
            "port_directions": {pin: "output" if pin in outputs else "input" for pin in pins},
            "connections": {pin: [bit] for pin, bit in pins.items()},
        }

    cells = {
        "second": cell("$fa", "XY", A=5, B=6, C=7, X=8, Y=9),
        "first": cell("$fa", "XY", A=2, B=3, C=4, X=10, Y=5),
        "gate": cell("$_AND_", "Y", A=2, B=3, Y=6),
    }
    file = tmp_path / "fa.json"
    file.write_text(json.dumps({"modules": {"top": {"cells": cells}}}))
    order_inputs(file)
    written = json.loads(file.read_text())["modules"]["top"]["cells"]
    pins = written["second"]["connections"]
    assert pins == {"A": [7], "B": [6], "C": [5], "X": [8], "Y": [9]}
    assert written["first"]["connections"]["C"] == [3]


def far_apart(
    tmp_path: Path, pins: dict[str, dict[str, int]], port: Point | None, pitch_um: float = 7000.0
) -> Repair:
    """Return the repair of a netlist of cells in a row.

    Args:
        tmp_path: folder for the netlist.
        pins: connections of each cell by its name; bit 2 is the clock, bit 3 an input. A cell with
            a clock is a flip-flop, others are NAND gates.
        port: position of the output on bit 4, or None if there is none.
        pitch_um: distance between neighbouring cells.
    """
    cells = {
        name: {
            "type": "DFFPOSX1" if "CLK" in own else "NAND2X1",
            "connections": {pin: [bit] for pin, bit in own.items()},
        }
        for name, own in pins.items()
    }
    ports: dict[str, Any] = {"clk_i": {"direction": "input", "bits": [2]}}
    ports["d"] = {"direction": "input", "bits": [3]}
    places = {2: (0.0, 0.0), 3: (0.0, 0.0)}
    if port is not None:
        ports["z"] = {"direction": "output", "bits": [4]}
        places[4] = port
    highest = max(bit for own in pins.values() for bit in own.values())
    names = {f"n{bit}": {"bits": [bit]} for bit in range(2, highest + 1)}
    module = {"ports": ports, "cells": cells, "netnames": names}
    path = tmp_path / "n.json"
    path.write_text(json.dumps({"modules": {"far": module}}))
    netlist, library = EditableNetlist(path, "far"), read_library(cell_library(), ())
    at = [(pitch_um * number, 0.0) for number in range(len(pins))]
    layout = Layout(cell_library().geometry, 15_000.0, 300, at, ports=places)
    limited = library.within_tables()
    wires = Wires(netlist, layout, limited)
    wires.clock, wires.frozen = 2, frozenset({2})
    return Repair(Tuner(netlist, limited, wires, "$t$"), wires)


def test_far_flip_flop_is_reached_by_buffers_along_the_way(tmp_path: Path) -> None:
    pins = {"a": {"CLK": 2, "D": 3, "Q": 4}, "b": {"CLK": 2, "D": 4, "Q": 5}}
    repair = far_apart(tmp_path, pins, None)
    timer = repair.tuner.timer
    assert timer.overloaded() or timer.slow(timer.library.max_slew_ns)
    assert repair.run() == 0
    timer = repair.tuner.timer
    assert not timer.overloaded() and not timer.slow(timer.library.max_slew_ns)
    assert len(repair.tuner.netlist.gates) > 3


@pytest.mark.parametrize("other", [False, True], ids=["alone", "beside a flip-flop"])
def test_far_port_has_a_buffer_of_its_own(tmp_path: Path, other: bool) -> None:
    pins = {"a": {"CLK": 2, "D": 3, "Q": 4}}
    if other:
        pins["b"] = {"CLK": 2, "D": 4, "Q": 5}
    repair = far_apart(tmp_path, pins, (3000.0, 0.0))
    netlist = repair.tuner.netlist
    assert repair.run() == 0
    timer = repair.tuner.timer
    assert not timer.overloaded() and not timer.slow(timer.library.max_slew_ns)
    driver = timer.driver(4)
    assert driver is not None and netlist.gates[driver[0]].cell == "BUFX4"
    assert timer.sinks(4) == [] and netlist.gates[0].pins["Q"] != 4


def test_net_that_feeds_the_driver_of_a_far_port_is_repaired_too(tmp_path: Path) -> None:
    """Both are beyond their limits in the same round, and the gate's output gets a new bit."""
    pins = {"a": {"CLK": 2, "D": 3, "Q": 5}, "b": {"A": 5, "B": 3, "Y": 4}}
    repair = far_apart(tmp_path, pins, (10_000.0, 0.0))
    repair.tuner.refresh()
    assert {bit for bit, _ in repair.tuner.timer.overloaded()} == {4, 5}
    assert repair.run() == 0
    timer = repair.tuner.timer
    assert not timer.overloaded() and not timer.slow(timer.library.max_slew_ns)


def test_output_is_relieved_of_other_loads_if_it_leaves_too_little_of_the_period(
    tmp_path: Path,
) -> None:
    """A chain of gates sets the period, so the other loads of the output have time to spare."""
    pins = {"a": {"CLK": 2, "D": 3, "Q": 4}, "from": {"CLK": 2, "D": 3, "Q": 10}}
    pins |= {f"chain{bit}": {"A": bit, "B": bit, "Y": bit + 1} for bit in range(10, 14)}
    pins |= {"to": {"CLK": 2, "D": 14, "Q": 90}}
    pins |= {f"load{number}": {"CLK": 2, "D": 4, "Q": 50 + number} for number in range(20)}
    tuner = far_apart(tmp_path, pins, (50.0, 0.0), 50.0).tuner
    period = tuner.run(Limits(), repair=False)
    assert isinstance(tuner.wires, Wires)
    tuner.wires.count_outputs(True)
    late = tuner.refresh()
    assert late > period
    assert late == pytest.approx(max(tuner.timer.arrival[8:10]) / OUTPUT_SHARE, rel=0.01)
    assert tuner.run(Limits(), repair=False) <= period
    assert tuner.timer.sinks(4) != []
