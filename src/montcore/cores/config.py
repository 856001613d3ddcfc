# SPDX-License-Identifier: Apache-2.0
"""The parameters of a built core, and their allowed values."""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from pydantic import BaseModel, ConfigDict

#: Widest modulus of any core, in bits; limited by the port's packets.
MAX_BITS = 4096
MIN_BITS = 2


class TextEnum(str, Enum):
    """Choices that read and print as their values."""

    __str__ = str.__str__


@dataclass(frozen=True)
class Allowed:
    """Allowed values of a parameter.

    Attributes:
        name: the parameter.
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


class CoreConfig(BaseModel):
    """Parameters of one built core; `bits` is the built width L in bits."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bits: int

    @classmethod
    def allowed(cls) -> dict[str, Allowed]:
        """Return the allowed values of each parameter except the width, by name.

        Named choices and limits come from the fields; a core adds the rules of its validators.
        """
        found = {}
        for name, info in cls.model_fields.items():
            if name == "bits":
                continue
            kind = info.annotation
            if isinstance(kind, type) and issubclass(kind, Enum):
                values = tuple(str(item.value) for item in kind)
                found[name] = Allowed(name, str(info.default.value), values)
            else:
                high = next((item.le for item in info.metadata if hasattr(item, "le")), 0)
                found[name] = Allowed(name, str(info.default), (), 1, high)
        return found

    def params(self) -> dict[str, int | str]:
        """Return all parameters as plain values, including the width."""
        return self.model_dump(mode="json")

    def settings(self) -> dict[str, int | str]:
        """Return the parameters of `--set`, i.e. all except the width, as plain values."""
        return self.model_dump(mode="json", exclude={"bits"})

    def label(self) -> str:
        """Return a short name that is unique within a core, e.g. ``npe=4 w=32 L=256``."""
        values = " ".join(f"{key}={value}" for key, value in self.settings().items())
        return f"{values} L={self.bits}"
