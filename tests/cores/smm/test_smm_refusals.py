# SPDX-License-Identifier: Apache-2.0
"""Parameters that `smm` cannot be built with: one sentence, from the tool and both simulators."""

from pathlib import Path

import pytest
from needs import needs
from refusals import Done, icarus, refused, verilator

from montcore.cores.smm import CORE
from montcore.sim.build import build_simulator
from montcore.support.errors import CheckFailedError, RequestError

WORD_SIZE = "the word size w must be 4, 8, 16, 32 or 64"
LENGTH = "the built width must be at least 2 bits"
NPE = "npe must lie between 1 and the number of words"

REFUSED = pytest.mark.parametrize(
    ("bits", "npe", "w", "sentence"),
    [
        (64, 1, 5, WORD_SIZE),
        (64, 1, 2, WORD_SIZE),
        (64, 1, 12, WORD_SIZE),
        (256, 1, 128, WORD_SIZE),
        (1, 1, 4, LENGTH),
        (256, 0, 32, f"{NPE} (8 of 32 bits in 256)"),
        (256, 9, 32, f"{NPE} (8 of 32 bits in 256)"),
        (521, 18, 32, f"{NPE} (17 of 32 bits in 521)"),
    ],
)


def overrides(bits: int, npe: int, w: int) -> dict[str, int]:
    return {"Length": bits, "NumPe": npe, "WordBits": w}


def in_verilator(bits: int, npe: int, w: int) -> Done:
    return verilator(CORE.top, CORE.sources(), overrides(bits, npe, w))


def in_icarus(folder: Path, bits: int, npe: int, w: int) -> Done:
    return icarus(folder, CORE.top, CORE.sources(), overrides(bits, npe, w))


@REFUSED
def test_the_tool_refuses(bits: int, npe: int, w: int, sentence: str) -> None:
    with pytest.raises(RequestError) as refusal:
        CORE.configure({"npe": str(npe), "w": str(w)}, bits)
    assert str(refusal.value).endswith(sentence)


@REFUSED
def test_verilator_refuses(bits: int, npe: int, w: int, sentence: str) -> None:
    done = in_verilator(bits, npe, w)
    assert refused(done, sentence), done.stderr


@needs("iverilog")
@REFUSED
def test_icarus_refuses(tmp_path: Path, bits: int, npe: int, w: int, sentence: str) -> None:
    done = in_icarus(tmp_path, bits, npe, w)
    assert refused(done, sentence), done.stderr


LIMITS = pytest.mark.parametrize(("bits", "npe", "w"), [(2, 1, 4), (256, 8, 32), (521, 17, 32)])


@LIMITS
def test_the_limits_themselves_are_accepted(bits: int, npe: int, w: int) -> None:
    CORE.configure({"npe": str(npe), "w": str(w)}, bits)
    assert in_verilator(bits, npe, w).returncode == 0


@needs("iverilog")
@LIMITS
def test_icarus_accepts_the_limits(tmp_path: Path, bits: int, npe: int, w: int) -> None:
    assert in_icarus(tmp_path, bits, npe, w).returncode == 0


def test_simulation_of_refused_parameters_is_not_built(own_cache: Path) -> None:
    good = CORE.configure({}, 256)
    with pytest.raises(CheckFailedError, match="npe must lie between 1 and the number of words"):
        build_simulator(CORE.top, CORE.sources(), {**good.sv_parameters(), "NumPe": 99})
