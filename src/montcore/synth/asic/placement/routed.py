# SPDX-License-Identifier: Apache-2.0
"""A placed block routed to the end with qrouter: what its wires really are, to compare estimates with.

qrouter manages blocks up to about 3 kGE. The routed wires come from its DEF: lengths by layer, and
from these, with the layers' capacitance and resistance in the LEF file, wires for static timing with
the topology of the estimate.
"""

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.synth.asic.liberty import read_cells
from montcore.synth.asic.placement.flow import Physical
from montcore.synth.asic.placement.wires import PORT
from montcore.synth.asic.tools import lef_path, liberty_path
from montcore.synth.options import Options
from montcore.synth.process import ToolError, run_tool

#: Units of the DEF file in a um.
_UNITS = 100
#: Room around the rows for the pins of the ports, in um.
_MARGIN_UM = 3.2, 3.0
_LAYERS = 6


@dataclass(frozen=True)
class Routed:
    """The routed wires of a block.

    Attributes:
        lengths: um on each layer, by net; layer 1 is metal 1.
        vias: number of cuts by net.
        failed: nets that the router gave up.
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
        raise RequestError(
            "routing needs qrouter, which is not installed (Debian package qrouter)"
        )


def write_def(path: Path, top: str, physical: Physical) -> None:
    """Write a placed block for the router: components, ports on the left and right, nets."""
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
    for layer in range(1, _LAYERS + 1):
        if layer % 2:
            text.append(f"TRACKS Y {-units(dy)} DO {lines} STEP {step_y} LAYER metal{layer} ;")
        else:
            twice = 2 if layer == _LAYERS else 1
            text.append(
                f"TRACKS X {-units(dx)} DO {columns // twice} STEP {step_x * twice} "
                f"LAYER metal{layer} ;"
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
        at_x = -units(2.4) if x < layout.width / 2 else wide + units(2.4)
        at_x = at_x // step_x * step_x
        at_y = min(max(round(y), 1), int(layout.height) - 1) * step_y
        while (at_x, at_y) in taken:
            at_y = at_y + step_y if at_y + step_y < high else step_y
        taken.add((at_x, at_y))
        pins.append(
            f"- {physical.names[bit]} + NET {physical.names[bit]}\n  + LAYER metal3 ( -20 -20 ) "
            f"( 20 20 )\n  + PLACED ( {at_x} {at_y} ) N ;"
        )
    text[-1] = f"PINS {len(pins)} ;"
    text += [*pins, "END PINS", f"NETS {len(physical.wires)} ;"]
    for bit, net in physical.wires.items():
        name = physical.names[bit]
        text.append(f"- {name}")
        for gate, pin in net.pins:
            text.append(f"  ( PIN {name} )" if gate == PORT else f"  ( {gates[gate].name} {pin} )")
        text.append(" ;")
    path.write_text("\n".join([*text, "END NETS", "END DESIGN", ""]))


def route(top: str, physical: Physical, work: Path, opts: Options) -> Routed:
    """Route a placed block.

    Raises:
        RequestError: qrouter is not installed.
        ToolError: it failed.
    """
    check_router()
    write_def(work / "block.def", top, physical)
    (work / "route.cfg").write_text(
        f"verbose 1\nread_lef {lef_path()}\ncatch {{layers {_LAYERS}}}\nvia stack 1\nvdd vdd\n"
        "gnd gnd\nread_def block.def\nqrouter::standard_route routed.def false\nquit\n"
    )
    log = work / "qrouter.log"
    run_tool(
        ["qrouter", "-noc", "-s", "route.cfg"], cwd=work, log=log, timeout=opts.place_timeout_s
    )
    if not (work / "routed.def").is_file():
        raise ToolError(f"qrouter wrote no routes; its log is {log}")
    lengths, vias = read_routes((work / "routed.def").read_text())
    failed = re.findall(r"Failed net routes: (\d+)", log.read_text(errors="replace"))
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
