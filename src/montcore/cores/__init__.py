# SPDX-License-Identifier: Apache-2.0
"""The multiplier cores: one module for each, their common base, and the registry."""

from montcore.cores.registry import all_cores, get_core, register, registered

__all__ = ["all_cores", "get_core", "register", "registered"]
