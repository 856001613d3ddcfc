# SPDX-License-Identifier: Apache-2.0
"""The RSA user's first call: a comparison at 2048 and 4096 bits, measured."""

import json
from pathlib import Path

import pytest

from montcore.cli import main as cli


@pytest.mark.nightly
@pytest.mark.parametrize("bits", [2048, 3072, 4096])
def test_a_cheap_core_is_compared_at_the_width_of_rsa(
    capsys: pytest.CaptureFixture[str], own_cache: Path, tmp_path: Path, bits: int
) -> None:
    words = ["--bits", str(bits), "--cores", "rc,karatsuba", "--targets", "xc7", "--json"]
    assert cli.run(["compare", *words, "-o", str(tmp_path / "out")]) == 0
    content = json.loads(capsys.readouterr().out)
    assert list(content["left_out"]) == ["karatsuba"]
    assert {row["core"] for row in content["results"]} == {"rc"}
    for row in content["results"]:
        assert row["status"] == "ok" and row["lut"] > 0 and row["checked"] > 100
    assert "karatsuba" in (tmp_path / "out" / "report.html").read_text()
    assert cli.run(["recommend", *words]) == 0
    assert json.loads(capsys.readouterr().out)["recommendations"][0]["core"] == "rc"
