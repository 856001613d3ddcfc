# SPDX-License-Identifier: Apache-2.0
"""Traits of a technology on which a core's implementation may depend.

By these traits a core chooses its implementation style, never its function or cycle count. It does
not know targets by name: `montcore.synth.target` has the targets, each with its traits.
"""

from dataclasses import dataclass
from enum import IntEnum


class Tech(IntEnum):
    """A technology in the RTL: values of the parameter `Tech` in montcore_pkg.sv."""

    GENERIC = 0
    ASIC = 1
    FPGA = 2
    DSP48 = 3
    DSP48E = 4
    DSP48E1 = 5
    MULT18 = 6


@dataclass(frozen=True)
class DspBlock:
    """A multiplier block.

    Attributes:
        a_bits: width of its first signed factor.
        b_bits: width of its second signed factor.
        pre_adder: whether it has an adder before the first factor.
        instantiated: the primitive that the sources instantiate, if the flow infers only its
            multiplier.
    """

    a_bits: int
    b_bits: int
    pre_adder: bool = False
    instantiated: Tech | None = None


@dataclass(frozen=True)
class Technology:
    """Traits of a technology; the default is behavioural, as in simulation.

    Attributes:
        multiplier_trees: multipliers are expanded into trees of carry-save adders.
        lut_ram: small memories with an asynchronous read port are look-up tables.
        lut_inputs: inputs of a look-up table; 0 if there are none.
        routed: the flow places and routes.
    """

    multiplier_trees: bool = False
    lut_ram: bool = False
    lut_inputs: int = 0
    dsp: DspBlock | None = None
    routed: bool = False

    @property
    def tech(self) -> Tech:
        """The parameter `Tech` of the sources."""
        if self.multiplier_trees:
            return Tech.ASIC
        if not self.lut_ram:
            return Tech.GENERIC
        if self.dsp is None:
            return Tech.FPGA
        return self.dsp.instantiated or (Tech.DSP48E1 if self.dsp.pre_adder else Tech.FPGA)


SIMULATION = Technology()
