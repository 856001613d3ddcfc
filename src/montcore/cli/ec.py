# SPDX-License-Identifier: Apache-2.0
"""The verbs of elliptic curves: `ec`, `ecdsa`, `ecdh`, `x25519`, `x448`, `ed25519`, `ed448`."""

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import print_json, show, steps
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.words import parse_number, readable

if TYPE_CHECKING:
    from montcore.ecc.commands import MakeUnit

ORDER = 75

KeyOption = Annotated[Path, option("--key FILE", "A private key, PEM or DER.")]
PublicKeyOption = Annotated[Path, option("--key --cert FILE", "A public key, certificate or key.")]
InOption = Annotated[Path, option("--in FILE", "The message.")]
OutOption = Annotated[Path | None, options.out_option("--out FILE", "Also write it to this file.")]
CoreArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[CORE]",
        help="The multiplier core; default: smm.",
        autocompletion=options.complete_core,
    ),
]
NamedOption = Annotated[str | None, option("--core CORE", "The same as the argument CORE.")]
BuiltOption = Annotated[int | None, option("--bits L", "Built width; default: the curve's.")]
ScalarOption = Annotated[str, option("--scalar HEX", "The scalar; - reads it from standard input.")]
CoordinateOption = Annotated[str, option("--u HEX", "The coordinate u.")]


def register(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    points = typer.Typer(help="Points of elliptic curves on the engine.", no_args_is_help=True)
    points.command()(mul)
    points.command()(compare)
    app.add_typer(points, name="ec")
    ecdsa = typer.Typer(help="ECDSA on the curve engine over a core.", no_args_is_help=True)
    ecdsa.command()(sign)
    ecdsa.command()(verify)
    app.add_typer(ecdsa, name="ecdsa")
    app.command()(ecdh)
    for name in ("x25519", "x448"):
        what = f"{name.upper()} on the curve engine: byte strings of RFC 7748."
        risk = "While it runs, other users can read a scalar that stands on its command line."
        app.command(name, help=f"{what}\n\n{risk}")(ladder)
    for name in ("ed25519", "ed448"):
        scheme = typer.Typer(
            help=f"{name.capitalize()} signatures on the curve engine.", no_args_is_help=True
        )
        scheme.command(
            "sign",
            help="Sign a file of at most 64 KiB; the signature is verified on the engine before it "
            "is released, and the cycles include that.",
        )(edwards_sign)
        scheme.command("verify")(edwards_verify)
        app.add_typer(scheme, name=name)


def _run(
    core: str | None,
    named: str | None,
    settings: list[str] | None,
    what: str,
    bits: int | None,
    json_: bool,
    work: "Callable[[MakeUnit], dict[str, Any]]",
    title: str = "",
) -> None:
    """Show the steps of an operation, and its result; `work` gets what makes the unit."""
    from montcore.ecc.design import EngineDesign
    from montcore.ecc.engine import Engine
    from montcore.ecc.operations import EcUnit

    if core and named and core != named:
        raise RequestError(f"CORE is {core}, but --core is {named}")
    chosen = core or named or "smm"
    with steps(f"{what} over {chosen}") as step:

        def unit(width: int) -> EcUnit:
            design = EngineDesign(options.configure(chosen, settings, bits or width))
            return EcUnit(Engine(design), step)

        content = work(unit)
    people = {} if json_ else named_content(what, content)
    show(f"{title or what} over {chosen}", content, json_, people)
    if content.get("valid") is False:
        raise CheckFailedError("the signature is wrong")


#: What the bytes are that a verb prints in hex, and writes to the file of --out.
_ENCODINGS = {
    **{"ecdsa sign": "signature, DER", "ecdh": "secret, the coordinate x"},
    **dict.fromkeys(("ed25519 sign", "ed448 sign"), "signature, R and S"),
}


def _given(scalar: str) -> str:
    return sys.stdin.readline().strip() if scalar == "-" else scalar


def named_content(what: str, content: dict[str, Any]) -> dict[str, Any]:
    """Return the result of an operation under names for people."""
    if what not in _ENCODINGS:
        return content
    data, output, cycles = content.values()
    shown = {_ENCODINGS[what]: data or "only in the file", "file": output or "none; see --out"}
    shown["cycles"] = cycles
    if what != "ecdsa sign":
        return shown
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

    numbers = decode_dss_signature(bytes.fromhex(data))
    return dict(zip("rs", map(readable, numbers), strict=True)) | shown


def compare(
    cores: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CORE[:K=V,...]]...",
            help="Multipliers with their parameters, and contexts=N for N concurrent operations; "
            "default: smm:npe=8 cs4 karatsuba.",
        ),
    ] = None,
    bits: Annotated[int, option("--bits L", "Built width.")] = 256,
    target: Annotated[str, option("--target TARGET", "A target, as for `synth`.")] = "osu018",
    wires: Annotated[str | None, option("--wires placed|none", "osu018: as for `synth`.")] = None,
    wide: options.WideOption = False,
    json_: options.JsonOption = False,
) -> None:
    """Compare engines over several cores: signatures per second against area.

    Each is synthesised once, which takes minutes. `compare --cores ecc` draws them.
    """
    from montcore.compare import curves
    from montcore.compare.atlas import lasts
    from montcore.compare.point import Point
    from montcore.support.terminal import output
    from montcore.synth.target import check_wires, options_here

    check_wires(wires, [target])
    opts = options_here(target, wires)
    chosen = []
    for text in cores or ["smm:npe=8", "cs4", "karatsuba"]:
        name, settings = options.split_words(text)
        chosen.append(options.configure_engine(settings, bits, name))
    points = [Point.of_core(design.core, target, wires, "ecc") for design in chosen]
    with steps(f"compare curve engines on {target}", lasts(points)) as step:
        found = curves.rates(chosen, target, step, opts)
    if json_:
        print_json({"engines": [rate.to_json() for rate in found]})
    else:
        curves.print_rates(output(), found, wide=wide)


