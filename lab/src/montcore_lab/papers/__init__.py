# SPDX-License-Identifier: Apache-2.0
"""Published figures of the papers, as data for comparison with measured ones."""
