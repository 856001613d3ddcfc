# SPDX-License-Identifier: Apache-2.0
"""The check that no pulse is made of a state and a flag.

``assign start = state_q == StRun && !started_q``, where the flag only says that the state has
lasted a cycle, starts the work again when the flag flips. A state of one cycle needs no flag.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from montcore.hdl.files import name, rtl_files
from montcore_lab.lint.check import Check

_RESETS = r"(?:rst_ni|\w*(?:clear|forget|zeroize|reset)\w*)"
_STATES = r"\(?\w+ [!=]= St\w*(?: \|\| \w+ == St\w*)*\)?"
_IS_STATE = re.compile(_STATES)
_IS_RESET = re.compile(rf"!?{_RESETS}(?: \|\| !?{_RESETS})*")
#: The next value of a flag that no event of the work decides.
_FOLLOWS_STATE = re.compile(rf"(?:!?{_RESETS} && )*{_STATES}(?: && !?{_RESETS})*")


def pulse_findings(path: Path) -> list[str]:
    """Return a finding for each pulse of a file that a flag ends which only follows the state."""
    from pyslang import syntax  # a large library, loaded only when needed

    nodes = list(_nodes(syntax.SyntaxTree.fromFile(str(path)).root))
    clocked = [node for node in nodes if "NonblockingAssignment" in str(node.kind)]
    found = []
    for node in nodes:
        if not _is(node, "LogicalAnd") or _is(node.parent, "LogicalAnd"):
            continue
        parts = [_text(part) for part in _conjuncts(node)]
        pulse = _text(node.parent.left) if _is(node.parent, "AssignmentExpression") else ""
        for part in parts:
            flag = part.removeprefix("!")
            if (
                flag != part
                and any(_IS_STATE.fullmatch(other) for other in parts)
                and any(_follows(item, pulse) for item in clocked if _text(item.left) == flag)
            ):
                found.append(
                    f"{name(path)}: {pulse or _text(node)} is a state and {flag}, which starts it "
                    "again when it flips; a state of one cycle needs no flag"
                )
    return found


def _follows(assignment: Any, pulse: str) -> bool:
    """Tell whether a flag gets a value that only the state or its own pulse decides."""
    value, conditions = _text(assignment.right), []
    if _FOLLOWS_STATE.fullmatch(value):
        return True
    child, node = assignment, assignment.parent
    while node is not None:
        if _is(node, "ConditionalStatement"):
            reset = _IS_RESET.fullmatch(_text(node.predicate))
            if not (reset and _is(child, "ElseClause")):
                conditions.append(_text(node.predicate))
        elif _is(node, "CaseStatement"):
            conditions.append(f"{_text(node.expr)} == St")
        child, node = node, node.parent
    timeless = (item == pulse or _IS_STATE.fullmatch(item) for item in conditions)
    return value == "1'b1" and bool(conditions) and all(timeless)


def _is(node: Any, kind: str) -> bool:
    return kind in str(node.kind)


def _text(node: Any) -> str:
    return " ".join(re.sub(r"//.*", "", str(node)).split())


def _conjuncts(node: Any) -> Iterator[Any]:
    if _is(node, "LogicalAnd"):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    else:
        yield node


def _nodes(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes below it."""
    yield node
    for child in node:
        if hasattr(child, "parent") and hasattr(child, "__iter__"):
            yield from _nodes(child)


def checks() -> list[Check]:
    """Return the check of all synthesisable sources."""

    def findings() -> list[str]:
        return [found for path in rtl_files() for found in pulse_findings(path)]

    return [Check("pulse", "all RTL", findings)]
