# SPDX-License-Identifier: Apache-2.0
"""The styles in which a core's RTL is built: those of simulation and of each target's technology."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from montcore.bundle.templates import render
from montcore.cores.core import ConfiguredCore
from montcore.modexp.design import generated_file
from montcore.sim.build import RtlBuild
from montcore.synth.target import all_targets, get_target


def styles(core: ConfiguredCore) -> Iterator[tuple[str, RtlBuild]]:
    """Yield the different builds of a core, each with the first target of its style, or nothing."""
    known = []
    for name in ("", *all_targets()):
        found = style(core, name)
        if found.parameters not in known:
            known.append(found.parameters)
            yield name, found


def style(core: ConfiguredCore, target: str) -> RtlBuild:
    """Return a core as it is built for a target, with models of the vendor's primitives.

    Raises:
        RequestError: there is no such target.
    """
    usual = RtlBuild.of_core(core)
    if not target:
        return usual
    on = get_target(target)
    models = _models() if on.primitives else ()
    parameters = core.sv_parameters(on.technology)
    return replace(usual, sources=(*models, *usual.sources), parameters=parameters)


def _models() -> tuple[Path, ...]:
    """Return the behaviour of the vendors' blocks."""
    return (generated_file("primitives", render("primitives.sv", {}), prefix=""),)
