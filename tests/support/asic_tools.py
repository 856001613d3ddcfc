# SPDX-License-Identifier: Apache-2.0
"""Tests of the ASIC flow need the cell library and the timing analyser."""

from needs import needs

needs_asic = needs("osu018 cells", "sta")
