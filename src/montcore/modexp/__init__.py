# SPDX-License-Identifier: Apache-2.0
"""Modular exponentiation by the simulated hardware, over every multiplier core."""

from montcore.modexp.exponentiator import (
    Exponentiation,
    Exponentiator,
    ModularProduct,
    Policy,
    Power,
)

__all__ = ["Exponentiation", "Exponentiator", "ModularProduct", "Policy", "Power"]
