# SPDX-License-Identifier: Apache-2.0
"""Files generated from the register description: up to date, and confirmed by other tools."""

import re
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree

import pytest
from peakrdl_regblock import RegblockExporter
from peakrdl_regblock.cpuif.passthrough import PassthroughCpuif
from peakrdl_regblock.udps import ALL_UDPS
from peakrdl_svd.importer import SVDImporter
from systemrdl.compiler import RDLCompiler

from montcore.soc import design, registers
from montcore.soc.register_page import descriptions
from montcore.soc.registers import RDL, REGISTERS, SOC_DIR
from montcore.support.errors import CheckFailedError
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys
from montcore_lab.generated import HEADER, c_files, c_header, outdated, same, write_html

REGISTERS_RTL = SOC_DIR / "rtl" / f"{REGISTERS}.sv"


def test_generated_files_are_up_to_date() -> None:
    assert list(outdated(c_files())) == []


def test_a_change_of_the_description_is_noticed(tmp_path: Path) -> None:
    changed = tmp_path / "changed.rdl"
    text = registers.RDL.read_text()
    assert text.count("length[13:0]") == 1
    changed.write_text(text.replace("length[13:0]", "length[14:0]"))
    assert not same(HEADER.read_text(), c_header(registers.compiled(changed)))
    assert not proved_same(tmp_path, REGISTERS_RTL.read_text(), changed)


def _miter(items: list[registers.RegisterField]) -> str:
    """Return a module that is high when our registers and those of PeakRDL-regblock differ.

    Pulses are written with all bytes: if a write omits its byte, regblock's pulse of the previous
    cycle continues and is not a single pulse.
    """
    (pulse,) = {item.address // 4 for item in items if item.kind == "pulse"}
    inputs, ours, theirs = list[str](), list[str](), list[str]()
    pairs = list[tuple[str, str, str]]()
    for item in items:
        path = f"{item.register}.{item.name}"
        size = f"[{item.width - 1}:0]"
        if item.kind in ("input", "event"):
            inputs.append(f"input logic {size} {item.port}_i")
            ours.append(f".{item.port}_i({item.port}_i)")
            pin = "hwset" if item.kind == "event" else "next"
            theirs.append(f"assign hwif_in.{path}.{pin} = {item.port}_i;")
        if item.kind in ("stored", "event", "pulse"):
            pairs.append((f"{item.port}_o", size, f"hwif_out.{path}.value"))
        if item.tells:
            pairs.append((f"{item.port}_written_o", "[0:0]", "told_q"))
            theirs.append("logic told_q; always_ff @(posedge clk_i)")
            theirs.append(f"told_q <= rst_ni && hwif_out.{path}.swmod;")
    ours += [f".{name}({name})" for name, _, _ in pairs]
    wires = " ".join(f"logic {size} {name};" for name, size, _ in pairs)
    differ = " || ".join(f"{name} != {other}" for name, _, other in pairs)
    return f"""
module miter (input logic clk_i, rst_ni, req_i, write_i, input logic [11:0] word_i,
    input logic [31:0] wdata_i, input logic [3:0] strb_i, {", ".join(inputs)}, output logic bad_o);
  logic [3:0] strb; assign strb = (word_i == 12'd{pulse}) ? '1 : strb_i;
  logic [31:0] ours, theirs, biten;
  logic our_error, rd_err, wr_err, rd_ack, wr_ack, stall_r, stall_w;
  {REGISTERS}_pkg::registers__in_t hwif_in;
  {REGISTERS}_pkg::registers__out_t hwif_out;
  {wires}
  {" ".join(theirs)}
  assign biten = {{{{8{{strb[3]}}}}, {{8{{strb[2]}}}}, {{8{{strb[1]}}}}, {{8{{strb[0]}}}}}};
  {REGISTERS} u_ours (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req_i), .write_i(write_i),
      .addr_i({{word_i, 2'b00}}), .wdata_i(wdata_i), .strb_i(strb), .rdata_o(ours),
      .error_o(our_error), {", ".join(ours)});
  reference u_theirs (.clk(clk_i), .rst_n(rst_ni), .s_cpuif_req(req_i), .s_cpuif_req_is_wr(write_i),
      .s_cpuif_addr({{word_i, 2'b00}}), .s_cpuif_wr_data(wdata_i), .s_cpuif_wr_biten(biten),
      .s_cpuif_req_stall_wr(stall_w), .s_cpuif_req_stall_rd(stall_r), .s_cpuif_rd_ack(rd_ack),
      .s_cpuif_rd_err(rd_err), .s_cpuif_rd_data(theirs), .s_cpuif_wr_ack(wr_ack),
      .s_cpuif_wr_err(wr_err), .hwif_in(hwif_in), .hwif_out(hwif_out));
  assign bad_o = {differ} || stall_r || stall_w || (rd_ack != (req_i && !write_i)) ||
      (wr_ack != (req_i && write_i)) || (rd_ack && (rd_err != our_error)) ||
      (wr_ack && (wr_err != our_error)) || (rd_ack && !rd_err && ours != theirs);
endmodule
"""


def proved_same(folder: Path, ours: str, description: Path = RDL) -> bool:
    """Tell whether our registers and PeakRDL-regblock's behave alike, by induction."""
    root = registers.compiled(description, ALL_UDPS)
    RegblockExporter().export(
        root.top.get_child_by_name("registers"),
        str(folder),
        cpuif_cls=PassthroughCpuif,
        module_name="reference",
        package_name=f"{REGISTERS}_pkg",
        address_width=14,
        err_if_bad_addr=True,
        err_if_bad_rw=True,
        default_reset_activelow=True,
    )
    (folder / "ours.sv").write_text(ours)
    (folder / "miter.sv").write_text(_miter(registers.fields(root)))
    files = [f"{REGISTERS}_pkg.sv", "reference.sv", "ours.sv", "miter.sv"]
    listed = " ".join(str(folder / name) for name in files)
    lines = [f"read_slang --top miter {listed}", "prep -flatten -top miter", "memory_map"]
    # From the state after a reset, which is zero in both, and for any number of cycles.
    lines.append("sat -tempinduct -maxsteps 4 -set-init-zero -prove bad_o 0 -verify miter")
    try:
        run_yosys(lines, folder, "registers", DEFAULT_OPTIONS)
    except CheckFailedError as error:
        assert "proof did fail" in str(error)
        return False
    return True


def test_registers_behave_as_those_of_peakrdl_regblock(tmp_path: Path) -> None:
    assert proved_same(tmp_path, REGISTERS_RTL.read_text())


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if (intr_state_done_i) intr_state_done_o <= '1;\n      else ", ""),
        pytest.param("AtLength = 12'h9", "AtLength = 12'hf", marks=pytest.mark.nightly),
        pytest.param("~mask[13:0]", "mask[13:0]", marks=pytest.mark.nightly),
    ],
)
def test_a_fault_in_the_registers_is_found(tmp_path: Path, old: str, new: str) -> None:
    text = REGISTERS_RTL.read_text()
    assert old in text
    assert not proved_same(tmp_path, text.replace(old, new, 1))


