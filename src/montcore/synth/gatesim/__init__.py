# SPDX-License-Identifier: Apache-2.0
"""Simulation of mapped netlists."""
