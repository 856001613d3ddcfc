# SPDX-License-Identifier: Apache-2.0
"""What a source check is."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """One check of one thing.

    Attributes:
        rule: what is checked, e.g. ``verilator``.
        subject: what it is checked on, e.g. a file or a top with its parameters.
        findings: does it, and returns one text per finding, none if all is well; raises
            `MissingToolError` where the tool for it is not installed.
        runs_program: whether a program of its own does the work, so that several checks can run
            at the same time.
    """

    rule: str
    subject: str
    findings: Callable[[], list[str]]
    runs_program: bool = False

    @property
    def label(self) -> str:
        """Return a name that is unique among all checks."""
        return f"{self.rule}: {self.subject}"
