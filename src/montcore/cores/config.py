# SPDX-License-Identifier: Apache-2.0
"""The parameters of a built core, and their allowed values."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core.core_schema import CoreSchema, no_info_after_validator_function

#: Widest modulus of any core, in bits; limited by the port's packets.
MAX_BITS = 4096
MIN_BITS = 2


class TextEnum(str, Enum):
    """Choices that read and print as their values."""

    __str__ = str.__str__


@dataclass(frozen=True)
class OneOf:
    """Annotation of a parameter with few values.

    Attributes:
        values: the values.
        rule: the message for another one; the top module refuses it with the same.
    """

    values: tuple[int, ...]
    rule: str

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return no_info_after_validator_function(self._check, handler(source))

    def _check(self, value: int) -> int:
        if value not in self.values:
            raise ValueError(self.rule)
        return value


def word_size(*sizes: int) -> OneOf:
    """Return the annotation of a parameter w, the word size in bits."""
    *others, last = sizes
    return OneOf(sizes, f"the word size w must be {', '.join(map(str, others))} or {last}")


@dataclass(frozen=True)
class Allowed:
    """Allowed values of a parameter.

    Attributes:
        default: its default, or a description of how it depends on the width.
        values: all values, if they are few.
        low: the least value, if there are many.
        high: the greatest, or a description of how it depends on the width.
    """

    name: str
    default: str
    values: tuple[str, ...] = ()
    low: int = 0
    high: int | str = 0

    def text(self) -> str:
        """Return readable text: ``w = 8, 16 or 32 (32)``."""
        if self.values:
            *others, last = self.values
            choice = f"{', '.join(others)} or {last}" if others else last
        else:
            choice = f"{self.low} to {self.high}"
        return f"{self.name} = {choice} (default {self.default})"

    def as_object(self) -> dict[str, Any]:
        """Return the attributes as plain values."""
        limits = {"values": list(self.values)} if self.values else {}
        return {**(limits or {"min": self.low, "max": self.high}), "default": self.default}
