# SPDX-License-Identifier: Apache-2.0
"""A substitute for a measurement: takes a moment and logs each call to a file."""

import os
import time
from pathlib import Path

from measurements import made_up

from montcore.compare.entry import Entry
from montcore.compare.point import Point

SECONDS = 0.4


def measure(point: Point) -> Entry:
    """Return made-up figures after a delay; append a line to the file SLOW_MEASURE_LOG."""
    time.sleep(SECONDS)
    with Path(os.environ["SLOW_MEASURE_LOG"]).open("a") as log:
        log.write(f"{point.label} {point.target}\n")
    figures = {"lut": 1000, "dsp": 4, "cycles": 11, "core_cycles": 10, "interval": 8}
    return made_up(point, **figures, command=point.command)


def main() -> None:
    """Sweep 12 points on two processes, with this measurement."""
    from montcore.compare import sweep as module
    from montcore.compare.point import survey

    vars(module)["measure"] = measure
    points = survey(128, cores=["smm"], targets=["xc5v", "xc6v", "xc7"]).points
    module.sweep(points, lambda *_: None, workers=2, from_atlas=False)


if __name__ == "__main__":
    main()
