# SPDX-License-Identifier: Apache-2.0
"""The page of the Python API is complete, its examples run, and wrong arguments are refused."""

import importlib
import inspect
import re
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from montcore.bundle.assemble import build
from montcore.compare.budget import Budget
from montcore.compare.point import plan
from montcore.compare.run import Request, compare
from montcore.cores import get_core
from montcore.cores.core import Core
from montcore.ecc.curves import get_curve
from montcore.modexp.exponentiator import Exponentiator
from montcore.support.errors import RequestError
from montcore.support.paths import REPO_ROOT
from montcore.synth.flow import synthesise
from montcore.verification.multiply import multiply
from montcore.verification.run import verify

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
    "montcore.compare.point.digests": {"point": plan(8, cores=["cs"], targets=["xc7"])[0]},
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
