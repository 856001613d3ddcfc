# SPDX-License-Identifier: Apache-2.0
"""Figures that the papers publish, as data, to compare measured ones with."""
