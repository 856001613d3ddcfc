# SPDX-License-Identifier: Apache-2.0
"""Measurements of whole operations: the table of the README, and what is refused."""

import pytest
from riscv_tools import close, machine

from montcore.support.errors import RequestError
from montcore_riscv.comparison import compare
from montcore_riscv.machine import DEFAULT_CPUS
from montcore_riscv.operations import operations
from montcore_riscv.toolchain import RISCV_DIR


@pytest.mark.nightly
@pytest.mark.parametrize("cpu", DEFAULT_CPUS)
def test_the_table_of_the_readme(cpu: str) -> None:
    machine(cpu)
    text = (RISCV_DIR / "README.md").read_text(encoding="utf-8")
    section = text[text.index("| operation | VexRiscv |") :].partition("\n\n")[0]
    heading, _, *rows = (line.strip("| ").split(" | ") for line in section.lower().splitlines())
    column = heading.index(cpu)
    table = {row[0]: int(row[column].replace(",", "")) for row in rows}
    cells = operations([cpu])
    assert table.keys() == {cell.operation.lower() for cell in cells}
    for cell in cells:
        close(cell.cycles, table[cell.operation.lower()])


def test_what_cannot_be_measured_is_refused() -> None:
    with pytest.raises(RequestError, match=r"no curve 'p265' \(did you mean p256"):
        operations(curves=["p265"])
    with pytest.raises(RequestError, match=r"no library 'bearsl' \(did you mean bearssl"):
        compare(["bearsl"])
    with pytest.raises(RequestError, match=r"no core 'vexrisc' \(did you mean vexriscv"):
        compare(["bearssl"], ["vexrisc"])
