# SPDX-License-Identifier: Apache-2.0
"""The common port of the multiplier cores, as declared in modules that the tool writes."""

#: Direction, name and meaning of each port.
PORTS = (
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
_SECOND_CLOCK = ("input", "clk2x_i", "Clock of the blocks, twice as fast.")


def declared_port(width: int, *, second_clock: bool = False, datapath: bool = True) -> str:
    """Return the port list of a module."""
    listed = list(PORTS if datapath else PORTS[:-2])
    if second_clock:
        listed.insert(1, _SECOND_CLOCK)
    ranges = {name: f"[{width - 1}:0]" for _, name, _ in PORTS if "_data_" in name}
    ranges["cfg_error_o"] = "[2:0]"
    longest = max(map(len, ranges.values()))
    return ",\n".join(
        f"    /// {text}\n    {direction:<6} logic {ranges.get(name, ''):<{longest}} {name}"
        for direction, name, text in listed
    )
