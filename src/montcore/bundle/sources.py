# SPDX-License-Identifier: Apache-2.0
"""Sources of a bundle: those that one configuration needs, with a target's switches resolved."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from montcore.hdl.modules import read_design, units_of, visit_hierarchy
from montcore.support.errors import CheckFailedError, RequestError
from montcore.synth.target import all_targets


def needed_sources(
    top: str,
    sources: Sequence[Path],
    parameter_sets: Iterable[Mapping[str, int]] = ({},),
    defines: Sequence[str] = (),
    headers: Sequence[Path] = (),
) -> list[Path]:
    """Return those of the given files that a top module needs, in their order.

    Modules in branches disabled by the parameters are left out; packages are kept if a remaining
    file mentions them.

    Args:
        parameter_sets: the overrides of its parameters that must work.
        defines: switches that count as defined.
        headers: headers of external modules that may be instantiated.
    """
    declared = {unit.name: unit for path in sources for unit in units_of(path)}
    modules: set[str] = set()
    for parameters in parameter_sets:
        overrides = [f"-G{name}={value}" for name, value in parameters.items()]
        overrides += [f"-D{name}" for name in defines]
        files = [*headers, *sources]
        each_instance(top, files, lambda one: modules.add(one.definition.name), overrides)
    wanted = {declared[name].path for name in modules if name in declared}
    frontier = set(wanted)
    while frontier:  # packages may use packages
        mentioned = {use for path in frontier for unit in units_of(path) for use in unit.uses}
        packages = {
            declared[name].path
            for name in mentioned
            if name in declared and declared[name].is_package
        }
        frontier = packages - wanted
        wanted |= packages
    return [path for path in sources if path in wanted]


def each_instance(
    top: str, sources: Iterable[Path], see: Callable[[Any], object], overrides: Sequence[str] = ()
) -> None:
    """Show each instance of an elaborated design, a symbol of pyslang, to a function."""
    slang = read_design(["--top", top, *overrides, *map(str, sources)])
    if slang is None:
        raise CheckFailedError(f"the sources of {top} cannot be read")
    compilation: Any = slang.createCompilation()
    if any(item.isError() for item in compilation.getAllDiagnostics()):
        raise CheckFailedError(f"{top} does not elaborate with {' '.join(overrides)}")

    visit_hierarchy(compilation, lambda kind, one: kind == "InstanceSymbol" and see(one))


#: Default target of a bundle. Its style is behavioural (`*`, arrays), which
#: the tools of any technology can map.
DEFAULT_TARGET = "xc7"

_CONDITION = re.compile(r"^\s*`(ifdef|ifndef|elsif|else|endif)\b\s*(\w*)")
#: Switches of the sources, which a bundle resolves; those of simulators stay.
_OURS = re.compile(r"MONT\w+")


def find_target(name: str) -> str:
    """Return the target of that name, or of that alias."""
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
