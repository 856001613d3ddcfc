# SPDX-License-Identifier: Apache-2.0
"""Simulation: one harness for every core, compiled once per configuration by Verilator."""
