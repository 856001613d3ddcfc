# SPDX-License-Identifier: Apache-2.0
"""Options that several verbs share, their completion, and the checks of their values."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from montcore.cores import all_cores, get_core
from montcore.cores.core import Core
from montcore.model.fields import FIELDS, Field, get_field
from montcore.support.errors import RequestError
from montcore.support.words import hint

if TYPE_CHECKING:
    from montcore.ecc.design import EngineDesign
    from montcore.modexp.design import ExponentiatorDesign
    from montcore.verification.engines import Engine  # imports NumPy, a third of a start


def option(usage: str, help_: str, **more: Any) -> Any:
    """Return an option; its usage is that of its help, e.g. ``-o --output DIR``."""
    words = usage.split()
    names = [word for word in words if word.startswith("-")]
    metavar = next((word for word in words if word not in names), "")  # a flag has none
    return typer.Option(*names, metavar=metavar, help=help_, **more)


def out_option(usage: str, help_: str) -> Any:
    """Return an option for the file of a result; one that cannot be written is refused at once."""

    def writable(path: Path | None) -> Path | None:
        if path is not None and not os.access(path if path.exists() else path.parent, os.W_OK):
            raise RequestError(f"{path} cannot be written")
        return path

    return option(usage, help_, callback=writable)


def names_of(text: str | None) -> tuple[str, ...] | None:
    """Return the names in a list with commas, or None if there is no list."""
    return None if text is None else tuple(name.strip() for name in text.split(",") if name.strip())


def completing(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """Return a function that returns the names that begin so."""
    return lambda incomplete: [name for name in names() if name.startswith(incomplete)]


#: What the titles of targets do not say.
_FAMILIES = {"xc7": ": Artix-7, Kintex-7, Spartan-7, Virtex-7, Zynq-7000"}


def target_titles() -> dict[str, str]:
    """Return what each target is."""
    from montcore.synth.target import all_targets

    return {name: on.title + _FAMILIES.get(name, "") for name, on in all_targets().items()}


complete_core, complete_target = completing(all_cores), completing(target_titles)
complete_field = completing(lambda: [field.name for field in FIELDS])


def known_target(name: Any) -> Any:
    """Return the target's name, its alias or None; the refusal of others says what each one is."""
    from montcore.synth.target import all_targets

    def words(text: str) -> set[str]:
        return set(re.findall(r"[a-z]+|\d+", text.lower()))

    titles = target_titles()
    aliases = {alias for target in all_targets().values() for alias in target.aliases}
    if name in {None, *titles, *aliases}:
        return name
    meant = [key for key, own in titles.items() if words(name) and words(name) <= words(own)]
    guess = f" (did you mean {' or '.join(meant)}?)" if meant else hint(name, titles)
    listed = ", ".join(f"{key} ({own})" for key, own in titles.items())
    raise RequestError(f"there is no synthesis target '{name}'{guess}; the targets are {listed}")


def chosen_target(target: str | None, library: Path | None) -> str:
    """Return the target that is asked for by name or by the description of a library."""
    from montcore.synth.target import add_library

    if library is not None and target is None:
        return add_library(library)
    if library is not None or target is None:
        raise RequestError("name either a target (--target) or a library's description (--library)")
    return target


LibraryOption = Annotated[
    Path | None, option("--library FILE", "The description of a cell library, as the target.")
]
CoreArgument = Annotated[
    str,
    typer.Argument(metavar="CORE", help="A core; see `list`.", autocompletion=complete_core),
]
SetOption = Annotated[list[str] | None, option("--set K=V", "A parameter; may be repeated.")]
FieldOption = Annotated[
    str | None,
    option("--field NAME", "A SEC 2 prime, e.g. p256r1, P-256.", autocompletion=complete_field),
]
UNITS = ("exponentiator", "curves", "both")
CoresOption = Annotated[
    str | None,
    option("--cores C,...", "Only these cores; modexp or ecc: that unit over every core."),
]
FullOption = Annotated[bool, option("--full", "All useful configurations.")]
WorkersOption = Annotated[int, option("--workers N", "Parallel processes.", min=1, max=1024)]
OnlyOption = Annotated[
    str | None, option("--only TEXT", "Measure only figures with TEXT in their command.")
]
SchedulerOption = Annotated[str | None, option("--scheduler ADDRESS", "Use this Dask cluster.")]
AuthorityOption = Annotated[Path | None, option("--tls-ca FILE", "The certificate authority.")]
CertificateOption = Annotated[Path | None, option("--tls-cert FILE", "Client certificate.")]
TlsKeyOption = Annotated[
    Path | None, option("--tls-key FILE", "Its key; not needed if the certificate file has it.")
]
PassphraseOption = Annotated[
    Path | None,
    option(
        "--passphrase-file FILE",
        "Its first line is the key's passphrase; else MONTCORE_PASSPHRASE, else a prompt.",
    ),
]
HashOption = Annotated[str, option("--hash NAME", "Hash: sha1, sha224 ... sha512.")]
SignatureOption = Annotated[Path, option("--signature FILE", "What to verify.")]
WideOption = Annotated[bool, option("--wide", "Tables with all columns.")]
JsonOption = Annotated[bool, option("--json", "Print one JSON object.")]
EngineOption = Annotated[str, option("--engine rtl|model", "Simulate the RTL, or run the model.")]


