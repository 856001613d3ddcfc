# SPDX-License-Identifier: Apache-2.0
"""Units behind the common port, in the styles of simulation and of each target; sequences."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from montcore.bundle.parts import primitives
from montcore.bundle.stream import port_values
from montcore.bundle.templates import render
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION, Technology
from montcore.ecc.design import EngineDesign
from montcore.ecc.sequences import EnginePort
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.sequences import ExponentiatorPort
from montcore.sim.build import RtlBuild
from montcore.sim.port_checker import CheckedPort
from montcore.sim.sequence import parse
from montcore.sim.wire import BeatFormat
from montcore.soc.design import RESET_MODULES
from montcore.soc.wrapper import stream_top
from montcore.support.files import generated_file
from montcore.support.paths import module_files
from montcore.support.requests import Positive, Processes, checked
from montcore.synth.target import all_targets, get_target
from montcore.verification.checker import Failure, VerifyResult
from montcore.verification.multiplier_port import MultiplierPort
from montcore.verification.run import Progress
from montcore.verification.sequences import SequenceUnit, replay, run, sequences


@checked
@dataclass(frozen=True)
class Stream:
    """A multiplier core behind AXI4-Stream."""

    core: Core


Design = Core | Stream | ExponentiatorDesign | EngineDesign


def port(design: Design, target: str = "") -> SequenceUnit:
    """Return a unit behind the common port, as it is built for a target, or for simulation.

    Vendors' primitives are replaced by models of their behaviour.
    """
    on = get_target(target) if target else None
    technology = on.technology if on is not None else SIMULATION
    models = _models() if on is not None and on.primitives else ()
    if isinstance(design, Core):
        rtl = RtlBuild.of_core(design)
        parameters = design.sv_parameters(technology)
        return MultiplierPort(design, _styled(rtl, (*models, *rtl.sources), parameters), target)
    if isinstance(design, Stream):
        rtl = _behind_streams(design.core, technology)
        rtl = replace(rtl, sources=(*models, *rtl.sources))
        return MultiplierPort(design.core, rtl, target, "axi4-stream")
    rtl, usual = design.build(), design.sources()
    sources = (*models, *design.sources(technology), *rtl.sources[len(usual) :])
    rtl = _styled(rtl, sources, design.parameters(technology))
    if isinstance(design, ExponentiatorDesign):
        return ExponentiatorPort(design, rtl, target)
    return EnginePort(design, rtl, target)


def _styled(rtl: RtlBuild, sources: Sequence[Path], parameters: dict[str, int]) -> RtlBuild:
    return replace(rtl, sources=tuple(sources), parameters=parameters)


def _behind_streams(core: Core, technology: Technology) -> RtlBuild:
    """Return a core behind AXI4-Stream, whose streams are converted to the common port again."""
    name = f"{core.name}_stream"
    own = stream_top(core, name, technology)
    converter = render("stream_port.sv", port_values(core, name))
    made = (generated_file(name, own, ""), generated_file(f"{name}_port", converter, ""))
    shell = module_files(["soc_axi4_stream", *RESET_MODULES])
    names = (f"{name}_port", core.top)
    ports = tuple(CheckedPort(top, top, core.bus_width) for top in names)
    return RtlBuild(names[0], (*core.sources(), *shell, *made), ports=ports)


def _models() -> tuple[Path, ...]:
    return (generated_file("primitives", primitives(), prefix=""),)


def targets(design: Design) -> list[str]:
    """Return a target of each style of a unit, that of simulation, which has none, first."""
    known: dict[str, str] = {}
    for name in ("", *all_targets()):
        technology = get_target(name).technology if name else SIMULATION
        if isinstance(design, Core | Stream):
            core = design.core if isinstance(design, Stream) else design
            style = core.sv_parameters(technology)
        else:
            style = design.parameters(technology)
        known.setdefault(str(style), name)
    return list(known.values())


@checked
def verify_sequences(
    design: Design,
    count: Positive,
    *,
    seed: int = 0,
    target: str | None = None,
    processes: Processes = 2,
    progress: Progress | None = None,
) -> VerifyResult:
    """Play random sequences of packets, compared with the reference model of the port.

    Args:
        design: a multiplier core in one configuration, an exponentiator, or a curve engine.
        count: answers in each style, at least.
        target: only the style of this target; None: every style, that of simulation first.
        progress: called with the work done and the total work, in packets.

    Raises:
        RequestError: there is no such target, or the count is not positive.
        CheckFailedError: a simulator could not be built, or was stopped from outside.
    """
    chosen = targets(design) if target is None else [target]
    units = [port(design, name) for name in chosen]
    total = VerifyResult(seed)
    for number, unit in enumerate(units):

        def step(done: int, whole: int, before: int = number * count) -> None:
            if progress is not None:
                progress(before + done, len(units) * whole)

        found = sequences(unit, count, seed=seed, processes=processes, progress=step)
        total.checked += found.checked
        total.failed += found.failed
        total.rejected += found.rejected
        total.failures += found.failures
    return total


@checked
def verify_replay(design: Design, text: str, *, seed: int = 0, target: str = "") -> VerifyResult:
    """Play one sequence of packets, as `verify_sequences` prints it; see `montcore.sim.sequence`.

    Raises:
        RequestError: there is no such target, or the text is no sequence.
        CheckFailedError: the simulator could not be built, or was stopped from outside.
    """
    unit = port(design, target)
    ops = parse(text, BeatFormat(unit.width))
    found = run(unit, ops, seed)
    failures = [Failure(found.fault, replay(unit, ops, seed))] if found.fault else []
    return VerifyResult(seed, found.checked, len(failures), found.rejected, failures=failures)
