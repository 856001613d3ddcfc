# SPDX-License-Identifier: Apache-2.0
"""The verb `rsa`: signatures, encryption and keys, with exponentiation on the hardware."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import show, steps
from montcore.cores import get_core
from montcore.support.errors import CheckFailedError, RequestError

if TYPE_CHECKING:
    from montcore.rsa.commands import MakeUnit

ORDER = 80

KeyOption = Annotated[Path, option("--key FILE", "A private key: PEM or DER, PKCS#1 or PKCS#8.")]
PublicKeyOption = Annotated[Path, option("--key FILE", "A public key, certificate or private key.")]
InOption = Annotated[Path, option("--in FILE", "The input.")]
OutOption = Annotated[Path | None, options.out_option("--out FILE", "Default: hex on stdout.")]
CoreOption = Annotated[str, option("--core CORE", "The multiplier core.")]
SchemeOption = Annotated[str, option("--scheme pkcs1|pss", "Padding.")]
CipherOption = Annotated[str, option("--scheme pkcs1|oaep", "Padding; oaep for new applications.")]
MaskHashOption = Annotated[
    str | None, option("--mgf1-hash NAME", "pss, oaep: hash of the mask; default: --hash.")
]
LabelOption = Annotated[str, option("--label HEX", "oaep: the label's bytes.")]
BuiltOption = Annotated[int | None, option("--bits L", "Built width; default: the key's.")]
NoCrtOption = Annotated[bool, option("--no-crt", "One power modulo n, not two halves (CRT).")]
RowsOption = Annotated[int, option("--rows 1|2", "2: an exponentiator for each power of CRT.")]


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    rsa = typer.Typer(help="RSA with exponentiation on hardware.", no_args_is_help=True)
    app.add_typer(rsa, name="rsa")
    for verb in (sign, decrypt, encrypt, verify, keygen):
        rsa.command()(verb)


def _run(
    core: str,
    settings: list[str] | None,
    operation: str,
    json_: bool,
    work: "Callable[[MakeUnit], dict[str, Any]]",
    rows: int = 1,
) -> dict[str, Any]:
    """Show the steps of an RSA operation, and its result; `work` gets what makes the unit."""
    from montcore.modexp.design import ExponentiatorDesign
    from montcore.modexp.exponentiator import Exponentiator
    from montcore.rsa.operations import RsaUnit

    below = options.parse_settings(settings)
    pair = options.take_pair(below)
    if pair and rows != 1:
        raise RequestError("--rows 2 and --set pair=1 exclude each other")
    title = f"rsa {operation} over {core}"
    with steps(title) as step:

        def unit(bits: int) -> RsaUnit:
            design = ExponentiatorDesign(get_core(core).configure(below, bits), pair=pair)
            return RsaUnit(Exponentiator(design), os.urandom, step, rows)

        content = {"operation": operation, "core": core, **work(unit)}
    cycles = {f"cycles, {name}": count for name, count in content["steps"].items()}
    rest = {name: value for name, value in content.items() if name != "steps"}
    show(title, content, json_, {**rest, **cycles})
    return content


def sign(
    key: KeyOption,
    in_: InOption,
    core: CoreOption = "dsp",
    settings: options.SetOption = None,
    out: OutOption = None,
    scheme: SchemeOption = "pkcs1",
    hash_: options.HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    no_crt: NoCrtOption = False,
    rows: RowsOption = 1,
    json_: options.JsonOption = False,
) -> None:
    """Sign a file: blinded, in constant sequence, checked before release."""
    from montcore.rsa import commands

    request = commands.RsaRequest(key, in_, out, bits, not no_crt, passphrase_file)
    how = commands.message_padding(("pkcs1", "pss"), scheme, hash_, mask_hash)
    rows = commands.check_rows(rows, request.crt)
    _run(core, settings, "sign", json_, partial(commands.sign, request, how), rows)


def decrypt(
    key: KeyOption,
    in_: InOption,
    core: CoreOption = "dsp",
    settings: options.SetOption = None,
    out: OutOption = None,
    scheme: CipherOption = "pkcs1",
    hash_: options.HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    label: LabelOption = "",
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    no_crt: NoCrtOption = False,
    rows: RowsOption = 1,
    json_: options.JsonOption = False,
) -> None:
    """Decrypt a file; with pkcs1 a bad padding gives random bytes, as in OpenSSL 3.2."""
    from montcore.rsa import commands

    request = commands.RsaRequest(key, in_, out, bits, not no_crt, passphrase_file)
    how = commands.message_padding(("pkcs1", "oaep"), scheme, hash_, mask_hash, label)
    rows = commands.check_rows(rows, request.crt)
    _run(core, settings, "decrypt", json_, partial(commands.decrypt, request, how), rows)


def encrypt(
    key: PublicKeyOption,
    in_: InOption,
    core: CoreOption = "dsp",
    settings: options.SetOption = None,
    out: OutOption = None,
    scheme: CipherOption = "pkcs1",
    hash_: options.HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    label: LabelOption = "",
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Encrypt a file, which must be shorter than the modulus."""
    from montcore.rsa import commands

    request = commands.RsaRequest(key, in_, out, bits, passphrase_file=passphrase_file)
    how = commands.message_padding(("pkcs1", "oaep"), scheme, hash_, mask_hash, label)
    _run(core, settings, "encrypt", json_, partial(commands.encrypt, request, how))


def verify(
    key: PublicKeyOption,
    in_: InOption,
    signature: options.SignatureOption,
    core: CoreOption = "dsp",
    settings: options.SetOption = None,
    scheme: SchemeOption = "pkcs1",
    hash_: options.HashOption = "sha256",
    mask_hash: MaskHashOption = None,
    passphrase_file: options.PassphraseOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Verify the signature of a file; exit status 1 if it is wrong."""
    from montcore.rsa import commands

    request = commands.RsaRequest(key, in_, None, bits, passphrase_file=passphrase_file)
    how = commands.message_padding(("pkcs1", "pss"), scheme, hash_, mask_hash)
    work = partial(commands.verify, request, signature, how)
    content = _run(core, settings, "verify", json_, work)
    if not content["valid"]:
        raise CheckFailedError("the signature is wrong")


def keygen(
    out: Annotated[Path, options.out_option("--out FILE", "The private key (PKCS#8); a new file.")],
    public_out: Annotated[
        Path | None, options.out_option("--public-out FILE", "The public key.")
    ] = None,
    size: Annotated[int, option("--size --key-bits BITS", "Size of the modulus.")] = 2048,
    form: Annotated[str, option("--form pem|der", "Format of the files.")] = "pem",
    encrypt: Annotated[
        bool, option("--encrypt", "Encrypt the key; a prompt asks for a passphrase.")
    ] = False,
    passphrase_file: options.PassphraseOption = None,
    primes: Annotated[
        str, option("--primes hardware|openssl", "Where the primes are generated.")
    ] = "hardware",
    core: CoreOption = "dsp",
    settings: options.SetOption = None,
    bits: BuiltOption = None,
    json_: options.JsonOption = False,
) -> None:
    """Generate a key: its primes are found by the hardware, and one private operation tests it.

    For 2048 bits the simulation takes minutes; the cycles are those of the hardware.
    """
    from montcore.rsa import commands

    encrypted = encrypt or passphrase_file is not None
    of = (out, public_out, size, form, encrypted, passphrase_file, bits, primes)
    _run(core, settings, "keygen", json_, partial(commands.keygen, *of))
