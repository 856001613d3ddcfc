# SPDX-License-Identifier: Apache-2.0
"""Synthesis: area and clock of a core on an ASIC library and on FPGA families."""

from montcore.synth.flow import synthesise
from montcore.synth.result import JSON_KEYS, SynthResult
from montcore.synth.target import all_targets, get_target

__all__ = ["JSON_KEYS", "SynthResult", "all_targets", "get_target", "synthesise"]
