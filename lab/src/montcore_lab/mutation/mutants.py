# SPDX-License-Identifier: Apache-2.0
"""Mutants of SystemVerilog sources: one small change each, found in the syntax tree.

Many mutants share one build of the simulator (schemata): each changed expression ``e`` becomes
``(montcore_mutant == K) ? changed : e``, and the model reads the number K from its environment.
"""

import random
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.hdl.programs import package_folder
from montcore.support.paths import HW_DIR

#: Environment variable with the number of the mutant that a simulated model is; 0 is none.
CHOICE = "MONTCORE_MUTANT"

#: Operators and what takes their place.
_SWAPS = {
    "LogicalAndExpression": "||",
    "LogicalOrExpression": "&&",
    "EqualityExpression": "!=",
    "InequalityExpression": "==",
    "LessThanExpression": "<=",
    "LessThanEqualExpression": "<",
    "GreaterThanExpression": ">=",
    "GreaterThanEqualExpression": ">",
    "AddExpression": "-",
    "SubtractExpression": "+",
    "BinaryAndExpression": "|",
    "BinaryOrExpression": "&",
    "BinaryXorExpression": "|",
}
_DROPPED = ("UnaryLogicalNotExpression", "UnaryBitwiseNotExpression")
_LITERALS = {"1'b0": "1'b1", "1'b1": "1'b0", "'0": "'1", "'1": "'0"}
#: Parts of an expression that are constant at elaboration, or name a place: they stay.
_FIXED = ("RangeDimensionSpecifier", "ElementSelect", "SystemName")
#: Parts of a module without statements of the hardware.
_SKIPPED = (
    *("ParameterPortList", "AnsiPortList", "ParameterDeclarationStatement", "TypedefDeclaration"),
    *("FunctionDeclaration", "TaskDeclaration", "InitialBlock", "DataDeclaration"),
    *("ImmediateAssertStatement", "ConcurrentAssertionStatement", "AssertPropertyStatement"),
)
_SELECTOR = """
`ifdef VERILATOR
  int unsigned montcore_mutant;
  initial montcore_mutant = $c32("(getenv(\\"{choice}\\") ? atoi(getenv(\\"{choice}\\")) : 0)");
`else
  localparam int unsigned montcore_mutant = 0;
`endif
"""


@dataclass(frozen=True)
class Mutant:
    """One change of an expression.

    Attributes:
        file: the source, relative to the folder hw/.
        start, end: the whole expression that is replaced, as offsets into the file.
        name: what changes.
        branch: the module and the innermost named generate block around it, or "".
        header: offset of the end of the module's header.
    """

    file: str
    line: int
    start: int
    end: int
    old: str
    new: str
    name: str
    branch: tuple[str, str]
    header: int

    @property
    def key(self) -> str:
        """What identifies it in other versions of the file."""
        return f"{self.file}: {' '.join(self.old.split())} -> {' '.join(self.new.split())}"


def sample(files: Sequence[Path], count: int, seed: int) -> list[Mutant]:
    """Return mutants, of different lines first; a file is drawn by the root of its candidates."""
    rng = random.Random(seed)
    found = {path: items for path in sorted(files) if (items := candidates(path))}
    weights = {path: len(items) ** 0.5 for path, items in found.items()}
    chosen: dict[Mutant, None] = {}
    while len(chosen) < min(count, sum(map(len, found.values()))):
        left = {path: [one for one in items if one not in chosen] for path, items in found.items()}
        while any(left.values()) and len(chosen) < count:
            paths = [path for path, items in left.items() if items]
            path = rng.choices(paths, [weights[own] for own in paths])[0]
            one = rng.choice(left[path])
            chosen[one] = None
            left[path] = [other for other in left[path] if other.line != one.line]
    return list(chosen)


def write_all(mutants: Sequence[Mutant], folder: Path) -> None:
    """Write hw/ into a new folder with all mutants in it, numbered from 1."""
    shutil.copytree(HW_DIR, folder)
    by_file: dict[str, dict[Mutant, int]] = defaultdict(dict)
    for number, mutant in enumerate(mutants, 1):
        by_file[mutant.file][mutant] = number
    for file, numbers in by_file.items():
        path = folder / file
        text = path.read_text(encoding="utf-8")
        places: dict[tuple[int, int], str] = {}
        for mutant, number in numbers.items():
            place = (mutant.start, mutant.end)
            before = places.get(place, f"({text[slice(*place)]})")
            places[place] = f"((montcore_mutant == {number}) ? ({mutant.new}) : {before})"
        for header in {mutant.header for mutant in numbers}:
            places[(header, header)] = _SELECTOR.format(choice=CHOICE)
        for (start, end), new in sorted(places.items(), reverse=True):
            text = text[:start] + new + text[end:]
        path.write_text(text, encoding="utf-8")


