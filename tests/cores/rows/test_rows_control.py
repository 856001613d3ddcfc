# SPDX-License-Identifier: Apache-2.0
"""The rows: no data input reaches a control output, on the netlist, but by a verdict."""

import pytest

from montcore.cores import get_core
from montcore.prove.independence import MODULUS_VERDICTS, VERDICTS, reaching_data

# The array takes an operand in one beat and keeps a verdict for each of the two.
ARRAY = (*MODULUS_VERDICTS, "u_front.x_below_q", "u_front.y_below_q")

BUILDS = pytest.mark.parametrize(
    ("name", "shape", "front", "verdicts"),
    [
        ("mx", "1d", "g_row.u_shell.u_front", VERDICTS),
        ("mx", "2d", "g_array.u_array", ARRAY),
        ("cs", "", "u_shell.u_front", VERDICTS),
        ("op", "", "u_shell.u_front", VERDICTS),
        ("cs4", "", "u_shell.u_front", VERDICTS),
        ("rc", "", "u_shell.u_front", VERDICTS),
    ],
    ids=["mx 1d", "mx 2d", "cs", "op", "cs4", "rc"],
)


def reaching(name: str, shape: str, bits: int, verdicts: list[str]) -> list[str]:
    """Return the data inputs from which a control output of a build can be reached."""
    core = get_core(name)
    w = 16 if name == "cs4" else 8
    config = core.configure({"w": str(w), **({"shape": shape} if shape else {})}, bits)
    return reaching_data(core, config.sv_parameters(), verdicts)


@BUILDS
@pytest.mark.parametrize("bits", [8, 21, pytest.param(64, marks=pytest.mark.nightly)])
def test_control_outputs_do_not_depend_on_data(
    name: str, shape: str, front: str, verdicts: tuple[str, ...], bits: int
) -> None:
    assert reaching(name, shape, bits, [f"{front}.{verdict}" for verdict in verdicts]) == []


@BUILDS
def test_the_data_is_found_where_a_verdict_lets_it_through(
    name: str, shape: str, front: str, verdicts: tuple[str, ...]
) -> None:
    for left_out in verdicts:
        cut = [f"{front}.{verdict}" for verdict in verdicts if verdict != left_out]
        # 13 bits end inside a word, so that the length check looks at data too.
        assert reaching(name, shape, 13, cut), f"{left_out} is cut but lets nothing through"
