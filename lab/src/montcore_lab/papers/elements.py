# SPDX-License-Identifier: Apache-2.0
"""Elements of a paper, their counterparts here, and verdicts."""

from collections import Counter
from collections.abc import Iterable
from configparser import ConfigParser
from dataclasses import dataclass
from enum import Enum
from pathlib import Path


class ElementKind(Enum):
    """The kind of an element."""

    ARCHITECTURE = "architecture"
    ALGORITHM = "algorithm"
    TABLE = "table"
    FIGURE = "figure"
    CLAIM = "claim"
    APPLICATION = "application"
    FUTURE = "future work"


class ElementVerdict(Enum):
    """The verdict on our counterpart of an element."""

    SAME = "same"
    BETTER = "better"
    DIFFERENT = "different"
    NOT_CHECKABLE = "not checkable here"
    OPEN = "open"


#: Verdicts that need a reason.
NEED_A_REASON = frozenset(
    {ElementVerdict.DIFFERENT, ElementVerdict.NOT_CHECKABLE, ElementVerdict.OPEN}
)


@dataclass(frozen=True)
class Element:
    """One element of a paper.

    Attributes:
        kind: its kind.
        what: description of the element.
        where: its place in the paper.
        ours: its counterparts: paths from the repository's root, and commands, which begin with
            ``montcore`` or ``pytest``.
        verdict: comparison with our counterparts.
        why: the reason for the verdict; for an open element, what is missing.
        measure: for an open element, the command that will measure it; the rows or parameters that
            it names may have to be built first.
    """

    kind: ElementKind
    what: str
    where: str
    ours: tuple[str, ...]
    verdict: ElementVerdict
    why: str = ""
    measure: str = ""

    def as_json(self) -> dict[str, object]:
        """Return it as plain values."""
        return {
            "kind": self.kind.value,
            "element": self.what,
            "paper": self.where,
            "montcore": list(self.ours),
            "verdict": self.verdict.value,
            "why": self.why,
            "measure": self.measure,
        }


def read_elements(file: Path) -> tuple[Element, ...]:
    """Return the elements of a file in order.

    A section is an element, named by its kind and what it is. `here` has its counterparts with
    commas between them.
    """
    table = ConfigParser(interpolation=None, delimiters=("=",))
    table.read(file, encoding="utf-8")
    found = []
    for name in table.sections():
        kind, _, what = name.partition(": ")
        text = {key: " ".join(value.split()) for key, value in table[name].items()}
        found.append(
            Element(
                ElementKind(kind),
                what,
                text["where"],
                tuple(text["here"].split(", ")),
                ElementVerdict(text["verdict"]),
                text.get("why", ""),
                text.get("measure", ""),
            )
        )
    return tuple(found)


def is_command(text: str) -> bool:
    """Return whether a counterpart is a command, not a path."""
    return text.startswith(("montcore ", "pytest "))


def count(elements: Iterable[Element]) -> str:
    """Return, in a sentence, how many elements have each verdict."""
    counts = Counter(element.verdict for element in elements)
    parts = [f"{counts[verdict]} {verdict.value}" for verdict in ElementVerdict if counts[verdict]]
    return f"{counts.total()} elements: {', '.join(parts)}."
