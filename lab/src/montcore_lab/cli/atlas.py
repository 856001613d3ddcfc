# SPDX-License-Identifier: Apache-2.0
"""The verb `maintain atlas`: fills the atlas of measured points, or measures a part of it again."""

from datetime import datetime, timezone
from typing import Annotated

from montcore.cli import options
from montcore.cli.options import option
from montcore.cli.output import print_json
from montcore.support.errors import RequestError
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_words


def _widths(text: str | None) -> tuple[int, ...] | None:
    names = options.names_of(text)
    try:
        return None if names is None else tuple(int(name) for name in names)
    except ValueError:
        raise RequestError(f"--bits takes widths in bits with commas, not '{text}'") from None


def atlas(
    bits: Annotated[str | None, option("--bits L,...", "Widths in bits; default: ten.")] = None,
    targets: Annotated[str | None, option("--targets T,...", "Only these targets.")] = None,
    cores: options.CoresOption = None,
    full: options.FullOption = False,
    workers: options.WorkersOption = 2,
    scheduler: options.SchedulerOption = None,
    tls_ca: options.AuthorityOption = None,
    tls_cert: options.CertificateOption = None,
    tls_key: options.TlsKeyOption = None,
    check: Annotated[
        bool, option("--check", "Only list what would be measured, and the estimated time.")
    ] = False,
    kept: Annotated[
        bool, option("--kept", "Add earlier measurements of this machine; measure nothing.")
    ] = False,
    again: Annotated[bool, option("--again", "Measure known points too.")] = False,
    tidy: Annotated[bool, option("--tidy", "Delete points that are out of date.")] = False,
    sample: Annotated[
        float,
        option(
            "--sample PERCENT",
            "Measure this share of the points again and compare.",
            min=0,
            max=100,
        ),
    ] = 0,
    predictions: Annotated[
        bool, option("--predictions", "Predict measured points and print the errors.")
    ] = False,
    seed: Annotated[
        int | None, option("--seed N", "Seed of the sample; default: today's date.")
    ] = None,
    json_: options.JsonOption = False,
) -> int:
    """Measure the missing points of the atlas; resumes after an interruption."""
    from montcore.compare.atlas import Atlas
    from montcore.compare.cluster import Cluster
    from montcore.compare.terminal import progress
    from montcore_lab.pages import atlas as filling

    console = standard_output()
    book = Atlas.load()

    def say(words: str) -> None:
        if not json_:
            print_words(console, words)

    if tidy:
        dropped = filling.tidy(book)
        say(f"{dropped} out-of-date points are deleted, {len(book.records)} are left")
        if json_:
            print_json({"dropped": dropped, "points": len(book.records)})
        return 0
    if predictions:
        content = filling.prediction_errors(book)
        say(
            "{points} measured points predicted from other widths: deviation {median:.1%} in the "
            "median, {largest:.1%} at most; {within} within the error that was stated".format(
                **content
            )
        )
        if json_:
            print_json(content)
        return 0
    if sample:
        today = datetime.now(timezone.utc).date().toordinal()
        chosen = filling.sample(book, sample, today if seed is None else seed)
        with progress(chosen) as done:
            found = filling.disagreements(book, chosen, done, workers)
        for words in found:
            say(words)
        say(f"{len(chosen)} of {len(book.records)} points measured again, {len(found)} differences")
        if json_:
            print_json({"measured": [p.command for p in chosen], "differences": found})
        return 1 if found else 0
    part = filling.AtlasPart(
        _widths(bits), options.names_of(targets), options.names_of(cores), full
    )
    cost = filling.estimate(part, book, again)
    say(cost.words(workers))
    failed = 0
    if not check:
        cluster = Cluster.of(scheduler, tls_ca, tls_cert, tls_key)
        with progress([*cost.kept, *(() if kept else cost.due)]) as done:
            failed = filling.fill(
                cost, book, done, workers=workers, cluster=cluster, again=again, measure=not kept
            )
        say(f"{book.file}: {len(book.records)} points; {failed} could not be measured")
    if json_:
        about = {"points": cost.points, "valid": cost.valid, "kept": len(cost.kept)}
        due = {"due": len(cost.due), "seconds": round(cost.total_s), "failed": failed}
        print_json({**about, **due})
    return 1 if failed or (check and (cost.due or cost.kept)) else 0
