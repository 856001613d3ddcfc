# SPDX-License-Identifier: Apache-2.0
"""The RSA user's first call: a comparison at 2048 and 4096 bits, measured."""

from pathlib import Path

import pytest
from command_line import Tool


@pytest.mark.nightly
@pytest.mark.parametrize("bits", [2048, 3072, 4096])
def test_a_cheap_core_is_compared_at_the_width_of_rsa(
    tool: Tool, own_cache: Path, tmp_path: Path, bits: int
) -> None:
    words = ("--bits", str(bits), "--cores", "rc,karatsuba", "--targets", "xc7")
    content = tool.json("compare", *words, "-o", tmp_path / "out")
    assert list(content["left_out"]) == ["karatsuba"]
    assert {row["core"] for row in content["results"]} == {"rc"}
    for row in content["results"]:
        assert row["status"] == "ok" and row["lut"] > 0 and row["checked"] > 100
    assert "karatsuba" in (tmp_path / "out" / "report.html").read_text()
    assert tool.json("recommend", *words)["recommendations"][0]["core"] == "rc"
