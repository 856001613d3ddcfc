# SPDX-License-Identifier: Apache-2.0
"""The SystemVerilog sources: files, modules, and the programs that read them."""
