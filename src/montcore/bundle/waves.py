# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams from simulations: reads and samples a VCD file, draws it with WaveDrom."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from montcore.support.errors import CheckFailedError

#: The values of signals at rising clock edges, just before each edge; None is unknown.
WaveTrace = list[dict[str, int | None]]


def read_vcd(path: Path, clock: str, names: Mapping[str, str]) -> WaveTrace:
    """Sample signals of a VCD file at each rising edge of a clock.

    Args:
        clock: hierarchical name of the clock, scopes joined by dots.
        names: hierarchical names of the signals, and their names in the result.

    Raises:
        CheckFailedError: the file lacks one of the signals.
    """
    codes: dict[str, str] = {}
    scopes: list[str] = []
    values: dict[str, int | None] = {}
    trace: WaveTrace = []
    with path.open(encoding="ascii", errors="replace") as file:
        for line in file:
            words = line.split()
            if not words:
                continue
            if words[0] == "$scope":
                scopes.append(words[2])
            elif words[0] == "$upscope":
                scopes.pop()
            elif words[0] == "$var":
                codes[".".join([*scopes, words[4]])] = words[3]
            elif words[0] == "$enddefinitions":
                break
        chosen = {name: _find(codes, name) for name in (clock, *names)}
        wanted = set(chosen.values())
        clock_code = chosen[clock]
        changes: dict[str, int | None] = {}

        def end_of_time_step() -> None:
            # The order within a time step does not matter: an edge samples the values before it.
            if changes.get(clock_code) == 1 and values.get(clock_code) == 0:
                trace.append({short: values.get(chosen[name]) for name, short in names.items()})
            values.update(changes)
            changes.clear()

        for line in file:
            kind = line[0]
            if kind in "01xzXZ":
                code, text = line[1:].strip(), kind
            elif kind in "bB":
                text, code = line[1:].split()
            else:
                if kind == "#":
                    end_of_time_step()
                continue
            if code in wanted:
                changes[code] = int(text, 2) if re.fullmatch("[01]+", text) else None
        end_of_time_step()
    return trace


def _find(codes: dict[str, str], name: str) -> str:
    found = {code for full, code in codes.items() if full == name or full.endswith(f".{name}")}
    if len(found) != 1:
        raise CheckFailedError(f"the trace has {len(found)} signals that end in '{name}'")
    return found.pop()


def bit_lane(label: str, values: Iterable[int | None]) -> dict[str, object]:
    """Return a WaveDrom lane of a one-bit signal."""
    wave, last = [], ""
    for value in values:
        symbol = "x" if value is None else str(value)
        wave.append("." if symbol == last else symbol)
        last = symbol
    return {"name": label, "wave": "".join(wave)}


def bus_lane(label: str, texts: Iterable[str]) -> dict[str, object]:
    """Return a WaveDrom lane of a bus: one text per cycle, empty if the bus is idle."""
    wave, data, last = [], [], None
    for text in texts:
        wave.append("." if text == last else "=" if text else "x")
        if text and text != last:
            data.append(text)
        last = text
    return {"name": label, "wave": "".join(wave), "data": data}


def draw(lanes: Sequence[object], caption: str) -> str:
    """Return the SVG of a timing diagram; the same lanes give the same text."""
    import wavedrom  # takes a while to load

    source = {
        "signal": list(lanes),
        "config": {"hscale": 1, "skin": "narrow"},
        "foot": {"text": caption, "tick": 0},
    }
    text: str = wavedrom.render(json.dumps(source)).tostring()
    return widened(text, lanes, caption) + "\n"


#: Upper bounds for usual fonts, in pixels: width of a letter of a label, and of the margins before
#: the first and after the last column.
_LETTER, _MARGIN = 9, 14


def widened(svg: str, lanes: Sequence[object], caption: str = "") -> str:
    """Return a drawn diagram with room for its labels and with small numbers below the columns.

    WaveDrom assumes the widths of one font. With another font in the browser, long labels would be
    cut off and the column numbers would touch.
    """
    names = [str(lane.get("name", "")) for lane in lanes if isinstance(lane, dict)]
    start = re.search(r'id="lanes_0" transform="translate\(([0-9.]+),', svg)
    size = re.search(r'viewBox="0,0,([0-9.]+),([0-9.]+)" width="[0-9.]+"', svg)
    if start is None or size is None:
        raise CheckFailedError("WaveDrom's picture is not laid out as expected")
    labels, columns = float(start[1]), float(size[1])
    need = 10 + _LETTER * max(map(len, names), default=0)
    # The caption is below the middle of the columns.
    half, middle = _LETTER * len(caption) / 2, (labels + columns) / 2
    left = max(_MARGIN, round(need - labels), round(half - middle))
    width = columns + left + max(_MARGIN, round(half - (columns - middle)))
    box = f'viewBox="{-left},0,{width:g},{size[2]}" width="{width:g}"'
    small = svg.replace('class="muted"', 'class="muted" font-size="9px" style="font-size: 9px"')
    return small.replace(size[0], box, 1)
