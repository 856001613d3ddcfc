# SPDX-License-Identifier: Apache-2.0
"""Fills in the text files of a bundle; placeholders are marked ``@@name@@``."""

import re
from collections.abc import Mapping
from pathlib import Path

_FOLDER = Path(__file__).with_name("templates")
_PLACE = re.compile(r"@@(\w+)@@")


def render(name: str, values: Mapping[str, object]) -> str:
    """Return the template ``templates/<name>.in`` with its placeholders filled in."""
    text = (_FOLDER / f"{name}.in").read_text(encoding="utf-8")
    return _PLACE.sub(lambda match: str(values[match.group(1)]), text)
