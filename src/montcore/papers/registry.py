# SPDX-License-Identifier: Apache-2.0
"""The papers' tables as data: their rows, and ours beside them."""

from montcore.papers.base import Column, Paper, Row, Table
from montcore.papers.dsp2007 import table as dsp
from montcore.papers.karatsuba2018 import table as karatsuba
from montcore.papers.mx2006 import table as mx
from montcore.papers.riscv2021 import table as riscv
from montcore.papers.smm2021 import table as smm

#: All papers, by year and then by name, newest first.
PAPERS: dict[str, Paper] = {
    paper.name: paper for paper in (smm.PAPER, riscv.PAPER, karatsuba.PAPER, dsp.PAPER, mx.PAPER)
}

__all__ = ["PAPERS", "Column", "Paper", "Row", "Table"]
