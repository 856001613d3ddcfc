# SPDX-License-Identifier: Apache-2.0
"""Words of commands: numbers (hexadecimal, or decimal after ``0d``), parameters, near names."""

import difflib
from collections.abc import Iterable

from montcore.support.errors import RequestError

#: Longest accepted decimal number, far above any modulus or exponent.
MAX_DECIMAL_DIGITS = 4000
_SHOWN = 40
_SHORT_BITS = 64


def parse_number(name: str, text: str) -> int:
    """Return a number: hexadecimal with or without ``0x``, decimal after ``0d``."""
    digits = text.strip().lower()
    decimal = digits.startswith("0d")
    if digits.startswith("0b") and set(digits[2:]) <= {"0", "1"}:
        raise RequestError(f"{name} '{text}' looks binary: write 0x{digits}, or 0d for decimal")
    digits = digits.removeprefix("0d" if decimal else "0x")
    allowed = "0123456789" if decimal else "0123456789abcdef"
    kind = "decimal" if decimal else "hexadecimal"
    shown = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
    if not digits or any(digit not in allowed for digit in digits):
        raise RequestError(f"{name} '{shown}' is not a {kind} number")
    if decimal and len(digits) > MAX_DECIMAL_DIGITS:
        raise RequestError(f"{name} '{shown}' has more than {MAX_DECIMAL_DIGITS} decimal digits")
    return int(digits, 10 if decimal else 16)


def readable(value: int) -> str:
    """Return a number unambiguously: 0x197 = 407, or its length in bits."""
    if value < 10:
        return f"{value:#x}"
    if value.bit_length() <= _SHORT_BITS:
        return f"{value:#x} = {value}"
    return f"{value:#x} ({value.bit_length()} bits)"


def hint(name: str, known: Iterable[str]) -> str:
    """Return `` (did you mean smm?)`` with the known names similar to a name, or empty text."""
    lower = {item.lower(): item for item in known}
    near = difflib.get_close_matches(name.strip().lower(), lower, n=2, cutoff=0.6)
    return f" (did you mean {' or '.join(lower[item] for item in near)}?)" if near else ""


def settings_list(settings: Iterable[tuple[str, object]]) -> list[str]:
    """Return parameters as words of a command."""
    return [word for key, value in settings for word in ("--set", f"{key}={value}")]


def settings_words(settings: Iterable[tuple[str, object]]) -> str:
    """Return parameters as options of a command, each with a leading space."""
    return "".join(f" {word}" for word in settings_list(settings))


def duration(seconds: float) -> str:
    """Return a readable duration."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
