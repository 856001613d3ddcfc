# SPDX-License-Identifier: Apache-2.0
"""The target of a bundle: styles and preprocessor switches, as resolved in its sources."""

import re
from collections.abc import Iterable

from montcore.support.errors import RequestError
from montcore.synth.target import all_targets

#: Default target of a bundle. Its style is behavioural (`*`, arrays), which
#: the tools of any technology can map.
DEFAULT_TARGET = "xc7"

_CONDITION = re.compile(r"^\s*`(ifdef|ifndef|elsif|else|endif)\b\s*(\w*)")
#: Switches of the sources, which a bundle resolves; those of simulators stay.
_OURS = re.compile(r"MONT\w+")


def find_target(name: str) -> str:
    """Return the target of that name, or of that alias.

    Raises:
        RequestError: there is no such target.
    """
    targets = all_targets()
    aliases = {alias: on.name for on in targets.values() for alias in on.aliases}
    found = aliases.get(name, name)
    if found not in targets:
        words = ", ".join((*targets, *aliases))
        raise RequestError(f"there is no target '{name}' to build for; there are {words}")
    return found


def resolve(text: str, defines: Iterable[str]) -> str:
    """Return a source with the conditionals on our switches resolved for `defines`.

    So the text is exactly what was synthesised and tested, independent of compiler options.
    """
    given = frozenset(defines)
    kept: list[str] = []
    # For each open conditional: whether it is ours, its branch is active, and one was active
    # before. A conditional that is not ours stays as it is.
    stack: list[tuple[bool, bool, bool]] = []
    for line in text.splitlines(keepends=True):
        found, ours = _CONDITION.match(line), False
        if found is not None:
            word, name = found.groups()
            if word.startswith("if"):
                ours = bool(_OURS.fullmatch(name))
                live = not ours or (name in given) == (word == "ifdef")
                stack.append((ours, live, live))
            else:
                ours, _, before = stack.pop()
                live = not ours or (not before and (word == "else" or name in given))
                if word != "endif":
                    stack.append((ours, live, before or live))
        if not ours and all(live for _, live, _ in stack):
            kept.append(line)
    return "".join(kept)
