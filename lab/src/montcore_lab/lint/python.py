# SPDX-License-Identifier: Apache-2.0
"""Checks of the Python sources: ruff's rules, ruff's format and mypy."""

import sys

from montcore.hdl.programs import find_program
from montcore_lab.lint.check import Check
from montcore_lab.lint.complaints import complaints


def _ruff_rules() -> list[str]:
    return complaints([find_program("ruff"), "check", "--quiet", "--output-format=concise"])


def _ruff_format() -> list[str]:
    return complaints([find_program("ruff"), "format", "--check"])


def _mypy() -> list[str]:
    folders = ("src", "riscv", "lab", "tests", "tools", "examples", "conftest.py")
    return complaints([sys.executable, "-m", "mypy", "--no-error-summary", *folders])


def checks() -> list[Check]:
    """Return the checks of the Python sources."""
    return [
        Check("ruff check", "all Python files", _ruff_rules),
        Check("ruff format", "all Python files", _ruff_format),
        Check("mypy --strict", "all Python files", _mypy),
    ]


def fix() -> list[str]:
    """Format the Python sources in place and return the findings that this cannot fix."""
    ruff = find_program("ruff")
    return [
        *complaints([ruff, "check", "--fix", "--quiet", "--output-format=concise"]),
        *complaints([ruff, "format", "--quiet"]),
    ]
