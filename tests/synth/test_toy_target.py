# SPDX-License-Identifier: Apache-2.0
"""A target is one file and one registration: a family of four-input tables, in its own folder.

montcore does not refer to it by name, and to no other target: every verb gets it from the registry.
"""

import ast
import importlib.util
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import Tool
from needs import require

from montcore.bundle.wrapper import parameter_sets
from montcore.cli.options import complete_target
from montcore.compare.budget import target_figures
from montcore.cores import all_cores, get_core
from montcore.cores.technology import SIMULATION
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth import identity
from montcore.synth import target as registry
from montcore.synth.target import all_targets, get_target, register, technologies
from montcore_lab.lint import elaborations, rtl

FILE = '''
"""Tables of four inputs and flip-flops, with no memories and no multipliers."""

from dataclasses import dataclass
from pathlib import Path

from montcore.cores.technology import DspBlock, Technology
from montcore.synth.gatesim.fpga_model import gates
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.result import SynthResult
from montcore.synth.target import BLOCK_FIGURES, Mapped, Target, register
from montcore.synth.yosys import count_cells, run_yosys


class Build(GateBuild):
    """The netlist has only tables and flip-flops, which Yosys writes as expressions."""

    def _models(self):
        return (Path(__file__),)

    def _cells(self):
        return gates()

    def _lowering(self):
        (netlist,) = self.sources
        return [
            f'read_verilog "{netlist}"',
            f"hierarchy -check -top {self.top}",
            "proc",
            "setattr -unset init w:*",
            "setundef -undriven -random 1",
            "techmap",
            "opt_expr",
            "dfflegalize -cell $_DFF_P_ x",
            "simplemap",
            "opt_clean -purge",
        ]


@dataclass(frozen=True, kw_only=True)
class Tables(Target):
    def synthesise(self, design, work, opts, progress):
        progress("tables of four inputs")
        commands = [
            design.read_command(work),
            f"synth -flatten -lut 4 -top {design.top}",
            "tee -q -o stat.json stat -json",
            "write_verilog -noattr tables.v",
        ]
        run_yosys(commands, work, "tables", opts)
        cells = count_cells(work / "stat.json")
        ff = sum(count for name, count in cells.items() if "DFF" in name)
        found = {"lut": cells["$lut"], "ff": ff, "dsp": 0, "bram": 0, "cells": cells}
        result = SynthResult(target=self.name, **found)
        return Mapped(result, Build(design.top, (work / "tables.v",)))

    def netlist(self, result):
        return Path(result.log_dir) / "tables.v"


register(
    Tables(
        name="toy4",
        title="tables of four inputs",
        technology=Technology(lut_inputs=4, dsp=DspBlock(a_bits=25, b_bits=18), routed=True),
        figures=BLOCK_FIGURES,
        aliases=("toy",),
    )
)
'''
#: What `compare` and `recommend` choose too, so that the store answers them.
CORE = ["cs", "--bits", "8"]


