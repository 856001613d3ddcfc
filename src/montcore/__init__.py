# SPDX-License-Identifier: Apache-2.0
"""montcore: Montgomery-arithmetic hardware, chosen, built, proved and measured by one tool."""

__version__ = "0.1.0"
