# SPDX-License-Identifier: Apache-2.0
"""Compares the registered cores at measured points and recommends one."""
