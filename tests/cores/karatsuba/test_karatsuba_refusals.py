# SPDX-License-Identifier: Apache-2.0
"""Parameters that `karatsuba` cannot be built with: one sentence, from tool and simulators."""

from pathlib import Path

import pytest
from needs import needs
from refusals import icarus, refused, verilator

from montcore.cores.karatsuba import CORE
from montcore.support.errors import RequestError

LENGTH = "the built width must lie between 2 and 1024 bits"
DEPTH = "depth must be 1 (four-parts splitting) or 2 (deep)"

UNITS = "the half-length multipliers must be 4 or 3"

TOOL = [(1, 1, LENGTH), (1025, 1, LENGTH), (256, 0, DEPTH), (256, 3, DEPTH)]
REFUSED = pytest.mark.parametrize(
    ("values", "sentence"),
    [
        *(({"Length": bits, "Depth": depth}, sentence) for bits, depth, sentence in TOOL),
        # The tool has names for the two instead of their numbers.
        ({"Units": 2}, UNITS),
        ({"Units": 5}, UNITS),
    ],
)


@pytest.mark.parametrize(("bits", "depth", "sentence"), TOOL)
def test_the_tool_refuses(bits: int, depth: int, sentence: str) -> None:
    with pytest.raises(RequestError) as refusal:
        CORE.configure({"depth": str(depth)}, bits)
    assert str(refusal.value).endswith(sentence)


def test_the_tool_refuses_an_unknown_schedule() -> None:
    with pytest.raises(RequestError, match="schedule"):
        CORE.configure({"schedule": "slow"}, 256)


@REFUSED
def test_verilator_refuses(values: dict[str, int], sentence: str) -> None:
    done = verilator(CORE.top, CORE.sources(), values)
    assert refused(done, sentence), done.stderr


@needs("iverilog")
@REFUSED
def test_icarus_refuses(tmp_path: Path, values: dict[str, int], sentence: str) -> None:
    done = icarus(tmp_path, CORE.top, CORE.sources(), values)
    assert refused(done, sentence), done.stderr


@pytest.mark.parametrize(("bits", "depth"), [(2, 1), (2, 2), (1024, 1)])
def test_the_limits_themselves_are_accepted(bits: int, depth: int) -> None:
    CORE.configure({"depth": str(depth)}, bits)
