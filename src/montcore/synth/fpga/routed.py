# SPDX-License-Identifier: Apache-2.0
"""Common base of the FPGA families that nextpnr places and routes."""

import re
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from montcore.hdl.programs import find_program
from montcore.support.needed import package_version
from montcore.synth.design import Design
from montcore.synth.fpga.family import MAPPED_JSON, FpgaFamily
from montcore.synth.options import Options
from montcore.synth.process import ToolError, read_json, run_tool
from montcore.synth.target import Mapped, Progress
from montcore.synth.yosys import run_yosys

#: What nextpnr says of a placement that it cannot complete.
_UNROUTABLE = re.compile(
    "[Ff]ailed to (find a )?route|Routing design failed|legal placement|unrouted arcs"
)

_LIMIT_S = 7200.0

#: The wrapped design, as nextpnr reads it.
WRAPPED = "wrapper.json"


@dataclass(frozen=True, kw_only=True)
class RoutedFamily(FpgaFamily):
    """An FPGA family that nextpnr places and routes.

    The resources are those of the core alone. `fmax_mhz` is the median over the seeds of
    `Options.nextpnr_seeds` of what nextpnr reports, `clocks_mhz` that of the same seed, and
    `seeds_mhz` has each seed.
    """

    program: ClassVar[str]

    @abstractmethod
    def device(self, work: Path) -> list[str]:
        """Return nextpnr's arguments for the device; files that they need are written to `work`."""

    def synthesise(self, design: Design, work: Path, opts: Options, progress: Progress) -> Mapped:
        """Map a design, then place and route it in a wrapper with four pins."""
        progress(f"synthesis for {self.name}")
        result = self.map(design, work, opts)
        self.wrap(design, work, opts)
        clocks: dict[int, dict[str, float]] = {}
        for seed in opts.nextpnr_seeds:
            progress(f"place and route for {self.name}, seed {seed}")
            clocks[seed] = self.route(design, work, seed, opts)
        speeds = {seed: slowest(found, design) for seed, found in clocks.items()}
        middle = sorted(speeds, key=lambda seed: speeds[seed])[len(speeds) // 2]
        result = replace(
            result,
            fmax_mhz=speeds[middle],
            fmax_min_mhz=min(speeds.values()),
            fmax_max_mhz=max(speeds.values()),
            seeds_mhz={str(seed): speed for seed, speed in speeds.items()},
            clocks_mhz=clocks[middle],
        )
        return Mapped(result, self.simulator(design, work))

    def wrap(self, design: Design, work: Path, opts: Options) -> None:
        """Write the core in its wrapper as nextpnr reads it, `WRAPPED`."""
        ports = read_json(work / MAPPED_JSON)["modules"][design.top]["ports"]
        (work / "wrapper.v").write_text(wrapper(design, ports))
        run_yosys(
            [
                *self.reading(design, work),
                "read_verilog wrapper.v",
                self.synthesis("wrapper", f"-json {WRAPPED}"),
            ],
            work,
            "wrapper",
            opts,
        )

    def route(
        self, design: Design, work: Path, seed: int, opts: Options, attempts: int = 3
    ) -> dict[str, float]:
        """Place and route the wrapper and return its clocks.

        In any design a pin may be placed where it cannot be routed. If a seed is unroutable, the
        next is tried.

        Raises:
            ToolError: the further seeds could not be routed either, or a time limit was reached.
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
            *(find_program(self.program), *self.device(work)),
            *("--json", WRAPPED, "--report", report.name, "--seed", str(seed)),
            *("--timing-allow-fail", "--freq", "100", *algorithms),
        ]
        try:
            run_tool(command, cwd=work, log=log, timeout=_LIMIT_S)
        except ToolError as error:
            # Another seed gives another clock: only where this one is known to have none.
            if attempts == 1 or not _UNROUTABLE.search(str(error)):
                raise
            # A seed that is not among those of the median.
            return self.route(design, work, seed + len(opts.nextpnr_seeds), opts, attempts - 1)
        found = read_clocks(read_json(report), design)
        if found is None:
            raise ToolError(f"nextpnr does not report each clock; its log is {log}")
        return found

    def settings(self, opts: Options) -> dict[str, Any]:
        """Return the seeds of the placement."""
        return {"seeds": opts.nextpnr_seeds}

    def versions(self) -> dict[str, str]:
        """Return the versions of Yosys and nextpnr."""
        return {"pyosys": package_version("pyosys"), "nextpnr": package_version(self.program)}


def read_clocks(report: Mapping[str, Any], design: Design) -> dict[str, float] | None:
    """Return the clocks of a nextpnr report in MHz by port name, or None if one is missing.

    `crossing` is the fast clock that paths from one clock to the other allow.
    """
    # A net is named after the pin, or after the port that it drives.
    pins = {name: design.clock for name in ("clk", design.clock)}
    if design.fast_clock:
        pins |= {name: design.fast_clock for name in ("clk2x", design.fast_clock)}

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
    """Return the clock of the port, in MHz, that satisfies all clocks of `read_clocks`."""
    halves = [clocks[name] / 2 for name in (design.fast_clock, "crossing") if name in clocks]
    return round(min(clocks[design.clock], *halves), 2) if halves else clocks[design.clock]


def wrapper(design: Design, ports: Mapping[str, Any]) -> str:
    """Return a Verilog module with four pins, or five, around a design with any number of ports.

    A shift register fills a row of flip-flops that drive the inputs, and every output goes to a
    flip-flop of another shift register. Therefore nothing is optimised away, no path of the core
    starts or ends at a pin, and each path of the wrapper is a single look-up table long. (Inputs
    straight from a shift register would let its flip-flops merge with input registers of the core.)
    """
    clocks = {design.clock: "clk"} | ({design.fast_clock: "clk2x"} if design.fast_clock else {})
    links = [f".{port}({pin})" for port, pin in clocks.items()]
    widths = {"input": 0, "output": 0}
    nets = {"input": "held_q", "output": "out"}
    for way, net in nets.items():
        for name, port in ports.items():
            if port["direction"] == way and name not in clocks:
                low, widths[way] = widths[way], widths[way] + len(port["bits"])
                links.append(f".{name}({net}[{widths[way] - 1}:{low}])")
    wide_in, wide_out = widths.values()
    connections = ",\n    ".join(links)
    pins = ", ".join(f"input {pin}" for pin in clocks.values())
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
  {design.top} core (
    {connections}
  );
endmodule
"""
