# SPDX-License-Identifier: Apache-2.0
"""A bundle's files for other tools match its files, ports, registers and widths."""

import hashlib
import json
import re
import runpy
import shutil
from pathlib import Path

import pytest
from bundle_files import (
    VARIANTS,
    constrained,
    files_of,
    made,
    ports_of,
    registers_of,
    run_tcl,
    top_of,
)
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from needs import needs, require
from programs import output_of, program

from montcore.bundle.system import write_registers
from montcore.soc.register_page import descriptions
from montcore.soc.registers import RDL, compiled
from montcore.soc.wrapper import RANDOM_PORTS
from montcore_lab.generated import c_files
from montcore_lab.lint import rtl

#: Signals of Vivado's interfaces that a slave drives; a master drives the others.
SLAVE_DRIVES = {
    "aximm": {"AWREADY", "WREADY", "BRESP", "BVALID", "ARREADY", "RDATA", "RRESP", "RVALID"},
    "apb": {"PREADY", "PRDATA", "PSLVERR"},
    "axis": {"TREADY"},
    "clock": set[str](),
    "reset": set[str](),
    "interrupt": set[str](),
}
#: All signals of these interfaces that we use.
SIGNALS = {
    "aximm": {"AWADDR", "AWPROT", "AWVALID", "WDATA", "WSTRB", "WVALID", "BREADY", "ARADDR"}
    | {"ARPROT", "ARVALID", "RREADY"}
    | SLAVE_DRIVES["aximm"],
    "apb": {"PADDR", "PSEL", "PENABLE", "PWRITE", "PWDATA"} | SLAVE_DRIVES["apb"],
    "axis": {"TVALID", "TREADY", "TDATA", "TLAST", "TUSER"},
    "clock": {"CLK"},
    "reset": {"RST"},
    "interrupt": {"INTERRUPT"},
}


