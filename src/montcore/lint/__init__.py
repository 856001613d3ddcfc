# SPDX-License-Identifier: Apache-2.0
"""The source checks: what `make lint` shows as a table and `make test` runs one by one.

Each check is small, names what it looks at and returns what it found; the tops and their parameters
come from the core registry, the files from the checkout, so that nothing is listed by hand.
"""

from montcore.lint import contracts, python, rtl, text
from montcore.lint.check import Check


def all_checks() -> list[Check]:
    """Return every source check of the repository, cheap ones first."""
    return [*text.checks(), *contracts.checks(), *python.checks(), *rtl.checks()]
