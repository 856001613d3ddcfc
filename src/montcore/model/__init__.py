# SPDX-License-Identifier: Apache-2.0
"""The specification, and one cycle-exact model for each core."""
