# SPDX-License-Identifier: Apache-2.0
"""Messages about unknown names, with the nearest known names."""

import difflib
from collections.abc import Iterable


def hint(name: str, known: Iterable[str]) -> str:
    """Return `` (did you mean smm?)`` with the known names similar to a name, or empty text."""
    lower = {item.lower(): item for item in known}
    near = difflib.get_close_matches(name.strip().lower(), lower, n=2, cutoff=0.6)
    return f" (did you mean {' or '.join(lower[item] for item in near)}?)" if near else ""
