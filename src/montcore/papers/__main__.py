# SPDX-License-Identifier: Apache-2.0
"""Prints tables of karatsuba-2018 with measured columns beside the published ones.

``python -m montcore.papers --target xc6v --bits 256 [--depth 1] [--table 3]`` measures one row and
prints it as Markdown. Table 4 is the whole core with the schedule of the paper; Table 3 its integer
multiplier alone, without the register of the product.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from montcore.cores.karatsuba import CORE, KaratsubaConfig, Schedule
from montcore.errors import CheckFailedError, RequestError
from montcore.papers import karatsuba2018
from montcore.synth.design import Design
from montcore.synth.fpga import XILINX_FAMILIES, FpgaResult, synthesise_xilinx
from montcore.synth.options import DEFAULT_OPTIONS

HEADER = (
    "| target | splitting | bits | LUT, paper | LUT | registers, paper | registers "
    "| DSP, paper | DSP | cycles, paper | cycles |\n"
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)


def design(table: int, config: KaratsubaConfig, target: str) -> Design:
    """Return the design that a table's row describes.

    Args:
        table: 3 or 4.
        config: size and depth; the schedule is the paper's.
        target: a Xilinx family.
    """
    parameters = CORE.sv_parameters(config, target)
    if table == 4:
        return Design.of(CORE.top, CORE.sources(), parameters)
    multiplier = {
        "Part": config.computed_bits // karatsuba2018.PARTS,
        "Depth": config.depth,
        "Style": parameters["Style"],
    }
    return Design.of(karatsuba2018.INTEGER_MULTIPLIER, CORE.sources(), multiplier)


def measure(table: int, config: KaratsubaConfig, target: str) -> FpgaResult:
    """Return the resources of one row.

    Raises:
        CheckFailedError: a tool failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        return synthesise_xilinx(
            design(table, config, target), target, Path(folder), DEFAULT_OPTIONS
        )


def row(table: int, depth: int, bits: int, target: str) -> str:
    """Return one row as Markdown.

    Raises:
        RequestError: the paper has no such row.
        CheckFailedError: a tool failed.
    """
    rows = karatsuba2018.TABLE_3 if table == 3 else karatsuba2018.TABLE_4
    found = [item for item in rows if (item.target, item.depth, item.bits) == (target, depth, bits)]
    if not found:
        raise RequestError(f"Table {table} has no row for {target}, depth {depth}, {bits} bits")
    config = KaratsubaConfig(bits=bits, depth=depth, schedule=Schedule.PAPER)
    ours = measure(table, config, target)
    paper = found[0]
    cycles = (7 if depth == 1 else 10) if table == 3 else CORE.core_cycles(config, bits)
    kind = "FP" if depth == 1 else "DFP"
    return (
        f"| {target} | {kind} | {bits} | {paper.lut} | {ours.lut} | {paper.ff} | {ours.ff} "
        f"| {paper.dsp} | {ours.dsp} | {paper.cycles} | {cycles} |"
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m montcore.papers", description=__doc__)
    parser.add_argument("--table", type=int, choices=(3, 4), default=4)
    parser.add_argument("--target", choices=XILINX_FAMILIES, default="xc6v")
    parser.add_argument("--bits", type=int, nargs="+", default=list(karatsuba2018.LENGTHS))
    parser.add_argument("--depth", type=int, nargs="+", default=[1, 2])
    args = parser.parse_args(argv)
    print(HEADER)
    try:
        for depth in args.depth:
            for bits in args.bits:
                print(row(args.table, depth, bits, args.target), flush=True)
    except RequestError as error:
        print(error, file=sys.stderr)
        return 2
    except CheckFailedError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
