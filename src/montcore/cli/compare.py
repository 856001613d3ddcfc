# SPDX-License-Identifier: Apache-2.0
"""The verbs `compare` and `recommend`: many configurations, and the best of them."""

import json
import sys
from collections import Counter
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from montcore.cli import options
from montcore.cli.build import CURVES, built, make_bundle
from montcore.cli.options import option
from montcore.cli.output import print_json, steps
from montcore.support.errors import RequestError
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_pairs, print_words
from montcore.support.words import settings_words

if TYPE_CHECKING:
    from montcore.compare.budget import Choice
    from montcore.compare.entry import Entry
    from montcore.compare.run import Request

ORDER = 50

BudgetOption = Annotated[
    list[str] | None,
    option("--budget FIGURE<=N", "A limit, e.g. ge<=60000 or dsp<=40; may be repeated."),
]
MinimiseOption = Annotated[
    str,
    option(
        "--minimise WHAT",
        "area-time: kge_us_flops_sustained where measured, else area x interval_us; latency: "
        "latency_us; throughput: interval_us; area: GE with memory, or LUT + 100 dsp; dsp; energy: "
        "energy_nj. Without a clock cycles replace us; the latency is the interval of a unit.",
    ),
]
TargetsOption = Annotated[str | None, option("--targets T,...", "See `list`; default: xc7,osu018.")]
LibrariesOption = Annotated[
    list[Path] | None,
    option("--library FILE", "The description of a cell library, as a target; may be repeated."),
]
WiresOption = Annotated[
    str | None, option("--wires placed|none", "osu018: as for `synth`; default: placed.")
]
FreshOption = Annotated[bool, option("--fresh", "Measure all points, also known ones.")]


def register(app: typer.Typer) -> None:
    """Add the verbs to the command line."""
    app.command()(compare)
    app.command()(recommend)


def _comparison_request(
    bits: int,
    targets: str | None,
    libraries: list[Path] | None,
    cores: str | None,
    budget: list[str] | None,
    minimise: str,
    full: bool,
    wires: str | None,
) -> "Request":
    from montcore.compare.budget import check_objective, parse_budget
    from montcore.compare.run import Request
    from montcore.synth.target import add_library

    described = tuple(add_library(path) for path in libraries or [])
    request = Request(
        bits,
        options.names_of(cores),
        (*map(options.known_target, options.names_of(targets) or ()), *described) or None,
        tuple(parse_budget(text) for text in budget or []),
        check_objective(minimise),
        full,
        wires,
    )
    request.check()
    return request


def _known(request: "Request", measure: bool, fresh: bool) -> "tuple[list[Entry], int]":
    from montcore.compare.run import recall

    if measure or fresh:
        from montcore.compare.sweep import sweep
        from montcore.compare.terminal import progress

        points = request.plan().points
        with progress(points) as done:
            return sweep(points, done, fresh=fresh, earlier=False), 0
    with steps("reading what was measured"):
        known = recall(request)
    return list(known.entries.values()), len(known.missing)


def _predicted(request: "Request", known: Collection[str]) -> "list[Choice]":
    """Return the best of the points that are predicted, by target; measured ones do not count."""
    from montcore.compare.atlas import current
    from montcore.compare.budget import recommend as choose_best
    from montcore.compare.point import DEFAULT_TARGETS
    from montcore.compare.predict import predictions

    targets = [name for name in request.targets or DEFAULT_TARGETS if name not in known]
    if not targets:
        return []
    how = {"cores": request.cores, "full": request.full, "wires": request.wires, "targets": targets}
    found = predictions(current(), request.bits, **how)
    return choose_best(found, request.budgets, request.objective)


def _build(entry: "Entry", folder: Path) -> dict[str, Any]:
    from montcore.bundle.assemble import CoreBundle
    from montcore.bundle.engine import EngineBundle

    pairs = [f"{key}={value}" for key, value in entry.params.items()]
    if not entry.unit:
        chosen = options.configure(entry.core, pairs, entry.bits)
        return make_bundle(CoreBundle(chosen, target=entry.target), folder)
    if entry.core == CURVES:
        engine = options.configure_engine(pairs, entry.bits, entry.multiplier)
        return make_bundle(EngineBundle(engine, entry.target), folder)
    raise RequestError(
        f"{entry.core} is built behind a bus: montcore build "
        f"{entry.core}{settings_words(entry.params.items())} --bits {entry.bits} --bus NAME -o DIR"
    )


