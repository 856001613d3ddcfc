# SPDX-License-Identifier: Apache-2.0
"""Estimated wires compared with routed ones."""
