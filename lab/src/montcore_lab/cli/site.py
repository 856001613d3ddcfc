# SPDX-License-Identifier: Apache-2.0
"""The verbs `maintain site` and `maintain release`: pages for the browser, and packages."""

from pathlib import Path
from typing import Annotated

from montcore.cli.options import option
from montcore.cli.output import steps
from montcore.support.errors import CheckFailedError
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_words
from montcore.support.waiting import Lasts


def site(
    output: Annotated[Path | None, option("-o --output DIR", "Folder; default: out/site.")] = None,
) -> None:
    """Build the site: offline, without warnings, all links checked."""
    from montcore_lab.site.build import DEFAULT, build

    folder = output or DEFAULT
    with steps("building the site", Lasts("about 25 s of processor time", 25)):
        pages = build(folder)
    print_words(
        standard_output(), f"{pages} pages, no warnings, no broken links: {folder / 'index.html'}"
    )


def release(
    output: Annotated[Path | None, option("-o --output DIR", "Folder; default: dist.")] = None,
) -> None:
    """Build source distribution and wheel, with a bill of materials and digests.

    No figure of a release is missing or of earlier sources.
    """
    from montcore_lab.pages import figures
    from montcore_lab.papers.ledger import Ledger
    from montcore_lab.release import DEFAULT, make

    if old := figures.complaints(Ledger.load()):
        raise CheckFailedError(
            f"{len(old)} figures are missing or out of date ({old[0]}); "
            "`montcore maintain figures` measures them"
        )

    with steps("building the release") as step:
        files = make(output or DEFAULT, step)
    for path in files:
        print_words(standard_output(), f"{path} {path.stat().st_size:,} bytes")
