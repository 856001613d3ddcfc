# SPDX-License-Identifier: Apache-2.0
"""Colours of the papers' charts and pictures: who each stands for.

People with any colour vision tell them apart (Okabe and Ito).
"""

#: The paper, and designs that it cites.
PAPER, CITED = "#d55e00", "#999999"
#: Ours: the better circuit, the paper's schedule, the paper's schedule and element.
OURS, OURS_PAPER, OURS_DRAWN = "#0072b2", "#009e73", "#cc79a7"
