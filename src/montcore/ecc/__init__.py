# SPDX-License-Identifier: Apache-2.0
"""Elliptic curves on the simulated hardware, over every multiplier core."""
