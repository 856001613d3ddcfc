# SPDX-License-Identifier: Apache-2.0
"""The bundle of a curve engine is self-contained, its test can fail, a bad request leaves none."""

import hashlib
import json
import re
import shutil
from pathlib import Path

import pytest

from montcore.bundle import run_bundle_test
from montcore.bundle.engine import EngineBundle
from montcore.bundle.pipeline import make
from montcore.cores import get_core
from montcore.ecc.design import EngineDesign
from montcore.hdl.modules import declarations
from montcore.support.errors import RequestError
from montcore_lab.lint import contracts, rtl


def design(bits: int) -> EngineDesign:
    return EngineDesign(get_core("smm").configure({"npe": "4"}, bits))


def test_no_bundle_is_made_that_its_test_could_not_run(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="no named curve fits into 100 bits"):
        make(EngineBundle(design(100)), tmp_path / "made")
    double = get_core("dsp").configure({"clocking": "double"}, 128)
    with pytest.raises(RequestError, match="has one clock, and montcore_dsp_double has two"):
        make(EngineBundle(EngineDesign(double)), tmp_path / "made")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(RequestError, match="not empty"):
        make(EngineBundle(design(112)), tmp_path / "full")
    assert not (tmp_path / "made").exists()


@pytest.mark.nightly  # every run elaborates bundles of engines (test_bundle_matrix.py)
def test_the_top_module_has_every_port_of_the_engine(tmp_path: Path) -> None:
    (tmp_path / "rtl").mkdir()
    bundle = EngineBundle(design(112))
    bundle.write_rtl(tmp_path)

    def ports(name: str) -> list[str]:
        (unit,) = declarations(tmp_path / "rtl" / f"{name}.sv")
        return [item.name for item in contracts.header_items(*unit) if item.kind == "port"]

    assert ports(bundle.name) == ports("montcore_ecc") and len(ports("montcore_ecc")) > 20
    assert rtl.slang((tmp_path / "rtl").glob("*.sv")) == []


@pytest.mark.nightly
def test_a_moved_bundle_passes_and_fails_with_another_answer(tmp_path: Path) -> None:
    made = make(EngineBundle(design(112)), tmp_path / "made")
    assert (made.name, made.test.failed) == ("ecc_smm_l112_npe4", 0)
    manifest = json.loads((made.path / "manifest.json").read_text())
    for name, digest in manifest["files"].items():
        assert hashlib.sha256((made.path / name).read_bytes()).hexdigest() == digest
    text = (made.path / "README.md").read_text()
    for link in re.findall(r"\]\((.+?)\)", text):
        assert (made.path / link).is_file(), link
    assert "@@" not in text + (made.path / "PORT.md").read_text()
    moved = Path(shutil.move(made.path, tmp_path / "elsewhere"))
    answers = moved / "test" / "expected.hex"
    text = answers.read_text().rstrip()
    answers.write_text(f"{text[:-1]}{int(text[-1], 16) ^ 1:x}\n")
    outcome = run_bundle_test(moved, "verilator")
    assert (outcome.passed, outcome.failed) == (made.test.passed - 1, 1)
