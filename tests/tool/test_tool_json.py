# SPDX-License-Identifier: Apache-2.0
"""`--json` is one object on stdout for every verb and option, also where a command fails.

The page of the Python API is complete, its examples run, and wrong arguments are refused.
"""

import dataclasses
import importlib
import inspect
import json
import re
import stat
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
import typer.main
from command_line import Tool
from fixture_core import FixtureCore
from measurements import made_up, measured_by

from montcore.bundle import BundleResult
from montcore.bundle.assemble import build
from montcore.bundle.runner import BenchOutcome
from montcore.cli import main as cli
from montcore.compare import measure as measure_module
from montcore.compare.budget import Budget
from montcore.compare.entry import Entry
from montcore.compare.point import Point, survey
from montcore.compare.run import Request, compare
from montcore.cores import get_core, registered
from montcore.cores.core import Core
from montcore.ecc.curves import get_curve
from montcore.modexp.exponentiator import Exponentiator
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth.flow import synthesise
from montcore.synth.result import SynthResult
from montcore.synth.store import ResultStore
from montcore.verification.multiply import multiply
from montcore.verification.run import verify
from montcore_lab.mutation.campaign import Score

SMM = ["smm", "--set", "npe=2", "--set", "w=16"]
PRODUCT = ["--modulus", "fffb", "--bits", "64", "--x", "1234", "--y", "0d5"]


def quick(point: Point) -> Entry:
    """Return a made-up measurement of a point; the area grows with `npe`."""
    figures = {"ff": 900, "dsp": 4, "bram": 0, "cycles": 40, "core_cycles": 36, "interval": 32}
    lut = 1000 + int(dict(point.settings).get("npe", 1)) * 100
    return made_up(point, **figures, lut=lut, checked=100)


