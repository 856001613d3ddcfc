# SPDX-License-Identifier: Apache-2.0
"""Sphinx reads this; `montcore maintain site` puts it beside the pages."""

import importlib.metadata
import re

project = "montcore"
author = "The montcore contributors"
project_copyright = "the montcore contributors; Apache-2.0"
release = importlib.metadata.version("montcore")
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 4
html_theme = "furo"
html_title = f"montcore {release}"
html_copy_source = False
html_show_sphinx = False
smartquotes = False
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_typehints_description_target = "documented"
autodoc_class_signature = "separated"
napoleon_use_rtype = False
exclude_patterns: list[str] = []
html_extra_path = ["whole"]
suppress_warnings = ["myst.header"]


def _plain(text: str) -> str:
    """Return a line of a docstring, written in Markdown, as reStructuredText."""
    pieces = re.split(r"(``[^`]+``|`[^`]+`)", text)
    return "".join(
        f"``{piece.strip('`')}``" if piece.startswith("`") else re.sub(r"([*|\\])", r"\\\1", piece)
        for piece in pieces
    )


def _docstring(app, what, name, obj, options, lines):  # type: ignore[no-untyped-def]
    del app, what, name, obj, options
    lines[:] = [_plain(line) for line in lines]


def setup(app):  # type: ignore[no-untyped-def]
    """Translate the docstrings before Napoleon reads them."""
    app.connect("autodoc-process-docstring", _docstring, priority=100)
