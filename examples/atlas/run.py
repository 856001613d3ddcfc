# SPDX-License-Identifier: Apache-2.0
"""Runs the cells of the notebook in order, without Jupyter; pictures become files.

    python run.py [FOLDER]

FOLDER, by default this one, gets atlas-1.png and so on.
"""

import json
import sys
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
from matplotlib import pyplot

HERE = Path(__file__).parent


def main(folder: Path) -> list[Path]:
    """Run the cells; return the pictures that they drew."""
    content = json.loads((HERE / "atlas.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "atlas"}
    drawn: list[Path] = []
    for number, cell in enumerate(content["cells"], 1):
        if cell["cell_type"] != "code":
            continue
        exec(compile("".join(cell["source"]), f"cell {number}", "exec"), names)
        for figure in map(pyplot.figure, pyplot.get_fignums()):
            drawn.append(folder / f"atlas-{len(drawn) + 1}.png")
            figure.savefig(drawn[-1], dpi=120)
        pyplot.close("all")
    return drawn


if __name__ == "__main__":
    for path in main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE):
        print(path)
