# SPDX-License-Identifier: Apache-2.0
"""Sizing of gates: a timer of our own and the tuner that uses it."""
