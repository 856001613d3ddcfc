# SPDX-License-Identifier: Apache-2.0
"""The verbs of a single core: `list`, `mul` and `verify`."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import print_json, progress, show, steps
from montcore.cores import all_cores
from montcore.model.fields import FIELDS, get_field
from montcore.support.errors import RequestError
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_pairs, print_table, print_words
from montcore.support.words import parse_number, readable

if TYPE_CHECKING:
    from montcore.bundle.styles import Design
    from montcore.verification.checker import VerifyResult
    from montcore.verification.multiply import Domain

ORDER = 10

_OVER = "Units over a core: modexp (exponentiator), ecc (curve engine), pka (on a bus)."

#: Most packets of one run of sequences: some days of a small core.
MAX_PACKETS = 1_000_000_000


def register(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    app.command("list")(list_)
    app.command()(mul)
    app.command()(verify)


def list_(json_: options.JsonOption = False) -> None:
    """Show the cores with their parameters, the targets, and the named fields."""
    cores = [
        {
            "core": core.name,
            "title": core.title,
            "paper": core.paper,
            "params": {
                name: info.description or ""
                for name, info in core.model_fields.items()
                if name != "bits"
            },
            "allowed": {name: limits.as_object() for name, limits in core.allowed().items()},
            "bits": dict(zip(("min", "max"), core.widths(), strict=True)),
        }
        for core in all_cores().values()
    ]
    if json_:
        fields = [
            {"field": field.name, "bits": field.bits, "aliases": list(field.aliases)}
            for field in FIELDS
        ]
        print_json({"cores": cores, "fields": fields, "targets": options.target_titles()})
        return
    console = standard_output()
    rows = []
    for core in all_cores().values():
        infos, allowed = core.model_fields, core.allowed().items()
        lines = [f"{limits.text()}: {infos[name].description}" for name, limits in allowed]
        low, high = core.widths()
        rows.append([core.name, core.title, core.paper, f"{low} to {high}", "\n".join(lines)])
    headings = ["core", "what it is", "paper", "bits", "parameters (--set)"]
    print_table(console, "Cores", headings, rows, prose=(headings[1], headings[4]))
    print_words(console, _OVER)
    print_pairs(console, "Targets", options.target_titles())
    names = [[field.name, str(field.bits), ", ".join(field.aliases)] for field in FIELDS]
    headings = ["field", "bits", "also called"]
    print_table(console, "Fields", headings, names, right=("bits",), prose=headings[2:])


@contextmanager
def _unoptimised() -> Iterator[None]:
    """Compile simulators in less than half the time, for a run of a few cycles."""
    from montcore.sim.build import FLAGS_VARIABLE

    given = os.environ.get(FLAGS_VARIABLE, "")
    os.environ[FLAGS_VARIABLE] = given or "-O0"
    try:
        yield
    finally:
        os.environ[FLAGS_VARIABLE] = given  # no flags are the default ones


def mul(
    core: options.CoreArgument,
    x: Annotated[str, option("--x HEX", "Multiplier; 0d for decimal.")],
    y: Annotated[str, option("--y HEX", "Multiplicand; 0d for decimal.")],
    settings: options.SetOption = None,
    field: options.FieldOption = None,
    modulus: Annotated[str | None, option("--modulus HEX", "Odd, at least 3.")] = None,
    bits: Annotated[int | None, option("--bits L", "Built width; default: the modulus's.")] = None,
    length: Annotated[int | None, option("--length N", "Run-time length; default: L.")] = None,
    engine: options.EngineOption = "rtl",
    domain: Annotated[
        str,
        option(
            "--domain montgomery|plain",
            "montgomery: X*Y*R^-1 mod M; plain: X*Y mod M, with X converted first.",
        ),
    ] = "montgomery",
    wave: Annotated[Path | None, option("--wave FILE", "Write a waveform (FST).")] = None,
    json_: options.JsonOption = False,
) -> None:
    """Multiply two numbers on a core and check the result against the specification."""
    from montcore.verification.multiply import check_request, multiply

    if (field is None) == (modulus is None):
        raise RequestError("give either --field or --modulus")
    kind = options.engine_of(engine)
    within = cast("Domain", options.choice("--domain", domain, ("montgomery", "plain")))
    m = get_field(field).p if field is not None else parse_number("the modulus", modulus or "")
    factors = parse_number("operand x", x), parse_number("operand y", y)
    width = bits if bits is not None else m.bit_length()
    check_request(m, *factors, width, length)
    chosen = options.configure(core, settings, width)
    with steps(f"multiply on {chosen.name} {chosen.label()}"), _unoptimised():
        result = multiply(chosen, m, *factors, length=length, engine=kind, domain=within, wave=wave)
    content = {
        "core": chosen.name,
        "params": chosen.params(),
        "z": f"{result.z:#x}",
        "cycles": result.cycles,
        "core_cycles": result.core_cycles,
        "r_bits": result.r_bits,
    }
    read = {"modulus": readable(m), "x": readable(factors[0]), "y": readable(factors[1])}
    answer = {**content, "params": chosen.label(), "z": readable(result.z)}
    show(f"{chosen.name} {chosen.label()}", content, json_, {**read, **answer})


def verify(
    core: options.CoreArgument,
    settings: options.SetOption = None,
    field: options.FieldOption = None,
    bits: Annotated[int | None, option("--bits L", "Built width.")] = None,
    random: Annotated[int | None, option("--random N", "Random products after edge cases.")] = None,
    seed: Annotated[int, option("--seed S", "Seed of the random numbers.")] = 0,
    vectors: Annotated[
        str | None,
        option("--vectors FILE", "File of test vectors, or a set of ours, e.g. openssl-bnmod."),
    ] = None,
    exhaustive: Annotated[bool, option("--exhaustive", "All operands, all odd moduli.")] = False,
    engine: options.EngineOption = "rtl",
    sequences: Annotated[
        int | None,
        option(
            "--sequences N",
            "Instead: N packets in random sequences, in the style of each technology.",
        ),
    ] = None,
    replay: Annotated[str | None, option("--replay TEXT", "Only this sequence of packets.")] = None,
    target: Annotated[
        str | None,
        option(
            "--target TARGET",
            "Sequences: only the style of a target.",
            callback=options.known_target,
        ),
    ] = None,
    bus: Annotated[str | None, option("--bus axi4-stream", "--sequences behind streams.")] = None,
    json_: options.JsonOption = False,
) -> int:
    """Compare a core with the specification: edge cases, random products, vectors or all.

    With --sequences, the port is compared with a reference model: refusals, wrong lengths, gaps,
    reset and zeroize in any cycle, broken rules. A failing sequence is shrunk and printed. CORE can
    then also be modexp or ecc, over --set core=NAME.
    """
    from montcore.verification.run import MAX_RANDOM
    from montcore.verification.run import verify as run_verify

    found_field, width = options.field_or_bits(field, bits)
    if random is not None and not 1 <= random <= MAX_RANDOM:
        raise RequestError(f"--random takes a number from 1 to {MAX_RANDOM:,}, not {random}")
    if seed < 0:
        raise RequestError(f"--seed takes a number of at least 0, not {seed}")
    if sequences is not None and not 1 <= sequences <= MAX_PACKETS:
        raise RequestError(f"--sequences takes a number from 1 to {MAX_PACKETS:,}, not {sequences}")
    if sequences is not None or replay is not None:
        if (random, vectors, exhaustive, engine) != (None, None, False, "rtl") or found_field:
            raise RequestError("--sequences and --replay take --bits, --set, --target and --seed")
        from montcore.bundle.styles import verify_replay, verify_sequences

        title, design = _design(core, settings, width, bus)
        if sequences is None:
            with steps(f"replay on {title}"):
                result = verify_replay(design, replay or "", seed=seed, target=target or "")
            return _show(title, result, json_)
        if replay is not None:
            raise RequestError("give either --sequences or --replay")
        with progress(f"sequences on {title}") as move:
            result = verify_sequences(design, sequences, progress=move, seed=seed, target=target)
        return _show(title, result, json_)
    if target is not None or bus is not None:
        raise RequestError("--target and --bus are for --sequences and --replay")
    chosen = options.configure(core, settings, width)
    with progress(f"verify {chosen.name} {chosen.label()}") as move:
        result = run_verify(
            chosen,
            field=found_field,
            random_count=random,
            seed=seed,
            vectors=vectors,
            exhaustive=exhaustive,
            engine=options.engine_of(engine),
            progress=move,
        )
    return _show(f"{chosen.name} {chosen.label()}", result, json_)


def _show(title: str, result: "VerifyResult", json_: bool) -> int:
    for failure in result.failures:
        print(f"FAILED (seed {result.seed}): {failure.what}", file=sys.stderr)
        print(f"  again: {failure.command}", file=sys.stderr)
        if failure.wave is not None:
            print(f"  wave:  {failure.wave}", file=sys.stderr)
    show(title, result.as_object(), json_)
    return 1 if result.failed else 0


def _design(
    core: str, settings: list[str] | None, bits: int, bus: str | None
) -> tuple[str, "Design"]:
    if bus is not None:
        from montcore.bundle.styles import Stream

        options.choice("--bus", bus, ("axi4-stream",))
        chosen = options.configure(core, settings, bits)
        return f"{chosen.name} {chosen.label()} behind {bus}", Stream(chosen)
    return options.configure_any(core, settings, bits)
