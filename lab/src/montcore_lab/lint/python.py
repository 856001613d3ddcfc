# SPDX-License-Identifier: Apache-2.0
"""Checks of the Python sources: ruff's rules, ruff's format and mypy."""

import sys
from functools import partial

from montcore.hdl.programs import find_program
from montcore_lab.lint.check import Check
from montcore_lab.lint.complaints import complaints


def _ruff(*words: str) -> list[str]:
    return complaints([find_program("ruff"), *words])


def _mypy() -> list[str]:
    return complaints([sys.executable, "-m", "mypy", "--no-error-summary"])


def checks() -> list[Check]:
    """Return the checks of the Python sources."""
    what = "all Python files"
    rules = partial(_ruff, "check", "--quiet", "--output-format=concise")
    return [
        Check("ruff check", what, rules),
        Check("ruff format", what, partial(_ruff, "format", "--check")),
        Check("mypy --strict", what, _mypy),
    ]


def fix() -> list[str]:
    """Format the Python sources in place and return the findings that this cannot fix."""
    return [
        *_ruff("check", "--fix", "--quiet", "--output-format=concise"),
        *_ruff("format", "--quiet"),
    ]
