# SPDX-License-Identifier: Apache-2.0
"""The accelerator's registers: files generated from hw/soc/montcore_pka.rdl.

PeakRDL's SystemRDL compiler reads the description; PeakRDL writes the C header, IP-XACT and HTML.
The RTL is written here, since Icarus Verilog 11 cannot read that of PeakRDL-regblock, which also
has unpacked structs as ports; a proof shows that both are equivalent (`tests/cores/soc`). The SVD
is written here too, since PeakRDL can only import that format; a test uses the import to read it
back.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from montcore.support.errors import RequestError
from montcore.support.installing import missing_package
from montcore.support.paths import HW_DIR

SOC_DIR = HW_DIR / "soc"
RDL = SOC_DIR / "montcore_pka.rdl"
REGISTERS = "montcore_pka_registers"
ADDRESS_BITS = 14


@dataclass(frozen=True)
class RegisterField:
    """A field of a register in the generated module.

    Attributes:
        register: name of its register.
        address: address of its register, in bytes.
        name: its own name.
        low: its lowest bit.
        width: its width in bits.
        reset: value after reset.
        kind: `constant`, `input` (driven by hardware), `stored`, `pulse` (one cycle after a write)
            or `event` (hardware sets it, software clears it with a 1).
        readable: whether software can read it.
        writable: whether software can write it.
        tells: whether writes are signalled to hardware.
        text: its description.
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

    @property
    def bits(self) -> str:
        """Its range in the register."""
        return f"[{self.low + self.width - 1}:{self.low}]"


def compiled(path: Path = RDL, properties: Iterable[Any] = ()) -> Any:
    """Return the root of the compiled description.

    Args:
        path: the description.
        properties: definitions of the properties that an exporter needs.

    Raises:
        RequestError: PeakRDL is not installed.
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
        " ".join(str(field.get_property("desc")).split()),
    )


def _range(width: int) -> str:
    return f"[{width - 1}:0] " if width > 1 else ""


def _strobes(item: RegisterField, name: str) -> str:
    """Return the write strobe of each bit of a field."""
    high, low = item.low + item.width - 1, item.low
    return f"{name}[{high}:{low}]" if high > low else f"{name}[{low}]"


def rtl(root: Any) -> str:
    """Return the module `montcore_pka_registers` before formatting."""
    items = fields(root)
    ports, body = list[str](), list[str]()
    for item in items:
        text = re.split("[;:.]", item.text)[0]
        size = _range(item.width)
        if item.kind in ("input", "event"):
            what = "Pulse: it happens" if item.kind == "event" else text
            ports += [
                f"/// {item.register}, {item.name}: {what}.",
                f"input logic {size}{item.port}_i,",
            ]
        if item.kind in ("stored", "event", "pulse"):
            note = " One cycle." if item.kind == "pulse" else ""
            ports.append(f"/// {item.register}, {item.name}: {text}.{note}")
            ports.append(f"output logic {size}{item.port}_o,")
        if item.tells:
            ports.append(f"/// {item.register}, {item.name}: was written in the last cycle.")
            ports.append(f"output logic {item.port}_written_o,")
    names = {item.register: item for item in items}
    readable = {item.register for item in items if item.readable}
    writable = {item.register for item in items if item.writable}
    body.append(f"logic {', '.join(f'at_{name}' for name in names)};")
    for name, item in names.items():
        body.append(f"assign at_{name} = word == 12'h{item.address // 4:x};")
    for what, chosen in (("read", readable), ("write", writable)):
        terms = [f"at_{name}" for name in names if name in chosen]
        rows = [" || ".join(terms[at : at + 5]) for at in range(0, len(terms), 5)]
        body.append(f"assign {what}s = " + " ||\n      ".join(rows) + ";")
    for item in items:
        body += _behaviour(item)
    body.append("always_comb begin rdata_o = '0;")
    for name in names:
        if name in readable:
            parts = [
                f"rdata_o{item.bits if item.width > 1 else f'[{item.low}]'} = {_value(item)};"
                for item in items
                if item.register == name and item.readable
            ]
            body.append(f"if (at_{name}) begin {' '.join(parts)} end")
    body.append("end")
    return _MODULE.format(ports="\n    ".join(ports).rstrip(","), body="\n  ".join(body))


def _value(item: RegisterField) -> str:
    if item.kind == "constant":
        return f"{item.width}'h{item.reset:x}"
    return f"{item.port}_i" if item.kind == "input" else f"{item.port}_q"


def _behaviour(item: RegisterField) -> Iterator[str]:
    """Yield the registers of a field."""
    if item.kind in ("constant", "input"):
        return
    name, reset = f"{item.port}_q", f"{item.width}'h{item.reset:x}"
    mask, data = _strobes(item, "mask"), _strobes(item, "wdata_i")
    written = f"writing && at_{item.register}"
    yield f"logic {_range(item.width)}{name};"
    if item.kind == "event":
        clears = f"else if ({written}) {name} <= {name} & ~({data} & {mask});"
        change = f"else if ({item.port}_i) {name} <= '1; {clears}"
    elif item.kind == "pulse":
        change = f"else {name} <= {{{item.width}{{{written}}}}} & {data} & {mask};"
    else:
        change = f"else if ({written}) {name} <= ({name} & ~{mask}) | ({data} & {mask});"
    yield f"always_ff @(posedge clk_i) begin if (!rst_ni) {name} <= {reset}; {change} end"
    yield f"assign {item.port}_o = {name};"
    if item.tells:
        tell = f"{item.port}_written_q"
        yield f"logic {tell};"
        yield f"always_ff @(posedge clk_i) {tell} <= rst_ni && {written} && |{mask};"
        yield f"assign {item.port}_written_o = {tell};"


_MODULE = """// SPDX-License-Identifier: Apache-2.0