def parse_settings(pairs: Sequence[str] | None) -> dict[str, str]:
    """Return the ``--set K=V`` pairs."""
    settings: dict[str, str] = {}
    for pair in pairs or ():
        key, equals, value = pair.partition("=")
        if not equals or not key or not value:
            raise RequestError(f"--set takes K=V, not '{pair}'")
        if key in settings:
            raise RequestError(f"--set gives the parameter '{key}' twice")
        settings[key] = value
    return settings


def choice(option: str, value: str, allowed: Sequence[str]) -> str:
    """Return the value of an option that takes one of some words."""
    if value not in allowed:
        raise RequestError(
            f"{option} takes {' or '.join(allowed)}, not '{value}'{hint(value, allowed)}"
        )
    return value


def engine_of(value: str) -> "Engine":
    """Return the engine that ``--engine`` names."""
    return cast("Engine", choice("--engine", value, ("rtl", "model")))


def field_or_bits(field: str | None, bits: int | None) -> tuple[Field | None, int]:
    """Return the field, if one was named, and the built width."""
    if (field is None) == (bits is None):
        raise RequestError("give the width: either --bits or, for a multiplier, --field")
    if field is not None:
        found = get_field(field)
        return found, found.bits
    return None, cast(int, bits)


def configure(core: str, settings: list[str] | None, bits: int) -> Core:
    """Return a core and its configuration from ``CORE`` and ``--set``."""
    return get_core(core).configure(parse_settings(settings), bits)


def configure_over(usual: str, settings: dict[str, str], bits: int) -> Core:
    """Return the multiplier of what is built over one: that of the parameter `core`, or `usual`."""
    name = settings.pop("core", usual)
    return get_core(name).configure(settings, bits)


def configure_words(text: str, bits: int) -> Core:
    """Return the core that ``CORE[:K=V,...]`` names."""
    return configure(*split_words(text), bits)


def split_words(text: str) -> tuple[str, list[str]]:
    """Return the name and the parameters in ``CORE[:K=V,...]``."""
    name, _, words = text.partition(":")
    return name, words.split(",") if words else []


def take_count(settings: dict[str, str], name: str) -> int:
    """Remove a number from the parameters and return it; 1 if it is not there."""
    count = settings.pop(name, "1")
    if not count.isdecimal():
        raise RequestError(f"{name} is a number, not {count!r}")
    return int(count)


def take_pair(settings: dict[str, str]) -> bool:
    """Remove ``pair`` from the parameters and tell whether it is 1."""
    pair = settings.pop("pair", "0")
    if pair not in ("0", "1"):
        raise RequestError(f"pair is 0 or 1, not {pair!r}")
    return pair == "1"


def configure_engine(settings: list[str] | None, bits: int, usual: str = "smm") -> "EngineDesign":
    """Return a curve engine: ``--set core=NAME``, ``contexts=N``, others of the multiplier."""
    from montcore.ecc.design import EngineDesign

    below = parse_settings(settings)
    contexts = take_count(below, "contexts")
    return EngineDesign(configure_over(usual, below, bits), contexts)


def configure_exponentiator(settings: list[str] | None, bits: int) -> "ExponentiatorDesign":
    """Return an exponentiator: ``--set core=NAME``, ``slots=N``, ``pair=1``, the multiplier's."""
    from montcore.modexp.design import ExponentiatorDesign

    below = parse_settings(settings)
    slots, pair = take_count(below, "slots"), take_pair(below)
    return ExponentiatorDesign(configure_over("dsp", below, bits), slots=slots, pair=pair)


def configure_any(
    core: str, settings: list[str] | None, bits: int
) -> "tuple[str, Core | ExponentiatorDesign | EngineDesign]":
    """Return what ``CORE`` names, a core or the unit modexp or ecc, after its title."""
    if core == "modexp":
        exponentiator = configure_exponentiator(settings, bits)
        return f"{core} over {exponentiator.title()}", exponentiator
    if core == "ecc":
        engine = configure_engine(settings, bits)
        return f"{core} over {engine.title()}", engine
    chosen = configure(core, settings, bits)
    return f"{chosen.name} {chosen.label()}", chosen
