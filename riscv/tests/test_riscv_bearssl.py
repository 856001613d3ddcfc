# SPDX-License-Identifier: Apache-2.0
"""BearSSL with the library as its engine; its sources come from Debian or MONTCORE_BEARSSL."""

from pathlib import Path

import pytest
from riscv_tools import close, curve_emulator, machine

from montcore.support.errors import RequestError
from montcore_riscv import bearssl
from montcore_riscv.comparison import compare
from montcore_riscv.debian import BEARSSL

#: Cycles of the README.
STATED = {
    "P-256 sign, BearSSL": 10_346_830,
    "P-256 verify, BearSSL": 21_382_508,
    "RSA-2048 private, BearSSL": 100_056_571,
    "P-256 sign, montcore in BearSSL": 5_919_848,
    "P-256 verify, montcore in BearSSL": 3_587_599,
    "RSA-2048 private, montcore in BearSSL": 46_399_455,
    "P-256 sign, montcore in BearSSL, not verified": 1_305_073,
}


def test_another_folder_is_not_taken_for_bearssl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(BEARSSL.variable, str(tmp_path))
    with pytest.raises(RequestError, match=r"does not hold BearSSL 0\.6"):
        BEARSSL.folder()


@pytest.mark.nightly
def test_bearssls_own_tests_pass(tmp_path: Path) -> None:
    curve_emulator()
    said = bearssl.self_test(tmp_path)
    # Curves, X25519, RSA's operations and its signatures; sixty of ECDSA have no line of their own.
    assert said.count("done.") == 4 and said.count(".") == 191


@pytest.mark.nightly
def test_signatures_take_a_quarter_of_the_time_and_rsa_half() -> None:
    machine("vexriscv")
    found = {cell.operation: cell.cycles for cell in compare(["bearssl"], ["vexriscv"])}
    plain = found["P-256 sign, BearSSL"]
    assert found["P-256 sign, montcore in BearSSL, not verified"] * 4 < plain
    assert found["P-256 sign, montcore in BearSSL"] < plain
    assert found["P-256 verify, montcore in BearSSL"] * 4 < found["P-256 verify, BearSSL"]
    private = found["RSA-2048 private, montcore in BearSSL"]
    assert private * 2 < found["RSA-2048 private, BearSSL"]
    for operation, cycles in STATED.items():
        close(found[operation], cycles)
