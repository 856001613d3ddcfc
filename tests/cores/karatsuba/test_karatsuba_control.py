# SPDX-License-Identifier: Apache-2.0
"""`karatsuba`: no data input reaches a control output, on the netlist, but through a verdict."""

import pytest

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule, Style
from montcore.prove.independence import VERDICTS, reaching_data


def reaching(config: KaratsubaConfig, style: Style, verdicts: tuple[str, ...]) -> list[str]:
    """Return the data inputs from which a control output of a build can be reached."""
    return reaching_data(CORE, {**CORE.sv_parameters(config), "Style": int(style)}, verdicts)


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "style"),
    [
        (256, 1, Schedule.FAST, Style.TILES),
        (70, 1, Schedule.FAST, Style.TREE),
        (256, 1, Schedule.PAPER, Style.GRID),
        (192, 2, Schedule.PAPER, Style.COLUMNS),
        (64, 2, Schedule.FAST, Style.TILES),
        (70, 1, Schedule.LEAN, Style.TILES),
    ],
)
def test_control_outputs_do_not_depend_on_data(
    bits: int, depth: int, schedule: Schedule, style: Style
) -> None:
    config = KaratsubaConfig(bits=bits, depth=depth, schedule=schedule)
    assert reaching(config, style, VERDICTS) == []


@pytest.mark.parametrize("schedule", Schedule)
@pytest.mark.parametrize("left_out", VERDICTS)
def test_the_data_is_found_where_a_verdict_lets_it_through(
    schedule: Schedule, left_out: str
) -> None:
    verdicts = tuple(verdict for verdict in VERDICTS if verdict != left_out)
    # 70 bits end inside a beat, so that the length check looks at data too.
    config = KaratsubaConfig(bits=70, schedule=schedule)
    assert "cfg_data_i" in reaching(config, Style.TILES, verdicts)
