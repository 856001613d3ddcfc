# SPDX-License-Identifier: Apache-2.0
"""The modules of the SystemVerilog sources, and what they instantiate (by pyslang)."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class SourceUnit:
    """A module or a package.

    Attributes:
        uses: names of the modules that it instantiates and of the packages that it mentions.
    """

    name: str
    path: Path
    is_package: bool
    uses: frozenset[str]


def declarations(path: Path) -> Iterator[tuple[Any, Any]]:
    """Yield the tree of a file, and pyslang's node of each module and package that it declares.

    A file with syntax errors gives what could be read; other checks report the errors.
    """
    from pyslang import syntax  # a large library, loaded only when needed

    tree = syntax.SyntaxTree.fromFile(str(path))
    root: Any = tree.root
    members = root.members if root.kind == syntax.SyntaxKind.CompilationUnit else [root]
    kinds = (syntax.SyntaxKind.ModuleDeclaration, syntax.SyntaxKind.PackageDeclaration)
    return ((tree, member) for member in members if member.kind in kinds)


@cache
def units_of(path: Path) -> tuple[SourceUnit, ...]:
    """Return the modules and packages that a file declares, in order."""
    from pyslang import syntax

    found = []
    for _, member in declarations(path):
        name = member.header.name.value
        is_package = member.kind == syntax.SyntaxKind.PackageDeclaration
        uses = frozenset(_uses(syntax, member) - {name})
        found.append(SourceUnit(name, path, is_package, uses))
    return tuple(found)


def _uses(syntax: Any, member: Any) -> set[str]:
    names: set[str] = set()

    def visit(node: Any) -> None:
        kind = getattr(node, "kind", None)
        if kind == syntax.SyntaxKind.HierarchyInstantiation:
            names.add(node.type.value)
        elif kind == syntax.SyntaxKind.PackageImportItem:
            names.add(node.package.value)
        elif kind == syntax.SyntaxKind.ScopedName and hasattr(node.left, "identifier"):
            names.add(node.left.identifier.value)

    member.visit(visit)
    return names


def instantiated(text: str, modules: Sequence[str]) -> list[str]:
    """Return those of the given modules that a source instantiates."""
    return [name for name in modules if re.search(rf"\b{name}\s*#?\s*\(", text)]


def read_design(words: Iterable[str]) -> Any:
    """Return slang's driver with a design, or None if slang cannot read it.

    The driver must outlive the compilations that it creates, and their diagnostics: they refer to
    its sources. Otherwise the library reports a page of leaks when the process ends.

    Args:
        words: slang's arguments, including files.
    """
    from pyslang import driver  # a large library, loaded only when needed

    slang = driver.Driver()
    slang.addStandardArgs()
    quoted = " ".join(f'"{word}"' for word in words)
    if not (
        slang.parseCommandLine(f"slang {quoted}")
        and slang.processOptions()
        and slang.parseAllSources()
    ):
        return None
    return slang


#: Kinds of slang's symbols that contain instances or generate blocks, one symbol in ten.
_AROUND = re.compile(r"(Instance(Array|Body)?|GenerateBlock(Array)?)Symbol")


def visit_hierarchy(compilation: Any, see: Callable[[str, Any], object]) -> None:
    """Show the instances and generate blocks of a compilation, with the names of their kinds."""
    from pyslang import ast

    def visit(symbol: Any) -> Any:
        kind = type(symbol).__name__
        if not _AROUND.fullmatch(kind):
            return ast.VisitAction.Skip
        see(kind, symbol)
        return ast.VisitAction.Advance

    # Below the root slang has instances of modules too that nothing instantiates.
    for top in compilation.getRoot().topInstances:
        top.visit(visit)
