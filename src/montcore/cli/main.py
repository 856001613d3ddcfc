# SPDX-License-Identifier: Apache-2.0
"""The command line: reads what was asked, calls the verb's function and prints its result.

Exit status: 0 done; 1 a check failed; 2 the request was wrong (one sentence on stderr); 130
interrupted. With ``--json`` a command prints exactly one JSON object on stdout: its result, or
``{"error": ...}`` where it ended with status 1 before it had one.
"""

import importlib.metadata
import json
import os
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from montcore.cores import all_cores, get_core
from montcore.cores.core import Allowed, AnyCore
from montcore.model.fields import FIELDS, Field, get_field
from montcore.support import waiting
from montcore.support.errors import CheckFailedError, RequestError, storage_error
from montcore.support.literals import parse_number, readable
from montcore.support.names import hint
from montcore.support.paths import cache_dir
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_pairs, print_table
from montcore.verification.engines import Engine
from montcore.verification.multiply import Domain

if TYPE_CHECKING:
    from montcore.compare.run import Request
    from montcore.papers.subject import Subject
    from montcore.rsa.operations import RsaUnit

app = typer.Typer(
    name="montcore",
    help="Montgomery-arithmetic hardware: choose, build, verify and measure it.",
    no_args_is_help=True,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)

#: Exit status after Ctrl-C, as shells have it.
INTERRUPTED = 130

#: Most random products of one verification: about a day of a small core.
MAX_RANDOM = 1_000_000_000

#: What `synth` knows beside the cores.
EXPONENTIATOR = "modexp"


def _complete_core(incomplete: str) -> list[str]:
    return [name for name in all_cores() if name.startswith(incomplete)]


def _complete_field(incomplete: str) -> list[str]:
    return [field.name for field in FIELDS if field.name.startswith(incomplete)]


def _complete_target(incomplete: str) -> list[str]:
    from montcore.synth import all_targets

    return [name for name in all_targets() if name.startswith(incomplete)]


