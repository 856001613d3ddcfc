# SPDX-License-Identifier: Apache-2.0
"""Compares the registered cores at their real points and recommends one."""
