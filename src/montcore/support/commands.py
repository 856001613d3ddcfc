# SPDX-License-Identifier: Apache-2.0
"""Text of the tool's commands."""

from collections.abc import Iterable


def settings_list(settings: Iterable[tuple[str, object]]) -> list[str]:
    """Return parameters as words of a command."""
    return [word for key, value in settings for word in ("--set", f"{key}={value}")]


def settings_words(settings: Iterable[tuple[str, object]]) -> str:
    """Return parameters as options of a command, each with a leading space."""
    return "".join(f" {word}" for word in settings_list(settings))
