# SPDX-License-Identifier: Apache-2.0
"""Other people's multipliers, measured in our flow from a checkout that the user has."""
