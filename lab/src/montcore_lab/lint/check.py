# SPDX-License-Identifier: Apache-2.0
"""The type of a source check."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One check of one subject.

    Attributes:
        rule: name of the rule, e.g. ``verilator``.
        subject: the object of the check, e.g. a file or a top with its parameters.
        findings: runs the check and returns one text per finding; raises `MissingToolError` if its
            tool is not installed.
    """

    rule: str
    subject: str
    findings: Callable[[], list[str]]

    @property
    def label(self) -> str:
        """Return a name that is unique among all checks."""
        return f"{self.rule}: {self.subject}"
