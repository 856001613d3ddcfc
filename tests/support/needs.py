# SPDX-License-Identifier: Apache-2.0
"""Skips: a test may be left out only where a package of the system is missing.

`needs` decorates a test, `require` is called in one or in a fixture. conftest.py makes a failure of
any other skip.
"""

import re

import pytest

from montcore.cli import doctor


def needs(*names: str) -> pytest.MarkDecorator:
    """Return a mark: skip the test unless all these programs are there, by `doctor`'s names."""
    return pytest.mark.needs(*names)


def require(*names: str) -> None:
    """Skip the test at hand unless all these programs are there, by `doctor`'s names."""
    for name in names:
        row = doctor.look_at(name)
        if not row.present:
            pytest.skip(f"{name} is missing: {row.remedy}")


def is_excused(reason: str) -> bool:
    """Tell whether the reason of a skip names something of the system that is missing here."""
    return any(
        re.search(rf"(?<![\w-]){re.escape(name)}(?![\w+-])", reason)
        and not doctor.look_at(name).present
        for name in doctor.system_names()
    )
