# SPDX-License-Identifier: Apache-2.0
"""Files of a bundle for other tools: Vivado, VHDL, Verilog, a bill of materials, memory macros."""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from montcore.bundle import memories
from montcore.bundle.boundary import Boundary, Clock, Interface, verilog, vhdl
from montcore.bundle.parts import digests_of, write_rendered
from montcore.bundle.templates import render
from montcore.support.needed import package_version
from montcore.synth.target import get_target

#: Source and destination registers of the paths in `montcore_soc_cdc`, with their bits, to the core
#: and back. A single-bit path ends at the first register of a synchroniser.
TO_CORE = (
    ("level_q", "write_q", "addr_q[*]", "wdata_q[*]", "strb_q[*]"),
    (
        *("u_asked_sync/sync_q[0]", "core_write_q", "core_addr_q[*]", "core_wdata_q[*]"),
        "core_strb_q[*]",
    ),
)
TO_BUS = (
    ("core_level_q", "irq_q", "core_rdata_q[*]", "core_error_q"),
    ("u_answered_sync/sync_q[0]", "u_irq_sync/sync_q[0]", "rdata_q[*]", "error_q"),
)
#: Constraints for Vivado, those of what crosses between clocks, and for nextpnr-ecp5.
XDC, CROSSING, LPF = "constraints.xdc", "crossing.xdc", "constraints.lpf"
#: SDC commands for a clock of twice the speed.
_FAST_CLOCK = """
# Twice the frequency, edge-aligned with the slower clock.
create_clock -name clk2x -period [expr {$period / 2}] [get_ports clk2x]
"""
_LICENSE = "Apache-2.0"


def constraint_files(target: str) -> list[str]:
    """Return the files of constraints for a target: SDC, and that of the vendor's tools."""
    own = get_target(target).constraints
    return ["constraints.sdc", *([own] if own else [])]


def write_constraints(
    folder: Path, target: str, boundary: Boundary | None, values: Mapping[str, object]
) -> None:
    """Write the templates of constraints for the target's tools.

    Args:
        boundary: ports of its top module; None: those of the common port, with one clock.
    """
    if boundary is None:
        texts = {file: render(file, values) for file in constraint_files(target)}
    else:
        own = get_target(target).constraints
        texts = {"constraints.sdc": _sdc(boundary, values, for_vivado=own == XDC)}
        if own == LPF:
            texts[LPF] = _lpf(boundary, values)
        elif own == XDC:
            lines = _clock_lines(boundary, float(str(values["period"])))
            texts[XDC] = render("system.xdc", {**values, "clocks": "\n".join(lines)})
            ways = list(_crossings(boundary))
            if ways:
                texts[CROSSING] = render("crossing.xdc", {**values, "ways": "\n".join(ways)})
    for file, text in texts.items():
        (folder / file).write_text(text, encoding="utf-8")


def _sdc(boundary: Boundary, values: Mapping[str, object], for_vivado: bool) -> str:
    double = "clk2x" in boundary.clock_ports
    if "core_clk" in boundary.clock_ports:
        fast = "create_clock -name clk2x -period [expr {$core_period / 2}] [get_ports clk2x]\n"
        [core_reset] = boundary.resets[1:]
        text = render(
            "constraints_two.sdc",
            {
                **values,
                "core_reset": core_reset,
                "clk2x": fast if double else "",
                "core_clocks": "core_clk clk2x" if double else "core_clk",
                "crossing_file": f" For Vivado there is {CROSSING}." if for_vivado else "",
            },
        )
    else:
        text = render("constraints.sdc", values) + (_FAST_CLOCK if double else "")
    if boundary.reset.style == "async":
        text += (
            "\n# Asynchronous reset; synchronised inside.\n"
            f"set_false_path -from [get_ports {{{' '.join(boundary.resets)}}}]\n"
        )
    return text


