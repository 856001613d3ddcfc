# SPDX-License-Identifier: Apache-2.0
"""riscv-2021."""