def compare(
    bits: Annotated[int, option("--bits L", "Built width and length.")],
    output: Annotated[Path, option("-o --output DIR", "Folder of the report.")],
    targets: TargetsOption = None,
    libraries: LibrariesOption = None,
    cores: options.CoresOption = None,
    budget: BudgetOption = None,
    minimise: MinimiseOption = "area-time",
    full: options.FullOption = False,
    wires: WiresOption = None,
    workers: options.WorkersOption = 2,
    scheduler: options.SchedulerOption = None,
    tls_ca: options.AuthorityOption = None,
    tls_cert: options.CertificateOption = None,
    tls_key: options.TlsKeyOption = None,
    fresh: FreshOption = False,
    wide: options.WideOption = False,
    json_: options.JsonOption = False,
) -> int:
    """Compare all cores, measure missing points, write a report, recommend."""
    from montcore.compare.atlas import origins
    from montcore.compare.cluster import Cluster
    from montcore.compare.run import Comparison
    from montcore.compare.run import compare as run_compare
    from montcore.compare.terminal import print_choices, print_entries, print_left_out, progress

    request = _comparison_request(bits, targets, libraries, cores, budget, minimise, full, wires)
    cluster = Cluster.of(scheduler, tls_ca, tls_cert, tls_key)
    console = standard_output()

    def answered(found: Comparison) -> None:
        """Print the answer before the plots are drawn."""
        if json_:
            print_json(json.loads((output / "results.json").read_text(encoding="utf-8")))
            return
        print_entries(console, found.entries, found.choices, wide=wide)
        print_left_out(console, found.left_out)
        print_choices(console, found.choices)
        print_words(console, origins(found.entries))

    with progress(request.plan().points) as done:
        found = run_compare(
            request, output, done, workers=workers, cluster=cluster, fresh=fresh, answered=answered
        )
    if not json_:
        print_words(console, f"written: {', '.join(str(path) for path in found.files)}")
    return 1 if found.failed or not all(choice.fits for choice in found.choices) else 0


def recommend(
    bits: Annotated[int, option("--bits L", "Built width and length.")],
    targets: TargetsOption = None,
    libraries: LibrariesOption = None,
    cores: options.CoresOption = None,
    budget: BudgetOption = None,
    minimise: MinimiseOption = "area-time",
    full: options.FullOption = False,
    wires: WiresOption = None,
    build_into: Annotated[Path | None, option("--build DIR", "Build the recommended core.")] = None,
    measure: Annotated[bool, option("--measure", "First measure what the atlas lacks.")] = False,
    fresh: FreshOption = False,
    predict: Annotated[
        bool,
        option(
            "--predict",
            "Predictions also where measured points keep the budgets, in a separate section.",
        ),
    ] = False,
    json_: options.JsonOption = False,
) -> int:
    """Recommend a configuration from the atlas and earlier measurements, in a second."""
    from montcore.compare.atlas import origins
    from montcore.compare.budget import check_figures
    from montcore.compare.budget import recommend as choose_best
    from montcore.compare.point import DEFAULT_TARGETS
    from montcore.compare.terminal import print_choices, print_left_out

    request = _comparison_request(bits, targets, libraries, cores, budget, minimise, full, wires)
    entries, lacking = _known(request, measure, fresh)
    left_out = request.plan().left_out
    choices = choose_best(entries, request.budgets, request.objective)
    # A target of which nothing measured fits has predictions, never nothing.
    met = {choice.target for choice in choices if choice.fits}
    predicted = _predicted(request, () if predict else met)
    if not choices and not predicted:
        check_figures(request.objective, request.targets or DEFAULT_TARGETS)
        raise RequestError(f"nothing is known for {bits} bits yet; run {request.command}")
    fitting = [choice for choice in (*choices, *predicted) if choice.fits]
    bundle = _build(fitting[0].entry, build_into) if build_into is not None and fitting else None
    if json_:
        content = {
            "choices": [choice.as_choice() for choice in choices],
            "recommendations": [choice.as_object() for choice in choices],
            "points": len(entries),
            "missing": lacking,
            "stale": sum(entry.earlier for entry in entries),
            "origins": dict(Counter(entry.origin for entry in entries)),
            "left_out": left_out,
        }
        if predicted or predict:
            content["predictions"] = [choice.as_choice() for choice in predicted]
        print_json(content if build_into is None else {**content, "build": bundle})
    else:
        console = standard_output()
        print_choices(console, choices)
        print_left_out(console, left_out)
        print_words(console, origins(entries, lacking), "yellow" if lacking else "")
        if lacking:
            print_words(console, f"to measure the missing points: {request.command}", "yellow")
        if predicted or predict:
            words = "predicted, not measured:" if predicted else "nothing can be predicted"
            print_words(console, words, "yellow")
            print_choices(console, predicted)
        if bundle is not None:
            print_pairs(console, bundle["name"], built(bundle))
    if build_into is not None and not fitting:
        print("montcore: nothing is built: no point meets the budgets", file=sys.stderr)
    asked = {choice.target for choice in (*choices, *predicted)}
    return 0 if {choice.target for choice in fitting} == asked else 1