def _lpf(boundary: Boundary, values: Mapping[str, object]) -> str:
    rate = 1000 / float(str(values["period"]))
    text = render(LPF, values) + "".join(
        f'FREQUENCY PORT "{port}" {rate * (2 if port == "clk2x" else 1):.1f} MHZ;\n'
        for port in boundary.clock_ports[1:]
    )
    if len(boundary.resets) > 1:
        text += (
            "# Between the clocks there are registers alone, in u_cdc. nextpnr cannot limit these\n"
            "# ways; its report has the longest, which must be below the shorter period.\n"
        )
    return text


def write_package(
    folder: Path, boundary: Boundary, files: Sequence[str], title: str, target: str
) -> None:
    """Write Vivado's packaging script, templates of instances, and the guide to the memories."""
    name = boundary.name
    (folder / "templates").mkdir(exist_ok=True)
    (folder / "templates" / f"{name}_instance.v").write_text(verilog(boundary), encoding="utf-8")
    (folder / "templates" / f"{name}_instance.vhd").write_text(vhdl(boundary), encoding="utf-8")
    headers = get_target(target).headers
    memories.write(folder, name, [*headers, *(folder / file for file in files)])
    if get_target(target).constraints != XDC:
        return
    constraints = [f"{XDC} {{synthesis implementation out_of_context}} EARLY"]
    if (folder / CROSSING).is_file():
        constraints.append(f"{CROSSING} {{synthesis implementation}} LATE")
    places = {
        "name": name,
        "title": title,
        "sources": _rows(files),
        "constraints": _rows(constraints),
        "ip_version": ".".join(package_version("montcore").split(".")[:2]),
        "interfaces": "\n\n".join(_ip_interfaces(boundary)),
    }
    (folder / "vivado").mkdir()
    write_rendered(folder, {"vivado/package_ip.tcl": "package_ip.tcl"}, places)


def _rows(words: Sequence[str]) -> str:
    return "\n".join(f"  {word}" for word in words)


def _domain(boundary: Boundary, port: str) -> str:
    two = any(clock.port == "core_clk" for clock in boundary.clocks)
    core = two and (port.startswith("rnd_") or port.startswith("core_rst"))
    return "core_clk" if core else "clk"


def _clock_lines(boundary: Boundary, period: float) -> Iterator[str]:
    names = {}
    for clock in boundary.clocks:
        name = "clk" if clock is boundary.clocks[0] else clock.port
        names[clock.port] = name
        own = period / 2 if clock.port == "clk2x" else period
        yield f"create_clock -name {name} -period {own:.3f} [get_ports {clock.port}]"
    free = boundary.resets if boundary.reset.style == "async" else ()
    for clock_name in dict.fromkeys(names.values()):
        for output, command in ((False, "set_input_delay"), (True, "set_output_delay")):
            ports = [
                f"{port.name}[*]" if port.width > 1 else port.name
                for port in boundary.ports
                if port.output == output
                and port.name not in names
                and port.name not in free
                and _domain(boundary, port.name) == clock_name
            ]
            if ports:
                yield f"{command} -clock {clock_name} 2.000 [get_ports {{{' '.join(ports)}}}]"
    if free:
        yield f"set_false_path -from [get_ports {{{' '.join(free)}}}]"


def _cells(scope: str, names: Sequence[str]) -> str:
    found = []
    for name in names:
        stem, bracket, bits = name.partition("[")
        found.append(f"{scope}/{stem}_reg{bracket}{bits}")
    return "{" + " ".join(found) + "}"


def _crossings(boundary: Boundary) -> Iterator[str]:
    """Yield the delay limits between the clocks, and the false paths of an asynchronous reset."""
    clocks = [clock.port for clock in boundary.clocks if clock.reset]
    if len(clocks) == 2:
        yield ""
        yield (
            "# The words of a crossing must arrive before their synchronised level: at most the "
            "shorter period."
        )
        limit = f"[get_clocks -of_objects [get_ports {{{' '.join(clocks)}}}]]"
        for start, end in (TO_CORE, TO_BUS):
            yield (
                f"set_max_delay -datapath_only -from [get_cells {_cells('u_cdc', start)}] "
                f"-to [get_cells {_cells('u_cdc', end)}] [get_property -min PERIOD {limit}]"
            )
    if boundary.reset.style == "async":
        yield ""
        yield "# Asynchronous clear inputs."
        inner = ["u_inner_rst_n", *(["u_near_rst_n"] if len(clocks) == 2 else [])]
        pins = " ".join(f"{name}/g_async.held_q_reg[*]/CLR" for name in inner)
        yield f"set_false_path -to [get_pins {{{pins}}}]"


