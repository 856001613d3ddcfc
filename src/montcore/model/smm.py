# SPDX-License-Identifier: Apache-2.0
"""Cycle-exact model of `smm` (temporary: filled in below)."""

from typing import Any

from montcore.cores.base import ModelResult


def run(config: Any, x: int, y: int, m: int, length: int) -> ModelResult:
    raise NotImplementedError
