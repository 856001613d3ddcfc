# SPDX-License-Identifier: Apache-2.0
"""The wrapper of a bundle: the common multiplier port, and a core with its parameters fixed."""

from collections.abc import Mapping, Sequence

from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.hdl.common_port import declared_port
from montcore.synth.target import get_target, technologies


def style_parameters(core: Core, target: str) -> dict[str, tuple[int, ...]]:
    """Return the parameters that depend on the target, each with its values, `target`'s first.

    They select an implementation style and never affect results or cycle counts.
    """
    own = get_target(target).technology
    sets = [core.sv_parameters(item) for item in (own, *technologies())]
    return {
        name: tuple(dict.fromkeys(item[name] for item in sets))
        for name in sets[0]
        if len({item[name] for item in sets}) > 1
    }


def parameter_sets(core: Core) -> list[dict[str, int]]:
    """Return the distinct parameter overrides of all targets."""
    found: list[dict[str, int]] = []
    for technology in technologies():
        parameters = core.sv_parameters(technology)
        if parameters not in found:
            found.append(parameters)
    return found


def header(styles: Mapping[str, Sequence[int]]) -> str:
    """Return the parameter list of a module that passes the style parameters on."""
    if not styles:
        return ""
    lines = []
    for name, values in styles.items():
        others = ", ".join(str(value) for value in values)
        lines.append(f"    /// Implementation style, one of {others} (the core's own header says).")
        lines.append(f"    parameter int {name} = {values[0]},")
    return " #(\n" + "\n".join(lines).rstrip(",") + "\n)"


def wrapper(core: Core, name: str, target: str, cycles: int | None) -> str:
    """Return the wrapper module.

    Args:
        target: the target whose styles are its defaults.
    """
    on = get_target(target)
    styles = style_parameters(core, target)
    overrides = [
        f"      .{key}({key if key in styles else value})"
        for key, value in core.sv_parameters(on.technology).items()
    ]
    places = {
        "title": capitalised(core.title),
        "label": core.label(),
        "r_bits": core.r_bits(core.bits),
        "beats": core.beats(core.bits),
        "bits": core.bits,
        "source": core.source(),
        "cycles": "?" if cycles is None else cycles,
        "target": on.title,
        "name": name,
        "top": core.top,
        "header": header(styles),
        "ports": declared_port(core.bus_width),
        "overrides": ",\n".join(overrides),
    }
    return render("wrapper.sv", places)


def capitalised(title: str) -> str:
    """Return a title with a capital letter at its beginning."""
    return title[0].upper() + title[1:]
