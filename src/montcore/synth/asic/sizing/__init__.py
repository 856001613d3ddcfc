# SPDX-License-Identifier: Apache-2.0
"""Gate sizing: montcore's own timer and the tuner that uses it."""