def test_svd_file_reads_as_what_it_was_made_from(tmp_path: Path) -> None:
    compiler = RDLCompiler()
    (tmp_path / "a.svd").write_text(descriptions()["montcore_pka.svd"])
    SVDImporter(compiler).import_file(str(tmp_path / "a.svd"))
    found = {}
    for node in cast(Any, compiler.elaborate()).descendants():
        if type(node).__name__ == "FieldNode":
            access = (bool(node.is_sw_readable), bool(node.is_sw_writable))
            found[node.parent.inst_name, node.inst_name] = (
                node.parent.absolute_address,
                node.low,
                node.width,
                access,
            )
    for item in registers.fields(registers.compiled()):
        key = (item.register, item.name)
        wanted = (item.address, item.low, item.width, (item.readable, item.writable))
        assert found[key] == wanted, key


def test_ip_xact_and_header_have_every_register() -> None:
    names = {item.register: item.address for item in registers.fields(registers.compiled())}
    tree = ElementTree.fromstring(descriptions()["montcore_pka.xml"])
    found = {}
    for node in tree.iter():
        if node.tag.endswith("}register"):
            texts = {child.tag.rpartition("}")[2]: child.text for child in node}
            offset = str(texts["addressOffset"]).replace("'h", "0x")
            found[texts["name"]] = int(offset, 0)
    assert names.items() <= found.items()
    listed = re.findall(
        r"uint32_t (\w+);", HEADER.read_text().partition("montcore_pka_registers_t;")[0]
    )
    assert listed == list(names)


def test_addresses_in_python_are_those_of_the_description() -> None:
    found = {item.register: item.address for item in registers.fields(registers.compiled())}
    for name in ("LENGTH", "Y_LENGTH", "COMMAND", "CYCLES", "CURVE"):
        assert getattr(design, name) == found[name.lower()]


def test_pages_are_written(tmp_path: Path) -> None:
    write_html(tmp_path / "html")
    assert (tmp_path / "html" / "index.html").is_file()