def write_one(mutant: Mutant, folder: Path) -> Path:
    """Write hw/ into a new folder with one mutant as its plain text; return the changed file."""
    shutil.copytree(HW_DIR, folder)
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(text[: mutant.start] + mutant.new + text[mutant.end :], encoding="utf-8")
    return path


def candidates(path: Path) -> list[Mutant]:
    """Return every mutant of a file."""
    package_folder("pyslang")
    from pyslang import syntax

    text = path.read_bytes().decode("ascii")  # offsets count bytes
    tree = syntax.SyntaxTree.fromFile(str(path))
    found = dict[Mutant, None]()
    for module in _of_kind(tree.root, "ModuleDeclaration"):
        header = module.header.sourceRange.end.offset
        for member in module.members:
            for site, kind, target, block in _sites(member, ""):
                start, end = _range(site)
                old = text[start:end]
                if "'{" in old or "//" in old:
                    continue
                line = text.count("\n", 0, start) + 1
                for a, b, new, name in _variants(site, text, kind, target):
                    whole = old[: a - start] + new + old[b - start :]
                    file = str(path.relative_to(HW_DIR))
                    branch = (module.header.name.valueText, block)
                    found[Mutant(file, line, start, end, old, whole, name, branch, header)] = None
    return list(found)


def _kind(node: Any) -> str:
    return str(node.kind).rpartition(".")[2]


def _range(node: Any) -> tuple[int, int]:
    return node.sourceRange.start.offset, node.sourceRange.end.offset


def _children(node: Any) -> Iterator[Any]:
    return (child for child in node if hasattr(child, "sourceRange"))


def _of_kind(node: Any, kind: str) -> Iterator[Any]:
    if _kind(node) == kind:
        yield node
    else:
        for child in _children(node):
            yield from _of_kind(child, kind)


def _sites(node: Any, block: str) -> Iterator[tuple[Any, str, Any, str]]:
    """Yield the expressions of a module's statements: what they are for, the target, the block."""
    kind = _kind(node)
    if kind in _SKIPPED:
        return
    if kind == "GenerateBlock" and node.beginName is not None:
        block = node.beginName.name.valueText
    if kind in ("AssignmentExpression", "NonblockingAssignmentExpression"):
        yield node.right, "register" if kind.startswith("Non") else "value", node.left, block
    elif kind == "ConditionalStatement":
        for condition in node.predicate.conditions:
            if hasattr(condition, "expr"):
                yield condition.expr, "condition", None, block
        yield from _sites(node.statement, block)
        if node.elseClause is not None:
            yield from _sites(node.elseClause, block)
    elif kind == "ForLoopStatement":
        yield from _sites(node.statement, block)
    elif kind in ("LoopGenerate", "IfGenerate"):
        yield from _sites(node.block, block)
        if kind == "IfGenerate" and node.elseClause is not None:
            yield from _sites(node.elseClause, block)
    elif kind == "NamedPortConnection":
        if str(node.name).strip().endswith("_i") and node.expr is not None:
            yield node.expr, "value", None, block
    elif kind != "ParameterValueAssignment":
        for child in _children(node):
            yield from _sites(child, block)


def _variants(site: Any, text: str, kind: str, target: Any) -> Iterator[tuple[int, int, str, str]]:
    """Yield the changes of an expression: the part that is replaced, what by, and a name."""
    start, end = _range(site)
    if kind == "condition":
        yield start, end, f"!({text[start:end]})", "the condition is negated"
        yield start, end, "1'b1", "the condition always holds"
        yield start, end, "1'b0", "the condition never holds"
    if kind == "register":
        a, b = _range(target)
        yield start, end, text[a:b], "the register keeps its value"
    yield from _changed(site, text)


def _changed(node: Any, text: str) -> Iterator[tuple[int, int, str, str]]:
    kind = _kind(node)
    if kind in _FIXED:
        return
    start, end = _range(node)
    if kind in _SWAPS:
        a, b = node.operatorToken.range.start.offset, node.operatorToken.range.end.offset
        yield a, b, _SWAPS[kind], f"{text[a:b]} becomes {_SWAPS[kind]}"
    elif kind in _DROPPED:
        yield start, end, text[slice(*_range(node.operand))], f"{text[start]} is dropped"
    elif kind == "ConditionalExpression":
        a, b = _range(node.predicate)
        yield a, b, f"!({text[a:b]})", "the choice is negated"
    elif text[start:end] in _LITERALS:
        new = _LITERALS[text[start:end]]
        yield start, end, new, f"{text[start:end]} becomes {new}"
    elif kind == "IntegerLiteralExpression" and text[start:end].isdigit():
        new = str(int(text[start:end]) + 1)
        yield start, end, new, f"{text[start:end]} becomes {new}"
    for child in _parts(node, kind):
        yield from _changed(child, text)


def _parts(node: Any, kind: str) -> Iterable[Any]:
    if kind == "CastExpression":  # the width or type stays
        return [node.right]
    if kind == "MultipleConcatenationExpression":  # the count stays
        return [node.concatenation]
    return _children(node)
