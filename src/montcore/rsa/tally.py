# SPDX-License-Identifier: Apache-2.0
"""The clock cycles of RSA operations, step by step."""

from dataclasses import dataclass, field


@dataclass
class Tally:
    """Clock cycles of the exponentiator, by step.

    A step includes the set-up of its modulus unless the step before had the same one. A pair keeps
    R^2 mod n, so that n is set up in fewer cycles from the second time on.
    """

    steps: dict[str, int] = field(default_factory=dict)

    @property
    def cycles(self) -> int:
        """Total clock cycles."""
        return sum(self.steps.values())

    def run_together(self, name: str, *steps: str) -> None:
        """Replace steps that ran at the same time by one that takes as long as the longest."""
        longest = max(self.steps.pop(step) for step in steps)
        self.steps[name] = self.steps.get(name, 0) + longest
