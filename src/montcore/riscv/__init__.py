# SPDX-License-Identifier: Apache-2.0
"""The RISC-V library of sw/riscv: built, checked under QEMU, measured on simulated cores."""
