# SPDX-License-Identifier: Apache-2.0
"""Synthesis: area and clock of a core on an ASIC library and on FPGA families."""

from montcore.synth.flow import TARGETS, synthesise
from montcore.synth.result import JSON_KEYS, SynthResult

__all__ = ["JSON_KEYS", "TARGETS", "SynthResult", "synthesise"]
