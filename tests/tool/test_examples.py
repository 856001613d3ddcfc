# SPDX-License-Identifier: Apache-2.0
"""The examples work as documented, from a copy outside of the checkout."""

import re
import shutil
from pathlib import Path

import pytest
from needs import needs
from page_commands import code_blocks, commands, run_outside

from montcore.support.paths import REPO_ROOT

EXAMPLES = REPO_ROOT / "examples"
FOLDERS = sorted(path.parent.name for path in EXAMPLES.glob("*/README.md"))


def commands_of(name: str) -> list[str]:
    """Return the commands of an example's page."""
    text = (EXAMPLES / name / "README.md").read_text(encoding="utf-8")
    return [line for block in code_blocks(text, "console") for line in commands(block)]


def run(name: str, folder: Path) -> str:
    """Run the commands of an example in a folder that has a copy of it; return what they print."""
    shutil.copytree(EXAMPLES / name, folder / "examples" / name)
    return run_outside(commands_of(name), folder)


@pytest.mark.nightly  # every run has test_toy_core.py
def test_own_core_is_installed_by_its_entry_point_and_verified(tmp_path: Path) -> None:
    out = run("own_core", tmp_path)
    assert (tmp_path / "site" / "toy_core" / "rtl" / "montcore_toy.sv").is_file()
    assert "0x45" in out  # the worked example of its top module


@pytest.mark.nightly  # every run has the bench in test_soc_bus.py, the system in test_litex.py
@needs("iverilog")
@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("cocotb", "examples/cocotb/results.xml"),
        ("ecp5", "core/rc_l32_w16.bit"),
        ("fusesoc", "build/*/lint-verilator/*.vc"),
        ("litex", "system/montcore_chip.v"),
    ],
)
def test_project_of_a_user_is_made(name: str, made: str, tmp_path: Path) -> None:
    assert "FAIL=1" not in run(name, tmp_path)
    assert any(tmp_path.glob(made))


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["rsa", "ecdsa"])
def test_openssl_accepts_the_signature(name: str, tmp_path: Path) -> None:
    assert "Verified OK" in run(name, tmp_path)


def test_program_in_cells_explores_the_atlas_and_draws(tmp_path: Path) -> None:
    out = run("atlas", tmp_path)
    assert (
        re.search(r"^\d+ points, \d+ of them of earlier sources$", out, re.M) and "256 bits" in out
    )
    assert re.search(r"^ *60,000 GE: .* a product every \d+ cycles$", out, re.M)
    pictures = sorted((tmp_path / "pictures").glob("*.png"))
    assert len(pictures) == 2 and all(path.stat().st_size > 10_000 for path in pictures)


def test_every_example_is_run_and_listed() -> None:
    assert [*("atlas", "cocotb", "ecdsa", "ecp5", "fusesoc", "litex", "own_core", "rsa")] == FOLDERS
    page = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    site = (REPO_ROOT / "docs" / "site" / "examples.md").read_text(encoding="utf-8")
    for name in FOLDERS:
        assert commands_of(name)
        assert f"[{name}]({name}/README.md)" in page and f"examples/{name}" in site
