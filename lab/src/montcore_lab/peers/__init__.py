# SPDX-License-Identifier: Apache-2.0
"""Other open multipliers, measured in our flow from a checkout supplied by the user."""
