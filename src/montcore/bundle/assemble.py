# SPDX-License-Identifier: Apache-2.0
"""Puts a bundle together: everything goes into a temporary folder, is tested and then renamed."""

import hashlib
import importlib.metadata
import json
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from montcore.bundle import datasheet, driver, runner, sources, vectors, wrapper
from montcore.bundle.picture import port_picture
from montcore.bundle.runner import BenchOutcome
from montcore.bundle.target import DEFAULT_TARGET, find_target, resolve
from montcore.bundle.templates import render
from montcore.cores.core import ConfiguredCore
from montcore.hdl.modules import instantiated
from montcore.model.fields import Field
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore.synth import SynthResult, synthesise
from montcore.synth.flow import Text
from montcore.synth.target import all_targets, get_target

Progress = Callable[[str], None]
#: What a bundle's test said, the cases that it ran, and its wave.
_TestRun = tuple[BenchOutcome, vectors.Tables, Path]
DEFAULT_SEED = 2021


@dataclass(frozen=True)
class BundleResult:
    """A finished bundle.

    Attributes:
        path: the folder.
        name: name of its top module.
        target: what it is built for.
        test: what its own test printed before it was released.
        synthesis: figures quoted in its datasheet, None if there are none.
        files: the files, relative to the folder.
    """

    path: Path
    name: str
    target: str
    test: BenchOutcome
    synthesis: SynthResult | None
    files: tuple[str, ...]


def bundle_name(core: ConfiguredCore, field: Field | None) -> str:
    """Return the top module's name, e.g. ``smm_p256r1_npe4``.

    It holds the core, the field or width, the core's first parameter, and the others where they
    differ from their defaults.
    """
    parts = [core.name, field.name if field else f"l{core.bits}"]
    fields = type(core.config).model_fields
    for index, (key, value) in enumerate(core.settings().items()):
        if index == 0 or value != fields[key].default:
            parts.append(str(value) if isinstance(value, str) else f"{key}{value}")
    return "_".join(parts)