CoreArgument = Annotated[
    str,
    typer.Argument(
        metavar="CORE", help="Name of the core; see `list`.", autocompletion=_complete_core
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="K=V", help="A parameter of the core; may be repeated."),
]
FieldOption = Annotated[
    str | None,
    typer.Option(
        "--field",
        metavar="NAME",
        help="A SEC 2 prime, e.g. p256r1, P-256.",
        autocompletion=_complete_field,
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
EngineOption = Annotated[
    str, typer.Option("--engine", metavar="rtl|model", help="Simulate the RTL, or run the model.")
]


#: Whether the command has printed its JSON object.
_printed = False


def main() -> None:
    """Run the command line and exit with its status."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; every failure is one line on stderr."""
    global _printed
    _printed = False
    waiting.switch_on()
    as_json = "--json" in arguments
    try:
        status = app(list(arguments), standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except RequestError as error:
        return _refuse(str(error))
    except typer.TyperException as error:
        # The message of the no-arguments case is the help text, which goes to stdout.
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        return _refuse(_usage(message)) if arguments and message else _say(message)
    except CheckFailedError as error:
        return _fail(str(error), as_json)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except BrokenPipeError:
        # Whoever read the output has had enough; nothing more can be said on stdout.
        sys.stdout = None
        return 1
    except OSError as error:
        known = storage_error(error, cache_dir())
        refused = isinstance(known, RequestError)
        return _refuse(str(known)) if refused else _fail(str(known), as_json)
    except MemoryError:
        return _fail("no memory is left for this", as_json)
    except Exception as error:
        return _fail(_unexpected(error, arguments), as_json)
    finally:
        waiting.switch_off()
    if status == INTERRUPTED:  # the option parser turns the interruption into this status
        print("montcore: interrupted", file=sys.stderr)
    return status if isinstance(status, int) else 0


def _line(message: str) -> str:
    """Return a message as one line that every terminal can show."""
    return " ".join(message.split()).encode(errors="backslashreplace").decode()


def _refuse(message: str) -> int:
    print(f"montcore: {_line(message)}", file=sys.stderr)
    return 2


def _fail(message: str, as_json: bool) -> int:
    line = _line(message)
    print(f"montcore: {line}", file=sys.stderr)
    if as_json and not _printed:
        _print_json({"error": line})
    return 1


def _say(message: str) -> int:
    if message:
        print(message)
    return 0


def _usage(message: str) -> str:
    """Return what the option parser says, with its guess as a question like all others."""
    return re.sub(r"\s*\(Possible options: (.*)\)", r". Did you mean \1?", message)


def _unexpected(error: Exception, arguments: Sequence[str]) -> str:
    """Write a crash log; return a sentence that names it."""
    text = "".join(
        (
            f"montcore {_version()}, Python {sys.version.split()[0]}\n",
            f"montcore {' '.join(arguments)}\n\n",
            *traceback.format_exception(error),
        )
    )
    what = f"an unexpected error ({type(error).__name__}: {str(error)[:200]})"
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    for folder in (cache_dir(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        except OSError:
            continue
        return f"{what}; please report it with the log {folder / name}"
    return f"{what}; no log could be written"


def _version() -> str:
    return importlib.metadata.version("montcore")


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"montcore {_version()}")
        raise typer.Exit


@app.callback()
def _globally(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    """Montgomery-arithmetic hardware: choose, build, verify and measure it."""
    del version


# ---- options ---------------------------------------------------------------------------------


def parse_settings(pairs: Sequence[str]) -> dict[str, str]:
    """Return the ``--set K=V`` pairs.

    Raises:
        RequestError: a pair has no ``=``, or a parameter comes twice.
    """
    settings: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key or not value:
            raise RequestError(f"--set takes K=V, not '{pair}'")
        if key in settings:
            raise RequestError(f"--set gives the parameter '{key}' twice")
        settings[key] = value
    return settings


def _choice(option: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise RequestError(
            f"{option} takes {' or '.join(allowed)}, not '{value}'{hint(value, allowed)}"
        )
    return value


def _engine(value: str) -> Engine:
    return cast(Engine, _choice("--engine", value, ("rtl", "model")))


def _field_or_bits(field: str | None, bits: int | None) -> tuple[Field | None, int]:
    """Return the field, if one was named, and the built width."""
    if (field is None) == (bits is None):
        raise RequestError("give either --field or --bits")
    if field is not None:
        found = get_field(field)
        return found, found.bits
    return None, cast(int, bits)


def _configure(core: str, settings: list[str] | None, bits: int) -> tuple[AnyCore, Any]:
    found = get_core(core)
    return found, found.configure(parse_settings(settings or []), bits)


def _params(config: Any) -> dict[str, Any]:
    return cast(dict[str, Any], config.model_dump(mode="json"))


# ---- output ----------------------------------------------------------------------------------


def _print_json(content: dict[str, Any]) -> None:
    global _printed
    _printed = True
    print(json.dumps(content))


def _print_pairs(title: str, pairs: dict[str, Any]) -> None:
    print_pairs(standard_output(), title, pairs)


@contextmanager
def _progress(text: str) -> Iterator[Callable[[int, int], None]]:
    """Show how far a long work is; yield what is told: done, total."""
    with waiting.waiting(text) as wait:
        yield wait.move


@contextmanager
def _steps(text: str) -> Iterator[Callable[[str], None]]:
    """Show the current step of a long work; yield what sets it."""
    with waiting.waiting(text) as wait:
        yield lambda now: wait.step(f"{text}: {now}")


# ---- verbs -----------------------------------------------------------------------------------


@app.command("list")
def list_(json_: JsonOption = False) -> None:
    """Show the cores with their parameters, and the named fields."""
    cores = [
        {
            "core": core.name,
            "title": core.title,
            "paper": core.paper,
            "params": {
                name: info.description or ""
                for name, info in core.config_type.model_fields.items()
                if name != "bits"
            },
            "allowed": {
                name: limits.as_object() for name, limits in core.config_type.allowed().items()
            },
            "bits": dict(zip(("min", "max"), core.widths(), strict=True)),
        }
        for core in all_cores().values()
    ]
    if json_:
        fields = [
            {"field": field.name, "bits": field.bits, "aliases": list(field.aliases)}
            for field in FIELDS
        ]
        _print_json({"cores": cores, "fields": fields})
        return
    console = standard_output()
    rows = []
    for core in all_cores().values():
        lines = [f"{limits.text()}: {text}" for text, limits in _parameters(core)]
        low, high = core.widths()
        rows.append([core.name, core.title, core.paper, f"{low} to {high}", "\n".join(lines)])
    headings = ["core", "what it is", "paper", "bits", "parameters (--set)"]
    print_table(console, "Cores", headings, rows, prose=(headings[1], headings[4]))
    names = [[field.name, str(field.bits), ", ".join(field.aliases)] for field in FIELDS]
    headings = ["field", "bits", "also called"]
    print_table(console, "Fields", headings, names, right=("bits",), prose=headings[2:])


def _parameters(core: AnyCore) -> list[tuple[str, Allowed]]:
    """Return what each parameter of a core is, and what it may be."""
    allowed = core.config_type.allowed()
    fields = core.config_type.model_fields
    return [(fields[name].description or name, limits) for name, limits in allowed.items()]


@app.command()
def mul(
    core: CoreArgument,
    x: Annotated[str, typer.Option("--x", metavar="HEX", help="Multiplier; 0d for decimal.")],
    y: Annotated[str, typer.Option("--y", metavar="HEX", help="Multiplicand; 0d for decimal.")],
    settings: SetOption = None,
    field: FieldOption = None,
    modulus: Annotated[
        str | None, typer.Option("--modulus", metavar="HEX", help="Odd, at least 3.")
    ] = None,
    bits: Annotated[
        int | None, typer.Option("--bits", metavar="L", help="Built width; default: the modulus's.")
    ] = None,
    length: Annotated[
        int | None, typer.Option("--length", metavar="N", help="Run-time length; default: L.")
    ] = None,
    engine: EngineOption = "rtl",
    domain: Annotated[
        str,
        typer.Option(
            "--domain",
            metavar="montgomery|plain",
            help="montgomery: X*Y*R^-1 mod M; plain: X*Y mod M, with X converted first.",
        ),
    ] = "montgomery",
    wave: Annotated[
        Path | None, typer.Option("--wave", metavar="FILE", help="Write an FST wave.")
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Multiply two numbers on a core and check the result against the specification."""
    from montcore.verification.multiply import check_request, multiply

    if (field is None) == (modulus is None):
        raise RequestError("give either --field or --modulus")
    chosen_engine = _engine(engine)
    chosen_domain = cast(Domain, _choice("--domain", domain, ("montgomery", "plain")))
    m = get_field(field).p if field is not None else parse_number("the modulus", modulus or "")
    factors = parse_number("operand x", x), parse_number("operand y", y)
    width = bits if bits is not None else m.bit_length()
    check_request(m, *factors, width, length)
    chosen, config = _configure(core, settings, width)
    with _steps(f"multiply on {chosen.name} {config.label()}"):
        result = multiply(
            chosen,
            config,
            m,
            *factors,
            length=length,
            engine=chosen_engine,
            domain=chosen_domain,
            wave=wave,
        )
    content = {
        "core": chosen.name,
        "params": _params(config),
        "z": f"{result.z:#x}",
        "cycles": result.cycles,
        "core_cycles": result.core_cycles,
        "r_bits": result.r_bits,
    }
    if json_:
        _print_json(content)
    else:
        read = {"modulus": readable(m), "x": readable(factors[0]), "y": readable(factors[1])}
        answer = {**content, "params": config.label(), "z": readable(result.z)}
        _print_pairs(f"{chosen.name} {config.label()}", {**read, **answer})


@app.command()
def modexp(
    core: CoreArgument,
    modulus: Annotated[str, typer.Option("--modulus", metavar="HEX", help="Odd, at least 3.")],
    base: Annotated[str, typer.Option("--base", metavar="HEX", help="Below the modulus.")],
    exponent: Annotated[str, typer.Option("--exponent", metavar="HEX", help="At least 1.")],
    settings: SetOption = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="constant|sliding|ladder",
            help="constant and ladder: the same sequence for every exponent; sliding: public ones.",
        ),
    ] = "constant",
    bits: Annotated[
        int | None,
        typer.Option("--bits", metavar="L", help="Built width; default: what is needed."),
    ] = None,
    json_: JsonOption = False,
) -> None:
    """Raise a number to a power on the exponentiator over a core."""
    from montcore.modexp import Exponentiator, Policy, Power
    from montcore.modexp.design import Design

    names = tuple(item.name.lower() for item in Policy)
    chosen_policy = Policy[_choice("--policy", policy, names).upper()]
    power = Power(
        parse_number("the base", base),
        parse_number("the exponent", exponent),
        parse_number("the modulus", modulus),
    )
    width = bits if bits is not None else max(power.bits, power.e_bits)
    chosen, config = _configure(core, settings, width)
    unit = Exponentiator(Design(chosen, config))
    unit.check(power)
    with _steps(f"raise to a power on {chosen.name} {config.label()}"):
        outcome = unit.power(power, chosen_policy)
    content = {
        "result": f"{outcome.result:#x}",
        "cycles": outcome.cycles,
        "multiplications": outcome.multiplications,
        "policy": policy,
    }
    if json_:
        _print_json(content)
    else:
        numbers = {"modulus": power.modulus, "base": power.base, "exponent": power.exponent}
        read = {name: readable(value) for name, value in numbers.items()}
        content["cycles to set up the modulus"] = outcome.setup_cycles
        if outcome.result is not None:
            content["result"] = readable(outcome.result)
        _print_pairs(f"modexp over {chosen.name} {config.label()}", {**read, **content})


rsa_app = typer.Typer(
    help="RSA with the powers made by the exponentiator over a core.", no_args_is_help=True
)
app.add_typer(rsa_app, name="rsa")

KeyOption = Annotated[
    Path,
    typer.Option("--key", metavar="FILE", help="A private key: PEM or DER, PKCS#1 or PKCS#8."),
]
PublicKeyOption = Annotated[
    Path,
    typer.Option("--key", metavar="FILE", help="A public key, a certificate or a private key."),
]
PassphraseOption = Annotated[
    Path | None,
    typer.Option(
        "--passphrase-file",
        metavar="FILE",
        help="Its first line is the key's passphrase; else MONTCORE_PASSPHRASE, else a prompt.",
    ),
]
InOption = Annotated[Path, typer.Option("--in", metavar="FILE", help="The input.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Where the output goes; else hex.")
]
CoreOption = Annotated[str, typer.Option("--core", metavar="CORE", help="The multiplier core.")]
SchemeOption = Annotated[str, typer.Option("--scheme", metavar="pkcs1|pss", help="Padding.")]
CipherOption = Annotated[
    str,
    typer.Option("--scheme", metavar="pkcs1|oaep", help="Padding; oaep for new applications."),
]
HashOption = Annotated[str, typer.Option("--hash", metavar="NAME", help="sha1, sha224 ... sha512.")]
MaskHashOption = Annotated[
    str | None,
    typer.Option("--mgf1-hash", metavar="NAME", help="pss, oaep: of the mask; default: --hash."),
]
LabelOption = Annotated[
    str, typer.Option("--label", metavar="HEX", help="oaep: the label's bytes.")
]
BuiltOption = Annotated[
    int | None, typer.Option("--bits", metavar="L", help="Built width; default: the key's.")
]
NoCrtOption = Annotated[bool, typer.Option("--no-crt", help="One power modulo n, not two halves.")]


@contextmanager
def _rsa_hardware(
    core: str, settings: list[str] | None, operation: str
) -> Iterator["Callable[[int], RsaUnit]"]:
    """Show the steps of an RSA operation; yield what makes the unit for a built width."""
    from montcore.modexp import Exponentiator
    from montcore.modexp.design import Design
    from montcore.rsa.operations import RsaUnit

    with _steps(f"rsa {operation} over {core}") as step:

        def unit(bits: int) -> RsaUnit:
            chosen, config = _configure(core, settings, bits)
            return RsaUnit(Exponentiator(Design(chosen, config)), os.urandom, step)

        yield unit


def _show_rsa(content: dict[str, Any], json_: bool) -> None:
    if json_:
        _print_json(content)
    else:
        steps = cast(dict[str, int], content.pop("steps"))
        cycles = {f"cycles, {name}": count for name, count in steps.items()}
        _print_pairs(f"rsa {content['operation']} over {content['core']}", {**content, **cycles})


@rsa_app.command("sign")
def rsa_sign(
    key: KeyOption,
    in_: InOption,
    core: CoreOption = "dsp",
    settings: SetOption = None,
    out: OutOption = None,
    scheme: SchemeOption = "pkcs1",
    hash_: HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    passphrase_file: PassphraseOption = None,
    bits: BuiltOption = None,
    no_crt: NoCrtOption = False,
    json_: JsonOption = False,
) -> None:
    """Sign a file: blinded, in constant sequence, checked before it is given away."""
    from montcore.rsa import commands

    request = commands.Request(key, in_, out, bits, not no_crt, passphrase_file)
    how = commands.signature_padding(scheme, hash_, mask_hash)
    with _rsa_hardware(core, settings, "sign") as unit:
        content = commands.sign(request, how, unit)
    _show_rsa({"operation": "sign", "core": core, **content}, json_)


@rsa_app.command("decrypt")
def rsa_decrypt(
    key: KeyOption,
    in_: InOption,
    core: CoreOption = "dsp",
    settings: SetOption = None,
    out: OutOption = None,
    scheme: CipherOption = "pkcs1",
    hash_: HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    label: LabelOption = "",
    passphrase_file: PassphraseOption = None,
    bits: BuiltOption = None,
    no_crt: NoCrtOption = False,
    json_: JsonOption = False,
) -> None:
    """Decrypt a file; with pkcs1 a bad padding gives random bytes, as OpenSSL 3.2 does it."""
    from montcore.rsa import commands

    request = commands.Request(key, in_, out, bits, not no_crt, passphrase_file)
    how = commands.encryption_padding(scheme, hash_, mask_hash, label)
    with _rsa_hardware(core, settings, "decrypt") as unit:
        content = commands.decrypt(request, how, unit)
    _show_rsa({"operation": "decrypt", "core": core, **content}, json_)


@rsa_app.command("encrypt")
def rsa_encrypt(
    key: PublicKeyOption,
    in_: InOption,
    core: CoreOption = "dsp",
    settings: SetOption = None,
    out: OutOption = None,
    scheme: CipherOption = "pkcs1",
    hash_: HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    label: LabelOption = "",
    passphrase_file: PassphraseOption = None,
    bits: BuiltOption = None,
    json_: JsonOption = False,
) -> None:
    """Encrypt a file, which must be shorter than the modulus."""
    from montcore.rsa import commands

    request = commands.Request(key, in_, out, bits, passphrase_file=passphrase_file)
    how = commands.encryption_padding(scheme, hash_, mask_hash, label)
    with _rsa_hardware(core, settings, "encrypt") as unit:
        content = commands.encrypt(request, how, unit)
    _show_rsa({"operation": "encrypt", "core": core, **content}, json_)


@rsa_app.command("verify")
def rsa_verify(
    key: PublicKeyOption,
    in_: InOption,
    signature: Annotated[Path, typer.Option("--signature", metavar="FILE", help="What to verify.")],
    core: CoreOption = "dsp",
    settings: SetOption = None,
    scheme: SchemeOption = "pkcs1",
    hash_: HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    passphrase_file: PassphraseOption = None,
    bits: BuiltOption = None,
    json_: JsonOption = False,
) -> None:
    """Verify the signature of a file; exit status 1 if it is wrong."""
    from montcore.rsa import commands

    request = commands.Request(key, in_, None, bits, passphrase_file=passphrase_file)
    how = commands.signature_padding(scheme, hash_, mask_hash)
    with _rsa_hardware(core, settings, "verify") as unit:
        content = commands.verify(request, signature, how, unit)
    _show_rsa({"operation": "verify", "core": core, **content}, json_)
    if not content["valid"]:
        raise CheckFailedError("the signature is wrong")


@rsa_app.command("keygen")
def rsa_keygen(
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="The private key (PKCS#8); a new file.")
    ],
    public_out: Annotated[
        Path | None, typer.Option("--public-out", metavar="FILE", help="The public key.")
    ] = None,
    size: Annotated[int, typer.Option("--size", metavar="BITS", help="Of the modulus.")] = 2048,
    form: Annotated[str, typer.Option("--form", metavar="pem|der", help="Of the files.")] = "pem",
    encrypt: Annotated[
        bool, typer.Option("--encrypt", help="With a passphrase; a prompt asks for it.")
    ] = False,
    passphrase_file: PassphraseOption = None,
    core: CoreOption = "dsp",
    settings: SetOption = None,
    bits: BuiltOption = None,
    json_: JsonOption = False,
) -> None:
    """Generate a key by OpenSSL, and test it by one private operation on the hardware."""
    from montcore.rsa import commands

    request = commands.KeyRequest(
        out, public_out, size, form, encrypt or passphrase_file is not None, passphrase_file, bits
    )
    with _rsa_hardware(core, settings, "keygen") as unit:
        content = commands.keygen(request, unit)
    _show_rsa({"operation": "keygen", "core": core, **content}, json_)


@app.command()
def verify(
    core: CoreArgument,
    settings: SetOption = None,
    field: FieldOption = None,
    bits: Annotated[int | None, typer.Option("--bits", metavar="L", help="Built width.")] = None,
    random: Annotated[
        int | None,
        typer.Option("--random", metavar="N", help="Random products; edge cases come with them."),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of all randomness.")] = 0,
    vectors: Annotated[
        str | None,
        typer.Option(
            "--vectors",
            metavar="FILE",
            help="File of test vectors, or a set of this repository such as openssl-bnmod.",
        ),
    ] = None,
    exhaustive: Annotated[
        bool, typer.Option("--exhaustive", help="All operands of all odd moduli below 2^L.")
    ] = False,
    engine: EngineOption = "rtl",
    json_: JsonOption = False,
) -> int:
    """Compare a core with the specification: edge cases, random products, vectors or all."""
    from montcore.verification.run import verify as run_verify

    found_field, width = _field_or_bits(field, bits)
    if random is not None and not 1 <= random <= MAX_RANDOM:
        raise RequestError(f"--random takes a number from 1 to {MAX_RANDOM:,}, not {random}")
    if seed < 0:
        raise RequestError(f"--seed takes a number of at least 0, not {seed}")
    chosen, config = _configure(core, settings, width)
    with _progress(f"verify {chosen.name} {config.label()}") as move:
        result = run_verify(
            chosen,
            config,
            field=found_field,
            random_count=random,
            seed=seed,
            vectors=vectors,
            exhaustive=exhaustive,
            engine=_engine(engine),
            progress=move,
        )
    for failure in result.failures:
        print(f"FAILED (seed {seed}): {failure.what}", file=sys.stderr)
        print(f"  again: {failure.command}", file=sys.stderr)
        if failure.wave is not None:
            print(f"  wave:  {failure.wave}", file=sys.stderr)
    if json_:
        _print_json(result.as_object())
    else:
        _print_pairs(f"{chosen.name} {config.label()}", result.as_object())
    return 1 if result.failed else 0


@app.command()
def synth(
    core: CoreArgument,
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width.")],
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="osu018, xc2v, xc4v, xc5v, xc6v, xc7, ecp5",
            autocompletion=_complete_target,
        ),
    ],
    settings: SetOption = None,
    flat: Annotated[
        bool, typer.Option("--flat", help="osu018: map no large module once for all its instances.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Synthesise a core: area, clock and cycles on one target.

    CORE modexp is the exponentiator over --set core=NAME (dsp), whose parameters the others are;
    its cycles are those of one power of the built length, policy constant.
    """
    from montcore.synth import JSON_KEYS, synthesise

    if core == EXPONENTIATOR:
        if flat:
            raise RequestError(f"{core} is mapped flat anyway")
        from montcore.modexp.design import Design
        from montcore.modexp.synthesis import synthesise as synthesise_exponentiator

        below = [item for item in settings or [] if not item.startswith("core=")]
        named = [item.removeprefix("core=") for item in settings or [] if item not in below]
        chosen, config = _configure(named[-1] if named else "dsp", below, bits)
        title = f"{core} over {chosen.name} {config.label()}"
        with _steps(f"synthesise {title} for {target}") as step:
            result = synthesise_exponentiator(Design(chosen, config), target, progress=step)
    else:
        chosen, config = _configure(core, settings, bits)
        title = f"{chosen.name} {config.label()}"
        with _steps(f"synthesise {title} for {target}") as step:
            result = synthesise(chosen, config, target, flat=flat, progress=step)
    content = {key: getattr(result, key) for key in JSON_KEYS}
    if json_:
        _print_json(content)
    else:
        shown = {key: value for key, value in content.items() if value is not None}
        shown |= {f"{name} MHz": value for name, value in result.clocks_mhz.items()}
        _print_pairs(title, shown)


@app.command()
def build(
    core: CoreArgument,
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="Folder to make.")],
    settings: SetOption = None,
    field: FieldOption = None,
    bits: Annotated[int | None, typer.Option("--bits", metavar="L", help="Built width.")] = None,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="TARGET",
            help="What it is built for: asic (osu018), xc2v, xc4v, xc5v, xc6v, xc7, ecp5.",
        ),
    ] = "xc7",
    synth: Annotated[
        bool,
        typer.Option("--synth", help="Measure area and clock on the target for the datasheet."),
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Write a self-contained bundle: RTL, test, datasheet; its own test is run."""
    found_field, width = _field_or_bits(field, bits)
    chosen, config = _configure(core, settings, width)
    content = _build(chosen, config, output, target, found_field, synth)
    if json_:
        _print_json(content)
    else:
        _print_built(content)


def _print_built(content: dict[str, Any]) -> None:
    test = {key: value for key, value in content["test"].items() if key != "output"}
    left_out = test.pop("left_out")
    if left_out:
        test["scaled down"] = (
            f"{left_out} cases were left out because this machine is busy; "
            "`sh run_test.sh` in the folder runs them all"
        )
    folder = {"folder": content["path"], "built for": content["target"]}
    _print_pairs(content["name"], {**folder, **test})


def _build(
    core: AnyCore, config: Any, output: Path, target: str, field: Field | None, synth: bool
) -> dict[str, Any]:
    """Build a bundle and return what `build --json` prints."""
    from montcore.bundle import build as build_bundle
    from montcore.synth import JSON_KEYS

    with _steps(f"build {core.name} {config.label()}") as step:
        result = build_bundle(
            core, config, output, target=target, field=field, synth=synth, progress=step
        )
    return {
        "path": str(result.path),
        "name": result.name,
        "target": result.target,
        "test": asdict(result.test),
        "synth": result.synthesis and {key: getattr(result.synthesis, key) for key in JSON_KEYS},
        "files": list(result.files),
    }


riscv_app = typer.Typer(
    help="The RISC-V library of sw/riscv on simulated cores.", no_args_is_help=True
)
app.add_typer(riscv_app, name="riscv")


@riscv_app.callback()
def riscv() -> None:
    """The RISC-V library of sw/riscv on simulated cores."""


@riscv_app.command("bench")
def riscv_bench(
    bits: Annotated[
        list[int] | None,
        typer.Option("--bits", metavar="L", help="Operand length; may be repeated."),
    ] = None,
    cpu: Annotated[
        list[str] | None,
        typer.Option("--cpu", metavar="NAME", help="A core; may be repeated. Default: all there."),
    ] = None,
    modexp: Annotated[
        bool, typer.Option("--modexp", help="Measure powers too (minutes from 2048 bits on).")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="Seed of the operands.")] = 0,
    json_: JsonOption = False,
) -> None:
    """Measure the routines, cycles and code bytes, beside the paper's table."""
    from montcore.riscv.bench import DEFAULT_BITS, arithmetic_rows, bench, table_rows

    with _steps("RISC-V bench") as step:
        result = bench(bits or DEFAULT_BITS, cpu, modexp=modexp, seed=seed, step=step)
    if json_:
        _print_json(result.as_object())
        return
    console = standard_output()
    lengths = [f"{length} bits" for length in bits or DEFAULT_BITS]
    for title, rows in (
        ("Cycles of an n x n product", table_rows(result)),
        ("Cycles of what stands on it", arithmetic_rows(result)),
    ):
        headings = ["core", "routine", "bytes", *lengths]
        print_table(console, title, headings, rows, right=("bytes", *lengths))
    for name, reason in result.skipped.items():
        console.print(
            f"{name} was left out: {reason}", highlight=False, markup=False, soft_wrap=True
        )


BudgetOption = Annotated[
    list[str] | None,
    typer.Option("--budget", metavar="FIGURE<=N", help="e.g. ge<=60000, dsp<=40; may be repeated."),
]
MinimiseOption = Annotated[
    str,
    typer.Option(
        "--minimise",
        metavar="WHAT",
        help="area-time, latency, throughput (time between), area, dsp, energy",
    ),
]
CoresOption = Annotated[
    str | None, typer.Option("--cores", metavar="C,...", help="Only these cores.")
]
TargetsOption = Annotated[
    str | None, typer.Option("--targets", metavar="T,...", help="Default: xc7,osu018.")
]
FullOption = Annotated[bool, typer.Option("--full", help="Every parameter point worth building.")]


def _names(text: str | None) -> tuple[str, ...] | None:
    """Return the names in a list with commas, or None if there is no list."""
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def _comparison_request(
    bits: int,
    targets: str | None,
    cores: str | None,
    budget: list[str] | None,
    minimise: str,
    full: bool,
) -> "Request":
    from montcore.compare.budget import check_objective, parse_budget
    from montcore.compare.run import Request

    request = Request(
        bits,
        _names(cores),
        _names(targets),
        tuple(parse_budget(text) for text in budget or []),
        check_objective(minimise),
        full,
    )
    request.check()
    return request


@app.command()
def compare(
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width and length.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="DIR", help="For the report.")],
    targets: TargetsOption = None,
    cores: CoresOption = None,
    budget: BudgetOption = None,
    minimise: MinimiseOption = "area-time",
    full: FullOption = False,
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", min=1, max=1024, help="Processes at a time."),
    ] = 2,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Measure on this Dask cluster."),
    ] = None,
    tls_ca: Annotated[
        Path | None,
        typer.Option("--tls-ca", metavar="FILE", help="Certificate authority of the cluster."),
    ] = None,
    tls_cert: Annotated[
        Path | None,
        typer.Option("--tls-cert", metavar="FILE", help="Our certificate for the cluster."),
    ] = None,
    tls_key: Annotated[
        Path | None,
        typer.Option("--tls-key", metavar="FILE", help="Its key; not needed if it is beside it."),
    ] = None,
    retry: Annotated[bool, typer.Option("--retry", help="Measure failed points again.")] = False,
    json_: JsonOption = False,
) -> int:
    """Measure every core at its points; write table, plots and report, and recommend one."""
    from montcore.compare.cluster import Cluster
    from montcore.compare.run import compare as run_compare
    from montcore.compare.terminal import print_choices, print_entries, print_left_out, progress

    request = _comparison_request(bits, targets, cores, budget, minimise, full)
    cluster = Cluster.of(scheduler, tls_ca, tls_cert, tls_key)
    total = len(request.plan().points)
    with progress(total) as done:
        found = run_compare(request, output, done, workers=workers, cluster=cluster, retry=retry)
    if json_:
        _print_json(json.loads((output / "results.json").read_text(encoding="utf-8")))
    else:
        console = standard_output()
        print_entries(console, found.entries, found.choices)
        print_left_out(console, found.left_out)
        print_choices(console, found.choices)
        written = ", ".join(str(path) for path in found.files)
        console.print(f"written: {written}", highlight=False, markup=False, soft_wrap=True)
    return 1 if found.failed or not all(choice.fits for choice in found.choices) else 0


@app.command()
def recommend(
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width and length.")],
    targets: TargetsOption = None,
    cores: CoresOption = None,
    budget: BudgetOption = None,
    minimise: MinimiseOption = "area-time",
    full: FullOption = False,
    build_into: Annotated[
        Path | None,
        typer.Option("--build", metavar="DIR", help="Build the recommended core at once."),
    ] = None,
    json_: JsonOption = False,
) -> int:
    """Recommend a configuration from what `compare` has measured before, in seconds."""
    from montcore.compare.budget import recommend as choose_best
    from montcore.compare.run import recall
    from montcore.compare.terminal import print_choices, print_left_out

    request = _comparison_request(bits, targets, cores, budget, minimise, full)
    with _steps("reading what was measured"):
        entries, lacking = recall(request)
    left_out = request.plan().left_out
    choices = choose_best(entries, request.budgets, request.objective)
    if not choices:
        raise RequestError(f"nothing has been measured for {bits} bits yet; run {request.command}")
    fitting = [choice for choice in choices if choice.fits]
    built = None
    if build_into is not None and fitting:
        first = fitting[0].entry
        pairs = [f"{key}={value}" for key, value in first.params.items()]
        configured = _configure(first.core, pairs, bits)
        built = _build(*configured, build_into, first.target, None, False)
    if json_:
        content = {
            "choices": [choice.as_choice() for choice in choices],
            "recommendations": [choice.as_object() for choice in choices],
            "points": len(entries),
            "missing": lacking,
            "left_out": left_out,
        }
        _print_json(content if build_into is None else {**content, "build": built})
    else:
        console = standard_output()
        print_choices(console, choices)
        print_left_out(console, left_out)
        if lacking:
            words = f"{lacking} points are not measured yet: {request.command}"
            console.print(words, highlight=False, markup=False, soft_wrap=True)
        if built is not None:
            _print_built(built)
    if build_into is not None and not fitting:
        print("montcore: nothing is built: no point keeps the budgets", file=sys.stderr)
    return 0 if len(fitting) == len(choices) else 1


@app.command()
def papers(
    paper: Annotated[
        str | None, typer.Option("--paper", metavar="NAME", help="One paper, e.g. smm-2021.")
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure what is missing or out of date; hours.")
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="With --measure: what is up to date too.")
    ] = False,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="TEXT", help="Measure only what has TEXT in its command."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Say what is out of date; exit status 1 if anything.")
    ] = False,
    write: Annotated[
        bool,
        typer.Option("--write", help="Write the pages anew from what is measured; marks old rows."),
    ] = False,
    workers: Annotated[
        int,
        typer.Option("--workers", metavar="N", min=1, max=1024, help="Processes at a time."),
    ] = 2,
    json_: JsonOption = False,
) -> int:
    """Show each table of the five papers with our figures beside it."""
    from montcore.papers import page
    from montcore.papers import run as papers_run
    from montcore.papers.ledger import Ledger

    ledger = Ledger.load()
    shown = papers_run.chosen(paper)
    if check:
        with _steps("comparing the ledger with the sources"):
            found = papers_run.complaints(ledger)
        if json_:
            _print_json({"complaints": found})
        else:
            for line in found:
                print(line)
        return 1 if found else 0
    failed = 0
    if measure:
        lacking = papers_run.due(ledger, papers_run.subjects_of(shown, only), again)
        with _measurements(len(lacking)) as done:
            failed = papers_run.measure(ledger, lacking, done, workers)
    if measure or write:
        papers_run.write_pages(ledger)
    if json_:
        known = {item.command for item in papers_run.subjects_of(shown)}
        entries = {key: vars(item) for key, item in ledger.entries.items() if key in known}
        _print_json({"papers": [item.name for item in shown], "measured": entries})
    else:
        outdated = ledger.outdated(papers_run.subjects_of(shown))
        page.show(standard_output(), shown, ledger.figures(), outdated)
    return 1 if failed else 0


@contextmanager
def _measurements(total: int) -> Iterator[Callable[["Subject", str], None]]:
    """Show a bar and each measurement as it ends; yield what is told of each."""
    with _progress("measuring") as advance:
        count = 0

        def done(subject: "Subject", problem: str) -> None:
            nonlocal count
            count += 1
            text = f"FAILED: {subject.command}: {problem}" if problem else subject.command
            waiting.say(text, "red" if problem else "")
            advance(count, total)

        yield done


@app.command()
def doctor(json_: JsonOption = False) -> int:
    """Show what is installed, what is missing and the one command that mends it."""
    from montcore.cli.doctor import as_object, collect, healthy, show

    with _steps("asking each tool for its version"):
        rows = collect()
    if json_:
        _print_json(as_object(rows))
    else:
        show(rows)
    return 0 if healthy(rows) else 1


if __name__ == "__main__":
    main()
