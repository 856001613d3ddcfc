# SPDX-License-Identifier: Apache-2.0
"""Constraints of a bundle with two clocks limit every path between them, and nothing else.

The paths are found in the netlist, by the clocks of registers: see `crossings`.
"""

import re
from pathlib import Path

import pytest
from bundle_files import VARIANTS, constrained, made
from crossings import Crossing, Limit, crossings, idle_names, limits, netlist
from needs import needs

from montcore.soc.wrapper import BUSES

#: Bits that cross: a level in each direction, the interrupt, 53 bits of a request, 33 of its
#: answer.
WAYS = 1 + 53 + 1 + 33 + 1


def ways_of(bundle: Path, folder: Path) -> list[Crossing]:
    """Return the paths between a bundle's clocks, with the ports' clocks from its constraints."""
    said = constrained(bundle, "constraints.xdc", folder)
    clocks = {line[2]: line[1] for line in said if line[0] == "clock"}
    ports = {line[1]: line[2] for line in said if line[0] == "delay"}
    return crossings(netlist(bundle), clocks, ports)


def limits_of(bundle: Path) -> list[Limit]:
    return list(limits((bundle / "crossing.xdc").read_text()))


def unlimited(ways: list[Crossing], made: list[Limit]) -> list[Crossing]:
    return [way for way in ways if not any(limit.covers(way) for limit in made)]


#: The non-nightly bundles: one unit and a single core clock, and all units with both clocks.
TWO_CLOCKS = [
    *(item for item in VARIANTS if item[1] == 2 and item[2] != "curves"),
    *(
        pytest.param((bus, 2, units, "sync", "", clocking), marks=pytest.mark.nightly)
        for bus in BUSES
        for units in ("multiplier", "exponentiator", "curves", "both")
        for clocking in ("single", "double")
    ),
]


@needs("tclsh")
@pytest.mark.parametrize("variant", TWO_CLOCKS, ids=lambda variant: "-".join(map(str, variant)))
@pytest.mark.one_in(2)
def test_every_way_between_the_clocks_has_a_limit(
    variant: tuple[str, int, str, str, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle = made(variant, tmp_path / "made", monkeypatch)
    ways = ways_of(bundle, tmp_path)
    assert len(ways) == WAYS
    assert unlimited(ways, limits_of(bundle)) == []
    assert idle_names(limits_of(bundle), ways) == []
    # The SDC file has the limits by clocks, including those of the blocks' clock.
    said = constrained(bundle, "constraints.sdc", tmp_path)
    pairs = {(line[1], line[2]) for line in said if line[0] == "limit"}
    assert {(way.start_clock, way.end_clock) for way in ways} <= pairs


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.MonkeyPatch.context() as patch:
        variant = ("apb", 2, "multiplier", "sync", "", "single")
        return made(variant, tmp_path_factory.mktemp("bundle") / "made", patch)


@needs("tclsh")
@pytest.mark.parametrize(
    ("before", "after", "start", "end"),
    [
        # A register of the bus clock controls logic in the core's clock domain.
        ("core_req_q <= take;", "core_req_q <= take && !held_q;", "held_q", "core_req_q"),
        # A word that is not held stable for the other side.
        ("error_q <= core_error_q;", "error_q <= core_error_i;", "", "error_q"),
        # The second flip-flop of a synchroniser reads a signal that only the first may read.
        (".bit_i(irq_q)", ".bit_i(core_irq_i)", "", "u_irq_sync.sync_q[0]"),
        # Through a port, without any register.
        (
            "assign rdata_o = rdata_q;",
            "assign rdata_o = core_rdata_q;",
            "core_rdata_q",
            "s_apb_prdata",
        ),
    ],
)
@pytest.mark.one_in(4)
def test_a_way_too_many_is_found(
    before: str, after: str, start: str, end: str, small: Path, tmp_path: Path
) -> None:
    crossing = small / "rtl" / "montcore_soc_cdc.sv"
    text = crossing.read_text()
    assert text.count(before) == 1
    crossing.write_text(text.replace(before, after))
    try:
        left = unlimited(ways_of(small, tmp_path), limits_of(small))
    finally:
        crossing.write_text(text)
    assert left
    for way in left:
        assert start in way.start and end in way.end


@needs("tclsh")
def test_a_limit_that_is_not_there_or_is_for_nothing_is_found(small: Path, tmp_path: Path) -> None:
    ways = ways_of(small, tmp_path)
    text = (small / "crossing.xdc").read_text()
    assert unlimited(ways, list(limits(text))) == []
    names = re.findall(r"u_cdc/[\w/]+(?:\[[0*]\])?", text)
    assert len(names) == 18
    for name in names:
        assert unlimited(ways, list(limits(text.replace(name, "u_cdc/none_reg")))), name
    more = text.replace("u_cdc/level_q_reg", "u_cdc/level_q_reg u_cdc/held_q_reg", 1)
    assert idle_names(limits(more), ways) == ["u_cdc/held_q_reg"]
