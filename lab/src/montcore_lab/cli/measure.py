# SPDX-License-Identifier: Apache-2.0
"""The verb `maintain measure`: figures of the datasheets that no other verb prints."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import print_json, show, steps


def commands() -> typer.Typer:
    """Return the verb with a command for each part."""
    measure = typer.Typer(
        help="Measure a part: figures of the datasheets that no other verb prints.",
        no_args_is_help=True,
    )
    for verb in (modexp, ecc, interval, clearing, slots, rsa, rvx, simulation, module):
        measure.command()(verb)
    return measure


def modexp() -> None:
    """Exponentiation over dsp: cycles and times, compared with the paper."""
    from montcore_lab.benches.modexp import times

    times()


def ecc() -> None:
    """Curve engine over some cores: cycles of its operations."""
    from montcore_lab.benches.ecc import show

    show()


def interval(
    alpha: Annotated[int, option("--alpha N", "Blocks of the row.")],
    bits: Annotated[list[int], option("--bits L", "Length; may be repeated.")],
    pair: Annotated[
        bool, option("--pair", "Instead: two powers over one row, squares in lockstep.")
    ] = False,
) -> None:
    """Dependent and independent products of dsp: cycles between them, utilisation."""
    from montcore_lab.benches import modexp as bench

    (bench.pairs if pair else bench.intervals)(alpha, bits)


def clearing() -> None:
    """Cycles to clear each core by zeroize and to load a modulus again."""
    from montcore_lab.benches import modexp as bench

    bench.clearing()


def slots(
    core: Annotated[str, option("--core CORE", "The multiplier.")],
    bits: Annotated[int, option("--bits L", "Built width.")],
    settings: options.SetOption = None,
) -> None:
    """Exponentiator over a core with 1 to 4 slots: cycles between powers and products."""
    from montcore_lab.benches.slots import show

    show(options.configure(core, settings, bits))


def rsa(
    size: Annotated[int, option("--size N", "Bits of the key.")] = 2048,
    bits: Annotated[
        int | None, option("--bits L", "Built width; default: that of the key.")
    ] = None,
    settings: options.SetOption = None,
    rows: Annotated[
        int, option("--rows", "2: the powers with CRT run side by side.", min=1, max=2)
    ] = 1,
    steps: Annotated[
        bool, option("--steps", "All steps of an operation, alone and in a series.")
    ] = False,
) -> None:
    """RSA: cycles of the powers with a secret exponent, with and without blinding it."""
    from montcore.rsa.keys import check_size
    from montcore_lab.benches.rsa import show, show_steps

    check_size(size)
    (show_steps if steps else show)(
        options.configure_exponentiator(settings, bits or size), size, rows
    )


def rvx(
    no_cost: Annotated[bool, option("--no-cost", "Cycles and bytes only.")] = False,
    json_: options.JsonOption = False,
) -> None:
    """Instructions of riscv/rtl: cycles and code bytes with each, area and clock of each unit."""
    from montcore_riscv.extensions import line, measure

    rows = []
    for row in measure(not no_cost):
        rows.append(row)
        if not json_:
            print(line(row), flush=True)
    if json_:
        print_json({"extensions": rows})


def _show(title: str, content: dict[str, Any], json_: bool) -> None:
    """Print the figures of one configuration of a core."""
    show(title, content, json_, {**content, "params": json.dumps(content["params"])})


def simulation(
    core: options.CoreArgument,
    settings: options.SetOption = None,
    bits: Annotated[int, option("--bits L", "Built width.")] = 256,
    products: Annotated[
        int, option("--products N", "Number of products.", min=1, max=10_000_000)
    ] = 100_000,
    processes: Annotated[
        int, option("--processes P", "Simulators at a time.", min=1, max=1024)
    ] = 2,
    json_: options.JsonOption = False,
) -> None:
    """Speed of simulation: products and clock cycles a second, and the time of a build."""
    from montcore_lab.benches.simulation import measure

    chosen = options.configure(core, settings, bits)
    with steps(f"simulating {products} products on {chosen.name} {chosen.label()}"):
        content = measure(chosen, products, processes)
    _show(f"{chosen.name} {chosen.label()}", content, json_)


def module(
    sources: Annotated[
        list[Path], typer.Argument(metavar="FILE ...", help="SystemVerilog files, packages first.")
    ],
    top: Annotated[str, option("--top NAME", "The top module.")],
    settings: Annotated[
        list[str] | None, option("--set NAME=VALUE", "A parameter of the module.")
    ] = None,
    target: Annotated[str, option("--target TARGET", "A target, as for `synth`.")] = "osu018",
    clock: Annotated[str, option("--clock NAME", "Clock port.")] = "clk_i",
    by_module: Annotated[
        bool, option("--by-module", "osu018: keep the hierarchy; area by module.")
    ] = False,
    shared: Annotated[
        list[str] | None, option("--shared NAME", "Synthesise this module once for all instances.")
    ] = None,
    paths: Annotated[int, option("--paths N", "osu018: worst paths.", min=1, max=1000)] = 1,
    wires: Annotated[
        str, option("--wires placed|none", "osu018: none (default): cells only.")
    ] = "none",
    library: Annotated[
        Path | None, option("--library FILE", "The description of a cell library, as the target.")
    ] = None,
    memory: Annotated[
        str | None, option("--memory macro|latch|flops", "osu018: as for `synth`.")
    ] = None,
    cells: Annotated[bool, option("--cells", "osu018: count cells by type.")] = False,
    work: Annotated[
        Path | None, option("--work DIR", "Keep scripts, logs and netlists there.")
    ] = None,
) -> None:
    """Any RTL module: area and clock on one target, with its worst paths."""
    from montcore.synth.design import Design
    from montcore.synth.target import add_library, get_target
    from montcore_lab.benches.module import measure, settings_of

    on = get_target(add_library(library) if library else target)
    design = Design.of(top, sources, settings_of(settings or ()), clock, shared or ())
    with steps(f"synthesise {top} for {on.name}"), TemporaryDirectory() as scratch:
        folder = (work or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        text = measure(
            design,
            on,
            folder,
            wires=wires,
            memory=memory,
            by_module=by_module,
            paths=paths,
            cells=cells,
        )
    print(text)
