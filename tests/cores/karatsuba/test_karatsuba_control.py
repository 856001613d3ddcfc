# SPDX-License-Identifier: Apache-2.0
"""`karatsuba`: no data input reaches a control output, on the netlist, but through a verdict."""

import pytest

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule
from montcore.cores.technology import Tech
from montcore.prove.independence import VERDICTS, reaching_data


def reaching(config: KaratsubaConfig, tech: Tech, verdicts: tuple[str, ...]) -> list[str]:
    """Return the data inputs from which a control output of a build can be reached."""
    return reaching_data(CORE, {**CORE.sv_parameters(config), "Tech": int(tech)}, verdicts)


@pytest.mark.parametrize(
    ("bits", "depth", "schedule", "tech"),
    [
        (256, 1, Schedule.FAST, Tech.GENERIC),
        (70, 1, Schedule.FAST, Tech.ASIC),
        (256, 1, Schedule.PAPER, Tech.DSP48E),
        (192, 2, Schedule.PAPER, Tech.DSP48E1),
        (64, 2, Schedule.FAST, Tech.GENERIC),
        (70, 1, Schedule.LEAN, Tech.GENERIC),
    ],
)
def test_control_outputs_do_not_depend_on_data(
    bits: int, depth: int, schedule: Schedule, tech: Tech
) -> None:
    config = KaratsubaConfig(bits=bits, depth=depth, schedule=schedule)
    assert reaching(config, tech, VERDICTS) == []


@pytest.mark.parametrize("schedule", Schedule)
@pytest.mark.parametrize("left_out", VERDICTS)
def test_the_data_is_found_where_a_verdict_lets_it_through(
    schedule: Schedule, left_out: str
) -> None:
    verdicts = tuple(verdict for verdict in VERDICTS if verdict != left_out)
    # 70 bits end inside a beat, so that the length check looks at data too.
    config = KaratsubaConfig(bits=70, schedule=schedule)
    assert "cfg_data_i" in reaching(config, Tech.GENERIC, verdicts)
