# SPDX-License-Identifier: Apache-2.0
"""The RISC-V library: built, checked under QEMU, measured on simulated cores."""
