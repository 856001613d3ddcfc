# SPDX-License-Identifier: Apache-2.0
"""The registry of papers: every folder here whose module `table` defines ``PAPER``."""

import importlib
import pkgutil
from functools import cache

import montcore_lab.papers
from montcore_lab.papers.base import Paper


@cache
def all_papers() -> dict[str, Paper]:
    """Return the papers by name, newest first."""
    folders = [
        info.name for info in pkgutil.iter_modules(montcore_lab.papers.__path__) if info.ispkg
    ]
    tables = (importlib.import_module(f"montcore_lab.papers.{name}.table") for name in folders)
    found: list[Paper] = [table.PAPER for table in tables]
    ordered = sorted(found, key=lambda paper: (paper.year, paper.name), reverse=True)
    return {paper.name: paper for paper in ordered}
