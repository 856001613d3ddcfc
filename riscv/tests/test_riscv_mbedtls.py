# SPDX-License-Identifier: Apache-2.0
"""mbedTLS with the library's curves; its sources come from Debian or MONTCORE_MBEDTLS."""

from pathlib import Path
from random import Random

import pytest
from riscv_tools import curve_emulator, machine

from montcore_riscv import mbedtls
from montcore_riscv.bench import cycles_of
from montcore_riscv.machine import Machine, get_cpu
from montcore_riscv.toolchain import RISCV_DIR

pytestmark = pytest.mark.nightly


@pytest.mark.parametrize("variable", mbedtls.GROUPS)
def test_signatures_and_secrets_are_right_on_every_curve(variable: str, tmp_path: Path) -> None:
    curve_emulator()
    source = RISCV_DIR / "test" / "mbedtls.c"
    defines = mbedtls.BUILDS["montcore in mbedTLS"]
    program = mbedtls.HOST.machine_program(
        "vexriscv", mbedtls.ROUTINES, defines, tmp_path, [source]
    )
    core = Machine(get_cpu("vexriscv"), program=program)
    for seed in range(2):
        calls = dict(mbedtls.calls_of(program, variable, Random(seed)))
        assert {"verify", "refuse", "ECDH"} <= {*calls}
        assert len(cycles_of(core, [*calls.values()], 1)) == len(calls)


def test_a_signature_takes_less_than_a_fifth_of_the_time(tmp_path: Path) -> None:
    machine("vexriscv")
    found = {cell.operation: cell.cycles for cell in mbedtls.compare("vexriscv", tmp_path)}
    # The second signature finds mbedTLS's table of the base point.
    plain = found["P-256 sign twice, mbedTLS"] - found["P-256 sign, mbedTLS"]
    assert found["P-256 sign, montcore in mbedTLS, not verified"] * 5 < plain
    assert found["P-256 sign, montcore in mbedTLS"] < plain
    assert found["P-256 verify, montcore in mbedTLS"] * 5 < found["P-256 verify, mbedTLS"]
