# SPDX-License-Identifier: Apache-2.0
"""Sequences of packets for the verb `verify`: random ones, and one that a failure printed."""

from typing import TYPE_CHECKING

from montcore.cli.options import choice, configure, configure_engine, configure_exponentiator
from montcore.cli.output import progress, steps
from montcore.support.errors import RequestError

if TYPE_CHECKING:
    from montcore.bundle.styles import Design
    from montcore.verification.run import VerifyResult

#: Most packets of one run: some days of a small core.
MAX_PACKETS = 1_000_000_000


def play(
    core: str,
    settings: list[str] | None,
    bits: int,
    bus: str | None,
    count: int | None,
    text: str | None,
    target: str | None,
    seed: int,
) -> tuple[str, "VerifyResult"]:
    """Play random sequences, or the given one, and return a title and the result.

    Raises:
        RequestError: the unit cannot be built, or the request is invalid.
    """
    from montcore.bundle.styles import verify_replay, verify_sequences

    title, design = _design(core, settings, bits, bus)
    if count is None:
        with steps(f"replay on {title}"):
            return title, verify_replay(design, text or "", seed=seed, target=target or "")
    if text is not None:
        raise RequestError("give either --sequences or --replay")
    if not 1 <= count <= MAX_PACKETS:
        raise RequestError(f"--sequences takes a number from 1 to {MAX_PACKETS:,}, not {count}")
    with progress(f"sequences on {title}") as move:
        return title, verify_sequences(design, count, seed=seed, target=target, progress=move)


def _design(
    core: str, settings: list[str] | None, bits: int, bus: str | None
) -> tuple[str, "Design"]:
    """Return a unit with its title."""
    if bus is not None:
        from montcore.bundle.styles import Stream

        choice("--bus", bus, ("axi4-stream",))
        chosen = configure(core, settings, bits)
        return f"{chosen.name} {chosen.label()} behind {bus}", Stream(chosen)
    if core == "modexp":
        exponentiator = configure_exponentiator(settings, bits)
        return f"modexp over {exponentiator.title()}", exponentiator
    if core == "ecc":
        engine = configure_engine(settings, bits)
        return f"ecc over {engine.title()}", engine
    chosen = configure(core, settings, bits)
    return f"{chosen.name} {chosen.label()}", chosen
