# SPDX-License-Identifier: Apache-2.0
"""Constraints of a bundle with two clocks limit every path between them, and nothing else.

The paths are found in the netlist. One begins at the output of a register or memory, or at an input
port, and ends at an input of a register or memory, or at an output port. It is a crossing if its
ends belong to unrelated clocks.
"""

import json
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from bundle_files import VARIANTS, constrained, files_of, made, top_of
from needs import needs

from montcore.soc.wrapper import BUSES
from montcore.synth.options import DEFAULT_OPTIONS
from montcore.synth.yosys import run_yosys

#: Cells whose output bit depends only on input bits of the same index; otherwise on all bits.
_BITWISE = {"$and", "$or", "$xor", "$xnor", "$not", "$mux", "$bwmux", "$pmux", "$pos", "$buf"}
#: Inputs of such cells on whose bits all outputs depend.
_SELECT = {"$mux": "S", "$pmux": "S"}


@dataclass(frozen=True, order=True)
class Crossing:
    """A path from one clock domain to another.

    Attributes:
        start: register with its bit, e.g. ``u_cdc.addr_q[3]``, or port.
        start_clock: its clock.
        end: register with its bit, or port.
        end_clock: its clock.
    """

    start: str
    start_clock: str
    end: str
    end_clock: str


@dataclass
class _Graph:
    """Dependencies between bits and cells, and the registers and ports at the ends of paths.

    Attributes:
        before: dependencies of a bit or of a named cell.
        starts: names and clocks by the bits (for a memory: its name) where paths begin.
        ends: names and clocks where paths end, with their dependencies.
    """

    before: dict[object, set[object]] = field(default_factory=lambda: defaultdict(set))
    starts: dict[object, tuple[str, str]] = field(default_factory=dict)
    ends: dict[tuple[str, str], set[object]] = field(default_factory=lambda: defaultdict(set))


def netlist(bundle: Path) -> dict[str, Any]:
    """Return a bundle's RTL elaborated and flattened by Yosys, with register names kept."""
    top = top_of(bundle)
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "netlist.json"
        files = " ".join(map(str, files_of(bundle)))
        commands = [f"read_slang --top {top} {files}", "flatten", "opt_clean"]
        commands += ["memory_collect", f"write_json {made}"]
        run_yosys(commands, Path(folder), "netlist", DEFAULT_OPTIONS)
        found: dict[str, Any] = json.loads(made.read_text())["modules"][top]
    return found


def crossings(
    module: Mapping[str, Any], clocks: Mapping[str, str], ports: Mapping[str, str]
) -> list[Crossing]:
    """Return all paths between `core_clk` (with `clk2x`) and the other clock.

    Args:
        module: as `netlist` returns it.
        clocks: names of the clocks by their ports.
        ports: names of the clocks that other ports are synchronous to; a port that is not listed,
            such as an asynchronous reset, is not an end of a path.

    Raises:
        ValueError: a clock is not a port, or a cell is unknown.
    """
    graph = _graph(module, clocks, ports)
    after: dict[object, list[object]] = defaultdict(list)
    for node, sources in graph.before.items():
        for source in sources:
            after[source].append(node)
    found = []
    for core in (False, True):
        reached = _reached(
            (s for s, (_, clock) in graph.starts.items() if _core(clock) == core), after
        )
        for (end, end_clock), inputs in graph.ends.items():
            if _core(end_clock) != core and inputs & reached:
                cone = _reached(inputs & reached, graph.before, within=reached)
                found += [
                    Crossing(*graph.starts[node], end, end_clock)
                    for node in cone
                    if node in graph.starts and _core(graph.starts[node][1]) == core
                ]
    return sorted(set(found))


def _core(clock: str) -> bool:
    """Tell whether a clock is the accelerator's or its double-speed clock."""
    return clock in ("core_clk", "clk2x")


def _reached(
    first: Iterable[object],
    edges: Mapping[object, Iterable[object]],
    within: set[object] | None = None,
) -> set[object]:
    found = set(first)
    open_ = list(found)
    while open_:
        for node in edges.get(open_.pop(), ()):
            if node not in found and (within is None or node in within):
                found.add(node)
                open_.append(node)
    return found


def _named(name: str, bits: list[object]) -> list[str]:
    return [f"{name}[{place}]" if len(bits) > 1 else name for place in range(len(bits))]


