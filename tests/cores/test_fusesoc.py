# SPDX-License-Identifier: Apache-2.0
"""Every registered core has a FuseSoC file that lists its sources, and FuseSoC accepts it."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from montcore.cores import all_cores, get_core
from montcore.maintain.fusesoc import core_file, refreshed
from montcore.support.paths import HW_DIR


@pytest.mark.parametrize("name", all_cores())
def test_file_list_is_that_of_the_registry(name: str) -> None:
    core = get_core(name)
    text = core_file(core).read_text()
    assert text == refreshed(core), "run: montcore maintain fusesoc"
    assert f"name: montcore:multipliers:{name}:" in text and f"toplevel: {core.top}" in text


def test_fusesoc_knows_every_core(tmp_path: Path) -> None:
    program = Path(sys.executable).with_name("fusesoc")
    shutil.copytree(HW_DIR, tmp_path / "hw")
    done = subprocess.run(
        [str(program), "--cores-root", "hw", "core", "list"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for name in all_cores():
        assert f"montcore:multipliers:{name}:" in done.stdout, done.stdout + done.stderr