def _ip_interfaces(boundary: Boundary) -> Iterator[str]:
    for item in boundary.interfaces:
        yield _ip_bus(item)
    for clock in boundary.clocks:
        own = boundary.interfaces if clock is boundary.clocks[0] else ()
        yield _ip_clock(clock, [item.name for item in own])
    if any(port.name == "irq" for port in boundary.ports):
        yield (
            "set interface [add_interface irq signal interrupt master {INTERRUPT irq}]\n"
            "add_parameter SENSITIVITY LEVEL_HIGH $interface"
        )
    for port, value in boundary.tied.items():
        yield f"set_property driver_value {value} [own_port {port}]"


def _ip_bus(item: Interface) -> str:
    mode = "master" if item.master else "slave"
    pairs = "".join(f"  {signal} {port}\n" for signal, port in item.signals)
    lines = [
        f"set interface [add_interface {item.name} interface {item.kind} {mode} {{\n{pairs}}}]"
    ]
    if item.kind == "aximm":
        lines.append("add_parameter PROTOCOL AXI4LITE $interface")
    if item.kind != "axis":  # registers, 64 KiB of them
        lines += [
            f"set map [ipx::add_memory_map {item.name} $core]",
            f"set_property slave_memory_map_ref {item.name} $interface",
            "set block [ipx::add_address_block registers $map]",
            "set_property range 65536 $block",
            "set_property width 32 $block",
            "set_property usage register $block",
        ]
    return "\n".join(lines)


def _ip_clock(clock: Clock, interfaces: Sequence[str]) -> str:
    lines = [f"set interface [add_interface {clock.port} signal clock slave {{CLK {clock.port}}}]"]
    if interfaces:
        lines.append(f"add_parameter ASSOCIATED_BUSIF {':'.join(interfaces)} $interface")
    if clock.reset:
        level = "LOW" if clock.low else "HIGH"
        lines += [
            f"add_parameter ASSOCIATED_RESET {clock.reset} $interface",
            f"set interface [add_interface {clock.reset} signal reset slave {{RST {clock.reset}}}]",
            f"add_parameter POLARITY ACTIVE_{level} $interface",
        ]
    return "\n".join(lines)


def write_bill(folder: Path, name: str, title: str, command: str) -> None:
    """Write the bill of materials of a bundle, CycloneDX 1.6 in JSON, with a digest of each file.

    Equal bundles have equal bills: a bill has no time stamp, and its serial number is derived from
    the files.
    """
    version = package_version("montcore")
    digests, licenses = digests_of(folder), [{"license": {"id": _LICENSE}}]
    parts = [
        {
            "type": "file",
            "bom-ref": file,
            "name": file,
            "hashes": [{"alg": "SHA-256", "content": digest}],
            "licenses": licenses,
        }
        for file, digest in digests.items()
    ]
    tool = {
        "type": "application",
        "bom-ref": "montcore",
        "name": "montcore",
        "version": version,
        "purl": f"pkg:pypi/montcore@{version}",
        "licenses": licenses,
    }
    bill = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ''.join(digests.values()))}",
        "version": 1,
        "metadata": {
            "component": {
                "type": "firmware",
                "bom-ref": name,
                "name": name,
                "version": version,
                "description": f"{title}; made by {command}",
                "licenses": licenses,
            },
            "tools": {"components": [tool]},
        },
        "components": parts,
        "dependencies": [{"ref": name, "dependsOn": list(digests)}],
    }
    text = json.dumps(bill, indent=1)
    (folder / "sbom.cdx.json").write_text(text + "\n", encoding="utf-8")
