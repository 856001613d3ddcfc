# SPDX-License-Identifier: Apache-2.0
"""Liberty files: their groups and attributes, and from these the functions and areas of cells."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from montcore.support.errors import RequestError

_TOKEN = re.compile(
    r'(?P<key>\w+)\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^;\s]+))'
    r"|(?P<kind>\w+)\s*\((?P<words>[^)]*)\)\s*(?P<opens>{?)|(?P<closes>})"
)


@dataclass(frozen=True)
class Group:
    """A group ``KIND (WORDS) { ... }``, or without braces a list of values.

    Attributes:
        kind: such as ``cell`` or ``pin``.
        words: what stands in its brackets.
        attributes: its simple attributes.
        groups: the groups and lists in it.
    """

    kind: str
    words: str
    attributes: dict[str, str] = field(default_factory=dict)
    groups: "list[Group]" = field(default_factory=list)

    def all(self, kind: str) -> "Iterator[Group]":
        """Yield the groups of a kind."""
        return (group for group in self.groups if group.kind == kind)

    @property
    def name(self) -> str:
        """The first word in its brackets."""
        return self.words.split(",")[0].strip(' "')


@cache
def read_groups(path: Path) -> Group:
    """Read a liberty file.

    Raises:
        RequestError: the file is not liberty.
    """
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S).replace("\\\n", "")
    around = [Group("", "")]
    for token in _TOKEN.finditer(text):
        if token["key"]:
            value = token["plain"] if token["quoted"] is None else token["quoted"]
            around[-1].attributes[token["key"]] = value
        elif token["closes"]:
            around.pop()
        else:
            group = Group(token["kind"], token["words"])
            around[-1].groups.append(group)
            if token["opens"]:
                around.append(group)
        if not around:
            break
    if len(around) != 1:
        raise RequestError(f"the liberty file {path} ends inside a group, or has a brace too many")
    found = next(around[0].all("library"), None)
    if found is None or not any(found.all("cell")):
        raise RequestError(f"{path} is not a liberty file: it has no cells")
    return found


@dataclass(frozen=True)
class Cell:
    """One library cell.

    Attributes:
        name: cell name.
        area: in the library's unit (um2 for osu018).
        inputs: names of the input pins, in the order of the file.
        outputs: function of each output pin, in liberty syntax.
        state: attributes of the ff or latch group (``next_state``, ``clocked_on``, ...), with the
            state variable under ``name`` and its complement under ``inverse``; empty for logic.
        latch: whether the cell is a latch.
        three_state: whether an output can float.
    """

    name: str
    area: float
    inputs: tuple[str, ...]
    outputs: dict[str, str]
    state: dict[str, str] = field(default_factory=dict)
    latch: bool = False
    three_state: bool = False


@cache
def read_cells(path: Path) -> dict[str, Cell]:
    """Read the cells of a liberty file.

    Raises:
        RequestError: the file is not liberty.
    """
    return {cell.name: _cell(cell) for cell in read_groups(path).all("cell")}


def _cell(group: Group) -> Cell:
    pins = {pin.name: pin.attributes for pin in group.all("pin")}
    state: dict[str, str] = {}
    for kind in ("ff", "latch"):
        for found in group.all(kind):
            name, inverse = (word.strip(' "') for word in found.words.split(","))
            state = {**found.attributes, "name": name, "inverse": inverse}
    return Cell(
        name=group.name,
        area=float(group.attributes.get("area", "0")),
        inputs=tuple(name for name, about in pins.items() if about.get("direction") == "input"),
        outputs={
            name: about["function"]
            for name, about in pins.items()
            if "function" in about and about.get("direction") != "input"
        },
        state=state,
        latch=any(group.all("latch")),
        three_state=any("three_state" in about for about in pins.values()),
    )


def verilog_expression(function: str) -> str:
    """Return a liberty function as a Verilog expression (blank means AND, ' means NOT)."""
    tokens = re.findall(r"[A-Za-z_]\w*|[01]|[()!^+*&|']", function)
    out: list[str] = []
    for token in tokens:
        operand_before = bool(out) and (out[-1] == ")" or out[-1][-1].isalnum() or out[-1] == "_")
        if token == "'":
            raise RequestError(f"postfix negation is not supported: {function}")
        if operand_before and (token[0].isalnum() or token in "(!_"):
            out.append("&")
        out.append({"+": "|", "*": "&", "!": "~", "0": "1'b0", "1": "1'b1"}.get(token, token))
    return " ".join(out)
