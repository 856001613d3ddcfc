# SPDX-License-Identifier: Apache-2.0
"""Text of the tool's commands."""

from collections.abc import Iterable


def settings_words(settings: Iterable[tuple[str, object]]) -> str:
    """Return parameters as options of a command, each with a leading space."""
    return "".join(f" --set {key}={value}" for key, value in settings)
