# SPDX-License-Identifier: Apache-2.0
"""Timing diagram of smm for its datasheet, from a simulation; ``montcore maintain diagrams``."""

import tempfile
from pathlib import Path

from montcore.bundle import build, run_bundle_test, waves
from montcore.bundle.waves import WaveTrace
from montcore.cores import get_core
from montcore.support.errors import CheckFailedError
from montcore.support.files import write_whole
from montcore.support.paths import REPO_ROOT

PATH = REPO_ROOT / "docs" / "images" / "smm-timing.svg"
#: The configuration drawn: four words on two processing elements, so that a pass takes two slots.
BITS, SETTINGS = 128, {"npe": "2", "w": "32"}
_STREAM_PHASE = 1
_OPS = {0: "", 1: "A", 2: "B", 3: "q M"}  # smm_op_e


def smm_timing(path: Path = PATH) -> Path:
    """Draw two consecutive products of smm, pass by pass, and return the path."""
    core = get_core("smm").configure(SETTINGS, BITS)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "bundle"
        name = build(core, folder).name
        run_bundle_test(folder, waves="all", work=Path(scratch) / "work")
        bench = f"{name}_tb"
        signals = {
            **{f"{bench}.{item}": item for item in ("phase", "core_start", "core_done", "z_valid")},
            **{f"u_sequencer.{item}": item for item in ("op_q", "x_index_q", "row_q", "active_q")},
        }
        vcd = Path(scratch) / "work" / "waves.vcd"
        trace = waves.read_vcd(vcd, f"{bench}.clk_i", signals)
    interval = core.interval(BITS)
    starts = [
        row
        for row in range(len(trace))
        if trace[row]["phase"] == _STREAM_PHASE and trace[row]["core_start"]
    ]
    pair = next(
        (
            number
            for number in range(2, len(starts) - 3)
            if all(starts[number + k] - starts[number + k - 1] == interval for k in range(4))
        ),
        None,
    )
    if pair is None:
        raise CheckFailedError("the simulation shows no back-to-back products")
    rows = range(starts[pair] - 1, starts[pair] + 2 * interval + 14)
    svg = waves.draw(_lanes(trace, rows), "one column is one clock cycle")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, svg)
    return path


def _lanes(trace: WaveTrace, rows: range) -> list[dict[str, object]]:
    """Return the lanes: passes of the even and the odd products, slots, pulses, result."""
    product = 0
    texts: list[tuple[int, str]] = []
    for row in rows:
        op = _OPS[trace[row]["op_q"] or 0] if trace[row]["active_q"] else ""
        index = trace[row]["x_index_q"] or 0
        product += bool(trace[row]["core_start"])
        # The last pass belongs to the product before the one that began in its gap.
        older = op == "q M" and _begun_since(trace, row)
        text = f"{op}{index - (op == 'B')}" if op in ("A", "B") else op
        texts.append((product - older, text))

    def passes(parity: int) -> list[str]:
        return [text if number % 2 == parity else "" for number, text in texts]

    def bit(signal: str) -> dict[str, object]:
        return waves.bit_lane(signal, [trace[row][signal] for row in rows])

    slots = [str(trace[row]["row_q"]) if trace[row]["active_q"] else "" for row in rows]
    return [
        {"name": "clk_i", "wave": "p" + "." * (len(rows) - 1)},
        waves.bus_lane("passes 1, 3", passes(1)),
        waves.bus_lane("passes 2", passes(0)),
        waves.bus_lane("row", slots),
        bit("core_start"),
        bit("core_done"),
        bit("z_valid"),
    ]


def _begun_since(trace: WaveTrace, row: int) -> bool:
    """Tell whether a product began after the last A pass but one of the product now ending."""
    for earlier in range(row, max(row - 64, 0), -1):
        if trace[earlier]["op_q"] == 1 and trace[earlier]["active_q"]:
            return trace[earlier]["x_index_q"] in (0, 1)
    return False
