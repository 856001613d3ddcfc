# SPDX-License-Identifier: Apache-2.0
"""The verb `riscv`: the library of riscv, measured on simulated processors."""

from functools import partial
from typing import Annotated

import typer

from montcore.cli.options import JsonOption, WideOption, option
from montcore.cli.output import print_json, steps
from montcore.support.errors import RequestError
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_table, print_words

#: Place in the help.
ORDER = 90


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    riscv = typer.Typer(help="The RISC-V library on simulated cores.", no_args_is_help=True)
    riscv.command()(bench)
    riscv.command()(operations)
    app.add_typer(riscv, name="riscv")


def bench(
    bits: Annotated[
        list[int] | None, option("--bits L", "Operand length; may be repeated.")
    ] = None,
    cpu: Annotated[
        list[str] | None,
        option("--cpu NAME", "A core; may be repeated. Default: all that are available."),
    ] = None,
    modexp: Annotated[
        bool, option("--modexp", "Measure powers too (minutes from 2048 bits on).")
    ] = False,
    seed: Annotated[int, option("--seed S", "Seed of the operands.")] = 0,
    wide: WideOption = False,
    json_: JsonOption = False,
) -> None:
    """Measure the routines, cycles and code bytes, beside the paper's table."""
    from montcore_riscv.bench import DEFAULT_BITS, arithmetic_rows, table_rows
    from montcore_riscv.bench import bench as run_bench

    with steps("RISC-V bench") as step:
        result = run_bench(bits or DEFAULT_BITS, cpu, modexp=modexp, seed=seed, step=step)
    if json_:
        print_json(result.as_object())
        return
    console = standard_output()
    lengths = [f"{length} bits" for length in bits or DEFAULT_BITS]
    for title, rows in (
        ("Cycles of an n x n product", table_rows(result)),
        ("Cycles of the arithmetic built on it", arithmetic_rows(result)),
    ):
        headings = ["core", "routine", "bytes", *lengths]
        how = partial(print_table, verb="riscv bench", wide=wide, spare=["bytes", *lengths[1:-1]])
        how(console, title, headings, rows, right=("bytes", *lengths), prose=("core", "routine"))
    for name, reason in result.skipped.items():
        print_words(console, f"{name} is omitted: {reason}")


def operations(
    cpu: Annotated[
        list[str] | None,
        option("--cpu NAME", "A core; may be repeated. Default: those that need no Java."),
    ] = None,
    curve: Annotated[
        list[str] | None, option("--curve NAME", "p256, p384, secp256k1; may be repeated.")
    ] = None,
    host: Annotated[
        list[str] | None,
        option(
            "--host NAME",
            "Measure bearssl or mbedtls instead, plain and with the library; may be repeated.",
        ),
    ] = None,
    seed: Annotated[int, option("--seed S", "Seed of keys and numbers.")] = 0,
    wide: WideOption = False,
    json_: JsonOption = False,
) -> None:
    """Measure the cycles of X25519, Ed25519, ECDSA and ECDH."""
    from montcore_riscv.comparison import compare
    from montcore_riscv.operations import operation_rows
    from montcore_riscv.operations import operations as measure

    if host and curve:
        raise RequestError("--curve does not go with --host, which measures P-256")
    with steps("RISC-V operations") as step:
        if host:
            cells = compare(host, cpu, seed=seed, step=step)
        else:
            cells = measure(cpu, curves=curve or None, seed=seed, step=step)
    if json_:
        print_json({"measured": [vars(cell) for cell in cells]})
        return
    cpus = list(dict.fromkeys(cell.cpu for cell in cells))
    headings = ["operation", *cpus]
    print_table(
        standard_output(),
        "Cycles of whole operations",
        headings,
        operation_rows(cells),
        right=headings[1:],
        verb="riscv operations",
        wide=wide,
        prose=("operation",),
    )
