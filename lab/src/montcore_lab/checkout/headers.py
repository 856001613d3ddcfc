# SPDX-License-Identifier: Apache-2.0
"""The headers of modules and packages, line by line."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from montcore.hdl.modules import declarations


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
class Header:
    """The header of a module or a package.

    Attributes:
        name: its name.
        line: number of the line with the keyword.
        items: parameters (localparams of the header too) and ports, in order.
    """

    name: str
    line: int
    items: tuple[Item, ...]


def headers_of(path: Path) -> list[Header]:
    """Return the headers in a file, in order."""
    found = []
    for tree, member in declarations(path):
        line = tree.sourceManager.getLineNumber(member.header.moduleKeyword.location)
        items = tuple(_items(tree.sourceManager, member.header))
        found.append(Header(member.header.name.value, line, items))
    return found


def _nodes(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the nodes of a separated list, without its tokens (commas)."""
    return (item for item in items if hasattr(item, "sourceRange"))


def _items(manager: Any, header: Any) -> Iterator[Item]:
    """Yield the parameters and ports of a module header."""
    from pyslang import syntax  # a large library, loaded only when needed

    def lines(node: Any) -> tuple[int, int]:
        extent = node.sourceRange
        return manager.getLineNumber(extent.start), manager.getLineNumber(extent.end)

    for declaration in _nodes(header.parameters.declarations if header.parameters else ()):
        for declarator in _nodes(declaration.declarators):
            yield Item(declaration.keyword.valueText, declarator.name.value, *lines(declaration))
    for port in _nodes(getattr(header.ports, "ports", ()) if header.ports else ()):
        if port.kind == syntax.SyntaxKind.ImplicitAnsiPort:
            yield Item("port", port.declarator.name.value, *lines(port))
