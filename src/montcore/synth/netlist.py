# SPDX-License-Identifier: Apache-2.0
"""Read the flat cell netlists that Yosys' ``write_verilog -noattr -noexpr`` writes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_INSTANCE = re.compile(r"^  (\w+) (\\\S+ |\w+) \(\n(.*?)\n  \);", flags=re.M | re.S)
_PIN = re.compile(r"\.(\w+)\((.*?)\)(?:,|$)", flags=re.M)


@dataclass(frozen=True)
class Instance:
    """One cell instance: cell type, name, and the net on each pin as written."""

    cell: str
    name: str
    pins: dict[str, str]


def instances(netlist: Path) -> Iterator[Instance]:
    """Yield the cell instances of a netlist in the order of the file."""
    for match in _INSTANCE.finditer(netlist.read_text()):
        pins = {pin: net.strip() for pin, net in _PIN.findall(match.group(3))}
        yield Instance(match.group(1), match.group(2).strip().lstrip("\\"), pins)


def driven_nets(netlist: Path) -> dict[tuple[str, str], str]:
    """Return the named net connected to each (instance, pin); unnamed nets are omitted."""
    found = {}
    for item in instances(netlist):
        for pin, net in item.pins.items():
            name = net.lstrip("\\").strip()
            if not re.fullmatch(r"_\d+_", name):
                found[item.name, pin] = name
    return found
