# SPDX-License-Identifier: Apache-2.0
"""The command line in the process of a test; conftest.py has the fixture `tool`."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer.main

from montcore.cli import main

#: The parser, which a process needs once: to make it takes longer than most commands of tests.
typer.main.get_command = cache(typer.main.get_command)


class Said(NamedTuple):
    """The exit status of a command, and what it printed."""

    status: int
    out: str
    err: str


class Tool:
    """Runs commands of montcore. Whatever they are asked for, there is never a traceback."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def run(self, *words: str | Path) -> Said:
        """Return how a command ended."""
        self._capsys.readouterr()
        status = main.run([str(word) for word in words])
        said = Said(status, *self._capsys.readouterr())
        assert "Traceback" not in said.err and "unexpected error" not in said.err, said.err
        return said

    def __call__(self, *words: str | Path, status: int = 0) -> str:
        """Return the standard output of a command that ends with that status."""
        said = self.run(*words)
        assert said.status == status, said
        return said.out

    def json(self, *words: str | Path, status: int = 0) -> dict[str, Any]:
        """Return the object that a command with ``--json`` prints on one line."""
        out = self(*words, "--json", status=status)
        found = json.loads(out)
        assert isinstance(found, dict) and out.count("\n") == 1
        return found

    def refuses(self, part: str, *words: str | Path) -> str:
        """Return the one sentence, with this in it, of a command that ends with status 2."""
        status, out, err = self.run(*words)
        assert (status, out, err.count("\n")) == (2, "", 1) and err.startswith("montcore: "), err
        assert part in err
        return err
