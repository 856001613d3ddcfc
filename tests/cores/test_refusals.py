# SPDX-License-Identifier: Apache-2.0
"""Unsupported parameters: the same message from the tool and both simulators."""

from pathlib import Path
from typing import Any

import pytest
from needs import needs
from refusing import icarus_says, unchecked, verilator_says

from montcore.cores import all_cores, get_core
from montcore.cores.contract import Refusal
from montcore.cores.core import Core
from montcore.sim.build import build_simulator
from montcore.support.errors import CheckFailedError, RequestError


def refusals() -> list[Any]:
    """Return each core with each of its refusals."""
    return [
        pytest.param(core, item, id=f"{core.name} L={item.bits} {dict(item.settings)}")
        for core in all_cores().values()
        for item in core.refusals()
    ]


#: Parameters at their limits: core, width, settings.
LIMITS = [
    ("smm", 2, {"npe": "1", "w": "4"}),
    ("smm", 256, {"npe": "8", "w": "32"}),
    ("smm", 521, {"npe": "17", "w": "32"}),
    *(
        ("dsp", bits, {"alpha": alpha, "clocking": clocking})
        for bits, alpha in ((2, "1"), (2, "17"), (512, "17"))
        for clocking in ("single", "double")
    ),
    *(("karatsuba", bits, {"depth": depth}) for bits, depth in ((2, "1"), (2, "2"), (1024, "1"))),
]


def accepted() -> list[Any]:
    """Return each core in all styles of its narrowest width, and the limits of its parameters."""
    found = [point for core in all_cores().values() for point in core.styles(core.widths()[0])]
    for name, bits, settings in LIMITS:
        found.append(get_core(name).configure(settings, bits))
    return [pytest.param(point, id=f"{point.name} {point.label()}") for point in found]


REFUSED = pytest.mark.parametrize(("core", "refusal"), refusals())
ACCEPTED = pytest.mark.parametrize("core", accepted())


@pytest.mark.parametrize("name", all_cores())
def test_every_core_states_what_it_refuses(name: str) -> None:
    assert all_cores()[name].refusals()


@REFUSED
def test_the_tool_refuses(core: type[Core], refusal: Refusal) -> None:
    settings = {name: str(value) for name, value in refusal.settings.items()}
    with pytest.raises(RequestError) as caught:
        core.configure(settings, refusal.bits)
    assert str(caught.value).endswith(refusal.sentence)


@REFUSED
@pytest.mark.one_in(12)
def test_verilator_refuses(core: type[Core], refusal: Refusal) -> None:
    wrong = unchecked(core, refusal)
    assert refusal.sentence in verilator_says(wrong.top, wrong.sources(), wrong.sv_parameters())


@needs("iverilog")
@REFUSED
@pytest.mark.one_in(8)
def test_icarus_refuses(tmp_path: Path, core: type[Core], refusal: Refusal) -> None:
    wrong = unchecked(core, refusal)
    said = icarus_says(wrong.top, wrong.sources(), wrong.sv_parameters(), tmp_path)
    assert refusal.sentence in said


@ACCEPTED
@pytest.mark.one_in(8)
def test_verilator_accepts_the_limits(core: Core) -> None:
    assert not verilator_says(core.top, core.sources(), core.sv_parameters())


@needs("iverilog")
@ACCEPTED
@pytest.mark.one_in(4)
def test_icarus_accepts_the_limits(tmp_path: Path, core: Core) -> None:
    if core.fast_clock:
        return  # the port's second clock has no edge here; its core has a bench of its own
    assert not icarus_says(core.top, core.sources(), core.sv_parameters(), tmp_path)


@needs("iverilog")
@pytest.mark.parametrize("units", [2, 5])
def test_hardware_refuses_what_only_it_has(tmp_path: Path, units: int) -> None:
    core = get_core("karatsuba").configure({}, 256)
    said = "the half-length multipliers must be 4 or 3"
    assert said in verilator_says(core.top, core.sources(), {"Units": units})
    assert said in icarus_says(core.top, core.sources(), {"Units": units}, tmp_path)


def test_simulation_of_refused_parameters_is_not_built(own_cache: Path) -> None:
    core = get_core("smm").configure({}, 256)
    with pytest.raises(CheckFailedError, match="npe must lie between 1 and the number of words"):
        build_simulator(core.top, core.sources(), {**core.sv_parameters(), "NumPe": 99})
