# SPDX-License-Identifier: Apache-2.0
"""Synthesis: area and clock of a core on an ASIC library and on FPGA families."""
