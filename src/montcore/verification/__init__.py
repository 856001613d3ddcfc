# SPDX-License-Identifier: Apache-2.0
"""Selection of operands, and expected results."""
