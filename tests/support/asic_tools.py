# SPDX-License-Identifier: Apache-2.0
"""Requirements of the ASIC flow's tests: the cell library and the timing analyser."""

from needs import needs

needs_asic = needs("osu018 cells", "sta")
