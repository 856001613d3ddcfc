# SPDX-License-Identifier: Apache-2.0
"""Assembles the pages of the site in a folder: rendered, with links and pictures.

Pages of docs/site are templates: expressions in double braces are computed (`figures`). Existing
pages of the repository (datasheets, docs) are included unchanged; below docs/papers.md there is a
page for each paper. Links are those of a checkout. A link to another page becomes a link inside the
site; the target of a link to a picture is copied; a link to any other file of the repository
becomes its path; a broken link is an error.
"""

import re
import shutil
from pathlib import Path, PurePosixPath

from jinja2 import Environment, StrictUndefined

from montcore.compare import blocks
from montcore.cores import all_cores
from montcore.support.errors import CheckFailedError
from montcore.support.paths import HW_DIR, REPO_ROOT
from montcore_lab.papers import charts, page
from montcore_lab.papers import run as papers_run
from montcore_lab.papers.ledger import Ledger
from montcore_lab.site import figures

PAGES = REPO_ROOT / "docs" / "site"
PICTURES = {".svg", ".png"}
#: Folder of complete pages, which the site includes unchanged (docs/site/conf.py).
WHOLE = "whole"
#: Functions of `figures` that pages may call.
ASKED = ("choice_table", "core_list", "figure", "release", "shell", "theory", "unit_table")
#: Pages of the repository in the site and their names there, other than datasheets, examples and
#: the pages of docs.
REPOSITORY = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "riscv/README.md": "datasheets/riscv.md",
    "sw/provider/README.md": "datasheets/provider.md",
    "sw/pkcs11/README.md": "datasheets/pkcs11.md",
    "vectors/README.md": "vectors.md",
    "README.md": "readme.md",
}
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.M | re.S)


def pages() -> dict[Path, str]:
    """Return the pages of the repository, and their names in the site."""
    datasheets = {path: "datasheets" for path in sorted(HW_DIR.glob("**/README.md"))}
    examples = {path: "examples" for path in sorted(REPO_ROOT.glob("examples/*/README.md"))}
    folders = {**datasheets, **examples}
    found = {path: f"{folder}/{path.parent.name}.md" for path, folder in folders.items()}
    found |= {path: path.name for path in sorted(REPO_ROOT.glob("docs/*.md"))}
    listed = {REPO_ROOT / name: place for name, place in REPOSITORY.items()}
    return {path: place for path, place in {**found, **listed}.items() if path.is_file()}


def assemble(folder: Path) -> None:
    """Write the sources of the site into an empty folder.

    Raises:
        CheckFailedError: a figure is missing, an example is wrong, or a link is broken.
    """
    guides = {path: path.relative_to(PAGES).as_posix() for path in sorted(PAGES.glob("**/*.md"))}
    drawn = ["choice.svg", *(f"blocks-{name}.svg" for name in blocks.ALL_DIAGRAMS)]
    known = {**pages(), **guides, **{PAGES / "images" / name: f"images/{name}" for name in drawn}}
    pictures: dict[Path, str] = {}
    papers, ledger = papers_run.chosen(None), Ledger.load()
    outdated = ledger.outdated(papers_run.subjects_of(papers))
    sources = [(path, place, path.read_text("utf-8")) for path, place in pages().items()]
    sources += [
        (page.PATH, f"papers/{paper.name}.md", page.whole(paper, ledger.figures(), outdated))
        for paper in papers
    ]
    for path, place, text in sources:
        target = folder / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(relinked(text, path, place, known, pictures), "utf-8")
    listed = "\n".join(f"papers/{paper.name}" for paper in papers)
    with (folder / known[page.PATH]).open("a", encoding="utf-8") as overview:
        overview.write("\n## All tables and elements\n\n")
        overview.write(f"```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n")
    environment = Environment(undefined=StrictUndefined, keep_trailing_newline=True)
    environment.globals.update({name: getattr(figures, name) for name in ASKED})
    for path, place in guides.items():
        text = environment.from_string(path.read_text("utf-8")).render(
            datasheets=sorted(value for value in known.values() if value.startswith("datasheets/"))
        )
        (folder / place).write_text(relinked(text, path, place, known, pictures), "utf-8")
    images = folder / "images"
    images.mkdir(exist_ok=True)
    for source, name in pictures.items():
        shutil.copyfile(source, images / name)
    charts.write(folder / WHOLE / "papers-figures.html", papers, ledger, outdated)
    for name in blocks.ALL_DIAGRAMS:
        if name in all_cores() or name in blocks.UNIT_DIAGRAMS:
            (images / f"blocks-{name}.svg").write_text(blocks.diagram(name), encoding="utf-8")
    (images / "choice.svg").write_text(figures.choice_chart(), encoding="utf-8")
    shutil.copyfile(PAGES / "conf.py", folder / "conf.py")


def relinked(
    text: str, path: Path, place: str, known: dict[Path, str], pictures: dict[Path, str]
) -> str:
    """Return a page of the repository with its links converted for the site.

    Args:
        text: the page.
        path: its file.
        place: its name in the site.
        known: the pages of the site, by file.
        pictures: receives each picture, with its name in the site.

    Raises:
        CheckFailedError: a link is broken.
    """
    up = "../" * (len(PurePosixPath(place).parts) - 1)

    def link(found: re.Match[str]) -> str:
        mark, words, target = found.groups()
        if re.match(r"[a-z]+:|#", target):
            return found.group(0)
        name, hash_, anchor = target.partition("#")
        file = (path.parent / name).resolve()
        if file in known:
            return f"{mark}[{words}]({up}{known[file]}{hash_}{anchor})"
        if not file.exists():
            raise CheckFailedError(f"{path.relative_to(REPO_ROOT)}: the link to {target} is broken")
        if file.suffix in PICTURES:
            pictures[file] = file.name
            return f"{mark}[{words}]({up}images/{file.name})"
        shown = file.relative_to(REPO_ROOT).as_posix()
        same = words.strip("`/") in shown
        return f"`{shown}`" if same else f"{words} (`{shown}`)"

    parts = _FENCE.split(text)
    return "".join(
        part if number % 2 else _LINK.sub(link, part) for number, part in enumerate(parts)
    )
