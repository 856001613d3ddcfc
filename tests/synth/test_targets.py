# SPDX-License-Identifier: Apache-2.0
"""Only the registry knows targets: no other code compares their names."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from montcore.cores import all_cores
from montcore.cores.technology import SIMULATION
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth.target import all_targets, get_target, register, technologies

SOURCES = REPO_ROOT / "src" / "montcore"
#: Names of targets, and of families that may become some.
NAMES = {*all_targets(), "asic", "xc3se"}
#: Where the targets register themselves.
HOMES = (SOURCES / "synth" / "asic", SOURCES / "synth" / "fpga")
#: Where names of targets may appear as data: defaults.
DEFAULTS = ("cli/*.py", "compare/point.py", "bundle/target.py")


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
