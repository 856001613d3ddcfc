# SPDX-License-Identifier: Apache-2.0
"""Liberty files: their groups and attributes, and from these the functions and areas of cells."""

import gzip
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from montcore.support.errors import RequestError

_TOKEN = re.compile(
    r'(?P<key>\w+)\s*:\s*(?:"(?P<quoted>[^"]*)"|(?P<plain>[^;\s]+))'
    r"|(?P<kind>\w+)\s*\((?P<words>[^)]*)\)\s*(?P<opens>{?)|(?P<closes>})"
)
_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Group:
    """A group ``KIND (WORDS) { ... }``, or without braces a list of values.

    Attributes:
        kind: such as ``cell`` or ``pin``.
        words: what stands in its brackets.
        groups: the groups and lists in it.
    """

    kind: str
    words: str
    attributes: dict[str, str] = field(default_factory=dict)
    groups: "list[Group]" = field(default_factory=list)

    def all(self, *kinds: str) -> "Iterator[Group]":
        """Yield the groups of some kinds."""
        return (group for group in self.groups if group.kind in kinds)

    @property
    def name(self) -> str:
        """The first word in its brackets."""
        return self.words.split(",")[0].strip(' "')

    def lines(self) -> Iterator[str]:
        """Yield the group as liberty."""
        if not self.attributes and not self.groups:
            yield f"{self.kind} ({self.words});"
            return
        yield f"{self.kind} ({self.words}) {{"
        # OpenSTA knows operating conditions only behind their group.
        late = [key for key in self.attributes if key == "default_operating_conditions"]
        yield from (self._line(key) for key in self.attributes if key not in late)
        for group in self.groups:
            yield from group.lines()
        yield from (self._line(key) for key in late)
        yield "}"

    def _line(self, key: str) -> str:
        value = self.attributes[key]
        number = _NUMBER.fullmatch(value) and key != "function"
        return f"{key} : {value};" if number else f'{key} : "{value}";'


@cache
def read_groups(path: Path) -> Group:
    """Read a liberty file, which may be compressed (``.lib.gz``).

    Attributes need no semicolon at their end.
    """
    try:
        content = path.read_bytes()
        raw = gzip.decompress(content) if path.suffix == ".gz" else content
        text = raw.decode(encoding="utf-8", errors="replace")
    except (OSError, EOFError) as error:
        why = getattr(error, "strerror", None) or error
        raise RequestError(f"the liberty file {path} cannot be read: {why}") from None
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S).replace("\\\n", "")
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
        outputs: function of each output pin, in liberty syntax.
        state: attributes of the ff or latch group (``next_state``, ``clocked_on``, ...), with the
            state variable under ``name`` and its complement under ``inverse``; empty for logic.
    """

    name: str
    area: float
    inputs: tuple[str, ...]
    outputs: dict[str, str]
    state: dict[str, str] = field(default_factory=dict)
    latch: bool = False
    three_state: bool = False


def cell_of(group: Group) -> Cell:
    """Return the cell that a group describes."""
    pins = {pin.name: pin.attributes for pin in group.all("pin")}
    state: dict[str, str] = {}
    for found in group.all("ff", "latch"):
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


@cache
def truth(function: str, inputs: tuple[str, ...]) -> int:
    """Return a liberty function as a truth table; input i is bit i of the index of a row.

    Operators, from the tightest: ``'`` behind and ``!`` before an operand, ``^``, AND (``*``, ``&``
    or a blank), OR (``+`` or ``|``).
    """
    rows = 1 << len(inputs)
    columns = {
        name: sum(1 << row for row in range(rows) if row >> place & 1)
        for place, name in enumerate(inputs)
    }
    columns |= {"0": 0, "1": (1 << rows) - 1}
    tokens = re.findall(r"[A-Za-z_][\w\[\]]*|\S", function)[::-1]

    def operand() -> int:
        token = tokens.pop()
        if token == "!":
            value = ~operand()
        elif token == "(":
            value = either()
            if tokens.pop() != ")":
                raise KeyError
        else:
            value = columns[token]
        while tokens and tokens[-1] == "'":
            tokens.pop()
            value = ~value
        return value

    def joined(part: Callable[[], int], signs: str, join: Callable[[int, int], int]) -> int:
        value = part()
        while tokens and tokens[-1] in signs:
            tokens.pop()
            value = join(value, part())
        return value

    def unequal() -> int:
        return joined(operand, "^", int.__xor__)

    def both() -> int:
        value = joined(unequal, "*&", int.__and__)
        while tokens and tokens[-1] not in "+|)":
            value &= joined(unequal, "*&", int.__and__)
        return value

    def either() -> int:
        return joined(both, "+|", int.__or__)

    try:
        table = either()
    except (KeyError, IndexError):
        tokens.append("")
        table = 0
    if tokens:
        raise RequestError(f"'{function}' is no function of the pins {', '.join(inputs)}")
    return table & (1 << rows) - 1
