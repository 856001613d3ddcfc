# SPDX-License-Identifier: Apache-2.0
"""The top module of a build behind a bus: a shell and the accelerator, or a bare multiplier.

Its ports have the names of the bus's specification, so that tools connect them by name.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.soc.design import AcceleratorDesign, Reset
from montcore.support.errors import RequestError
from montcore.support.paths import PREFIX
from montcore.support.words import hint


@dataclass(frozen=True)
class BusPort:
    """A port of a bus.

    Attributes:
        shell: the shell's port, or empty for a port that is ignored or constant.
        value: constant value of an output that the shell does not have.
    """

    name: str
    width: int
    shell: str
    output: bool = False
    value: str = ""


@dataclass(frozen=True)
class Bus:
    """A bus to which the accelerator can be attached.

    Attributes:
        shell: the shell's module, without the prefix.
        other_reset: name of the reset with the other level.
    """

    name: str
    title: str
    shell: str
    clock: str
    reset: str
    active_low: bool
    other_reset: str
    ports: tuple[BusPort, ...]

    @property
    def top_suffix(self) -> str:
        """The bus's suffix in a module's name."""
        return self.name.replace("-", "_")


def _ports(stem: str, text: str) -> tuple[BusPort, ...]:
    """Return ports from words ``NAME:WIDTH``, where NAME is that of the shell's port.

    A port that is only in the specification has no ``_i`` or ``_o``: an input that is ignored, or
    with ``=VALUE`` an output that is constant.
    """
    found = []
    for word in text.split():
        word, _, value = word.partition("=")
        shell, _, width = word.partition(":")
        name = shell.removesuffix("_i").removesuffix("_o")
        output = shell.endswith("_o") or value != ""
        found.append(
            BusPort(stem + name, int(width or 1), shell if shell != name else "", output, value)
        )
    return tuple(found)


_AXI = """
    awaddr_i:16 awprot:3 awvalid_i awready_o
    wdata_i:32 wstrb_i:4 wvalid_i wready_o
    bresp_o:2 bvalid_o bready_i
    araddr_i:16 arprot:3 arvalid_i arready_o
    rdata_o:32 rresp_o:2 rvalid_o rready_i
"""
_APB = """
    psel_i penable_i pwrite_i pprot:3 paddr_i:16 pwdata_i:32 pstrb_i:4
    pready_o prdata_o:32 pslverr_o
"""
_TILELINK = """
    a_valid_i a_ready_o a_opcode_i:3 a_param:3 a_size_i:2 a_source_i:8 a_address_i:16
    a_mask_i:4 a_data_i:32 a_corrupt
    d_valid_o d_ready_i d_opcode_o:3 d_param:2=2'b00 d_size_o:2 d_source_o:8 d_sink=1'b0
    d_denied_o d_corrupt_o d_data_o:32
