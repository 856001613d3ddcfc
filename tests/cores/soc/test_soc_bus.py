# SPDX-License-Identifier: Apache-2.0
"""The bus shells in front of the accelerator, each driven by a model of its bus, in Icarus."""

from pathlib import Path

import pytest
from icarus import run_sources
from pka_bench import NAME, sources

from montcore.cores import get_core
from montcore.sim.build import RtlBuild
from montcore.soc.design import Design
from montcore.soc.wrapper import BUSES
from montcore.support.paths import PREFIX


@pytest.mark.parametrize("bus", list(BUSES))
def test_shell_keeps_the_rules_of_its_bus(tmp_path: Path, bus: str) -> None:
    design = Design(get_core("dsp").configure({"alpha": "2"}, 40))
    build = RtlBuild(f"{PREFIX}{NAME}", tuple(sources(design, bus)), {}, ports=())
    run_sources(tmp_path, "soc_bus", build, {"SOC_BUS": bus, "LENGTH": "40"})
