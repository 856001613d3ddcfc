# SPDX-License-Identifier: Apache-2.0
"""Result of a synthesis run: the published figures and their origin."""

from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True, kw_only=True)
class SynthFigures:
    """What `montcore synth --json` prints after the target, in this order; None: no such figure.

    Attributes:
        ge: area of all standard cells in gate equivalents (NAND2X1), excluding memory macros.
        ge_memory: area of the memory macros, `options.GE_PER_MEMORY_BIT` per bit.
        tmin_ns: shortest clock period, register to register, with the wires and the clock tree of
            the placement if `wires` is `placed`.
        lut: look-up tables, including those used as memory and carry cells.
        ff: flip-flops (of the ASIC netlist too).
        dsp: multiplier blocks.
        bram: block memories.
        fmax_mhz: clock of the port after place and route, the median over the seeds.
        fmax_min_mhz, fmax_max_mhz: the same for the worst and for the best seed.
        levels: cells on the longest path from register to register (families without place and
            route).
        depth: registers on the longest path from an input to an output, a loop as one (likewise).
        cycles: from the last operand beat to the first result beat, by simulation of the RTL.
        core_cycles: from start to done inside the datapath, likewise.
        interval: cycles between results when products follow each other, likewise.
        tmin_ns_no_wires: `tmin_ns` of the same netlist with an ideal clock and without wires.
        tmin_in_ns: longest time from an input to a register, with wires.
        tmin_out_ns: longest time from a register's clock edge to an output, with wires.
        wires: `placed` or `none`, of an ASIC.
        memory: what memories are, of an ASIC: `macro`, `latch` or `flops`.
    """

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

    @property
    def period_ns(self) -> float | None:
        """Shortest clock period, if the target gives one."""
        if self.tmin_ns is not None:
            return self.tmin_ns
        return 1e3 / self.fmax_mhz if self.fmax_mhz else None


JSON_KEYS = ("target", *(item.name for item in fields(SynthFigures)))
"""The keys of `montcore synth --json`, in order."""


@dataclass(frozen=True)
class SynthResult(SynthFigures):
    """Figures of one core in one configuration on one target, and where they come from.

    Attributes:
        memory_bits: bits of the memory macros.
        lut_ram: look-up tables among `lut` that are memory or shift registers.
        seeds_mhz: `fmax_mhz` of each seed of the placement.
        clocks_mhz: each clock separately, for the seed of the median.
        corners_ns: `tmin_ns` at the other corners of a cell library.
        gate_level_checked: products of the netlist that were compared with the specification.
        placement: size, wires, buffers and clock tree of the placement, if there is one.
        recipe: the commands of ABC that were best, of an ASIC (`asic.flow.RECIPES`).
        critical_path: the cells of the path with the most levels, as a histogram.
        log_dir: folder with scripts, logs and netlists.
        command: the command that produces these figures again.
        cached: whether the area and clock came from the result store.
    """

    target: str
    memory_bits: int = 0
    lut_ram: int | None = None
    seeds_mhz: dict[str, float] = field(default_factory=dict)
    clocks_mhz: dict[str, float] = field(default_factory=dict)
    corners_ns: dict[str, float | None] = field(default_factory=dict)
    cells: dict[str, int] = field(default_factory=dict)
    gate_level_checked: int = 0
    placement: dict[str, float] = field(default_factory=dict)
    recipe: str | None = None
    critical_path: list[str] = field(default_factory=list)
    log_dir: str = ""
    command: str = ""
    tools: dict[str, str] = field(default_factory=dict)
    cached: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return exactly the keys of `montcore synth --json`."""
        return {key: getattr(self, key) for key in JSON_KEYS}