@pytest.fixture
def toy(
    own_results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[registry.Target]:
    """Register the target of `FILE`, for one test, with a result store of its own."""
    monkeypatch.setattr(registry, "_REGISTERED", {})
    path = tmp_path / "toy_target.py"
    path.write_text(FILE, encoding="utf-8")
    spec = importlib.util.spec_from_file_location("toy_target", path)
    assert spec is not None and spec.loader is not None
    spec.loader.exec_module(importlib.util.module_from_spec(spec))
    yield get_target("toy4")


@pytest.mark.nightly  # every run has the registry and the styles in the tests below
def test_synthesis_and_comparison_take_a_registered_target(
    toy: registry.Target, tmp_path: Path, tool: Tool
) -> None:
    assert tool.json("list")
    figures = tool.json("synth", *CORE, "--target", "toy4")
    assert figures["target"] == "toy4" and figures["fmax_mhz"] is None and figures["ge"] is None
    assert isinstance(figures["lut"], int) and figures["lut"] > 50

    chosen = ["--bits", "8", "--targets", "toy4", "--cores", "cs"]
    report = tmp_path / "report"
    tool.json("compare", *chosen, "--budget", "lut<=100000", "-o", report)
    (point,) = json.loads((report / "results.json").read_text())["results"]
    assert (point["target"], point["status"]) == ("toy4", "ok") and point["gate_level_checked"] > 20
    (choice,) = tool.json("recommend", *chosen)["choices"]
    assert (choice["target"], choice["core"]) == ("toy4", "cs") and choice["lut"] > 50


@pytest.mark.nightly  # as above; test_bundle.py builds for other targets in every run
def test_a_bundle_takes_a_registered_target(
    toy: registry.Target, tmp_path: Path, tool: Tool
) -> None:
    require("iverilog")
    made = tmp_path / "made"
    built = tool.json("build", *CORE, "--target", "toy", "--synth", "-o", made)
    assert built["target"] == "toy4"
    datasheet = (made / "README.md").read_text(encoding="utf-8")
    assert toy.title in datasheet and "--target toy4" in datasheet


def test_refusals_figures_and_digests_come_from_the_registry(
    toy: registry.Target, tool: Tool
) -> None:
    assert complete_target("toy") == ["toy4"]
    tool.refuses("did you mean toy4", "synth", *CORE, "--target", "toy5")
    asked = ("recommend", "--bits", "16", "--targets", "toy4", "--budget", "ge<=5")
    tool.refuses("toy4 has no figure 'ge'", *asked)
    assert {"lut", "area", "cycles"} <= target_figures("toy4")
    assert identity.flow_digest(identity.flow_of("toy4"))


def test_styles_of_a_registered_target_are_linted_and_in_bundles(toy: registry.Target) -> None:
    """Its traits differ from all targets': 25-bit blocks, and flip-flops instead of memories."""
    core = get_core("karatsuba")
    point = core.configure({"schedule": "paper"}, 72)
    parameters = point.sv_parameters(toy.technology)
    assert parameters in parameter_sets(point)
    assert parameters in [item.parameters for item in elaborations.of_core(core)]
    assert rtl.verilator(point.top, point.sources(), parameters) == []
    assert point.flow_choices(toy.technology) == {"dsp_adders": "packed"}
    wide = core.configure({}, 128)
    assert wide.flow_choices(toy.technology) == {"placer": "static"}


SOURCES = REPO_ROOT / "src" / "montcore"
#: Names of targets, and of families that may become some.
NAMES = {*all_targets(), "asic", "xc3se"}
#: Where the targets register themselves.
HOMES = (SOURCES / "synth" / "asic", SOURCES / "synth" / "fpga")
#: Where names of targets may appear as data: defaults.
DEFAULTS = ("cli/*.py", "compare/point.py", "bundle/sources.py")


def names_in(node: ast.AST) -> set[str]:
    """Return the names of targets that are strings somewhere in a syntax tree."""
    return {
        item.value
        for item in ast.walk(node)
        if isinstance(item, ast.Constant) and isinstance(item.value, str) and item.value in NAMES
    }


def decisions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield decisions on a value: comparisons, patterns, and look-ups by a constant."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare | ast.MatchValue):
            yield node
        elif isinstance(node, ast.Subscript):
            yield node.slice


def findings(path: Path, text: str, tables: frozenset[Path]) -> list[str]:
    """Return the illegal references to target names in a source file."""
    tree = ast.parse(text)
    found = [
        f"{path.name}:{getattr(node, 'lineno', 0)} decides by the target's name"
        for node in decisions(tree)
        if names_in(node)
    ]
    if path not in tables and names_in(tree):
        found.append(f"{path.name} names {', '.join(sorted(names_in(tree)))}")
    return found


def test_nothing_but_the_registry_decides_by_the_name_of_a_target() -> None:
    tables = frozenset(path for glob in DEFAULTS for path in SOURCES.glob(glob))
    assert len(tables) > 14
    found = [
        text
        for path in SOURCES.rglob("*.py")
        if not any(path.is_relative_to(home) for home in HOMES)
        for text in findings(path, path.read_text(encoding="utf-8"), tables)
    ]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        'shared = target == "osu018"',
        'if family in ("xc6v", "xc7"):\n    pass',
        'found = figures["ecp5"]',
        'match target:\n    case "xc2v":\n        pass',
    ],
)
def test_a_decision_by_name_is_found_even_in_a_table(text: str) -> None:
    path = SOURCES / "papers" / "smm2021" / "table.py"
    assert findings(path, text, frozenset({path})) != []
    assert findings(path, 'TARGETS = ("osu018", "xc7")', frozenset({path})) == []
    assert findings(path, 'TARGETS = ("osu018", "xc7")', frozenset()) != []


def test_cores_choose_by_traits_of_the_technology() -> None:
    """The parameter `Tech` is all that differs, in the cores that have one."""
    wanted = dict(zip(all_targets(), (1, 2, 3, 4, 5, 5, 5, 6, 2, 2), strict=True))
    with_tech = set()
    for core in all_cores().values():
        for point in core.styles(72):
            usual = point.sv_parameters()
            for name, target in all_targets().items():
                own = point.sv_parameters(target.technology)
                changed = {key: value for key, value in own.items() if value != usual[key]}
                assert changed in ({}, {"Tech": wanted[name]}), (core.name, name)
                with_tech |= {core.name} if changed else set()
    assert with_tech == {"cs4", "dsp", "karatsuba", "smm"}


def test_order_and_refusals_of_the_registry() -> None:
    xilinx = ["xc2v", "xc4v", "xc5v", "xc6v", "xc7", "xcup"]
    names = ["osu018", *xilinx, "ecp5", "nexus", "gatemate"]
    assert list(all_targets()) == names
    with pytest.raises(RequestError, match="did you mean xc7"):
        get_target("xc9")
    with pytest.raises(RequestError, match="there is a target 'xc7' already"):
        register(get_target("xc7"))
    assert technologies()[0] == SIMULATION
