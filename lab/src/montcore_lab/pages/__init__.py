# SPDX-License-Identifier: Apache-2.0
"""Generators of the repository's pages and pictures."""
