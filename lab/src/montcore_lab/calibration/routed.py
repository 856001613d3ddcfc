# SPDX-License-Identifier: Apache-2.0
"""A placed block routed with qrouter: its actual wires, to compare estimates with.

qrouter can route blocks of up to about 3 kGE. Its DEF gives the lengths by layer. With the layers'
capacitance and resistance in the LEF file, these give wires for static timing with the topology of
the estimate.
"""

import re
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.synth.asic.library import cell_library
from montcore.synth.asic.placement.flow import Physical
from montcore.synth.asic.placement.trees import Tree
from montcore.synth.asic.placement.wires import PORT, Net
from montcore.synth.process import ToolError, run_tool

#: DEF units per um.
_UNITS = 100
#: Offset of tracks from the edges of sites, in um: the LEF file's OFFSET.
_OFFSET_UM = 0.4, 0.5
#: Margin around the rows for the pins of the ports, in um.
_MARGIN_UM = 3.2, 3.0
_LAYERS = 6
_LIMIT_S = 3600.0


@dataclass(frozen=True)
class Routed:
    """The routed wires of a block.

    Attributes:
        lengths: um on each layer, by net; layer 1 is metal 1.
        vias: number of cuts by net.
        failed: nets that the router failed to route.
    """

    lengths: dict[str, dict[int, float]]
    vias: dict[str, int]
    failed: int


def check_router() -> None:
    """Check that qrouter is installed.

    Raises:
        RequestError: it is not.
    """
    if shutil.which("qrouter") is None:
        raise RequestError("routing needs qrouter, which is not installed (Debian package qrouter)")


def write_def(path: Path, top: str, physical: Physical) -> None:
    """Write a placed block for the router: components, ports on the edges, nets."""
    layout, gates = physical.layout, physical.gates
    row, site = layout.geometry.row, layout.geometry.site

    def units(value: float) -> int:
        return round(value * _UNITS)

    dx, dy = _MARGIN_UM
    wide, high = units(layout.width), units(layout.height)
    text = [
        "VERSION 5.6 ;",
        "NAMESCASESENSITIVE ON ;",
        'DIVIDERCHAR "/" ;',
        'BUSBITCHARS "[]" ;',
        f"DESIGN {top} ;",
        f"UNITS DISTANCE MICRONS {_UNITS} ;",
        f"DIEAREA ( {-units(dx)} {-units(dy)} ) ( {wide + units(dx)} {high + units(dy)} ) ;",
    ]
    step_x, step_y = units(site), units(1.0)
    columns, lines = (wide + 2 * units(dx)) // step_x, (high + 2 * units(dy)) // step_y
    left, low = units(_OFFSET_UM[0] - dx), units(_OFFSET_UM[1] - dy)
    for layer in range(1, _LAYERS + 1):
        if layer % 2:
            text.append(f"TRACKS Y {low} DO {lines} STEP {step_y} LAYER metal{layer} ;")
        else:
            twice = 2 if layer == _LAYERS else 1
            text.append(
                f"TRACKS X {left} DO {columns // twice} STEP {step_x * twice} LAYER metal{layer} ;"
            )
    text.append(f"COMPONENTS {len(gates)} ;")
    for number, gate in enumerate(gates):
        x, y = layout.at[number]
        turned = "FS" if round(y / row) % 2 else "N"
        text.append(f"- {gate.name} {gate.cell} + PLACED ( {units(x)} {units(y)} ) {turned} ;")
    text += ["END COMPONENTS", f"PINS {len(layout.ports)} ;"]
    taken: set[tuple[int, int]] = set()
    pins = []
    for bit, (x, y) in layout.ports.items():
        if bit not in physical.wires:
            continue
        column = min(max(round((units(x) - left) / step_x), 1), columns - 2)
        line = min(max(round((units(y) - low) / step_y), 1), lines - 2)
        upright = y in (0.0, layout.height)
        if upright:
            line = 1 if y == 0.0 else lines - 2
        else:
            column = 1 if x == 0.0 else columns - 2
        while (column, line) in taken:
            if upright:
                column = column % (columns - 2) + 1
            else:
                line = line % (lines - 2) + 1
        taken.add((column, line))
        name = physical.names[bit]
        pins.append(
            f"- {name} + NET {name}\n  + LAYER metal{2 if upright else 3} ( -20 -20 ) ( 20 20 )\n"
            f"  + PLACED ( {left + column * step_x} {low + line * step_y} ) N ;"
        )
    text[-1] = f"PINS {len(pins)} ;"
    text += [*pins, "END PINS", f"NETS {len(physical.wires)} ;"]
    for bit, net in physical.wires.items():
        name = physical.names[bit]
        text.append(f"- {name}")
        for number, pin in net.pins:
            owner = "PIN" if number == PORT else gates[number].name
            text.append(f"  ( {owner} {name if number == PORT else pin} )")
        text.append(" ;")
    path.write_text("\n".join([*text, "END NETS", "END DESIGN", ""]))


