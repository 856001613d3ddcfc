# SPDX-License-Identifier: Apache-2.0
"""The accelerator's registers, as hw/soc/montcore_pka.rdl describes them, for other tools.

PeakRDL's SystemRDL compiler reads the description; PeakRDL writes IP-XACT. The SVD is written here,
since PeakRDL can only import that format; a test uses the import to read it back. The RTL is
written by hand, since Icarus Verilog 11 cannot read that of PeakRDL-regblock, which also has
unpacked structs as ports; a proof shows that both are equivalent (`tests/cores/soc`).
"""

import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from montcore.support.errors import RequestError
from montcore.support.needed import missing_package
from montcore.support.paths import HW_DIR

SOC_DIR = HW_DIR / "soc"
RDL = SOC_DIR / "montcore_pka.rdl"
REGISTERS = "montcore_pka_registers"


@dataclass(frozen=True)
class RegisterField:
    """A field of a register.

    Attributes:
        kind: `constant`, `input` (driven by hardware), `stored`, `pulse` (one cycle after a write)
            or `event` (hardware sets it, software clears it with a 1).
    """

    register: str
    address: int
    name: str
    low: int
    width: int
    reset: int
    kind: str
    readable: bool
    writable: bool
    tells: bool
    text: str

    @property
    def port(self) -> str:
        """Stem of the port's name."""
        return f"{self.register}_{self.name}"


def compiled(path: Path = RDL, properties: Iterable[Any] = ()) -> Any:
    """Return the root of the compiled description.

    Args:
        properties: definitions of the properties that an exporter needs.
    """
    try:
        from systemrdl.compiler import RDLCompiler
    except ImportError:
        raise RequestError(missing_package("peakrdl")) from None
    compiler = RDLCompiler()
    for item in properties:
        compiler.register_udp(item)
    compiler.compile_file(str(path))
    return compiler.elaborate("montcore_pka")


def fields(root: Any) -> list[RegisterField]:
    """Return the fields of the registers in order."""
    block = root.top.get_child_by_name("registers")
    return [_field(item, one) for item in block.registers() for one in item.fields()]


def _field(register: Any, field: Any) -> RegisterField:
    if field.get_property("singlepulse"):
        kind = "pulse"
    elif field.get_property("hwset"):
        kind = "event"
    elif field.is_sw_writable:
        kind = "stored"
    else:
        kind = "input" if field.is_hw_writable else "constant"
    return RegisterField(
        register.inst_name,
        register.absolute_address,
        field.inst_name,
        field.low,
        field.width,
        int(field.get_property("reset", default=0)),
        kind,
        bool(field.is_sw_readable),
        bool(field.is_sw_writable),
        bool(field.get_property("swmod")),
        sentence(field),
    )


def sentence(node: Any) -> str:
    """Return the description of a part of the register map, on one line."""
    return " ".join(str(node.get_property("desc")).split())


def ip_xact(root: Any) -> str:
    """Return the IP-XACT file written by PeakRDL."""
    from peakrdl_ipxact import IPXACTExporter

    exporter = IPXACTExporter(vendor="montcore", library="montcore", version="1.0")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "montcore_pka.xml"
        exporter.export(root, str(path))
        return "\n".join(line.rstrip() for line in path.read_text("utf-8").splitlines()) + "\n"


def svd(root: Any) -> str:
    """Return the CMSIS-SVD file."""

    def add(parent: ElementTree.Element, **texts: object) -> None:
        for name, value in texts.items():
            ElementTree.SubElement(parent, name).text = str(value)

    def access(readable: bool, writable: bool) -> str:
        return "read-write" if readable and writable else "read-only" if readable else "write-only"

    device = ElementTree.Element("device", schemaVersion="1.3")
    add(device, name="montcore_pka", version="1.0", description="montcore accelerator")
    add(device, addressUnitBits=8, width=32)
    peripherals = ElementTree.SubElement(device, "peripherals")
    peripheral = ElementTree.SubElement(peripherals, "peripheral")
    add(peripheral, name="montcore_pka", baseAddress="0x0")
    block = ElementTree.SubElement(peripheral, "addressBlock")
    add(block, offset="0x0", size="0x10000", usage="registers")
    listed = ElementTree.SubElement(peripheral, "registers")
    items = fields(root)
    for node in root.top.get_child_by_name("registers").registers():
        register = ElementTree.SubElement(listed, "register")
        own = [item for item in items if item.register == node.inst_name]
        add(register, name=node.inst_name, description=sentence(node))
        add(register, addressOffset=f"0x{node.absolute_address:x}", size=32)
        either = access(any(i.readable for i in own), any(i.writable for i in own))
        reset = sum(item.reset << item.low for item in own)
        add(register, access=either, resetValue=f"0x{reset:x}")
        below = ElementTree.SubElement(register, "fields")
        for item in own:
            field = ElementTree.SubElement(below, "field")
            add(field, name=item.name, description=item.text, bitOffset=item.low)
            add(field, bitWidth=item.width, access=access(item.readable, item.writable))
            if item.kind == "event":
                add(field, modifiedWriteValues="oneToClear")
    for name in ("operands", "key"):
        node = root.top.get_child_by_name(name)
        register = ElementTree.SubElement(listed, "register")
        entries = node.get_property("mementries")
        add(register, dim=entries, dimIncrement="0x4", name=f"{name}[%s]")
        add(register, description=sentence(node), addressOffset=f"0x{node.absolute_address:x}")
        allowed = access(node.is_sw_readable, node.is_sw_writable)
        add(register, size=32, access=allowed)
        word = ElementTree.SubElement(ElementTree.SubElement(register, "fields"), "field")
        add(word, name="word", bitOffset=0, bitWidth=32, access=allowed)
    ElementTree.indent(device)
    text = ElementTree.tostring(device, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'
