# SPDX-License-Identifier: Apache-2.0
"""The ports of a bundle's top module for other tools: clocks, resets, bus interfaces."""

from dataclasses import dataclass, field

from montcore.cores.core import Core
from montcore.soc import wrapper
from montcore.soc.design import AcceleratorDesign, Reset


@dataclass(frozen=True)
class Interface:
    """A bus interface, with the signal names of Vivado's catalogue of interfaces.

    Attributes:
        kind: ``aximm``, ``axis`` or ``apb``, as in Vivado's catalogue.
        signals: names in the catalogue, and the corresponding ports.
    """

    name: str
    kind: str
    master: bool
    signals: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Clock:
    """A clock with its reset.

    Attributes:
        reset: its reset port, or empty.
        low: whether the reset is active low.
    """

    port: str
    reset: str
    low: bool


@dataclass(frozen=True)
class Boundary:
    """The ports of a top module.

    Attributes:
        clocks: the clocks; a second, double-speed one has no reset.
        interfaces: the interfaces known to the catalogue, in the first clock.
        tied: inputs not in the catalogue, and their values if left unconnected.
    """

    name: str
    ports: tuple[wrapper.BusPort, ...]
    clocks: tuple[Clock, ...]
    interfaces: tuple[Interface, ...]
    reset: Reset
    tied: dict[str, int] = field(default_factory=dict)

    @property
    def clock_ports(self) -> tuple[str, ...]:
        """Names of the clocks."""
        return tuple(clock.port for clock in self.clocks)

    @property
    def resets(self) -> tuple[str, ...]:
        """Names of the resets."""
        return tuple(clock.reset for clock in self.clocks if clock.reset)

    @property
    def clocking(self) -> str:
        """Names of clocks and resets, with the level and the style of these, in a sentence."""
        pairs = [
            f"`{clock.port}` with `{clock.reset}`, active {'low' if clock.low else 'high'}"
            if clock.reset
            else f"`{clock.port}`, of twice the frequency, edges aligned"
            for clock in self.clocks
        ]
        style = (
            "resets begin and end at any moment, and are synchronised inside"
            if self.reset.style == "async"
            else "resets are synchronous to their clocks"
        )
        return f"{'; '.join(pairs)}; {style}"


def of_system(design: AcceleratorDesign, bus: wrapper.Bus, name: str) -> Boundary:
    """Return the ports of an accelerator behind a bus."""
    interfaces, tied = list[Interface](), dict[str, int]()
    if bus.name in ("axi4-lite", "apb"):
        stem = bus.ports[0].name.rpartition("_")[0]
        # Vivado's APB has no pprot and no pstrb; these become separate ports.
        left = {f"{stem}_pprot": 0, f"{stem}_pstrb": 15} if bus.name == "apb" else {}
        signals = tuple(
            (port.name.removeprefix(f"{stem}_").upper(), port.name)
            for port in bus.ports
            if port.name not in left
        )
        kind = "apb" if left else "aximm"
        interfaces.append(Interface(stem, kind, False, signals))
        tied |= left
    low = design.reset.active_low(bus.active_low)
    clocks = [Clock(bus.clock, wrapper.bus_reset(design, bus), low)]
    if design.clocks == 2:
        clocks.append(
            Clock(wrapper.CORE_CLOCK, wrapper.core_reset(design), design.reset.active_low(True))
        )
    if design.double:
        clocks.append(Clock("clk2x", "", True))
    ports = tuple(wrapper.system_ports(design, bus))
    return Boundary(name, ports, tuple(clocks), tuple(interfaces), design.reset, tied)


def of_stream(core: Core, name: str, reset: Reset) -> Boundary:
    """Return the ports of a multiplier behind AXI4-Stream."""
    low = reset.active_low(True)
    ports = tuple(wrapper.stream_ports(core, reset))
    interfaces = []
    for stem, master, _, _ in wrapper.STREAMS:
        own = [port.name for port in ports if port.name.startswith(f"{stem}_")]
        signals = tuple((name.removeprefix(f"{stem}_").upper(), name) for name in own)
        interfaces.append(Interface(stem, "axis", master, signals))
    clocks = [Clock("aclk", wrapper.STREAM_RESETS[not low], low)]
    if core.fast_clock:
        clocks.append(Clock("clk2x", "", True))
    tied = {"zeroize": 0}
    return Boundary(name, ports, tuple(clocks), tuple(interfaces), reset, tied)


def verilog(boundary: Boundary) -> str:
    """Return a module in Verilog-2005 with the same ports and an instance of the top module."""
    listed = ",\n".join(f"    {wrapper.declared(port, 'wire')}" for port in boundary.ports)
    connected = ",\n".join(f"      .{port.name}({port.name})" for port in boundary.ports)
    return (
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// An instance in Verilog: copy it, or use this module.\n"
        f"module {boundary.name}_instance (\n{listed}\n);\n"
        f"  {boundary.name} u_{boundary.name} (\n{connected}\n  );\nendmodule\n"
    )


def vhdl(boundary: Boundary) -> str:
    """Return a VHDL entity with the same ports and an instance of the top module."""

    def kind(width: int) -> str:
        return "std_logic" if width == 1 else f"std_logic_vector({width - 1} downto 0)"

    def listed(indent: str) -> str:
        return ";\n".join(
            f"{indent}{port.name} : {'out' if port.output else 'in'} {kind(port.width)}"
            for port in boundary.ports
        )

    name = boundary.name
    connected = ",\n".join(f"      {port.name} => {port.name}" for port in boundary.ports)
    return (
        "-- SPDX-License-Identifier: Apache-2.0\n"
        "-- A component and an instance in VHDL: copy them, or use this entity.\n"
        "library ieee;\nuse ieee.std_logic_1164.all;\n\n"
        f"entity {name}_instance is\n  port (\n{listed('    ')}\n  );\nend entity;\n\n"
        f"architecture structure of {name}_instance is\n"
        f"  component {name} is\n    port (\n{listed('      ')}\n    );\n  end component;\n"
        f"begin\n  u_{name} : {name}\n    port map (\n{connected}\n    );\nend architecture;\n"
    )
