# SPDX-License-Identifier: Apache-2.0
"""mbedTLS with the library's curves; its sources come from Debian or MONTCORE_MBEDTLS."""

from pathlib import Path
from random import Random

import pytest
from riscv_tools import close, curve_emulator, machine

from montcore_riscv import mbedtls
from montcore_riscv.bench import cycles_of
from montcore_riscv.comparison import compare
from montcore_riscv.machine import Machine, get_cpu

pytestmark = pytest.mark.nightly
#: Cycles of the README.
STATED = {
    "P-256 sign, mbedTLS": 21_656_455,
    "P-256 sign, montcore in mbedTLS": 5_959_144,
    "P-256 sign, montcore in mbedTLS, not verified": 1_398_317,
    "second, mbedTLS": 9_778_422,
    "second, montcore in mbedTLS": 5_927_941,
    "second, montcore in mbedTLS, not verified": 1_366_190,
    "P-256 verify, mbedTLS": 43_755_252,
    "P-256 verify, montcore in mbedTLS": 3_556_486,
    "P-256 ECDH, mbedTLS": 20_698_463,
    "P-256 ECDH, montcore in mbedTLS": 3_158_530,
}


@pytest.mark.parametrize("variable", mbedtls.GROUPS)
def test_signatures_and_secrets_are_right_on_every_curve(variable: str, tmp_path: Path) -> None:
    curve_emulator()
    defines = mbedtls.BUILDS["montcore in mbedTLS"]
    program = mbedtls.HOST.machine_program(
        "vexriscv", mbedtls.ROUTINES, defines, tmp_path, [mbedtls.SOURCE]
    )
    core = Machine(get_cpu("vexriscv"), program=program)
    for seed in range(2):
        calls = dict(mbedtls.calls_of(program, variable, Random(seed)))
        assert {*calls} == {"sign", "sign twice", "verify", "refuse", "ECDH"}
        assert len(cycles_of(core, [*calls.values()], 1)) == len(calls)


def test_a_signature_takes_less_than_a_fifth_of_the_time() -> None:
    machine("vexriscv")
    found = {cell.operation: cell.cycles for cell in compare(["mbedtls"], ["vexriscv"])}
    # The second signature finds mbedTLS's table of the base point.
    for build in mbedtls.BUILDS:
        found[f"second, {build}"] = (
            found[f"P-256 sign twice, {build}"] - found[f"P-256 sign, {build}"]
        )
    plain = found["second, mbedTLS"]
    assert found["P-256 sign, montcore in mbedTLS, not verified"] * 5 < plain
    assert found["P-256 sign, montcore in mbedTLS"] < plain
    assert found["P-256 verify, montcore in mbedTLS"] * 5 < found["P-256 verify, mbedTLS"]
    for operation, cycles in STATED.items():
        close(found[operation], cycles)
