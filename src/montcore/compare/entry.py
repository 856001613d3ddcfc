# SPDX-License-Identifier: Apache-2.0
"""The figures of one point, measured and derived; the units are in the names."""

from dataclasses import asdict, dataclass, field
from typing import Any

from montcore.synth.result import SynthFigures

#: Look-up tables per DSP block where a single area figure is needed: about the ratio of the two on
#: the devices of all Xilinx families here (xc7a200t: 134,600 / 740 = 182; xc6vlx240t: 150,720 / 768
#: = 196; xc5vsx95t: 58,880 / 640 = 92; xczu9eg: 274,080 / 2,520 = 109), at the low end.
LUT_PER_DSP = 100
#: Parameter that names the multiplier below a unit (see `compare.units`).
BELOW = "core"


@dataclass(frozen=True)
class Entry(SynthFigures):
    """The figures of one point; None if a target or a core has no such figure.

    Compared are latencies (`cycles`); `core_cycles` is only for the papers' tables.

    Attributes:
        status: ``ok`` or ``failed``.
        log: end of the failed tool's log.
        memory_bits: as in `SynthResult`.
        ge_flops, tmin_flops_ns: area and clock with all memories as flip-flops, if wires are
            counted.
        energy_nj: energy per product in sustained operation, in nJ (see `synth.asic.energy`).
        sign_cycles, verify_cycles: cycles of an ECDSA signature on the widest curve; curve engines
            only.
        word_products, multipliers: for the utilisation, as declared by the core.
        checked: products of the RTL that were compared with the specification for this report.
        rejected: invalid moduli and operands that the RTL refused as required.
        gate_level_checked: products simulated with the netlist of the figures.
        command: the command that produces the figures again.
        log_dir: folder with the scripts, logs and netlists of the tools.
        date: UTC date and time of the measurement.
        wall_s: duration of the measurement, in seconds.
        origin: ``atlas`` if the figures are from the atlas, ``measured`` if this installation
            measured them, ``predicted`` if they are not measured (see `compare.predict`).
        earlier: whether the figures are of earlier sources or an earlier flow; `date` says when.
        errors: errors of a prediction, by figure, as fractions.
    """

    core: str
    params: dict[str, str]
    bits: int
    target: str
    status: str = "ok"
    message: str = ""
    log: str = ""
    memory_bits: int | None = None
    ge_flops: float | None = None
    tmin_flops_ns: float | None = None
    energy_nj: float | None = None
    sign_cycles: int | None = None
    verify_cycles: int | None = None
    word_products: int | None = None
    multipliers: int | None = None
    checked: int = 0
    rejected: int = 0
    seed: int = 0
    gate_level_checked: int = 0
    command: str = ""
    log_dir: str = ""
    tools: dict[str, str] = field(default_factory=dict)
    date: str = ""
    wall_s: float = 0.0
    origin: str = "measured"
    earlier: bool = False
    errors: dict[str, float] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """Core and parameters in one line."""
        return " ".join([self.core, *(f"{key}={value}" for key, value in self.params.items())])

    @property
    def multiplier(self) -> str:
        """Name of the multiplier core: the core itself, or the one that a unit is built over."""
        return self.params.get(BELOW, self.core)

    @property
    def unit(self) -> bool:
        """Whether it is a unit over a multiplier, which performs a whole operation."""
        return BELOW in self.params

    @property
    def area(self) -> float | None:
        """Single area figure: GE (including memory macros), or LUT with each DSP as 100 LUT."""
        if self.ge is not None:
            return self.ge + (self.ge_memory or 0.0)
        if self.lut is not None:
            return float(self.lut + LUT_PER_DSP * (self.dsp or 0))
        return None

    def derived(self) -> dict[str, float | None]:
        """Return the derived figures, by name.

        The time of one product is the latency of the port; area is cells and memory together.
        """
        period, single, sustained = self.period_ns, self.cycles, self.interval
        signing = self.sign_cycles
        kge = None if self.ge is None or self.area is None else self.area / 1e3
        flops = None if self.ge_flops is None else self.ge_flops / 1e3
        return {
            "area": self.area,
            "latency_us": _product(period, single, 1e-3),
            "interval_us": _product(period, sustained, 1e-3),
            "products_per_second": 1e9 / (period * sustained) if period and sustained else None,
            "kge_us": _product(kge, period, single, 1e-3),
            "kge_us_sustained": _product(kge, period, sustained, 1e-3),
            "kge_us_flops": _product(flops, self.tmin_flops_ns, single, 1e-3),
            "kge_us_flops_sustained": _product(flops, self.tmin_flops_ns, sustained, 1e-3),
            "dsp_us": _product(self.dsp, period, single, 1e-3),
            "dsp_us_sustained": _product(self.dsp, period, sustained, 1e-3),
            "signatures_per_second": 1e9 / (period * signing) if period and signing else None,
            "power_mw": (
                1e3 * self.energy_nj / (period * sustained)
                if self.energy_nj is not None and period and sustained
                else None
            ),
            "utilisation": self._utilisation(single),
            "utilisation_sustained": self._utilisation(sustained),
        }

    def _utilisation(self, cycles: int | None) -> float | None:
        if not cycles or not self.multipliers or self.word_products is None:
            return None
        return self.word_products / (self.multipliers * cycles)

    def figures(self) -> dict[str, Any]:
        """Return every figure by name, measured and derived."""
        return {**asdict(self), **self.derived()}


def _product(*factors: float | int | None) -> float | None:
    result = 1.0
    for factor in factors:
        if factor is None:
            return None
        result *= factor
    return result
