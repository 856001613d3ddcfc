# SPDX-License-Identifier: Apache-2.0
"""The picture of a placed core in its datasheet; ``montcore maintain placement``."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from montcore.cores.core import ConfiguredCore
from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore.synth import all_targets, synthesise
from montcore.synth.asic.placement.flow import PICTURE
from montcore.synth.asic.placement.picture import draw, read
from montcore.synth.options import DEFAULT_OPTIONS, PLACED

FOLDER = REPO_ROOT / "docs" / "images"


def draw_core(core: ConfiguredCore, progress: Callable[[str], None]) -> Path:
    """Draw the placed cells of a core, from the result store or placed now.

    Raises:
        RequestError: a tool is missing.
        CheckFailedError: a tool failed, or the core is never mapped flat.
    """
    opts = replace(DEFAULT_OPTIONS, wires=PLACED)
    target = next(name for name, on in all_targets().items() if on.has_cells)
    for fresh in (False, True):  # parts of the cache may have been deleted
        result = synthesise(core, target, fresh=fresh, progress=progress, opts=opts)
        record = Path(result.log_dir) / f"{result.recipe}{PICTURE}"
        if record.is_file():
            break
    else:
        raise CheckFailedError(f"{core.name} {core.label()} has no placement")
    kge = (result.ge or 0.0) / 1e3
    title = f"{core.name} {core.label()}: {kge:.1f} kGE, {result.tmin_ns:.2f} ns"
    return draw(read(record), title, FOLDER / f"placement-{core.name}")
