# SPDX-License-Identifier: Apache-2.0
"""Timing diagrams: a VCD file is read and drawn with WaveDrom; a product of a bundle's test."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from montcore.bundle import vectors
from montcore.cores.core import Core
from montcore.support.errors import CheckFailedError

#: The values of signals at rising clock edges, just before each edge; None is unknown.
WaveTrace = list[dict[str, int | None]]


def read_vcd(path: Path, clock: str, names: Mapping[str, str]) -> WaveTrace:
    """Sample signals of a VCD file at each rising edge of a clock.

    Args:
        clock: hierarchical name of the clock, scopes joined by dots.
        names: hierarchical names of the signals, and their names in the result.
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


#: Maximum cycles drawn; the middle of a longer run is omitted.
LONGEST = 72
_BITS = ("x_valid", "x_ready", "x_last", "core_start", "core_done", "z_valid", "z_last", "busy")
_OTHERS = ("y_valid", "y_ready", "z_ready", "z_data")


def port_picture(core: Core, name: str, vcd: Path, tables: vectors.CaseTables) -> tuple[str, str]:
    """Return a caption and the SVG of one product of a bundle's test, from its waves.

    The product is the last one run singly with the first accepted modulus.
    """
    names = {f"{name}_tb.{signal}": signal for signal in (*_BITS, *_OTHERS)}
    trace = read_vcd(vcd, f"{name}_tb.clk_i", names)
    number, case = _shown_case(tables)
    start, accepted, end = _window(trace, number)
    rows = list(range(start - 1, end + 1))
    cut = None
    if len(rows) > LONGEST:
        cut = case.x_beats + 6
        rows = rows[:cut] + rows[-cut:]
    first_z = next(row for row in range(accepted, end + 1) if trace[row]["z_valid"])
    caption = (
        f"A product of {case.x_beats} words, from the waves of this folder's own test: the last "
        f"words of X and Y are accepted, and {first_z - accepted} cycles later the first word of Z "
        "is valid."
    )
    if cut:
        caption += " The middle is left out."
    svg = draw(list(_lanes(trace, rows, cut)), "one column is one clock cycle")
    return caption, svg


def _shown_case(tables: vectors.CaseTables) -> tuple[int, vectors.BenchCase]:
    number = -1
    found = None
    for case in tables.cases:
        if case.kind is vectors.CaseKind.PRODUCT:
            number += 1
        if found is not None and (case.status or case.kind is vectors.CaseKind.CONFIGURE):
            break
        if case.kind is vectors.CaseKind.PRODUCT and case.status == 0:
            found = number, case
    assert found is not None, "the tables always hold products"
    return found


def _window(trace: WaveTrace, number: int) -> tuple[int, int, int]:
    """Return the rows of a product's start, its last operand beat and its last result beat."""

    def rows(*high: str) -> list[int]:
        return [row for row, now in enumerate(trace) if all(now[signal] for signal in high)]

    taken = rows("x_valid", "x_ready")
    lasts, ends = rows("x_valid", "x_ready", "x_last"), rows("z_valid", "z_ready", "z_last")
    if number >= min(len(lasts), len(ends)):
        raise CheckFailedError(f"the trace of the bundle's test has no product {number}")
    first = taken.index(lasts[number - 1]) + 1 if number else 0
    return taken[first], lasts[number], ends[number]


def _lanes(trace: WaveTrace, rows: Sequence[int], cut: int | None) -> Iterator[dict[str, object]]:

    def words(valid: str, ready: str, label: str) -> list[str]:
        texts, index = [], 0
        for row in range(rows[0], rows[-1] + 1):
            shown = bool(trace[row][valid])
            if row in rows:
                texts.append(f"{label}{index}" if shown else "")
            index += bool(shown and trace[row][ready])
        return texts

    def bit(signal: str) -> dict[str, object]:
        return bit_lane(signal, [trace[row][signal] for row in rows])

    lanes: list[dict[str, object]] = [
        {"name": "clk_i", "wave": "p" + "." * (len(rows) - 1)},
        bit("x_valid"),
        bit("x_ready"),
        bus_lane("x_data", words("x_valid", "x_ready", "x")),
        bus_lane("y_data", words("y_valid", "y_ready", "y")),
        bit("x_last"),
        bit("core_start"),
        bit("core_done"),
        bit("z_valid"),
        bus_lane("z_data", words("z_valid", "z_ready", "z")),
        bit("z_last"),
        bit("busy"),
    ]
    for lane in lanes:
        if cut:
            wave = str(lane["wave"])
            lane["wave"] = wave[:cut] + "|" + wave[cut:]
        yield lane
