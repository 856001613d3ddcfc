# SPDX-License-Identifier: Apache-2.0
"""Why rows of ours have no figures: what was tried, on which machine, and how it ended.

A reason is shown only while its row is not measured.
"""

from collections.abc import Mapping

#: Reasons by the command that measures the row.
REASONS: Mapping[str, str] = {}


def missing(command: str) -> str:
    """Return a row that is not measured, as the note below its table names it."""
    reason = REASONS.get(command)
    return f"`{command}` ({reason})" if reason else f"`{command}`"
