# SPDX-License-Identifier: Apache-2.0
"""The datasheet's picture of a scheduled point addition: ``montcore maintain schedule``."""

from pathlib import Path

from montcore.cores import get_core
from montcore.ecc import picture
from montcore.ecc.design import EngineDesign
from montcore.support.paths import REPO_ROOT

PICTURE = REPO_ROOT / "docs" / "images" / "ecc-schedule"


def draw(stem: Path = PICTURE) -> list[Path]:
    """Draw it for the core that most tests use, as PNG and SVG; return both paths."""
    return picture.draw(EngineDesign(get_core("smm").configure({"npe": "8"}, 256)), stem)