def build(
    core: ConfiguredCore,
    output: Path,
    *,
    target: str = DEFAULT_TARGET,
    field: Field | None = None,
    synth: bool = False,
    seed: int = DEFAULT_SEED,
    progress: Progress | None = None,
) -> BundleResult:
    """Write a self-contained bundle of one configuration and run its own test.

    Args:
        core: a registered core.
        output: folder to make; it must not exist or be empty.
        target: what it is built for, a synthesis target or ``asic``: the RTL has its styles as
            defaults and its switches resolved.
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
    if core.fast_clock:
        raise RequestError(f"a bundle has one clock, and {core.top} has two")
    name = bundle_name(core, field)
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=f".{output.name}.", dir=output.parent)
    except OSError as error:
        raise RequestError(f"the folder {output} cannot be written: {error.strerror}") from None
    with scratch as temporary:
        folder = Path(temporary) / name
        folder.mkdir()
        say("collecting sources")
        rtl = _write_rtl(core, name, target, folder)
        tables = vectors.make_tables(core, field.p if field else None, seed)
        _write_test(core, name, target, tables, seed, folder)
        driver.write(core, name, field, folder)
        say("running the bundle's own test")

        def scaled(light: vectors.Tables, elsewhere: Path) -> None:
            shutil.copytree(folder, elsewhere)
            shutil.rmtree(elsewhere / "test")
            _write_test(core, name, target, light, seed, elsewhere)

        outcome, tables, waves = _run_test(folder, tables, Path(temporary), scaled)
        say("drawing the waveform")
        caption, svg = port_picture(core, name, waves, tables)
        (folder / "waves.svg").write_text(svg, encoding="utf-8")
        _write_wrapper(core, name, target, outcome, folder)
        facts = datasheet.Facts(core, name, target, field, seed, outcome, None, caption)
        if synth:
            say("synthesis")
            text = tuple(folder / file for file in rtl)
            own = Text(name, text, f"{facts.command.rpartition(' -o ')[0]} --synth -o DIR")
            result = synthesise(core, target, text=own, progress=progress)
            facts = replace(facts, synthesis=result)
        _write_surroundings(facts, rtl, folder)
        (folder / "README.md").write_text(datasheet.text(facts), encoding="utf-8")
        files = _write_manifest(facts, folder)
        release(folder, output)
    return BundleResult(output, name, target, outcome, facts.synthesis, files)


def release(folder: Path, output: Path) -> None:
    """Move a finished bundle to its place.

    Raises:
        RequestError: that cannot be written.
    """
    try:
        if output.is_dir():
            output.rmdir()  # it is empty: checked before, and rmdir would refuse otherwise
        folder.rename(output)
    except OSError as error:
        raise RequestError(f"the folder {output} cannot be written: {error.strerror}") from None


def _check_request(core: ConfiguredCore, output: Path, field: Field | None) -> None:
    if field is not None and field.bits > core.bits:
        raise RequestError(
            f"field {field.name} has {field.bits} bits, more than the {core.bits} that are built"
        )
    check_output(output)


def check_output(output: Path) -> None:
    """Refuse a folder that is there and not empty.

    Raises:
        RequestError: it is not empty, is a file, or cannot be read.
    """
    try:
        if output.exists() and not output.is_dir():
            raise RequestError(f"{output} exists and is not a folder")
        if output.is_dir() and any(output.iterdir()):
            raise RequestError(f"the folder {output} is not empty; name a new one")
    except OSError as error:
        raise RequestError(f"the folder {output} cannot be read: {error.strerror}") from None


def _write_rtl(core: ConfiguredCore, name: str, target: str, folder: Path) -> list[str]:
    """Write the sources that are needed, the wrapper and the file list; return the list."""
    rtl = folder / "rtl"
    rtl.mkdir()
    names = []
    # The parameter Tech of a bundle takes every technology's value, those with primitives too.
    defines = get_target(target).defines
    headers = tuple(dict.fromkeys(path for on in all_targets().values() for path in on.headers))
    sets = wrapper.parameter_sets(core)
    for path in sources.needed_sources(core, sets, defines, headers):
        text = resolve(path.read_text(encoding="utf-8"), defines)
        (rtl / path.name).write_text(text, encoding="utf-8")
        names.append(f"rtl/{path.name}")
    names.append(f"rtl/{name}.sv")
    if len(set(names)) != len(names):
        raise CheckFailedError(f"two source files of {core.name} have the same name")
    (folder / "files.f").write_text("\n".join(names) + "\n", encoding="utf-8")
    _write_wrapper(core, name, target, None, folder)
    return names


def _write_wrapper(
    core: ConfiguredCore,
    name: str,
    target: str,
    outcome: BenchOutcome | None,
    folder: Path,
) -> None:
    """Write the top module; its header quotes the measured latency once it is known."""
    places = {
        "title": core.title.capitalize(),
        "label": core.label(),
        "r_bits": core.r_bits(core.bits),
        "beats": core.beats(core.bits),
        "bits": core.bits,
        "source": core.source,
        "cycles": outcome.cycles if outcome else "?",
        "target": get_target(target).title,
    }
    text = wrapper.wrapper(core, name, target, places)
    (folder / "rtl" / f"{name}.sv").write_text(text, encoding="utf-8")


def _write_test(
    core: ConfiguredCore,
    name: str,
    target: str,
    tables: vectors.Tables,
    seed: int,
    folder: Path,
) -> None:
    """Write the testbench, its tables, its clocks and the command that runs it."""
    test = folder / "test"
    test.mkdir()
    styles = wrapper.style_parameters(core, target)
    values = {
        "name": name,
        "width": core.bus_width,
        "beats": core.beats(core.bits),
        "op_bits": tables.op_bits,
        "cases": len(tables.cases),
        "limit": 4096 + 64 * (core.core_cycles(core.bits) + 64),
        "seed": f"{(seed * 2654435761 + 1) % 2**32 or 1:08x}",
        "header": wrapper.header(styles),
        "style": wrapper.pass_on(styles),
        "first": "iverilog",
        "second": "verilator",
    }
    for file, template in (
        (test / f"{name}_tb.sv", "tb.sv"),
        (test / "clock.sv", "clock.sv"),
        (test / "clock.cpp", "clock.cpp"),
        (folder / "run_test.sh", "run_test.sh"),
        (folder / "Makefile", "Makefile"),
    ):
        file.write_text(render(template, values), encoding="utf-8")
    written = (path.read_text(encoding="utf-8") for path in (folder / "rtl").iterdir())
    primitives = [name for on in all_targets().values() for name in on.primitives]
    if any(instantiated(text, primitives) for text in written):
        (test / "primitives.sv").write_text(render("primitives.sv", values), encoding="utf-8")
    (folder / "run_test.sh").chmod(0o755)
    (test / "stimulus.hex").write_text(tables.stimulus(), encoding="ascii")
    (test / "expected.hex").write_text(tables.expected(), encoding="ascii")


def _run_test(
    folder: Path,
    tables: vectors.Tables,
    temporary: Path,
    scaled: Callable[[vectors.Tables, Path], None],
) -> _TestRun:
    """Run the bundle's test, with waves of the port; scaled down where it would take too long.

    A light run comes first. How long it takes here and now says how long all cases would take. If
    even that is too long, a brief one with a single modulus takes its place.

    Args:
        folder: the bundle.
        tables: its cases.
        temporary: where to work.
        scaled: writes the bundle with other cases to a folder.

    Returns:
        the outcome, the cases that ran, and the wave.

    Raises:
        CheckFailedError: something failed.
    """

    def run(cases: vectors.Tables, bundle: Path, seconds: float) -> _TestRun:
        if cases is not tables:
            scaled(cases, bundle)
        work = temporary / f"{bundle.name}_work"
        outcome = passed(runner.run_bundle_test(bundle, waves="port", work=work, seconds=seconds))
        left_out = len(tables.cases) - len(cases.cases)
        return replace(outcome, left_out=left_out), cases, work / "waves.vcd"

    light = tables.light()
    start = time.monotonic()
    try:
        found = run(light, temporary / "light", runner.PATIENCE_S)
    except runner.TooSlowError:
        return run(light.brief(), temporary / "brief", runner.BRIEF_TIMEOUT_SECONDS)
    needed = (time.monotonic() - start) * tables.products / max(1, light.products)
    return found if needed > runner.PATIENCE_S else run(tables, folder, runner.TIMEOUT_SECONDS)


def passed(outcome: BenchOutcome) -> BenchOutcome:
    """Return an outcome without failures.

    Raises:
        CheckFailedError: it has some.
    """
    if outcome.failed or not outcome.passed:
        raise CheckFailedError(
            f"the bundle's own test says: {outcome.passed} passed, {outcome.failed} failed: "
            + " | ".join(outcome.output.splitlines()[:4])
        )
    return outcome


def _write_surroundings(facts: datasheet.Facts, rtl: list[str], folder: Path) -> None:
    """Write constraints, the FuseSoC file, the port's description and the licence."""
    measured, title = facts.period_ns, get_target(facts.target).title
    name = facts.name
    values = {
        "name": name,
        "title": facts.core.title.capitalize(),
        "label": facts.core.label(),
        "version": importlib.metadata.version("montcore"),
        "period": f"{measured * 1.3:.2f}" if measured else "10.00",
        "period_note": (
            f"1.3 times the shortest period that was measured for {title}, {measured:.2f} ns"
            if measured
            else "a period of 10 ns to begin with"
        ),
        "rtl_files": "\n".join(f"      - {file}" for file in rtl),
        "test_files": (
            "\n      - test/primitives.sv: {file_type: systemVerilogSource}"
            if (folder / "test" / "primitives.sv").is_file()
            else ""
        ),
    }
    for file in ("constraints.sdc", "constraints.xdc"):
        (folder / file).write_text(render(file, values), encoding="utf-8")
    (folder / f"{name}.core").write_text(render("fusesoc.core", values), encoding="utf-8")
    shutil.copyfile(HW_DIR / "common" / "README.md", folder / "PORT.md")
    shutil.copyfile(REPO_ROOT / "LICENSE", folder / "LICENSE")


def _write_manifest(facts: datasheet.Facts, folder: Path) -> tuple[str, ...]:
    """Write manifest.json with the hashes of all other files; return all names."""
    return write_manifest(facts.manifest(), folder)


def write_manifest(content: Mapping[str, object], folder: Path) -> tuple[str, ...]:
    """Write manifest.json with the hashes of all other files; return all names."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    hashes = {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
    }
    text = json.dumps({**content, "files": hashes}, indent=2)
    (folder / "manifest.json").write_text(text + "\n", encoding="utf-8")
    return (*hashes, "manifest.json")
