# SPDX-License-Identifier: Apache-2.0
"""How commands of the tool are written."""

from collections.abc import Iterable


def settings_words(settings: Iterable[tuple[str, object]]) -> str:
    """Return parameters as options of a command, each with a space in front of it."""
    return "".join(f" --set {key}={value}" for key, value in settings)
