# SPDX-License-Identifier: Apache-2.0
"""Placement of a mapped netlist: positions, wires estimated from them, clock tree, picture."""
