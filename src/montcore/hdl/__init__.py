# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog sources: which files and modules there are, and the programs that read them."""