def mul(
    curve: Annotated[str, option("--curve NAME", "As OpenSSL names it.")],
    scalar: ScalarOption,
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    point: Annotated[str | None, option("--point X,Y", "Default: the base point.")] = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Multiply a point by a scalar of any size; infinity has no coordinates."""
    from montcore.ecc.curves import get_curve

    chosen = get_curve(curve)
    k = parse_number("the scalar", _given(scalar))
    given = None
    if point is not None:
        x, comma, y = point.partition(",")
        if not comma or "," in y:
            raise RequestError("--point takes two coordinates, X,Y")
        given = parse_number("the coordinate x", x), parse_number("the coordinate y", y)

    def shown(value: int | None) -> str | None:
        if value is None:
            return None if json_ else "infinity"
        return f"{value:#x}" if json_ else readable(value)

    def work(make: "MakeUnit") -> dict[str, Any]:
        result = make(chosen.bits).multiply(chosen, k, given)
        x, y = map(shown, result.point or (None, None))
        return {"x": x, "y": y, "cycles": result.cycles, "products": result.products}

    what = f"multiply a point of {chosen.name}"
    _run(core, named, settings, what, bits, json_, work, title=chosen.name)


def sign(
    key: KeyOption,
    in_: InOption,
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    out: OutOption = None,
    hash_: options.HashOption = "sha256",
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Sign a file with the nonce of RFC 6979; the signature is DER.

    It is verified on the engine before it is released; the cycles include that.
    """
    from montcore.ecc import commands

    file = commands.KeyFile(key, passphrase_file)
    work = partial(commands.sign, file, in_, hash_, out)
    _run(core, named, settings, "ecdsa sign", bits, json_, work)


def verify(
    key: PublicKeyOption,
    in_: InOption,
    signature: options.SignatureOption,
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    hash_: options.HashOption = "sha256",
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Verify the signature of a file; exit status 1 if it is wrong."""
    from montcore.ecc import commands

    file = commands.KeyFile(key, passphrase_file)
    work = partial(commands.verify, file, in_, signature, hash_)
    _run(core, named, settings, "ecdsa verify", bits, json_, work)


def ecdh(
    key: KeyOption,
    peer: Annotated[Path, option("--peer FILE", "The other public key.")],
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    out: Annotated[
        Path | None, options.out_option("--out FILE", "The secret, then not shown.")
    ] = None,
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Compute the shared secret of a private and a public key (ECDH)."""
    from montcore.ecc import commands

    file = commands.KeyFile(key, passphrase_file)
    work = partial(commands.agree, file, commands.KeyFile(peer), out)
    _run(core, named, settings, "ecdh", bits, json_, work)


def ladder(
    ctx: typer.Context,
    scalar: ScalarOption,
    u: CoordinateOption,
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Compute X25519 or X448."""
    from montcore.ecc import commands

    name = str(ctx.info_name)
    work = partial(commands.ladder, name, _given(scalar), u)
    _run(core, named, settings, name, bits, json_, work)


def _scheme(ctx: typer.Context) -> str:
    """Return the verb above a command: Ed25519 or Ed448 in lower case."""
    return str(ctx.parent and ctx.parent.info_name)


def edwards_sign(
    ctx: typer.Context,
    key: KeyOption,
    in_: InOption,
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    out: OutOption = None,
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Sign by Ed25519 or Ed448."""
    from montcore.ecc import commands

    name = _scheme(ctx)
    file = commands.KeyFile(key, passphrase_file)
    work = partial(commands.sign_edwards, name, file, in_, out)
    _run(core, named, settings, f"{name} sign", bits, json_, work)


def edwards_verify(
    ctx: typer.Context,
    key: PublicKeyOption,
    in_: InOption,
    signature: options.SignatureOption,
    core: CoreArgument = None,
    named: NamedOption = None,
    settings: options.SetOption = None,
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Verify a signature by RFC 8032's equation with the cofactor; exit status 1 if it is wrong."""
    from montcore.ecc import commands

    name = _scheme(ctx)
    file = commands.KeyFile(key, passphrase_file)
    work = partial(commands.verify_edwards, name, file, in_, signature)
    _run(core, named, settings, f"{name} verify", bits, json_, work)
