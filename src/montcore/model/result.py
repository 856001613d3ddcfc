# SPDX-License-Identifier: Apache-2.0
"""Result of a cycle-exact model for one product."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ModelResult:
    """One product from a cycle-exact model.

    Attributes:
        z: the canonical product, x * y * R^-1 mod m.
        core_cycles: cycles from start to done inside the datapath.
        cycles: cycles from the last operand beat accepted to the first result beat valid.
    """

    z: int
    core_cycles: int
    cycles: int
