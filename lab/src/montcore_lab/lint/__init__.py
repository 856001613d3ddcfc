# SPDX-License-Identifier: Apache-2.0
"""The source checks, shown as a table by `make lint` and run one by one by `make test`.

Each check is small, names its subject and returns its findings. The tops and their parameters come
from the core registry, the files from the checkout, so that nothing is listed by hand.
"""

from montcore_lab.lint import contracts, python, rtl, text
from montcore_lab.lint.check import Check


def all_checks() -> list[Check]:
    """Return every source check of the repository, cheap ones first."""
    return [*text.checks(), *contracts.checks(), *python.checks(), *rtl.checks()]