@pytest.fixture
def measured(own_results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Points of smm at 64 bits on xc7 that are in the result store."""
    measured_by(quick, monkeypatch)
    for point in survey(64, cores=["smm"], targets=["xc7"]).points:
        measure_module.keep(point, quick(point), ResultStore())


@pytest.fixture
def bundled(monkeypatch: pytest.MonkeyPatch) -> None:
    def build(core: Core, output: Path, **_: Any) -> BundleResult:
        bench = BenchOutcome("icarus", 3, 0, 40, 36, 32, "3 passed, 0 failed")
        return BundleResult(output, "smm_l64", "xc7", bench, None, ("README.md",))

    monkeypatch.setattr("montcore.bundle.build", build)


COMPARE = ["--bits", "64", "--cores", "smm", "--targets", "xc7"]

#: Verbs and options, except those of rsa and of curves, whose JSON is tested elsewhere.
GOOD: list[Any] = [
    ["list"],
    ["mul", *SMM, *PRODUCT],
    ["mul", *SMM, *PRODUCT, "--engine", "model"],
    ["mul", *SMM, *PRODUCT, "--engine", "model", "--domain", "plain"],
    ["mul", *SMM, *PRODUCT, "--engine", "model", "--length", "16"],
    ["modexp", "smm", "--modulus", "f1", "--base", "3", "--exponent", "0d5", "--bits", "16"],
    ["verify", *SMM, "--bits", "32", "--random", "20", "--engine", "model"],
    ["verify", "cs", "--bits", "4", "--exhaustive", "--engine", "model"],
    ["synth", *SMM, "--bits", "64", "--target", "xc7"],
    ["build", *SMM, "--bits", "64", "-o", "bundle"],
    pytest.param(
        ["build", "rc", "--bits", "16", "--synth", "-o", "bundle"],
        marks=pytest.mark.nightly,  # every run builds bundles, and measures netlists
    ),
    ["compare", *COMPARE, "-o", "report"],
    pytest.param(
        ["compare", *COMPARE, "-o", "report", "--full", "--wide", "--workers", "1"],
        marks=pytest.mark.nightly,  # it measures as the one above
    ),
    ["recommend", *COMPARE],
    ["recommend", *COMPARE, "--minimise", "area", "--budget", "lut<=5000"],
    ["recommend", *COMPARE, "--build", "bundle"],
    ["papers"],
    ["papers", "--paper", "smm-2021"],
    ["peers"],
    ["mutate", "cs4", "--count", "3"],
]
#: Commands that end with status 1 but still print an object.
BAD: list[list[str]] = [
    ["mul", "fixture", "--set", "bug=2", "--modulus", "fffd", "--x", "a5", "--y", "3"],
    ["verify", "fixture", "--set", "bug=1", "--bits", "16", "--seed", "4"],
    ["recommend", *COMPARE, "--budget", "lut<=1"],
    ["recommend", *COMPARE, "--budget", "lut<=1", "--build", "bundle"],
    ["compare", *COMPARE, "--budget", "lut<=1", "-o", "report"],
]


@pytest.mark.usefixtures("measured", "bundled")
@pytest.mark.parametrize("words", GOOD, ids=" ".join)
def test_every_verb_prints_one_object(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    done = SynthResult("xc7", lut=1, ff=1, dsp=0, bram=0, cycles=1, core_cycles=1, interval=1)
    monkeypatch.setattr("montcore.synth.flow.synthesise", lambda *_, **__: done)
    monkeypatch.setattr(
        "montcore_lab.mutation.campaign.campaign", lambda *words, **_: Score(*words)
    )
    monkeypatch.chdir(tmp_path)
    found = tool.json(*words)
    assert "error" not in found
    if words[-2:] == ["--build", "bundle"]:
        assert tmp_path / found["build"]["path"] == tmp_path / "bundle"


@pytest.mark.usefixtures("measured", "bundled")
@pytest.mark.parametrize("words", BAD, ids=" ".join)
def test_a_failure_prints_one_object_too(
    tool: Tool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with registered(FixtureCore):
        found = tool.json(*words, status=1)
    assert found and (words[0] != "mul" or found.keys() == {"error"})
    assert not (tmp_path / "bundle").exists()


def test_doctor_and_bench_print_one_object(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    from montcore_riscv.bench import Bench

    monkeypatch.setattr("montcore.cli.doctor.collect", lambda: [])
    monkeypatch.setattr("montcore_riscv.bench.bench", lambda *_, **__: Bench((), (), (), {}))
    for words in (["doctor"], ["riscv", "bench", "--bits", "64"]):
        assert tool.json(*words)


def test_papers_measure_prints_one_object(tool: Tool, monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(_: Any, lacking: list[Any], done: Any, __: int) -> int:
        done(lacking[0], "ABC was killed")
        return 1

    monkeypatch.setattr("montcore_lab.papers.run.measure", measure)
    monkeypatch.setattr("montcore_lab.pages.figures.write", lambda _: None)
    words = ["papers", "--measure", "--again", "--paper", "smm-2021", "--only", "npe=2"]
    assert tool.json(*words, status=1)


FILES = ["--key", "key.pem", "--in", "message"]
#: Verbs of curves, without their hardware and files.
CURVES: dict[str, list[str]] = {
    "ec mul": ["cs", "--curve", "p-256", "--scalar", "1"],
    "ecdsa sign": FILES,
    "ecdsa verify": [*FILES, "--signature", "message"],
    "ecdh": ["--key", "key.pem", "--peer", "key.pem"],
    "x25519": ["cs", "--scalar", "00", "--u", "09"],
    "x448": ["cs", "--scalar", "00", "--u", "09"],
    "ed25519 sign": FILES,
    "ed25519 verify": [*FILES, "--signature", "message"],
    "ed448 sign": FILES,
    "ed448 verify": [*FILES, "--signature", "message"],
}


@pytest.mark.parametrize("verb", CURVES)
def test_verbs_of_curves_print_one_object(
    tool: Tool, monkeypatch: pytest.MonkeyPatch, verb: str
) -> None:
    """Results are tested with the engine; a wrong signature is an object too, with status 1."""
    product = SimpleNamespace(point=None, cycles=3, products=2)
    monkeypatch.setattr("montcore.ecc.operations.EcUnit.multiply", lambda *_: product)
    for name in ("sign", "verify", "agree", "ladder", "sign_edwards", "verify_edwards"):
        content = {"valid": False, "cycles": 3} if "verify" in name else {"cycles": 3}
        monkeypatch.setattr(f"montcore.ecc.commands.{name}", lambda *_, found=content: found)
    found = tool.json(*verb.split(), *CURVES[verb], status=int("verify" in verb))
    assert found["cycles"] == 3


def test_no_verb_is_forgotten() -> None:
    command: Any = typer.main.get_command(cli.app)
    tested = {words[0] for words in (*GOOD, *BAD) if isinstance(words, list)} | {
        verb.split()[0] for verb in CURVES
    }
    tested |= {"doctor", "library", "maintain", "riscv", "rsa"}
    tested.add("serve")  # it prints no result: it is the server
    assert set(command.commands) == tested


def test_unexpected_error_is_one_sentence_with_a_log(
    capsys: pytest.CaptureFixture[str], own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = Mock(side_effect=ZeroDivisionError("one by zero \udcff"))
    monkeypatch.setattr("montcore.verification.multiply.multiply", broken)
    status = cli.run(["mul", *SMM, *PRODUCT, "--json"])
    out, err = capsys.readouterr()
    assert status == 1 and err.count("\n") == 1 and "one by zero" in json.loads(out)["error"]
    (log,) = own_cache.glob("crash-*.log")
    assert str(log) in err and "ZeroDivisionError" in log.read_text()


@pytest.mark.parametrize("form", ["--scalar {}", "--scalar={}"])
def test_a_log_is_its_owners_alone_and_holds_no_secret(
    capsys: pytest.CaptureFixture[str], own_cache: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    secret = "0x" + "5ec2e7" * 10
    broken = Mock(side_effect=ZeroDivisionError(f"{secret} by zero"))
    monkeypatch.setattr("montcore.ecc.commands.ladder", broken)
    words = form.format(secret).split()
    assert cli.run(["x25519", "smm", *words, "--u", "09"]) == 1
    (log,) = own_cache.glob("crash-*.log")
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
    assert "x25519 smm --scalar" in log.read_text() and "... by zero" in log.read_text()
    assert secret not in log.read_text() + capsys.readouterr().err


PAGE = (REPO_ROOT / "docs" / "site" / "api.md").read_text(encoding="utf-8")
ENTRIES = re.findall(r'\{\{ api\("([\w.]+)", "([^"]+)"\) \}\}', PAGE)
MEMBERS = {
    f"{module}.{name}": getattr(importlib.import_module(module), name, None)
    for module, names in ENTRIES
    for name in names.split(", ")
}
SECTIONS = dict(re.findall(r"^## (.*?)\n\n```python\n(.*?)^```", PAGE, re.M | re.S))
#: Sections that are run together. The nightly ones run tools or compile simulators.
EXAMPLES = [
    ("Cores", "Products", "Verification", "The atlas", "Errors"),
    *(
        pytest.param(("Cores", *names), marks=pytest.mark.nightly)
        for names in (
            ("Synthesis",), ("Comparison", "Recommendation"), ("Bundles",), ("Curves",),
             ("Sequences of packets at a port",),
            ("Exponentiation", "RSA"),
        )
    ),
]  # fmt: skip
CORE = get_core("cs").configure({}, 8)


def functions() -> Iterator[tuple[str, Any]]:
    """Yield the functions of the page, and the constructors and methods of its classes."""
    for name, member in MEMBERS.items():
        if inspect.isclass(member):
            for key, value in vars(member).items():
                method = getattr(value, "__func__", value)
                if inspect.isfunction(method) and not key.startswith("_"):
                    yield f"{name}.{key}", method
        elif member is not None:
            yield name, member


def classes_in(hint: Any) -> Iterator[type]:
    """Yield the classes of this package in an annotation."""
    if isinstance(hint, list):
        inner: Any = hint
    else:
        kind, inner = typing.get_origin(hint) or hint, typing.get_args(hint)
        if isinstance(kind, type) and kind.__module__.startswith("montcore."):
            yield kind
    for part in inner:
        yield from classes_in(part)


def hints_of(function: Any) -> dict[str, Any]:
    """Return the annotations; names that are imported for the type checker alone are the page's."""
    try:
        return typing.get_type_hints(function)
    except NameError:
        known = {name.rpartition(".")[2]: member for name, member in MEMBERS.items()}
        return typing.get_type_hints(function, localns=known)


def test_every_name_of_the_page_exists() -> None:
    assert [name for name, member in MEMBERS.items() if member is None] == []


def test_every_type_of_a_signature_is_on_the_page() -> None:
    known = {id(member) for member in MEMBERS.values()}
    missing = {
        f"{kind.__module__}.{kind.__qualname__}: {name}"
        for name, function in functions()
        for hint in hints_of(function).values()
        for kind in classes_in(hint)
        if id(kind) not in known
    }
    assert missing == set()


def test_every_section_has_an_example_that_is_run() -> None:
    assert list(SECTIONS) == re.findall(r"^## (.*)$", PAGE, re.M)
    run = {name for item in EXAMPLES for name in getattr(item, "values", (item,))[0]}
    assert run == set(SECTIONS)


@pytest.mark.parametrize("sections", EXAMPLES, ids=lambda sections: sections[-1])
def test_the_examples_run(
    sections: tuple[str, ...], own_results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for title in sections:
        exec(SECTIONS[title], names)  # the examples of the page


# ---- wrong arguments -------------------------------------------------------------------------

#: Functions that check their arguments, with those that are right and quick.
RIGHT: dict[str, dict[str, Any]] = {
    "montcore.cores.registry.get_core": {"name": "cs"},
    "montcore.cores.registry.register": {"core": type(CORE)},
    "montcore.verification.multiply.multiply": {
        "core": CORE, "m": 0xF1, "x": 2, "y": 3, "engine": "model",
    },
    "montcore.verification.multiply.check_request": {"m": 0xF1, "x": 2, "y": 3, "bits": 8},
    "montcore.verification.run.verify": {"core": CORE, "random_count": 1, "engine": "model"},
    "montcore.bundle.styles.verify_sequences": {"design": CORE, "count": 1, "target": ""},
    "montcore.bundle.styles.verify_replay": {"design": CORE, "text": "c:f1"},
    "montcore.synth.flow.synthesise": {"core": CORE, "target": "xc7"},
    "montcore.synth.target.get_target": {"name": "xc7"},
    "montcore.synth.target.register": {},
    "montcore.compare.run.compare": {
        "request": Request(8, ("cs",), ("xc7",)), "output": Path("/dev/null/out"),
        "done": lambda *_: None,
    },
    "montcore.compare.run.recall": {"request": Request(8, ("cs",), ("xc7",))},
    "montcore.compare.budget.parse_budget": {"text": "lut<=3"},
    "montcore.compare.budget.recommend": {"entries": [], "budgets": [], "objective": "area"},
    "montcore.compare.budget.pareto": {"entries": [], "first": "lut", "second": "dsp"},
    "montcore.compare.point.digests": {"point": survey(8, cores=["cs"], targets=["xc7"]).points[0]},
    "montcore.compare.atlas.differences": {},
    "montcore.bundle.assemble.build": {"core": CORE, "output": Path("/dev/null/out")},
    "montcore.bundle.runner.run_bundle_test": {"folder": Path("/dev/null/out")},
    "montcore.ecc.curves.get_curve": {"name": "P-256"},
    "montcore.rsa.keys.read_private_key": {"path": Path("/dev/null")},
    "montcore.rsa.keys.read_public_key": {"path": Path("/dev/null")},
    "montcore.rsa.keys.generate": {"bits": 512},
    "montcore.model.fields.get_field": {"name": "P-256"},
    "montcore.synth.options.chosen_options": {},
}  # fmt: skip
#: Public functions that take no arguments.
WITHOUT = {
    "montcore.cores.registry.all_cores",
    "montcore.synth.target.all_targets",
    "montcore.compare.atlas.current",
    "montcore.cores.registry.registered",
}
JUNK = [object(), "junk", "", -5, 0, 1 << 80, 3.5, float("nan"), None, b"x", [], {}, (), True,
        print, lambda: 0, np.int64(-1), np.zeros(3)]  # fmt: skip


#: Classes whose objects a caller makes and passes on.
MADE = ("ExponentiatorDesign", "EngineDesign", "Stream", "Power", "ModularProduct", "EngineRequest",
        "EcPrivateKey", "EcPublicKey", "EdwardsKey", "PrivateKey", "PublicKey", "Padding",
        "Digested", "Request", "Budget")  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_an_object_of_wrong_parts_is_refused_at_once(name: str) -> None:
    kind: Any
    (kind,) = (member for path, member in MEMBERS.items() if path.endswith(f".{name}"))
    fields = [field.name for field in dataclasses.fields(kind) if field.init]
    for field in fields:
        with pytest.raises(RequestError, match=f"^{name}: .* cannot be "):
            kind(**{**dict.fromkeys(fields), field: object()})


def test_every_public_function_is_tried() -> None:
    plain = {name for name, item in functions() if inspect.isfunction(MEMBERS.get(name))}
    assert plain == {*RIGHT, *WITHOUT} & plain and {*RIGHT} <= plain


@pytest.mark.parametrize("name", RIGHT)
def test_wrong_arguments_are_refused_at_once(
    name: str, own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)

    class Reached(Exception):  # noqa: N818
        pass

    def reached(*_: Any, **__: Any) -> Any:
        raise Reached

    for place in (
        "verification.checker.Checker.work", "synth.flow.synthesise_subject",
        "compare.run.sweep", "compare.run.recall_points", "sim.build.build_simulator",
        "rsa.keys.rsa.generate_private_key", "bundle.styles.sequences", "bundle.styles.run",
        "bundle.assemble.make",
    ):  # fmt: skip
        monkeypatch.setattr(f"montcore.{place}", reached)
    monkeypatch.setattr("montcore.cores.registry._added", {})
    function: Any = MEMBERS[name]
    for parameter in inspect.signature(function).parameters:
        for junk in JUNK:
            try:
                function(**{**RIGHT[name], parameter: junk})
            except (RequestError, Reached) as error:
                assert "Traceback" not in str(error) and "\n" not in str(error)
                refused = isinstance(error, RequestError)
            else:
                refused = False
            assert refused or type(junk) is not object, f"{parameter} takes any object"


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Budget("lut", "<", 3000), "relation cannot be '<'"),  # type: ignore[arg-type]
        (lambda: Budget("luts", "<=", 3000), "cannot bound 'luts'"),
        (lambda: Request(8, objective="latancy"), "not 'latancy'"),
        (lambda: Request("8"), "bits cannot be '8'"),  # type: ignore[arg-type]
        (lambda: multiply(CORE, 0xF1, 2, 3, domain="Plain"), "domain"),  # type: ignore[arg-type]
        (lambda: multiply(CORE, 0xF1, 2, 3, engine="Model"), "engine"),  # type: ignore[arg-type]
        (lambda: multiply(CORE, 0xF1, -1, 3), "operand x is negative"),
        (lambda: verify(CORE, random_count=-5), "random_count cannot be -5"),
        (lambda: verify(CORE, progress=lambda done: None), "a function of 2 arguments"),  # type: ignore[arg-type,misc]
        (lambda: synthesise(CORE, "xc7", length=9), "length of 9 bits"),
        (lambda: compare(Request(8), Path("out"), print, workers=0), "workers cannot be 0"),
        (lambda: compare(Request(8), Path("out"), lambda entry: None), "of 3 arguments"),  # type: ignore[arg-type,misc]
        (lambda: build(CORE, 7), "output cannot be 7"),  # type: ignore[arg-type]
        (lambda: CORE.configure({"w": 16}, 8), "settings cannot be"),  # type: ignore[dict-item]
        (lambda: get_curve(7), "name cannot be 7"),  # type: ignore[arg-type]
        (lambda: Exponentiator(CORE), "design cannot be"),  # type: ignore[arg-type]
        (lambda: multiply(CORE), "missing a required argument"),  # type: ignore[call-arg]
    ],
)
def test_the_sentence_names_the_argument(wrong: Callable[[], object], words: str) -> None:
    with pytest.raises(RequestError, match=re.escape(words)):
        wrong()


def test_numbers_of_numpy_are_numbers() -> None:
    core: Core = get_core("cs").configure({}, np.int64(8))
    m, x, y = np.array([0xF1, 2, 3])
    result = multiply(core, m, x, y, engine="model")
    assert result == multiply(CORE, 0xF1, 2, 3, engine="model") and type(result.z) is int
