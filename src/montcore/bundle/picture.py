# SPDX-License-Identifier: Apache-2.0
"""The waveform picture of a bundle, drawn from a run of its own test."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from montcore.bundle import vectors, waves
from montcore.bundle.waves import WaveTrace
from montcore.cores.core import Core
from montcore.support.errors import CheckFailedError

#: Maximum cycles drawn; the middle of a longer run is omitted.
LONGEST = 72
_BITS = ("x_valid", "x_ready", "x_last", "core_start", "core_done", "z_valid", "z_last", "busy")
_OTHERS = ("y_valid", "y_ready", "z_ready", "z_data")


def port_picture(core: Core, name: str, vcd: Path, tables: vectors.CaseTables) -> tuple[str, str]:
    """Return a caption and the SVG of one product of a bundle's test, from its waves.

    The product is the last one run singly with the first accepted modulus.

    Raises:
        CheckFailedError: the trace does not match the tables.
    """
    names = {f"{name}_tb.{signal}": signal for signal in (*_BITS, *_OTHERS)}
    trace = waves.read_vcd(vcd, f"{name}_tb.clk_i", names)
    number, case = _shown_case(tables)
    start, accepted, end = _window(trace, number)
    rows = list(range(start - 1, end + 1))
    cut = None
    if len(rows) > LONGEST:
        keep = case.x_beats + 6
        cut = keep
        rows = rows[:keep] + rows[-keep:]
    first_z = next(row for row in range(accepted, end + 1) if trace[row]["z_valid"])
    caption = (
        f"A product of {case.x_beats} words, from the waves of this folder's own test: the last "
        f"words of X and Y are accepted, and {first_z - accepted} cycles later the first word of Z "
        "is valid."
    )
    if cut:
        caption += " The middle is left out."
    svg = waves.draw(list(_lanes(trace, rows, cut)), "one column is one clock cycle")
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
    taken = [row for row in range(len(trace)) if trace[row]["x_valid"] and trace[row]["x_ready"]]
    packets: list[list[int]] = [[]]
    for row in taken:
        packets[-1].append(row)
        if trace[row]["x_last"]:
            packets.append([])
    ends = [
        row
        for row in range(len(trace))
        if trace[row]["z_valid"] and trace[row]["z_ready"] and trace[row]["z_last"]
    ]
    if number >= min(len(ends), len(packets)):
        raise CheckFailedError(f"the trace of the bundle's test has no product {number}")
    return packets[number][0], packets[number][-1], ends[number]


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
        return waves.bit_lane(signal, [trace[row][signal] for row in rows])

    lanes: list[dict[str, object]] = [
        {"name": "clk_i", "wave": "p" + "." * (len(rows) - 1)},
        bit("x_valid"),
        bit("x_ready"),
        waves.bus_lane("x_data", words("x_valid", "x_ready", "x")),
        waves.bus_lane("y_data", words("y_valid", "y_ready", "y")),
        bit("x_last"),
        bit("core_start"),
        bit("core_done"),
        bit("z_valid"),
        waves.bus_lane("z_data", words("z_valid", "z_ready", "z")),
        bit("z_last"),
        bit("busy"),
    ]
    for lane in lanes:
        if cut:
            wave = str(lane["wave"])
            lane["wave"] = wave[:cut] + "|" + wave[cut:]
        yield lane
