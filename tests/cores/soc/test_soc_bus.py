# SPDX-License-Identifier: Apache-2.0
"""The bus shells in front of the accelerator, each driven by a model of its bus, in Icarus."""

from itertools import product
from pathlib import Path

import pytest
from icarus import run_sources
from pka_bench import NAME, sources

from montcore.cores import get_core
from montcore.sim.build import RtlBuild
from montcore.soc.design import AcceleratorDesign
from montcore.soc.wrapper import BUSES, stream_top
from montcore.support.files import generated_file
from montcore.support.paths import PREFIX, module_files

#: The proofs of the shells are in every run; so one bus is enough here.
BUS_OF_EVERY_RUN = "axi4-lite"


@pytest.mark.parametrize(
    "bus",
    [
        bus if bus == BUS_OF_EVERY_RUN else pytest.param(bus, marks=pytest.mark.nightly)
        for bus in BUSES
    ],
)
def test_shell_keeps_the_rules_of_its_bus(tmp_path: Path, bus: str) -> None:
    design = AcceleratorDesign(get_core("dsp").configure({"alpha": "2"}, 40))
    build = RtlBuild(f"{PREFIX}{NAME}", tuple(sources(design, bus)), {}, ports=())
    run_sources(tmp_path, "soc_bus", build, {"SOC_BUS": bus, "LENGTH": "40"})


#: Periods of the core's clock in picoseconds; that of the bus is 10,000. One is close to it, so
#: that the edges drift relative to each other, one is much shorter, one much longer.
PERIODS = (9_974, 2_630, 41_370)


@pytest.mark.nightly  # test_soc_cdc.py has the crossing in every run
@pytest.mark.parametrize(("bus", "period"), list(product(BUSES, PERIODS)))
def test_shell_with_a_clock_of_the_core_of_any_period(
    tmp_path: Path, bus: str, period: int
) -> None:
    design = AcceleratorDesign(get_core("dsp").configure({"alpha": "2"}, 40), clocks=2)
    build = RtlBuild(f"{PREFIX}{NAME}", tuple(sources(design, bus)), {}, ports=())
    environment = {"SOC_BUS": bus, "LENGTH": "40", "CORE_PS": str(period)}
    run_sources(tmp_path, "soc_bus", build, environment)


@pytest.mark.parametrize(
    ("core", "settings"),
    [("rc", {}), pytest.param("smm", {"npe": "2", "w": "16"}, marks=pytest.mark.nightly)],
)
def test_multiplier_behind_axi4_stream(tmp_path: Path, core: str, settings: dict[str, str]) -> None:
    made = get_core(core).configure(settings, 44)
    name = f"{PREFIX}stream_bench_top"
    shell = module_files(["soc_axi4_stream"])
    files = (*made.sources(), *shell, generated_file("stream_bench_top", stream_top(made, name)))
    build = RtlBuild(name, files, {}, ports=())
    environment = {"BITS": "44", "WIDTH": str(made.bus_width), "R_BITS": str(made.r_bits(44))}
    run_sources(tmp_path, "stream_bench", build, environment)
