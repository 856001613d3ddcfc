# SPDX-License-Identifier: Apache-2.0
"""Adds `montcore_port_checker`, the assertions of the common port, to a simulation."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from montcore.hdl.common_port import PORTS
from montcore.support.files import generated_file
from montcore.support.paths import HW_DIR

CHECKER = HW_DIR / "common" / "verif" / "montcore_port_checker.sv"

#: Flags for Verilator to keep assertions, except those of `unique case`.
FLAGS = ("--assert", "--no-assert-case")

#: Upper bound on the bits of a beat; Icarus Verilog cannot read a width from another hierarchy.
_WIDEST = 4096


@dataclass(frozen=True)
class CheckedPort:
    """A module with the common port.

    Attributes:
        path: hierarchical path of its instance, from the top module.
        width: bits of a beat, or an upper bound.
        header_beats: number of header beats at the start of a modulus packet.
        selections: signals and vectors in the module that together form the groups of signals of
            which at most one may be high.
        groups: how many groups there are.
        group_bits: signals of a group.
    """

    module: str
    path: str
    width: int = _WIDEST
    header_beats: int = 0
    selections: tuple[str, ...] = ()
    groups: int = 1
    group_bits: int = 1

    def instance(self, scope: str, width: str) -> str:
        """Return an instance of the checker that reads the ports of a scope (with its dot)."""
        pins = [
            f".{name.removesuffix('_o') + '_i' if name.endswith('_o') else name}({scope}{name})"
            for _, name, _ in PORTS
        ]
        selected = ", ".join(f"{scope}{name}" for name in self.selections) or "1'b0"
        return (
            f"montcore_port_checker #(.Width({width}), .HeaderBeats({self.header_beats}), "
            f".Groups({self.groups}), .GroupBits({self.group_bits})) "
            f"u_port_checker ({', '.join(pins)}, .select_i({{{selected}}}));\n"
        )

    def bound(self) -> str:
        """Return the `bind` statement that adds a checker to every instance of the module."""
        return f"bind {self.module} {self.instance('', '$bits(z_data_o)')}"


def bound_sources(ports: Iterable[CheckedPort]) -> list[Path]:
    """Return the checker and a file that binds it, for Verilator."""
    return [CHECKER, generated_file("port_bind", "".join(port.bound() for port in ports))]
