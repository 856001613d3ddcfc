# SPDX-License-Identifier: Apache-2.0
"""Check that every module is documented: a `///` contract, and comments on its ports."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from montcore.hdl.modules import declarations
from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import name, rtl_files
from montcore_lab.lint.check import Check

_MARK = "///"

#: Describes names that mean the same in every module, in its tables.
_COMMON = REPO_ROOT / "hw" / "common" / "README.md"

#: Minimum words of a comment; fewer cannot state a polarity, a unit, or when a signal is valid.
_LEAST_WORDS = 3

#: Words that add nothing to a name.
_FILLERS = frozenset(
    ("a", "an", "and", "at", "bit", "is", "it", "its", "of", "the", "this", "value", "word")
)

#: Text in the contract of a generated module; its comments come from its template.
_GENERATED = re.compile(r"\bGenerated (by|from)\b")


def contract_findings(path: Path) -> list[str]:
    """Return a finding for each module, package, parameter or port that nothing describes.

    A `///` directly above counts, and a comment at the end of the declaration. It must add to the
    name: at least three words, one of them not in the name. A localparam is described by its value,
    a name of the common port by the tables of hw/common/README.md.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    units = list(declarations(path))
    if not units:
        found.append(f"{name(path)}: declares neither a module nor a package")
    for tree, member in units:
        unit = member.header.name.value
        line = tree.sourceManager.getLineNumber(member.header.moduleKeyword.location)
        contract = _comment_above(lines, line)
        if not contract:
            found.append(f"{name(path)}:{line}: {unit} has no {_MARK} contract above it")
        generated = _GENERATED.search(contract)
        for item in header_items(tree, member):
            trailing = lines[item.last_line - 1].partition("//")[2].strip("/ ")
            comment = trailing or _comment_above(lines, item.first_line)
            if not comment and (item.kind == "localparam" or _port(item.name) in _common_names()):
                continue
            said = (
                f"{comment!r} says no more than the name; give polarity, unit, or when it is valid"
            )
            if comment and (generated or says_more(item.name, comment)):
                continue
            found.append(
                f"{name(path)}:{item.first_line}: {item.kind} {item.name} of {unit}"
                + (f": {said}" if comment else " has no comment")
            )
    return found


class HeaderItem(NamedTuple):
    """A ``parameter``, ``localparam`` or ``port`` of a header; the lines of its declaration."""

    kind: str
    name: str
    first_line: int
    last_line: int


def header_items(tree: Any, member: Any) -> Iterator[HeaderItem]:
    """Yield the parameters and ports of a module or a package of `declarations`."""
    from pyslang import syntax  # a large library, loaded only when needed

    manager, header = tree.sourceManager, member.header

    def item(kind: str, named: Any, node: Any) -> HeaderItem:
        lines = (manager.getLineNumber(at) for at in (node.sourceRange.start, node.sourceRange.end))
        return HeaderItem(kind, named.name.value, *lines)

    for declaration in _nodes(header.parameters.declarations if header.parameters else ()):
        for declarator in _nodes(declaration.declarators):
            yield item(declaration.keyword.valueText, declarator, declaration)
    for port in _nodes(getattr(header.ports, "ports", ()) if header.ports else ()):
        if port.kind == syntax.SyntaxKind.ImplicitAnsiPort:
            yield item("port", port.declarator, port)


def _nodes(items: Iterable[Any]) -> Iterator[Any]:
    """Yield the nodes of a separated list, without its tokens (commas)."""
    return (item for item in items if hasattr(item, "sourceRange"))


@cache
def _common_names() -> frozenset[str]:
    """Return the names that the tables of the common port describe."""
    rows = re.findall(r"^\| (`.*?) \|", _COMMON.read_text(encoding="utf-8"), re.M)
    return frozenset(map(_port, re.findall(r"`(\w+)", " ".join(rows))))


def _port(identifier: str) -> str:
    """Return a name without its direction, which is the other one at the other end."""
    return re.sub("_[io]$", "", identifier)


def says_more(identifier: str, comment: str) -> bool:
    """Tell whether a comment has at least three words, and one that is not in the name."""
    words = re.findall(r"[\w'^]+", comment.lower())
    parts = re.findall(r"[A-Z]?[a-z]+|[A-Z]+|\d+", identifier)
    known = {form for part in parts for form in (part.lower(), f"{part.lower()}s")} | _FILLERS
    return len(words) >= _LEAST_WORDS and not known.issuperset(words)


def _comment_above(lines: list[str], number: int) -> str:
    """Return the text of the `///` lines directly above line `number` (from 1), "" if none."""
    texts: list[str] = []
    for line in reversed(lines[: max(number - 1, 0)]):
        if not line.strip().startswith(_MARK):
            break
        texts.insert(0, line.strip().strip("/ "))
    return " ".join(texts).strip()


def checks() -> list[Check]:
    """Return one check for each synthesisable source."""
    return [
        Check("contract", name(path), lambda path=path: contract_findings(path))  # type: ignore[misc]
        for path in rtl_files()
    ]
