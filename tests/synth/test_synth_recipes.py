# SPDX-License-Identifier: Apache-2.0
"""The better recipe is kept, area is given back without time, late signals pass one XOR only."""

import json
from pathlib import Path

import pytest
from asic_tools import mac, needs_asic

from montcore.synth.asic import flow
from montcore.synth.asic.adders import order_inputs
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.sizing.editable import EditableNetlist
from montcore.synth.asic.sizing.nldm import read_library
from montcore.synth.asic.sizing.recover import recover
from montcore.synth.asic.sizing.tune import Tuner
from montcore.synth.options import CELLS

pytestmark = needs_asic


def test_the_recipe_with_the_least_area_times_period_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipes = dict(flow.RECIPES)

    def product(name: str, chosen: dict[str, tuple[str, ...]]) -> tuple[float, str]:
        monkeypatch.setattr(flow, "RECIPES", chosen)
        (tmp_path / name).mkdir()
        netlist = flow.run_flow(mac(8), tmp_path / name, CELLS)
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
