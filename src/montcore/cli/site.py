# SPDX-License-Identifier: Apache-2.0
"""The verb `maintain site`: builds the pages for the browser."""

from pathlib import Path
from typing import Annotated

import typer

from montcore.cli.output import steps
from montcore.support.terminal import output as standard_output


def site(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Default: out/site.")
    ] = None,
) -> None:
    """Build the site: offline, without warnings, all links checked."""
    from montcore.maintain.site.build import DEFAULT, build

    folder = output or DEFAULT
    with steps("building the site"):
        pages = build(folder)
    words = f"{pages} pages, no warnings, no broken links: {folder / 'index.html'}"
    standard_output().print(words, highlight=False, markup=False, soft_wrap=True)