/// The accelerator's registers. Generated from hw/soc/montcore_pka.rdl by montcore.soc.registers.
///
/// rdata_o and error_o answer a request in the same cycle; a write shows in the next one.
/// error_o: nothing is at the address, or it cannot be accessed so; then nothing is written.
/// Precondition: none.
/// Latency: 0 for a read, 1 for a write.
/// Example: req_i with addr_i = 0 -> rdata_o = 0x4d504b41.
module montcore_pka_registers (
    /// Clock, rising edge.
    input logic clk_i,
    /// Synchronous reset, active low.
    input logic rst_ni,
    /// Request.
    input logic req_i,
    /// It is a write.
    input logic write_i,
    /// Address in bytes; the lowest two bits are ignored.
    input logic [13:0] addr_i,
    /// Word to write.
    input logic [31:0] wdata_i,
    /// Bytes of it to write.
    input logic [3:0] strb_i,
    /// Word read; not masked by req_i.
    output logic [31:0] rdata_o,
    /// The request is refused; not masked by req_i.
    output logic error_o,
    {ports}
);
  logic reads, writes, writing, unused;
  logic [11:0] word;
  logic [31:0] mask;
  assign word = addr_i[13:2];
  assign writing = req_i && write_i;
  assign mask = {{{{8{{strb_i[3]}}}}, {{8{{strb_i[2]}}}}, {{8{{strb_i[1]}}}}, {{8{{strb_i[0]}}}}}};
  assign error_o = write_i ? !writes : !reads;
  assign unused = ^{{addr_i[1:0], wdata_i, mask}};
  {body}
endmodule
"""


def c_header(root: Any) -> str:
    """Return the C header written by PeakRDL."""
    from peakrdl_cheader.exporter import CHeaderExporter

    text = _exported(
        lambda path: CHeaderExporter().export(root, str(path)), "montcore_pka_registers.h"
    )
    # C99 has no static_assert; the driver's test compiles one with the same condition.
    text = re.sub(r"#include <assert\.h>\n|\nstatic_assert\(.*?\);\n", "", text)
    return f"/* SPDX-License-Identifier: Apache-2.0 */\n{text}"


def ip_xact(root: Any) -> str:
    """Return the IP-XACT file written by PeakRDL."""
    from peakrdl_ipxact import IPXACTExporter

    exporter = IPXACTExporter(vendor="montcore", library="montcore", version="1.0")
    return _exported(lambda path: exporter.export(root, str(path)), "montcore_pka.xml")


def html(root: Any, folder: Path) -> None:
    """Write PeakRDL's pages into a folder."""
    from peakrdl_html import HTMLExporter

    HTMLExporter().export(root, str(folder))


def _exported(export: Callable[[Path], None], name: str) -> str:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        export(path)
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
        add(register, name=node.inst_name, description=_sentence(node))
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
        add(register, description=_sentence(node), addressOffset=f"0x{node.absolute_address:x}")
        allowed = access(node.is_sw_readable, node.is_sw_writable)
        add(register, size=32, access=allowed)
        word = ElementTree.SubElement(ElementTree.SubElement(register, "fields"), "field")
        add(word, name="word", bitOffset=0, bitWidth=32, access=allowed)
    ElementTree.indent(device)
    text = ElementTree.tostring(device, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _sentence(node: Any) -> str:
    return " ".join(str(node.get_property("desc")).split())


def same(one: str, other: str) -> bool:
    """Tell whether two texts are the same except for white space."""
    return re.sub(r"\s+", "", one) == re.sub(r"\s+", "", other)