@pytest.fixture(scope="module", params=VARIANTS, ids=lambda variant: "-".join(map(str, variant)))
def bundle(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        return made(request.param, tmp_path_factory.mktemp("bundle") / "made", patch)


def packaged(bundle: Path, folder: Path, *, fails: bool = False) -> str:
    """Run the packaging script of a bundle against the mock of Vivado."""
    names = folder / "ports.txt"
    names.write_text("\n".join(ports_of(bundle)))
    script = bundle / "vivado" / "package_ip.tcl"
    return run_tcl(
        "vivado.tcl", script, top_of(bundle), names, "xc7k70t", folder / "ip", fails=fails
    )


@needs("tclsh")
def test_packaging_script_has_every_file_and_every_port_in_its_place(
    bundle: Path, tmp_path: Path
) -> None:
    said = [line.split() for line in packaged(bundle, tmp_path).splitlines()]
    ports = ports_of(bundle)
    assert [line[2] for line in said if line[:2] == ["file", "sources_1"]] == [
        str(path.resolve()) for path in files_of(bundle)
    ]
    constraints = {Path(line[2]).name for line in said if line[:2] == ["file", "constrs_1"]}
    assert constraints == {path.name for path in bundle.glob("*.xdc")}
    kinds = {
        line[1].partition(".")[2]: line[3].split(":")[2]
        for line in said
        if line[0] == "set" and line[2] == "bus_type_vlnv"
    }
    masters = {
        line[1].partition(".")[2]: line[3] == "master"
        for line in said
        if line[0] == "set" and line[2] == "interface_mode"
    }
    mapped = [
        (*line[1].split(".")[2:], line[3])
        for line in said
        if line[0] == "set" and line[2] == "physical_name"
    ]
    for interface, signal, port in mapped:
        kind = kinds[interface]
        assert signal in SIGNALS[kind], (interface, signal)
        slave_drives = signal in SLAVE_DRIVES[kind]
        assert (ports[port][0] == "out") == (masters[interface] != slave_drives), port
    names = [port for _, _, port in mapped]
    assert len(set(names)) == len(names)
    tied = {line[1] for line in said if line[0] == "set" and line[2] == "driver_value"}
    left = set(ports) - set(names) - tied
    expected = {port.name for port in RANDOM_PORTS} | {"busy"}
    assert {name for name in left if not name.startswith(("wb_", "tl_"))} <= expected
    # Registers are where a master sees them, clocks know their resets and buses.
    values = {tuple(line[1].rpartition(".")[::2]): line[3] for line in said if line[0] == "set"}
    clocks = [name for name, kind in kinds.items() if kind == "clock"]
    resets = [name for name, kind in kinds.items() if kind == "reset"]
    given = {value for (_, key), value in values.items() if key == "ASSOCIATED_RESET"}
    assert given == set(resets) and len(clocks) >= len(resets) >= 1
    for name in resets:
        level = values[f"parameter.interface.{name}", "POLARITY"]
        low = name.endswith(("n", "_ni"))
        assert level == ("ACTIVE_LOW" if low else "ACTIVE_HIGH")
    buses = {name for name, kind in kinds.items() if kind in ("aximm", "apb", "axis")}
    busses = {
        word
        for (_, key), value in values.items()
        if key == "ASSOCIATED_BUSIF"
        for word in value.split(":")
    }
    assert busses == buses
    if "aximm" in kinds.values() or "apb" in kinds.values():
        assert [line[3] for line in said if line[0] == "set" and line[2] == "range"] == ["65536"]


@needs("tclsh")
@pytest.mark.parametrize("fault", ["file", "port", "map", "constraint"])
def test_packaging_script_stops_at_what_is_not_there(
    fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = made(VARIANTS[1], tmp_path / "made", monkeypatch)
    script = broken / "vivado" / "package_ip.tcl"
    text = script.read_text()
    if fault == "file":
        (broken / "rtl" / "montcore_pka.sv").unlink()
        listed = (broken / "files.f").read_text()
        names = tmp_path / "ports.txt"
        names.write_text("")
        said = run_tcl("vivado.tcl", script, top_of(broken), names, fails=True)
        assert "rtl/montcore_pka.sv is not in the bundle" in said and "montcore_pka.sv" in listed
        return
    if fault == "constraint":
        (broken / "crossing.xdc").unlink()
        assert "crossing.xdc is not in the bundle" in packaged(broken, tmp_path, fails=True)
        return
    before, after = {
        "port": ("{CLK core_clk}", "{CLK core_clock}"),
        "map": ("  RDATA s_axi_rdata", "  RDATA s_axi_data"),
    }[fault]
    assert text.count(before) == 1
    script.write_text(text.replace(before, after))
    assert "has no port" in packaged(broken, tmp_path, fails=True)


@needs("tclsh")
@pytest.mark.parametrize("name", ["constraints.sdc", "constraints.xdc"])
def test_constraints_name_ports_that_are_there_and_leave_none_out(
    bundle: Path, name: str, tmp_path: Path
) -> None:
    said = constrained(bundle, name, tmp_path)
    ports = ports_of(bundle)
    clocks = {line[2]: line[1] for line in said if line[0] == "clock"}
    wanted = {"aclk", "pclk", "wb_clk_i", "clock", "core_clk", "clk2x"} & set(ports)
    assert set(clocks) == wanted
    free = {line[1] for line in said if line[0] == "free"}
    delayed = {line[1]: line[2] for line in said if line[0] == "delay"}
    assert set(delayed) | free == set(ports) - set(clocks)
    for port, clock in delayed.items():
        two = "core_clk" in clocks
        core = two and (port.startswith("rnd_") or port.startswith("core_rst"))
        assert clock == ("core_clk" if core else "clk"), port
    limits = {(line[1], line[2]) for line in said if line[0] == "limit"}
    others = set(clocks.values()) - {"clk"} if "core_clk" in clocks else set()
    both = {pair for other in others for pair in (("clk", other), (other, "clk"))}
    assert limits == (both if name.endswith("sdc") else set())
    if "clk2x" in clocks:
        periods = {line[1]: float(line[3]) for line in said if line[0] == "clock"}
        assert periods["clk2x"] == periods[next(iter(periods))] / 2
    if name.endswith("xdc"):
        words = (bundle / name).read_text().split("get_ports")
        vectors = {word for part in words for word in re.findall(r"(\w+)\[\*\]", part)}
        assert vectors == {port for port in delayed if ports[port][1] > 1}


def crossing_cells(text: str) -> list[str]:
    """Return the flip-flops named in constraints, as hierarchical names of RTL registers.

    Args:
        text: contents of a constraints file.

    Returns:
        names with dots, without bits, e.g. ``u_cdc.u_irq_sync.sync_q``.
    """
    found = []
    for group in re.findall(r"get_(?:cells|pins) \{([^}]*)\}", text):
        for word in group.split():
            stem = re.sub(r"/CLR$", "", word)
            found.append(re.sub(r"_reg(\[.*\])?$", "", stem).replace("/", "."))
    return found


def test_crossing_constraints_name_registers_that_are_there(bundle: Path) -> None:
    file = bundle / "crossing.xdc"
    two = "two_clocks" in top_of(bundle)
    if not file.is_file():
        assert not two and "async" not in top_of(bundle)
        return
    text = file.read_text()
    comments = re.findall(r"(?:^#.*\n)+", text, flags=re.MULTILINE)
    assert comments and all(comment.endswith(".\n") for comment in comments)
    cells = crossing_cells(text)
    assert len(set(cells)) == len(cells) and set(cells) <= registers_of(bundle)
    assert text.count("set_max_delay -datapath_only") == (2 if two else 0)
    clocks = re.findall(r"get_clocks -of_objects \[get_ports \{([^}]*)\}", text)
    assert all(set(words.split()) <= set(ports_of(bundle)) for words in clocks)


def vhdl_kind(width: int) -> str:
    return "std_logic" if width == 1 else f"std_logic_vector({width - 1} downto 0)"


def vhdl_around(name: str, ports: dict[str, tuple[str, int]]) -> list[str]:
    """Return an entity with the ports that slang has found, and one that uses the template.

    The template's ports must match both: names and widths are compared when its component is bound,
    directions when it is connected (in VHDL-93 an output cannot be read).
    """
    listed = ";\n".join(
        f"  {port} : {way} {vhdl_kind(width)}" for port, (way, width) in ports.items()
    )
    connected = ", ".join(f"{port} => {port}" for port in ports)
    use = f"u : entity work.{name}_instance port map ({connected});"
    return [
        "library ieee;\nuse ieee.std_logic_1164.all;\n"
        f"entity {entity} is port (\n{listed}\n);\nend entity;\n"
        f"architecture a of {entity} is begin {body} end architecture;\n"
        for entity, body in ((name, ""), ("around", use))
    ]


def ghdl(folder: Path, top: str, ports: dict[str, tuple[str, int]], template: Path) -> str:
    """Analyse and elaborate a template with entities of these ports; return the errors."""
    files = [folder / "inside.vhd", template, folder / "around.vhd"]
    for file, text in zip(files[::2], vhdl_around(top, ports), strict=True):
        file.write_text(text)
    flags = ["--std=93", "--syn-binding", f"--workdir={folder}"]
    for words in (
        ["-a", *flags, *map(str, files)],
        ["--elab-run", *flags, "around", "--stop-time=0ns"],
    ):
        done = program("ghdl", *words, cwd=folder)
        if done.returncode or done.stderr:  # that a component is not bound is only a warning
            return done.stderr + done.stdout
    return ""


@needs("ghdl")
def test_vhdl_template_is_bound_to_an_entity_with_the_ports_of_the_top_module(
    bundle: Path, tmp_path: Path
) -> None:
    top, ports = top_of(bundle), ports_of(bundle)
    template = bundle / "templates" / f"{top}_instance.vhd"
    assert ghdl(tmp_path, top, ports, template) == ""
    # A port with another name, direction or width is noticed.
    name, (way, width) = next(
        (port, kind) for port, kind in ports.items() if kind[0] == "out" and kind[1] > 1
    )
    others: tuple[dict[str, tuple[str, int]], ...] = (
        {**ports, name: (way, width + 1)},
        {**ports, name: ("in", width)},
        {port: kind for port, kind in ports.items() if port != name},
    )
    for number, other in enumerate(others):
        work = tmp_path / str(number)
        work.mkdir()
        assert ghdl(work, top, other, template) != ""


@pytest.mark.one_in(4)
def test_verilog_template_fits_the_top_module(bundle: Path) -> None:
    top = top_of(bundle)
    template = bundle / "templates" / f"{top}_instance.v"
    command = ["iverilog", "-g2005", "-t", "null", str(template)]
    ports = ports_of(bundle)
    declared = ", ".join(
        f"{way}put wire [{width - 1}:0] {port}" for port, (way, width) in ports.items()
    )
    stub = template.with_name("stub.v")
    stub.write_text(f"module {top} ({declared});\nendmodule\n")
    # Icarus Verilog reports a missing port as an error; Verilator also checks widths.
    if shutil.which("iverilog"):
        command.append(str(stub))
        done = program(*command)
        assert (done.returncode, done.stderr) == (0, "")
    stub.unlink()
    files = [*files_of(bundle), template]
    assert rtl.verilator(f"{top}_instance", files, {}) == []


def test_bill_of_materials_has_every_file_with_its_digest(bundle: Path) -> None:
    text = (bundle / "sbom.cdx.json").read_text()
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    bill = json.loads(text)
    listed = {item["name"]: item["hashes"][0]["content"] for item in bill["components"]}
    there = {path.relative_to(bundle).as_posix() for path in bundle.rglob("*") if path.is_file()}
    made_last = {"sbom.cdx.json", "manifest.json", "LICENSE"}
    assert set(listed) == there - made_last
    for name, digest in listed.items():
        assert hashlib.sha256((bundle / name).read_bytes()).hexdigest() == digest
    assert "Apache License" in (bundle / "LICENSE").read_text()
    for name in listed:
        if name.endswith((".sv", ".v", ".c", ".h", ".tcl", ".xdc", ".sdc", ".vhd", ".py")):
            assert "SPDX-License-Identifier: Apache-2.0" in (bundle / name).read_text(), name


def test_register_files_of_a_bundle_are_those_of_the_description(bundle: Path) -> None:
    if "axi4_stream" in top_of(bundle):
        return
    fresh = {path.name: text for path, text in c_files().items()} | descriptions()
    names = {path.name for path in (bundle / "registers").iterdir()}
    kinds = {".h", ".xml", ".svd", ".html", ".rdl"}
    assert {Path(name).suffix for name in names} == kinds and len(names) == len(kinds)
    for name in names - {RDL.name}:
        assert (bundle / "registers" / name).read_text() == fresh[name]
    header = "montcore_pka_registers.h"
    assert (bundle / "driver" / header).read_text() == fresh[header]
    assert compiled(bundle / "registers" / RDL.name) is not None
    page = (bundle / "registers" / "montcore_pka.html").read_text()
    for name in re.findall(r"^    \} (\w+) @", RDL.read_text(), re.M):
        assert f'id="{name}"' in page or f"<td>{name}</td>" in page


def test_a_bundle_says_which_register_files_it_lacks_without_peakrdl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("montcore.bundle.system.module_exists", lambda _: False)
    assert "PeakRDL was not there" in write_registers(tmp_path)
    there = {path.name for path in (tmp_path / "registers").iterdir()}
    assert there == {RDL.name, "montcore_pka_registers.h"}


def test_driver_of_a_bundle_compiles_by_itself(bundle: Path) -> None:
    if "axi4_stream" in top_of(bundle):
        return
    require("gcc")
    sources = [*(bundle / "driver").glob("*.c")]
    compiler = ["gcc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    compiler.append("-ffreestanding")
    assert len(sources) > 1
    hosted = ("montcore_pka_uio.c", "montcore_pka_socket.c")
    output_of(*compiler, *(path for path in sources if path.name not in hosted))
    headers = [path for path in (bundle / "driver").glob("*.h") if "_inner" not in path.name]
    for header in headers:
        output_of(*compiler, "-x", "c", header)


def test_litex_module_connects_the_ports_of_the_top_module(bundle: Path) -> None:
    file = bundle / "templates" / "litex_pka.py"
    if "wishbone" not in top_of(bundle):
        assert not file.exists()
        return
    added = list[str]()

    class Platform:
        def add_source(self, path: str) -> None:
            added.append(path)

    peripheral = runpy.run_path(str(file))["Pka"](Platform())
    assert added == [str(path) for path in files_of(bundle)]
    [instance] = peripheral.get_fragment().specials
    assert instance.of == top_of(bundle)
    found = {}
    for item in instance.items:
        way = {"Input": "in", "Output": "out"}[type(item).__name__]
        found[item.name] = (way, len(item.expr))
    assert found == ports_of(bundle)
