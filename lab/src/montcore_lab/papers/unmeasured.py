# SPDX-License-Identifier: Apache-2.0
"""Why rows of ours have no figures: what was tried, on which machine, and how it ended.

A reason is shown only while its row is not measured.
"""

from collections.abc import Mapping

_KARATSUBA = "montcore synth karatsuba --set depth=1 --set schedule="
_ARRAY = "--set w=16 --set shape=2d --bits 128 --target osu018 --wires none"

#: Reasons by the command that measures the row.
REASONS: Mapping[str, str] = {
    f"{_KARATSUBA}paper --bits 256 --target ecp5": "one seed of five takes half an hour to route",
    f"{_KARATSUBA}fast --bits 192 --target ecp5": "not routed: see hw/karatsuba on congestion",
    f"{_KARATSUBA}fast --bits 256 --target ecp5": "not routed: see hw/karatsuba on congestion",
    f"montcore synth op {_ARRAY}": "stopped after 30 minutes of mapping to gates",
    f"montcore synth cs {_ARRAY}": "stopped after 30 minutes of mapping to gates",
}


def missing(command: str) -> str:
    """Return a row that is not measured, as the note below its table names it."""
    reason = REASONS.get(command)
    return f"`{command}` ({reason})" if reason else f"`{command}`"
