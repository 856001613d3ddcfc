# SPDX-License-Identifier: Apache-2.0
"""The files on which the figures of one configuration depend."""

import pytest
from core_styles import small_styles

from montcore.bundle.sources import needed_of
from montcore.cores.core import ConfiguredCore
from montcore.synth.target import all_targets

#: Styles that share little with the other styles of their core.
NARROWED = [core for core in small_styles() if core.own_sources() != core.sources()]


def test_some_styles_depend_on_fewer_files_than_their_core() -> None:
    assert {core.name for core in NARROWED} == {"mx", "op", "cs", "smm"}


@pytest.mark.parametrize("core", NARROWED, ids=lambda core: f"{core.name} {core.label()}")
def test_a_configuration_elaborates_from_the_files_that_its_figures_depend_on(
    core: ConfiguredCore,
) -> None:
    """For every technology: no module of another file, and none that is missing."""
    own = core.own_sources()
    headers = [path for on in all_targets().values() for path in on.headers]
    found = [core.sv_parameters(on.technology) for on in all_targets().values()]
    distinct = [item for number, item in enumerate(found) if item not in found[:number]]
    needed = needed_of(core.top, core.sources(), [core.sv_parameters(), *distinct], (), headers)
    assert set(needed) <= set(own)
    assert needed_of(core.top, own, distinct, (), headers)