def route(top: str, physical: Physical, work: Path) -> Routed:
    """Route a placed block.

    Raises:
        RequestError: qrouter is not installed.
        ToolError: it failed.
    """
    check_router()
    write_def(work / "block.def", top, physical)
    lef = cell_library().description.lef
    (work / "route.cfg").write_text(
        f"verbose 1\nread_lef {lef}\ncatch {{layers {_LAYERS}}}\nvia stack 1\nvdd vdd\n"
        "gnd gnd\nread_def block.def\nqrouter::standard_route routed.def false\nquit\n"
    )
    log = work / "qrouter.log"
    run_tool(["qrouter", "-noc", "-nog", "-s", "route.cfg"], cwd=work, log=log, timeout=_LIMIT_S)
    if not (work / "routed.def").is_file():
        raise ToolError(f"qrouter wrote no routes; its log is {log}")
    lengths, vias = read_routes((work / "routed.def").read_text())
    failed = re.findall(r"^Final: Failed net routes: (\d+)", log.read_text(errors="replace"), re.M)
    return Routed(lengths, vias, int(failed[-1]) if failed else 0)


_POINT = re.compile(r"\(\s*(\S+)\s+(\S+)(?:\s+\S+)?\s*\)|(\bM\d_M\d\b)")


def read_routes(text: str) -> tuple[dict[str, dict[int, float]], dict[str, int]]:
    """Return the lengths on each layer and the number of vias of each net of a routed DEF."""
    units = int(re.search(r"UNITS DISTANCE MICRONS (\d+)", text)[1])  # type: ignore[index]
    body = text.split("\nNETS", 1)[1].split("END NETS")[0]
    lengths: dict[str, dict[int, float]] = {}
    vias: dict[str, int] = {}
    for part in re.split(r"\n- ", body)[1:]:
        name = part.split()[0]
        found: dict[int, float] = {}
        cuts = 0
        routed = re.split(r"\+ ROUTED|\bNEW\b", part)[1:]
        for segment in routed:
            layer = re.search(r"metal(\d)", segment)
            if layer is None:
                continue
            x = y = 0.0
            last: tuple[float, float] | None = None
            for match in _POINT.finditer(segment):
                if match[3]:
                    cuts += 1
                    continue
                x = x if match[1] == "*" else float(match[1])
                y = y if match[2] == "*" else float(match[2])
                if last is not None:
                    distance = (abs(x - last[0]) + abs(y - last[1])) / units
                    found[int(layer[1])] = found.get(int(layer[1]), 0.0) + distance
                last = x, y
        lengths[name], vias[name] = found, cuts
    return lengths, vias


def layer_capacitance(lef: Path) -> dict[int, float]:
    """Return the capacitance of a wire of minimum width on each layer of a LEF file, in pF a um."""
    found: dict[int, float] = {}
    for level, body in re.findall(
        r"^LAYER metal(\d)\n(.*?)^END", lef.read_text(), flags=re.M | re.S
    ):
        values = dict(re.findall(r"(WIDTH|CPERSQDIST|EDGECAPACITANCE)\s+([\d.e+-]+)", body))
        area, edge = float(values["CPERSQDIST"]), float(values["EDGECAPACITANCE"])
        found[int(level)] = area * float(values["WIDTH"]) + 2 * edge
    return found


def routed_wires(physical: Physical, routed: Routed) -> dict[int, Net]:
    """Return the wires of a block with the routed lengths and the topology of the estimate.

    All branches of a net's estimate are scaled to match the capacitance of its routed wires on
    their layers.
    """
    lef = cell_library().description.lef
    assert lef is not None
    per_um = layer_capacitance(lef)
    found = {}
    for bit, net in physical.wires.items():
        lengths: Mapping[int, float] = routed.lengths.get(physical.names[bit], {})
        wanted = sum(per_um[layer] * um for layer, um in lengths.items())
        wanted /= net.wire.pf_per_um
        tree = net.tree
        if tree.length > 0:
            scaled = tuple(length * wanted / tree.length for length in tree.lengths)
        else:
            scaled = (0.0, wanted, *[0.0] * (len(tree.lengths) - 2))
        found[bit] = Net(net.pins, Tree(tree.parents, scaled, tree.order), net.wire)
    return found
