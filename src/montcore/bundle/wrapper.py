# SPDX-License-Identifier: Apache-2.0
"""The wrapper of a bundle: the common multiplier port, and a core with its parameters fixed."""

from collections.abc import Mapping, Sequence

from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.synth.target import get_target, technologies

_PORTS: tuple[tuple[str, str, str], ...] = (
    ("input", "clk_i", "Clock, rising edge."),
    ("input", "rst_ni", "Synchronous reset, active low."),
    ("input", "zeroize_i", "Pulse: clear everything that held a modulus, an operand or a result."),
    ("output", "busy_o", "Something is under way."),
    ("input", "cfg_valid_i", "Modulus stream: valid."),
    ("output", "cfg_ready_o", "Modulus stream: ready."),
    ("input", "cfg_data_i", "Modulus stream: data, least significant beat first."),
    ("input", "cfg_last_i", "Modulus stream: last beat."),
    ("output", "cfg_done_o", "Pulse: the modulus was accepted or refused."),
    ("output", "cfg_error_o", "Why it was refused; 0: it was accepted."),
    ("input", "x_valid_i", "X stream: valid."),
    ("output", "x_ready_o", "X stream: ready."),
    ("input", "x_data_i", "X stream: data, least significant beat first."),
    ("input", "x_last_i", "X stream: last beat."),
    ("input", "y_valid_i", "Y stream: valid."),
    ("output", "y_ready_o", "Y stream: ready."),
    ("input", "y_data_i", "Y stream: data, least significant beat first."),
    ("input", "y_last_i", "Y stream: last beat."),
    ("output", "z_valid_o", "Z stream: valid."),
    ("input", "z_ready_i", "Z stream: ready."),
    ("output", "z_data_o", "Z stream: data, least significant beat first, or the error."),
    ("output", "z_last_o", "Z stream: last beat."),
    ("output", "z_error_o", "Z stream: the beat is an error."),
    ("output", "core_start_o", "Pulse: the datapath takes up a product."),
    ("output", "core_done_o", "Pulse: its result is complete."),
)


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


def pass_on(styles: Mapping[str, Sequence[int]]) -> str:
    """Return the parameter overrides that pass the style parameters on to an instance."""
    return f" #({', '.join(f'.{name}({name})' for name in styles)})" if styles else ""


def wrapper(core: Core, name: str, target: str, values: Mapping[str, object]) -> str:
    """Return the wrapper module.

    Args:
        core: the core.
        name: the wrapper's name.
        target: the target whose styles are its defaults.
        values: further placeholder values of the template.
    """
    width = core.bus_width
    styles = style_parameters(core, target)
    widths = {"cfg_error_o": 3} | {
        port: width for _, port, _ in _PORTS if port.split("_")[1] == "data"
    }
    longest = max(len(f"[{bits - 1}:0]") for bits in widths.values())
    ports = []
    for direction, port, text in _PORTS:
        bits = f"[{widths[port] - 1}:0]" if port in widths else ""
        ports += [f"    /// {text}", f"    {direction:<6} logic {bits:<{longest}} {port},"]
    overrides = [
        f"      .{key}({key if key in styles else value})"
        for key, value in core.sv_parameters(get_target(target).technology).items()
    ]
    places = {
        "name": name,
        "top": core.top,
        "header": header(styles),
        "ports": "\n".join(ports).rstrip(","),
        "overrides": ",\n".join(overrides),
        "connections": ",\n".join(f"      .{port}({port})" for _, port, _ in _PORTS),
    }
    return render("wrapper.sv", {**places, **values})
