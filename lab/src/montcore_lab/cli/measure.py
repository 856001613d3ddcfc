# SPDX-License-Identifier: Apache-2.0
"""The verb `maintain measure`: figures of the datasheets that no other verb prints."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from montcore.cli.options import (
    CoreArgument,
    JsonOption,
    SetOption,
    configure,
    configure_exponentiator,
)
from montcore.cli.output import print_json, show_pairs, steps


def commands() -> typer.Typer:
    """Return the verb with a command for each part."""
    measure = typer.Typer(
        help="Measure a part: figures of the datasheets that no other verb prints.",
        no_args_is_help=True,
    )
    for verb in (modexp, ecc, pitch, clearing, slots, rsa, rvx, simulation, compiling, module):
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


def pitch(
    alpha: Annotated[int, typer.Option("--alpha", metavar="N", help="Blocks of the row.")],
    bits: Annotated[
        list[int], typer.Option("--bits", metavar="L", help="Length; may be repeated.")
    ],
    pair: Annotated[
        bool, typer.Option("--pair", help="Instead: two powers over one row, squares in lockstep.")
    ] = False,
) -> None:
    """Dependent and independent products of dsp: cycles between them, utilisation."""
    from montcore_lab.benches import modexp as bench

    (bench.pairs if pair else bench.pitches)(alpha, bits)


def clearing() -> None:
    """Cycles to clear each core by zeroize and to load a modulus again."""
    from montcore_lab.benches import modexp as bench

    bench.clearing()


def slots(
    core: Annotated[str, typer.Option("--core", metavar="CORE", help="The multiplier.")],
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width.")],
    settings: SetOption = None,
) -> None:
    """Exponentiator over a core with 1 to 4 slots: cycles between powers and products."""
    from montcore_lab.benches.slots import show

    show(configure(core, settings, bits))


def rsa(
    size: Annotated[int, typer.Option("--size", metavar="N", help="Bits of the key.")] = 2048,
    bits: Annotated[
        int | None,
        typer.Option("--bits", metavar="L", help="Built width; default: that of the key."),
    ] = None,
    settings: SetOption = None,
    rows: Annotated[
        int, typer.Option("--rows", min=1, max=2, help="2: the powers with CRT run side by side.")
    ] = 1,
    steps: Annotated[
        bool, typer.Option("--steps", help="All steps of an operation, alone and in a series.")
    ] = False,
) -> None:
    """RSA: cycles of the powers with a secret exponent, with and without blinding it."""
    from montcore.rsa.keys import check_size
    from montcore_lab.benches.rsa import show, show_steps

    check_size(size)
    (show_steps if steps else show)(configure_exponentiator(settings, bits or size), size, rows)


def rvx(
    no_cost: Annotated[bool, typer.Option("--no-cost", help="Cycles and bytes only.")] = False,
    json_: JsonOption = False,
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
    if json_:
        print_json(content)
    else:
        show_pairs(title, {**content, "params": json.dumps(content["params"])})


def simulation(
    core: CoreArgument,
    settings: SetOption = None,
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width.")] = 256,
    products: Annotated[
        int,
        typer.Option("--products", metavar="N", min=1, max=10_000_000, help="Number of products."),
    ] = 100_000,
    processes: Annotated[
        int, typer.Option("--processes", metavar="P", min=1, max=1024, help="Simulators at a time.")
    ] = 2,
    json_: JsonOption = False,
) -> None:
    """Speed of simulation: products and clock cycles a second, and the time of a build."""
    from montcore_lab.benches.simulation import measure

    chosen = configure(core, settings, bits)
    with steps(f"simulating {products} products on {chosen.name} {chosen.label()}"):
        content = measure(chosen, products, processes)
    _show(f"{chosen.name} {chosen.label()}", content, json_)


def compiling(
    core: CoreArgument,
    settings: SetOption = None,
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width.")] = 256,
    json_: JsonOption = False,
) -> None:
    """CPU time of compiling a simulator, compared with ``verilator --build`` and ccache."""
    from montcore_lab.benches import compiling as benchmark

    chosen = configure(core, settings, bits)
    with steps(f"compiling the simulator of {chosen.name} {chosen.label()} in three ways"):
        content = benchmark.compiling(chosen)
    _show(f"{chosen.name} {chosen.label()}", content, json_)


def module(
    sources: Annotated[
        list[Path], typer.Argument(metavar="FILE ...", help="SystemVerilog files, packages first.")
    ],
    top: Annotated[str, typer.Option("--top", metavar="NAME", help="The top module.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A parameter of the module."),
    ] = None,
    target: Annotated[
        str, typer.Option("--target", metavar="TARGET", help="A target, as for `synth`.")
    ] = "osu018",
    clock: Annotated[str, typer.Option("--clock", metavar="NAME", help="Clock port.")] = "clk_i",
    by_module: Annotated[
        bool, typer.Option("--by-module", help="osu018: keep the hierarchy; area by module.")
    ] = False,
    shared: Annotated[
        list[str] | None,
        typer.Option(
            "--shared", metavar="NAME", help="Synthesise this module once for all instances."
        ),
    ] = None,
    paths: Annotated[
        int, typer.Option("--paths", metavar="N", min=1, max=1000, help="osu018: worst paths.")
    ] = 1,
    wires: Annotated[
        str,
        typer.Option("--wires", metavar="placed|none", help="osu018: none (default): cells only."),
    ] = "none",
    cells: Annotated[bool, typer.Option("--cells", help="osu018: count cells by type.")] = False,
    work: Annotated[
        Path | None,
        typer.Option("--work", metavar="DIR", help="Keep scripts, logs and netlists there."),
    ] = None,
) -> None:
    """Any RTL module: area and clock on one target, with its worst paths."""
    from montcore.synth.design import Design
    from montcore.synth.target import get_target
    from montcore_lab.benches.module import measure, settings_of

    on = get_target(target)
    design = Design.of(top, sources, settings_of(settings or ()), clock, shared or ())
    with steps(f"synthesise {top} for {target}"), TemporaryDirectory() as scratch:
        folder = (work or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        text = measure(
            design, on, folder, wires=wires, by_module=by_module, paths=paths, cells=cells
        )
    print(text)
