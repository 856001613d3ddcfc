# SPDX-License-Identifier: Apache-2.0
"""Skips: a test may be skipped only if a system package is missing.

`needs` decorates a test; `require` is called in a test or in a fixture. conftest.py turns any other
skip into a failure.
"""

import re

import pytest

from montcore.cli import doctor


def needs(*names: str) -> pytest.MarkDecorator:
    """Return a mark that skips the test unless all these programs, by `doctor`'s names, exist."""
    return pytest.mark.needs(*names)


def require(*names: str) -> None:
    """Skip the current test unless all these programs, by `doctor`'s names, exist."""
    for name in names:
        row = doctor.look_at(name)
        if not row.present:
            pytest.skip(f"{name} is missing: {row.remedy}")


def is_excused(reason: str) -> bool:
    """Tell whether the reason of a skip names a system package that is missing here."""
    return any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w+-])", reason)
        and not doctor.look_at(name).present
        for name in doctor.system_names()
    )
