# SPDX-License-Identifier: Apache-2.0
"""Measurements in cycles and seconds by `montcore maintain measure`."""
