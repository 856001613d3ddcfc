# SPDX-License-Identifier: Apache-2.0
"""Modular exponentiation by the simulated hardware, over every multiplier core."""
