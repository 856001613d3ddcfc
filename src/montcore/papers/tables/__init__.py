# SPDX-License-Identifier: Apache-2.0
"""The papers' tables as data: their rows, and ours beside them."""

from montcore.papers.tables import dsp, karatsuba, mx, riscv, smm
from montcore.papers.tables.base import Column, Paper, Row, Table

#: All papers, by year and then by name, newest first.
PAPERS: dict[str, Paper] = {
    paper.name: paper for paper in (smm.PAPER, riscv.PAPER, karatsuba.PAPER, dsp.PAPER, mx.PAPER)
}

__all__ = ["PAPERS", "Column", "Paper", "Row", "Table"]
