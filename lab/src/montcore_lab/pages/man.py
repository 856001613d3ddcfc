# SPDX-License-Identifier: Apache-2.0
"""The manual page montcore(1), from the help of every verb."""

import inspect
import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

import montcore
from montcore.cli.main import ELSEWHERE, app


def _roff(text: str) -> str:
    """Return text as roff: a line that begins with a dot or an apostrophe would be a request."""
    plain = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", "\\\\&", plain, flags=re.M)


def _words(text: str) -> str:
    """Return a help text, whose code is marked by backquotes, in roff."""
    return re.sub(r"`([^`]*)`", r"\\fB\1\\fR", _roff(inspect.cleandoc(text)))


def _verb(name: str, command: Any) -> Iterator[str]:
    """Yield the lines of a verb, or of those of a group."""
    verbs = getattr(command, "commands", {})
    for verb, own in verbs.items():
        if not own.hidden and verb not in ELSEWHERE:
            yield from _verb(f"{name} {verb}", own)
    if verbs:
        return
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    words = [name, *(one.metavar or one.name.upper() for one in arguments)]
    yield f'.SS "{_roff(" ".join(words))}"'
    yield "\n.PP\n".join(map(_words, (command.help or "").split("\n\n")))
    for one in command.params:
        usage = f"{', '.join(one.opts)} {one.metavar or ''}".rstrip()
        if one in arguments:
            usage = one.metavar or one.name.upper()
        yield f".TP\n\\fB{_roff(usage)}\\fR\n{_words(one.help or '')}"


def page() -> str:
    """Return the page, to be installed as man1/montcore.1."""
    command: Any = get_command(app)
    lines = [
        f'.TH MONTCORE 1 "" "montcore {montcore.__version__}"',
        f".SH NAME\nmontcore \\- {_roff(command.help)}",
        ".SH SYNOPSIS\n\\fBmontcore\\fR VERB [OPTION ...]",
        ".SH VERBS",
        *_verb("montcore", command),
        ".SH EXIT STATUS\n0: success.\n1: a check failed, or no point meets a budget.",
        "2: the request is invalid.",
        ".SH FILES\nThe cache and its settings: \\fBmontcore doctor\\fR.",
    ]
    return "\n".join(lines) + "\n"
