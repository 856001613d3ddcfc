# SPDX-License-Identifier: Apache-2.0
"""Basics for all packages: files, locks, processes, terminal, text. Imports no other package."""
