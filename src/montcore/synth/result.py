# SPDX-License-Identifier: Apache-2.0
"""Result of a synthesis run: the published figures and their origin."""

from dataclasses import dataclass, field
from typing import Any

JSON_KEYS = (
    "target",
    "ge",
    "ge_memory",
    "tmin_ns",
    "lut",
    "ff",
    "dsp",
    "bram",
    "fmax_mhz",
    "fmax_min_mhz",
    "fmax_max_mhz",
    "levels",
    "depth",
    "cycles",
    "core_cycles",
    "interval",
    "tmin_ns_no_wires",
    "tmin_in_ns",
    "tmin_out_ns",
    "wires",
    "memory",
)
"""The keys of `montcore synth --json`, in order."""


@dataclass(frozen=True)
class SynthResult:
    """Figures of one core in one configuration on one target; None for figures that do not exist.

    Attributes:
        target: the synthesis target.
        ge: area of all standard cells in gate equivalents (NAND2X1), excluding memory macros.
        ge_memory: area of the memory macros, `options.GE_PER_MEMORY_BIT` per bit.
        tmin_ns: shortest clock period, register to register, with the wires and the clock tree of
            the placement if `wires` is `placed`.
        tmin_ns_no_wires: the same for the same netlist with an ideal clock and without wires.
        tmin_in_ns: longest time from an input to a register, with wires.
        tmin_out_ns: longest time from a register's clock edge to an output, with wires.
        wires: `placed` or `none`, of an ASIC.
        memory: what memories are, of an ASIC: `macro`, `latch` or `flops`.
        lut: look-up tables, including those used as memory and carry cells.
        ff: flip-flops (of the ASIC netlist too).
        dsp: multiplier blocks.
        bram: block memories.
        fmax_mhz: clock of the port after place and route.
            It is the median over the seeds of the placement.
        fmax_min_mhz: the same for the worst seed.
        fmax_max_mhz: the same for the best seed.
        seeds_mhz: the same for each seed.
        levels: cells on the longest path from register to register (families without place and
            route); `critical_path` lists them.
        depth: registers on the longest path from an input to an output, a loop as one (likewise).
        clocks_mhz: each clock separately, for the seed of the median.
        cycles: from the last operand beat to the first result beat, by simulation of the RTL.
        core_cycles: from start to done inside the datapath, likewise.
        interval: cycles between results when products follow each other, likewise.
        memory_bits: bits of the memory macros.
        lut_ram: look-up tables among `lut` that are memory or shift registers.
        cells: number of each cell.
        gate_level_checked: products of the netlist that were compared with the specification.
        placement: size, wires, buffers and clock tree of the placement, if there is one.
        critical_path: start, end and cells of the slowest path (ASIC), or its cells as a histogram.
        log_dir: folder with scripts, logs and netlists.
        command: the command that produces these figures again.
        tools: versions of the tools.
        wall_s: wall time of the run that computed the figures, in seconds.
        cached: whether the area and clock came from the result store.
    """

    target: str
    ge: float | None = None
    ge_memory: float | None = None
    tmin_ns: float | None = None
    lut: int | None = None
    ff: int | None = None
    dsp: int | None = None
    bram: int | None = None
    fmax_mhz: float | None = None
    fmax_min_mhz: float | None = None
    fmax_max_mhz: float | None = None
    levels: int | None = None
    depth: int | None = None
    cycles: int | None = None
    core_cycles: int | None = None
    interval: int | None = None
    tmin_ns_no_wires: float | None = None
    tmin_in_ns: float | None = None
    tmin_out_ns: float | None = None
    wires: str | None = None
    memory: str | None = None
    memory_bits: int = 0
    lut_ram: int | None = None
    seeds_mhz: dict[str, float] = field(default_factory=dict)
    clocks_mhz: dict[str, float] = field(default_factory=dict)
    cells: dict[str, int] = field(default_factory=dict)
    gate_level_checked: int = 0
    placement: dict[str, float] = field(default_factory=dict)
    critical_path: list[str] = field(default_factory=list)
    log_dir: str = ""
    command: str = ""
    tools: dict[str, str] = field(default_factory=dict)
    wall_s: float = 0.0
    cached: bool = False

    @property
    def period_ns(self) -> float | None:
        """Shortest clock period, if the target gives one."""
        if self.tmin_ns is not None:
            return self.tmin_ns
        return 1e3 / self.fmax_mhz if self.fmax_mhz else None

    def to_json(self) -> dict[str, Any]:
        """Return exactly the keys of `montcore synth --json`."""
        return {key: getattr(self, key) for key in JSON_KEYS}
