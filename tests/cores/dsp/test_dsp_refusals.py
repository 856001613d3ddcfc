# SPDX-License-Identifier: Apache-2.0
"""What `dsp` cannot be built with is refused alike everywhere; its control is blind to data."""

from pathlib import Path

import pytest
from needs import needs
from refusals import icarus, refused, verilator

from montcore.cores.dsp import CORE
from montcore.prove.independence import reaching_data
from montcore.support.errors import RequestError

TOPS = ("montcore_dsp", "montcore_dsp_double")

REFUSED = pytest.mark.parametrize(
    ("bits", "alpha", "sentence"),
    [
        (1, 17, "the built width must be at least 2 bits"),
        (512, 0, "alpha must be at least 1"),
    ],
)
VERDICTS = (
    "u_core.u_front.u_config.odd_q",
    "u_core.u_front.u_config.above_one_q",
    "u_core.u_front.u_config.too_long_q",
    "u_core.u_front.u_loader.range_q",
)


def overrides(bits: int, alpha: int) -> dict[str, int]:
    return {"Length": bits, "Alpha": alpha}


@REFUSED
def test_tool_and_simulators_refuse_alike(bits: int, alpha: int, sentence: str) -> None:
    with pytest.raises(RequestError, match=sentence):
        CORE.configure({"alpha": str(alpha)}, bits)
    for top in TOPS:
        done = verilator(top, CORE.sources(), overrides(bits, alpha))
        assert refused(done, sentence), done.stderr


@needs("iverilog")
@REFUSED
def test_icarus_refuses(tmp_path: Path, bits: int, alpha: int, sentence: str) -> None:
    done = icarus(tmp_path, CORE.top, CORE.sources(), overrides(bits, alpha))
    assert refused(done, sentence), done.stderr


@pytest.mark.parametrize(("bits", "alpha"), [(2, 1), (2, 17), (512, 17)])
def test_the_limits_themselves_are_accepted(bits: int, alpha: int) -> None:
    CORE.configure({"alpha": str(alpha)}, bits)
    for top in TOPS:
        assert verilator(top, CORE.sources(), overrides(bits, alpha)).returncode == 0


def reaching(length: int, alpha: int, verdicts: tuple[str, ...]) -> list[str]:
    return reaching_data(CORE, {"Length": length, "Alpha": alpha}, verdicts)


@pytest.mark.parametrize(("length", "alpha"), [(64, 2), (521, 17)])
def test_control_outputs_do_not_depend_on_data(length: int, alpha: int) -> None:
    assert reaching(length, alpha, VERDICTS) == []


@pytest.mark.parametrize("left_out", VERDICTS)
def test_the_data_is_found_where_a_verdict_lets_it_through(left_out: str) -> None:
    verdicts = tuple(verdict for verdict in VERDICTS if verdict != left_out)
    assert "cfg_data_i" in reaching(70, 2, verdicts)
