# SPDX-License-Identifier: Apache-2.0
"""Builds the site, ``montcore maintain site``: offline, warnings are errors, links checked."""

import io
import re
import shutil
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

from montcore.bundle.parts import check_output
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.needed import missing_package
from montcore.support.paths import REPO_ROOT
from montcore_lab.site.assemble import assemble

DEFAULT = REPO_ROOT / "out" / "site"
_LOG_LINES = 12
#: Links and loaded files of a page, and its anchors; Sphinx escapes the quotes of text.
_LINK = re.compile(r'\s(?:href|src)="([^"]+)"')
_ANCHOR = re.compile(r'\s(?:id|name)="([^"]+)"')


def build(output: Path = DEFAULT) -> int:
    """Build the site and return its number of pages.

    Args:
        output: folder of the pages, new or empty; the contents of the default one are replaced.

    Raises:
        RequestError: Sphinx is not installed, or the folder is not empty.
        CheckFailedError: there was a warning, or a link is broken.
    """
    try:
        from sphinx.cmd.build import build_main
    except ModuleNotFoundError:
        raise RequestError(missing_package("sphinx")) from None
    if output == DEFAULT:
        shutil.rmtree(output, ignore_errors=True)
    else:
        check_output(output)
    with tempfile.TemporaryDirectory() as work:
        sources = Path(work) / "pages"
        sources.mkdir()
        assemble(sources)
        said = io.StringIO()
        arguments = ["-b", "html", "-W", "--keep-going", "-q", "-d", f"{work}/trees"]
        # The lines are used in a message. In CI, Sphinx colours them even without a terminal.
        arguments.append("--no-color")
        with redirect_stderr(said), redirect_stdout(said):
            status = build_main([*arguments, str(sources), str(output)])
        if status:
            lines = said.getvalue().replace(str(sources), "docs/site").strip().splitlines()
            raise CheckFailedError("the site has warnings: " + "; ".join(lines[:_LOG_LINES]))
    broken = broken_links(output)
    if broken:
        raise CheckFailedError("the site has broken links: " + "; ".join(broken[:_LOG_LINES]))
    return len(list(output.glob("**/*.html")))


def broken_links(folder: Path) -> list[str]:
    """Return the broken links of all pages in a folder, one per line."""
    texts = {path.resolve(): path.read_text("utf-8") for path in sorted(folder.glob("**/*.html"))}
    anchors = {path: set(_ANCHOR.findall(text)) for path, text in texts.items()}
    found = []
    for path, text in texts.items():
        for link in map(unescape, _LINK.findall(text)):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            name = path.relative_to(folder.resolve())
            if not target.exists() or (
                target in anchors and unquote(parts.fragment) not in {"", *anchors[target]}
            ):
                found.append(f"{name}: {link}")
    return found
