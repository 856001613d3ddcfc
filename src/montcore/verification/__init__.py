# SPDX-License-Identifier: Apache-2.0
"""Which operands are tried, and what is right."""
