# SPDX-License-Identifier: Apache-2.0
"""Addresses of the accelerator: registers of hw/soc/montcore_pka.rdl, and slots of its memory."""

#: Registers.
LENGTH, Y_LENGTH, COMMAND, CYCLES, CURVE = 0x24, 0x28, 0x2C, 0x30, 0x34
#: Address of the first operand slot, of the first key slot, and the distance of slots.
OPERANDS, KEY, SLOT = 0x4000, 0x8000, 0x400