"""
_WISHBONE = (
    BusPort("wb_cyc_i", 1, "cyc_i"),
    BusPort("wb_stb_i", 1, "stb_i"),
    BusPort("wb_we_i", 1, "we_i"),
    BusPort("wb_adr_i", 14, "adr_i"),
    BusPort("wb_dat_i", 32, "dat_i"),
    BusPort("wb_sel_i", 4, "sel_i"),
    BusPort("wb_ack_o", 1, "wb_ack_o", True),
    BusPort("wb_err_o", 1, "err_o", True),
    BusPort("wb_dat_o", 32, "dat_o", True),
)

_NO_RESET = Reset()


def _bus(
    name: str, title: str, clock: str, reset: tuple[str, bool, str], ports: tuple[BusPort, ...]
) -> Bus:
    """Return a bus; reset: its name, whether it is active low, its name with the other level."""
    return Bus(name, title, f"soc_{name.replace('-', '_')}", clock, *reset, ports)


BUSES: Mapping[str, Bus] = {
    bus.name: bus
    for bus in (
        _bus("axi4-lite", "AXI4-Lite", "aclk", ("aresetn", True, "areset"), _ports("s_axi_", _AXI)),
        _bus("apb", "APB4", "pclk", ("presetn", True, "preset"), _ports("s_apb_", _APB)),
        _bus("wishbone", "Wishbone B4", "wb_clk_i", ("wb_rst_i", False, "wb_rst_ni"), _WISHBONE),
        _bus("tl-ul", "TileLink-UL", "clock", ("reset_n", True, "reset"), _ports("tl_", _TILELINK)),
    )
}
#: Input stream of random words for the curve engine.
RANDOM_PORTS = _ports("", "rnd_valid_i rnd_ready_o rnd_data_i:32 rnd_fail_i")
#: Reset of a bare multiplier behind AXI4-Stream, active low and high.
STREAM_RESETS = ("aresetn", "areset")
#: Its streams: stem, whether it is a master, bits of tdata (0: those of a beat), other signals.
STREAMS = (
    ("s_axis_cfg", False, 0, ("tlast",)),
    ("s_axis_x", False, 0, ("tlast",)),
    ("s_axis_y", False, 0, ("tlast",)),
    ("m_axis_z", True, 0, ("tlast", "tuser")),
    ("m_axis_status", True, 8, ("tlast",)),
)
STREAM = "axi4-stream"


def find_bus(name: str) -> Bus:
    """Return the bus of a name."""
    if name not in BUSES:
        near = "" if name == STREAM else hint(name, BUSES)
        raise RequestError(
            f"the accelerator has no bus '{name}'{near}; there are {', '.join(BUSES)}, "
            f"and {STREAM} for a single multiplier"
        )
    return BUSES[name]


#: Clock and reset of an accelerator with its own clock.
CORE_CLOCK, CORE_RESET, CORE_RESET_HIGH = "core_clk", "core_rst_n", "core_rst"


def bus_reset(design: AcceleratorDesign, bus: Bus) -> str:
    """Return the name of the bus's reset port."""
    same = design.reset.active_low(bus.active_low) == bus.active_low
    return bus.reset if same else bus.other_reset


def core_reset(design: AcceleratorDesign) -> str:
    """Return the name of the reset port of an accelerator with its own clock."""
    return CORE_RESET if design.reset.active_low(True) else CORE_RESET_HIGH


def clocks_of(design: AcceleratorDesign, bus: Bus) -> list[str]:
    """Return the names of a top module's clocks and resets, in the order of its port list."""
    double = ["clk2x"] if design.double else []
    if design.clocks == 1:
        return [bus.clock, *double, bus_reset(design, bus)]
    return [bus.clock, bus_reset(design, bus), CORE_CLOCK, *double, core_reset(design)]


def system_ports(design: AcceleratorDesign, bus: Bus) -> list[BusPort]:
    """Return the ports of an accelerator behind a bus."""
    random = RANDOM_PORTS if design.curves is not None else ()
    clocks = [BusPort(name, 1, "") for name in clocks_of(design, bus)]
    return [*clocks, *bus.ports, BusPort("irq", 1, "", True), *random]


