# SPDX-License-Identifier: Apache-2.0
"""Colours of the papers' charts, by origin of the figures.

They can be distinguished with any colour vision (Okabe and Ito).
"""

#: The paper, and designs that it cites.
PAPER, CITED = "#d55e00", "#999999"
#: Our designs: the better circuit, the paper's schedule, the paper's schedule and element.
OURS, OURS_PAPER, OURS_DRAWN = "#0072b2", "#009e73", "#cc79a7"
