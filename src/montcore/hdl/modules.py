# SPDX-License-Identifier: Apache-2.0
"""The modules of the SystemVerilog sources: headers and what they instantiate (by pyslang)."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Item:
    """A parameter or a port of a module header.

    Attributes:
        kind: ``parameter``, ``localparam`` or ``port``.
        name: its name.
        first_line: number of the line on which its declaration begins.
        last_line: number of the line on which its declaration ends.
    """

    kind: str
    name: str
    first_line: int
    last_line: int


@dataclass(frozen=True)
class SourceUnit:
    """A module or a package.

    Attributes:
        name: its name.
        path: the file that declares it.
        line: number of the line with the keyword.
        is_package: whether it is a package.
        items: parameters (localparams of the header too) and ports, in order.
        uses: names of the modules that it instantiates and of the packages that it mentions.
    """

    name: str
    path: Path
    line: int
    is_package: bool
    items: tuple[Item, ...]
    uses: frozenset[str]


@cache
def units_of(path: Path) -> tuple[SourceUnit, ...]:
    """Return the modules and packages that a file declares, in order.

    A file with syntax errors gives what could be read; other checks report the errors.
    """
    from pyslang import syntax  # a large library, loaded only when needed

    tree = syntax.SyntaxTree.fromFile(str(path))
    root: Any = tree.root
    declared = {
        syntax.SyntaxKind.ModuleDeclaration: False,
        syntax.SyntaxKind.PackageDeclaration: True,
    }
    members = root.members if root.kind == syntax.SyntaxKind.CompilationUnit else [root]
    found = []
    for member in members:
        if member.kind in declared:
            line = tree.sourceManager.getLineNumber(member.header.moduleKeyword.location)
            uses = _uses(syntax, member) - {member.header.name.value}
            items = tuple(_items(syntax, tree.sourceManager, member.header))
            is_package = declared[member.kind]
            found.append(
                SourceUnit(member.header.name.value, path, line, is_package, items, frozenset(uses))
            )
    return tuple(found)


def _nodes(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the nodes of a separated list, without its tokens (commas)."""
    return (item for item in items if hasattr(item, "sourceRange"))


def _items(syntax: Any, manager: Any, header: Any) -> Iterator[Item]:
    """Yield the parameters and ports of a module header."""

    def lines(node: Any) -> tuple[int, int]:
        extent = node.sourceRange
        return manager.getLineNumber(extent.start), manager.getLineNumber(extent.end)

    for declaration in _nodes(header.parameters.declarations if header.parameters else ()):
        for declarator in _nodes(declaration.declarators):
            yield Item(declaration.keyword.valueText, declarator.name.value, *lines(declaration))
    for port in _nodes(getattr(header.ports, "ports", ()) if header.ports else ()):
        if port.kind == syntax.SyntaxKind.ImplicitAnsiPort:
            yield Item("port", port.declarator.name.value, *lines(port))


def _uses(syntax: Any, member: Any) -> set[str]:
    """Return the names of the modules and packages that a declaration refers to."""
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
