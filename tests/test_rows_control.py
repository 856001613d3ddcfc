# SPDX-License-Identifier: Apache-2.0
"""`mx`, `cs` and `op`: no data input reaches a control output, on the netlist, but by a verdict."""

import pytest

from montcore.cores import get_core
from montcore.prove.independence import reaching_inputs

DATA_INPUTS = ("cfg_data_i", "x_data_i", "y_data_i")
DATA_OUTPUTS = ("z_data_o",)
# What a core may act on: properties of the modulus, and whether operands lie below it. The array
# compares word by word and keeps a verdict for each.
MODULUS = ("u_config.odd_q", "u_config.above_one_q", "u_config.too_long_q")
ROW = (*MODULUS, "u_loader.range_q")
ARRAY = (*MODULUS, "x_below_q", "y_below_q")

BUILDS = pytest.mark.parametrize(
    ("name", "shape", "front", "verdicts"),
    [
        ("mx", "1d", "g_row.u_front", ROW),
        ("mx", "2d", "g_array.u_array.u_front", ARRAY),
        ("cs", "", "u_front", ROW),
        ("op", "", "u_front", ROW),
    ],
    ids=["mx 1d", "mx 2d", "cs", "op"],
)


def reaching(name: str, shape: str, bits: int, verdicts: list[str]) -> list[str]:
    """Return the data inputs from which a control output of a build can be reached."""
    core = get_core(name)
    config = core.configure({"w": "8", **({"shape": shape} if shape else {})}, bits)
    return reaching_inputs(
        core.top,
        core.sources(),
        core.sv_parameters(config),
        data_inputs=DATA_INPUTS,
        data_outputs=DATA_OUTPUTS,
        verdicts=verdicts,
    )


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
