# SPDX-License-Identifier: Apache-2.0
"""Assembles a bundle in a temporary folder, tests it and then renames the folder."""

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from montcore.bundle import datasheet, driver, runner, sources, vectors, wrapper
from montcore.bundle.parts import (
    DEFAULT_SEED,
    LONG_TEST_BITS,
    PREFER_ICARUS,
    PREFER_VERILATOR,
    PRIMITIVES,
    BundleResult,
    Progress,
    bundle_name,
    check_one_clock,
    check_output,
    common_values,
    constraint_files,
    making,
    passed,
    seed_32,
    write_bench,
    write_flat,
    write_manifest,
    write_port_page,
    write_primitives,
    write_rendered,
    write_sources,
)
from montcore.bundle.picture import port_picture
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.target import DEFAULT_TARGET, find_target
from montcore.cores.core import Core
from montcore.model.fields import Field
from montcore.support.errors import RequestError
from montcore.support.requests import Natural, checked
from montcore.synth.flow import DesignText, synthesise
from montcore.synth.target import all_targets, get_target, options_here

#: Outcome of a bundle's test, the cases that it ran, and its wave.
_TestRun = tuple[BenchOutcome, vectors.CaseTables, Path]


@checked
def build(
    core: Core,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    field: Field | None = None,
    synth: bool = False,
    seed: Natural = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of one configuration and run its own test.

    Args:
        core: a registered core.
        output: folder to create; it must be empty or not exist.
        target: a synthesis target or ``asic``: the RTL has its styles as defaults and its switches
            resolved.
        field: the field whose prime the test uses; random moduli otherwise.
        synth: measure area and clock of the bundle's own text on its target.
        seed: seed of the test's random numbers; equal seeds give equal bundles.
        progress: receives a short text at each step.

    Raises:
        RequestError: the folder is not empty or cannot be written, the field does not fit, or the
            core has two clocks.
        CheckFailedError: the bundle's own test failed (nothing is left in `output` then).
    """
    say = progress or (lambda _: None)
    output = output.absolute()
    target = find_target(target)
    _check_request(core, output, field)
    check_one_clock(core)
    name = bundle_name(core, field)
    with making(output, name) as folder:
        say("collecting sources")
        rtl = _write_rtl(core, name, target, folder)
        tables = vectors.make_tables(core, field.p if field else None, seed)
        _write_test(core, name, target, tables, seed, folder)
        driver.write(core, name, field, folder)
        say("running the bundle's own test")

        def scaled(light: vectors.CaseTables, elsewhere: Path) -> None:
            shutil.copytree(folder, elsewhere)
            shutil.rmtree(elsewhere / "test")
            _write_test(core, name, target, light, seed, elsewhere)

        outcome, tables, waves = _run_test(folder, tables, scaled)
        say("drawing the waveform")
        caption, svg = port_picture(core, name, waves, tables)
        (folder / "waves.svg").write_text(svg, encoding="utf-8")
        _write_wrapper(core, name, target, outcome, folder)
        facts = datasheet.Facts(core, name, target, field, seed, outcome, None, caption)
        if synth:
            say("synthesis")
            text = tuple(folder / file for file in rtl)
            own = DesignText(name, text, f"{facts.command.rpartition(' -o ')[0]} --synth -o DIR")
            result = synthesise(
                core, target, text=own, progress=progress, opts=options_here(target)
            )
            facts = replace(facts, synthesis=result)
        say("writing one file of Verilog-2005")
        flat = write_flat(folder, name, target)
        _write_surroundings(facts, rtl, folder)
        (folder / "README.md").write_text(datasheet.text(facts, flat), encoding="utf-8")
        files = write_manifest(facts.manifest(), folder)
    return BundleResult(output, name, target, outcome, facts.synthesis, files)


def _check_request(core: Core, output: Path, field: Field | None) -> None:
    if field is not None and field.bits > core.bits:
        raise RequestError(
            f"field {field.name} has {field.bits} bits, more than the {core.bits} that are built"
        )
    check_output(output)


def _write_rtl(core: Core, name: str, target: str, folder: Path) -> list[str]:
    """Write the sources that are needed, the wrapper and the file list; return the list."""
    # The parameter Tech of a bundle accepts every technology's value, also those with primitives.
    headers = tuple(dict.fromkeys(path for on in all_targets().values() for path in on.headers))
    needed = sources.needed_sources(core, wrapper.parameter_sets(core), headers)
    names = write_sources(needed, (), folder, name)
    _write_wrapper(core, name, target, None, folder)
    return names


def _write_wrapper(
    core: Core,
    name: str,
    target: str,
    outcome: BenchOutcome | None,
    folder: Path,
) -> None:
    """Write the top module; its header states the measured latency once it is known."""
    places = {
        "title": core.title.capitalize(),
        "label": core.label(),
        "r_bits": core.r_bits(core.bits),
        "beats": core.beats(core.bits),
        "bits": core.bits,
        "source": core.source(),
        "cycles": outcome.cycles if outcome else "?",
        "target": get_target(target).title,
    }
    text = wrapper.wrapper(core, name, target, places)
    (folder / "rtl" / f"{name}.sv").write_text(text, encoding="utf-8")


def _write_test(
    core: Core,
    name: str,
    target: str,
    tables: vectors.CaseTables,
    seed: int,
    folder: Path,
) -> None:
    """Write the testbench, its tables, its clocks and the command that runs it."""
    styles = wrapper.style_parameters(core, target)
    values = {
        **bench_values(core, tables, seed),
        "name": name,
        "header": wrapper.header(styles),
        "style": wrapper.pass_on(styles),
    }
    simulators = PREFER_VERILATOR if core.bits >= LONG_TEST_BITS else PREFER_ICARUS
    numbers = tables.stimulus(), tables.expected()
    write_bench(folder, values, "tb.sv", numbers, simulators=simulators)
    write_primitives(folder, values)


def bench_values(core: Core, tables: vectors.CaseTables, seed: int) -> dict[str, object]:
    """Return the placeholder values of the test bench of the common port."""
    return {
        "width": core.bus_width,
        "beats": core.beats(core.bits),
        "op_bits": tables.op_bits,
        "cases": len(tables.cases),
        "limit": 4096 + 64 * (core.core_cycles(core.bits) + 64),
        "seed": seed_32(seed),
    }


def _run_test(
    folder: Path,
    tables: vectors.CaseTables,
    scaled: Callable[[vectors.CaseTables, Path], None],
) -> _TestRun:
    """Run the bundle's test, with waves of the port; scale it down if it would take too long.

    A light run comes first. Its duration predicts that of all cases. If even the light run is too
    long, a brief one with a single modulus replaces it.

    Args:
        folder: the bundle.
        tables: its cases.
        scaled: writes the bundle with other cases to a folder.

    Returns:
        the outcome, the cases that ran, and the wave.

    Raises:
        CheckFailedError: a case failed.
    """

    def run(cases: vectors.CaseTables, bundle: Path, seconds: float) -> _TestRun:
        if cases is not tables:
            scaled(cases, bundle)
        work = folder.parent / f"{bundle.name}_work"
        outcome = passed(runner.run_bundle_test(bundle, waves="port", work=work, seconds=seconds))
        left_out = len(tables.cases) - len(cases.cases)
        return replace(outcome, left_out=left_out), cases, work / "waves.vcd"

    light = tables.light()
    start = time.monotonic()
    try:
        found = run(light, folder.parent / "light", runner.PATIENCE_S)
    except runner.TooSlowError:
        return run(light.brief(), folder.parent / "brief", runner.BRIEF_TIMEOUT_SECONDS)
    needed = (time.monotonic() - start) * tables.products / max(1, light.products)
    return found if needed > runner.PATIENCE_S else run(tables, folder, runner.TIMEOUT_SECONDS)


def _write_surroundings(facts: datasheet.Facts, rtl: list[str], folder: Path) -> None:
    """Write constraints, the FuseSoC file and the port's description."""
    values = common_values(
        facts.name,
        facts.core.title.capitalize(),
        facts.core.label(),
        rtl,
        period_ns=facts.period_ns,
        target=get_target(facts.target).title,
        test_file=PRIMITIVES if (folder / PRIMITIVES).is_file() else "",
    )
    files = {file: file for file in constraint_files(facts.target)}
    write_rendered(folder, {**files, f"{facts.name}.core": "fusesoc.core"}, values)
    write_port_page(folder)