def _graph(
    module: Mapping[str, Any], clocks: Mapping[str, str], ports: Mapping[str, str]
) -> _Graph:
    graph, clock_of = _Graph(), {}
    for name, port in module["ports"].items():
        if name in clocks:
            clock_of[port["bits"][0]] = clocks[name]
        elif name in ports and port["direction"] == "input":
            graph.starts |= {bit: (name, ports[name]) for bit in port["bits"]}
        elif name in ports:
            graph.ends[name, ports[name]] |= set(port["bits"])
    for name, cell in module["cells"].items():
        pins = {
            pin: [(cell["type"], bit) if isinstance(bit, str) else bit for bit in bits]
            for pin, bits in cell["connections"].items()
        }
        if cell["type"] == "$mem_v2":
            _memory(graph, cell["parameters"], pins, clock_of)
        elif "Q" in pins and "CLK" in pins:
            _register(graph, name.removeprefix("$driver$"), pins, clock_of)
        elif cell["type"].startswith("$") and not re.search(r"ff|latch|^\$sr$|mem", cell["type"]):
            _logic(graph, name, cell, pins)
        else:
            raise ValueError(f"what the cell {name} of the type {cell['type']} does is not known")
    return graph


def _clock(name: str, bit: object, clock_of: Mapping[object, str]) -> str:
    if bit not in clock_of:
        raise ValueError(f"the clock of {name} is no port")
    return clock_of[bit]


def _register(
    graph: _Graph, name: str, pins: Mapping[str, list[object]], clock_of: Mapping[object, str]
) -> None:
    clock = _clock(name, pins["CLK"][0], clock_of)
    shared = {
        bit for pin, bits in pins.items() if pin not in ("CLK", "D", "AD", "Q") for bit in bits
    }
    for place, (bit, named) in enumerate(zip(pins["Q"], _named(name, pins["Q"]), strict=True)):
        graph.starts[bit] = (named, clock)
        own = {pins[pin][place] for pin in ("D", "AD") if pin in pins}
        graph.ends[named, clock] |= own | shared


def _memory(
    graph: _Graph,
    parameters: Mapping[str, str],
    pins: Mapping[str, list[object]],
    clock_of: Mapping[object, str],
) -> None:
    """Add a memory with one write clock; its read data may go to a register."""
    name = parameters["MEMID"].removeprefix("\\")
    written = {_clock(name, bit, clock_of) for bit in pins["WR_CLK"]}
    if "1" in parameters["RD_CLK_ENABLE"] or len(written) > 1:
        raise ValueError(f"the memory {name} is read with a clock, or written with two")
    for clock in written:
        graph.starts[name] = (name, clock)
        graph.ends[name, clock] |= {*pins["WR_ADDR"], *pins["WR_DATA"], *pins["WR_EN"]}
    for bit in pins["RD_DATA"]:
        graph.before[bit] |= {name, *pins["RD_ADDR"]}


def _logic(
    graph: _Graph, name: str, cell: Mapping[str, Any], pins: Mapping[str, list[object]]
) -> None:
    inputs = {pin for pin, way in cell["port_directions"].items() if way == "input"}
    outputs = [pins[pin] for pin in pins if pin not in inputs]
    if cell["type"] not in _BITWISE:
        graph.before[name] |= {bit for pin in inputs for bit in pins[pin]}
        for bits in outputs:
            for bit in bits:
                graph.before[bit].add(name)
        return
    select = _SELECT.get(cell["type"], "")
    for place, bit in enumerate(pins["Y"]):
        for pin in inputs:
            bits = pins[pin]
            # A word that is too short is extended by its last bit; $pmux has its words side by
            # side.
            mine = bits if pin == select else bits[min(place, len(bits) - 1) :: len(pins["Y"])]
            graph.before[bit] |= set(mine)


@dataclass(frozen=True)
class Limit:
    """A delay limit on paths between registers, from `crossing.xdc`.

    Attributes:
        starts: where the paths begin, by Vivado's flip-flop names, e.g. ``u_cdc/addr_q_reg[*]``.
        ends: where the paths end.
    """

    starts: tuple[str, ...]
    ends: tuple[str, ...]

    def covers(self, crossing: Crossing) -> bool:
        """Tell whether the limit applies to a crossing."""
        return _names(self.starts, crossing.start) and _names(self.ends, crossing.end)


def limits(text: str) -> Iterator[Limit]:
    """Yield the limits in a constraints file."""
    cells = r"\[get_cells \{([^}]*)\}\]"
    for line in text.splitlines():
        if found := re.match(rf"set_max_delay -datapath_only -from {cells} -to {cells} ", line):
            yield Limit(*(tuple(words.split()) for words in found.groups()))


def _names(patterns: Iterable[str], register: str) -> bool:
    """Tell whether a Vivado name pattern matches a register bit."""
    stem, bracket, bits = register.partition("[")
    cell = f"{stem.replace('.', '/')}_reg"
    every = f"{cell}[*]" if bracket else cell
    return any(pattern in (every, f"{cell}{bracket}{bits}") for pattern in patterns)


def idle_names(made: Iterable[Limit], found: Iterable[Crossing]) -> list[str]:
    """Return the names in limits at which no crossing begins or ends."""
    ways = list(found)
    idle = []
    for limit in made:
        starts = [name for name in limit.starts if not any(_names([name], w.start) for w in ways)]
        ends = [name for name in limit.ends if not any(_names([name], w.end) for w in ways)]
        idle += starts + ends
    return idle


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