def stream_ports(core: Core, reset: Reset) -> list[BusPort]:
    """Return the ports of a multiplier behind AXI4-Stream."""
    double = ["clk2x"] if core.fast_clock else []
    inputs = ["aclk", *double, STREAM_RESETS[not reset.active_low(True)], "zeroize"]
    ports = [BusPort(name, 1, "") for name in inputs]
    ports.append(BusPort("busy", 1, "", True))
    for stem, master, bits, others in STREAMS:
        widths = {"tvalid": 1, "tready": 1, "tdata": bits or (core.bus_width + 7) // 8 * 8}
        for signal in (*widths, *others):
            driven = master != (signal == "tready")
            ports.append(BusPort(f"{stem}_{signal}", widths.get(signal, 1), "", driven))
    return ports


def _reset_inside(reset: Reset, clock: str, port: str, usual: bool, name: str) -> str:
    """Return the logic that derives the internal reset, synchronous and active low, from a port."""
    low = reset.active_low(usual)
    if not reset.converted(usual):
        return f"assign {name} = {'' if low else '!'}{port};"
    style = f".Async(1'b{int(reset.style == 'async')}), .High(1'b{int(not low)})"
    return (
        f"{PREFIX}soc_reset #({style}) u_{name} (\n"
        f"      .clk_i({clock}), .rst_i({port}), .rst_no({name})\n  );"
    )


def declared(port: BusPort, kind: str = "logic") -> str:
    """Return the declaration of a port in Verilog."""
    size = f"[{port.width - 1}:0] " if port.width > 1 else ""
    return f"{'output' if port.output else 'input'} {kind} {size}{port.name}"


def top(design: AcceleratorDesign, bus: Bus, name: str, technology: Technology = SIMULATION) -> str:
    """Return the top module of an accelerator behind a bus."""
    two = design.clocks == 2
    port = bus_reset(design, bus)
    resets = [_reset_inside(design.reset, bus.clock, port, bus.active_low, "inner_rst_n")]
    core_name = CORE_RESET
    if two and design.reset.converted(True):
        core_name, port = "near_rst_n", core_reset(design)
        resets.append(f"logic {core_name};")
        resets.append(_reset_inside(design.reset, CORE_CLOCK, port, True, core_name))
    ports = [declared(port) for port in system_ports(design, bus)]
    shell = [f".{port.shell}({port.name})" for port in bus.ports if port.shell]
    sides = ("req", "write", "addr", "wdata", "strb")
    shell += [f".{side}_o({side})" for side in sides]
    shell += [".ack_i(ack)", ".rdata_i(rdata)", ".error_i(error)"]
    ignored = [port.name for port in bus.ports if not port.shell and not port.output]
    ties = [f"assign {port.name} = {port.value};" for port in bus.ports if port.value]
    if design.curves is None:
        ignored += [port.name for port in RANDOM_PORTS if port.output]
        ties += [f"logic {port.name};" for port in RANDOM_PORTS if port.output]
    if ignored:
        ties += ["logic unused;", f"assign unused = ^{{{', '.join(ignored)}}};"]
    values = design.parameters(technology)
    overrides = ", ".join(f".{key}({value})" for key, value in values.items())
    return _TOP.format(
        name=name,
        title=bus.title,
        core=description(design),
        ports=",\n    ".join(ports),
        ties="\n  ".join(ties),
        shell=f"{PREFIX}{bus.shell}",
        shell_parameters=" #(.SourceBits(8))" if bus.name == "tl-ul" else "",
        clock=bus.clock,
        resets="\n  ".join(resets),
        connections=", ".join(shell),
        overrides=overrides,
        core_clock=CORE_CLOCK if two else bus.clock,
        core_reset=core_name if two else "inner_rst_n",
        near=_NEAR if two else "",
        crossing=_CROSSING.format(clock=bus.clock, core=CORE_CLOCK, reset=core_name) if two else "",
        to_core=_to_core("core_" if two else ""),
        clock2=".clk2x_i(clk2x), " if design.double else "",
        random=", ".join(_random(port, design.curves is not None) for port in RANDOM_PORTS),
    )


def _to_core(side: str) -> str:
    inputs, outputs = ("req", "write", "addr", "wdata", "strb"), ("ack", "rdata", "error", "irq")
    words = [f".{name}_i({side}{name})" for name in inputs]
    return ", ".join([*words, *(f".{name}_o({side}{name})" for name in outputs)])


def _random(port: BusPort, connected: bool) -> str:
    if connected:
        return f".{port.shell}({port.name})"
    value = port.name if port.output else f"{port.width}'d0"
    return f".{port.shell}({value})"


def description(design: AcceleratorDesign) -> str:
    """Return a description of an accelerator's units."""
    units = (
        ("the multiplier {0.name} of {0.bits} bits ({label})", design.multiplier),
        ("an exponentiator of {0.bits} bits over {0.name} ({label})", design.core),
        ("a curve engine of {0.bits} bits over {0.name} ({label})", design.curves),
    )
    return " and ".join(
        text.format(core, label=core.label()) for text, core in units if core is not None
    )


#: With two clocks: signals on the accelerator's side, and the crossing between the sides.
_NEAR = """  logic core_req, core_write, core_ack, core_error, core_irq;
  logic [15:0] core_addr;
  logic [31:0] core_wdata, core_rdata;
  logic [3:0] core_strb;
"""
_CROSSING = """  montcore_soc_cdc u_cdc (
      .clk_i({clock}), .rst_ni(inner_rst_n), .core_clk_i({core}), .core_rst_ni({reset}),
      .req_i(req), .write_i(write), .addr_i(addr), .wdata_i(wdata), .strb_i(strb), .ack_o(ack),
      .rdata_o(rdata), .error_o(error), .irq_o(irq), .core_req_o(core_req),
      .core_write_o(core_write), .core_addr_o(core_addr), .core_wdata_o(core_wdata),
      .core_strb_o(core_strb), .core_ack_i(core_ack), .core_rdata_i(core_rdata),
      .core_error_i(core_error), .core_irq_i(core_irq)
  );

"""
_TOP = """// SPDX-License-Identifier: Apache-2.0

/// montcore accelerator behind {title}: {core}.
module {name} (
    {ports}
);
  logic inner_rst_n, req, write, ack, error;
  logic [15:0] addr;
  logic [31:0] wdata, rdata;
  logic [3:0] strb;
{near}  {resets}
  {ties}

  {shell}{shell_parameters} u_shell (
      .clk_i({clock}), .rst_ni(inner_rst_n), {connections}
  );

{crossing}  montcore_pka #({overrides}) u_pka (
      .clk_i({core_clock}), {clock2}.rst_ni({core_reset}), {to_core},
      {random}
  );
endmodule
"""


def stream_top(
    core: Core, name: str, technology: Technology = SIMULATION, reset: Reset = _NO_RESET
) -> str:
    """Return the top module of a bare multiplier with AXI4-Stream ports."""
    overrides = core.sv_parameters(technology)
    port = STREAM_RESETS[not reset.active_low(True)]
    return _STREAM.format(
        name=name,
        core=f"{core.name} {core.label()}",
        bits=core.bits,
        width=core.bus_width,
        high=core.bus_width - 1,
        top=core.top,
        ports=",\n    ".join(declared(port) for port in stream_ports(core, reset)),
        reset_inside=_reset_inside(reset, "aclk", port, True, "inner_rst_n"),
        clock2_port=".clk2x_i(clk2x), " if core.fast_clock else "",
        overrides=", ".join(f".{key}({value})" for key, value in overrides.items()),
    )


_STREAM = """// SPDX-License-Identifier: Apache-2.0

/// montcore multiplier with AXI4-Stream ports: {bits} bits, {core}.
module {name} (
    {ports}
);
  logic cfg_valid, cfg_ready, cfg_last, cfg_done, start, done, unused;
  logic inner_rst_n;
  logic [2:0] cfg_error;
  logic [{high}:0] cfg_data, x_data, y_data, z_data;
  assign unused = ^{{start, done}};
  assign m_axis_status_tlast = 1'b1;
  {reset_inside}

  montcore_soc_axi4_stream #(.Width({width})) u_shell (
      .clk_i(aclk), .rst_ni(inner_rst_n && !zeroize), .s_cfg_tvalid_i(s_axis_cfg_tvalid),
      .s_cfg_tready_o(s_axis_cfg_tready), .s_cfg_tdata_i(s_axis_cfg_tdata),
      .s_cfg_tlast_i(s_axis_cfg_tlast), .s_x_tdata_i(s_axis_x_tdata), .s_y_tdata_i(s_axis_y_tdata),
      .m_z_tdata_o(m_axis_z_tdata), .m_status_tvalid_o(m_axis_status_tvalid),
      .m_status_tready_i(m_axis_status_tready), .m_status_tdata_o(m_axis_status_tdata),
      .cfg_valid_o(cfg_valid), .cfg_ready_i(cfg_ready), .cfg_data_o(cfg_data),
      .cfg_last_o(cfg_last), .cfg_done_i(cfg_done), .cfg_error_i(cfg_error), .x_data_o(x_data),
      .y_data_o(y_data), .z_data_i(z_data)
  );

  {top} #({overrides}) u_core (
      .clk_i(aclk), {clock2_port}.rst_ni(inner_rst_n), .zeroize_i(zeroize), .busy_o(busy),
      .cfg_valid_i(cfg_valid), .cfg_ready_o(cfg_ready), .cfg_data_i(cfg_data),
      .cfg_last_i(cfg_last), .cfg_done_o(cfg_done), .cfg_error_o(cfg_error),
      .x_valid_i(s_axis_x_tvalid), .x_ready_o(s_axis_x_tready), .x_data_i(x_data),
      .x_last_i(s_axis_x_tlast), .y_valid_i(s_axis_y_tvalid), .y_ready_o(s_axis_y_tready),
      .y_data_i(y_data), .y_last_i(s_axis_y_tlast), .z_valid_o(m_axis_z_tvalid),
      .z_ready_i(m_axis_z_tready), .z_data_o(z_data), .z_last_o(m_axis_z_tlast),
      .z_error_o(m_axis_z_tuser), .core_start_o(start), .core_done_o(done)
  );
endmodule
"""
