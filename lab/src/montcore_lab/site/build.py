# SPDX-License-Identifier: Apache-2.0
"""Builds the site, ``montcore maintain site``: offline, warnings are errors, links checked."""

import io
import shutil
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from montcore.bundle.parts import check_output
from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.needed import missing_package
from montcore.support.paths import REPO_ROOT
from montcore_lab.site.assemble import assemble

DEFAULT = REPO_ROOT / "out" / "site"
_LOG_LINES = 12


class _Links(HTMLParser):
    """Collects the links, loaded files and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the relevant attributes."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            if value and name in ("id", "name"):
                self.anchors.add(value)
        del tag


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
    pages: dict[Path, _Links] = {}
    for path in sorted(folder.glob("**/*.html")):
        pages[path.resolve()] = parser = _Links()
        parser.feed(path.read_text(encoding="utf-8"))
    found = []
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            name = path.relative_to(folder.resolve())
            if not target.exists() or (
                target in pages and unquote(parts.fragment) not in {"", *pages[target].anchors}
            ):
                found.append(f"{name}: {link}")
    return found
