# SPDX-License-Identifier: Apache-2.0
"""Output of all verbs, and the display of progress."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from montcore.support import waiting
from montcore.support.terminal import output as standard_output
from montcore.support.terminal import print_pairs

_printed = False


def start() -> None:
    """Forget what an earlier command of this process has printed."""
    global _printed
    _printed = False


def has_printed_json() -> bool:
    """Tell whether the command has printed its JSON object."""
    return _printed


def print_json(content: dict[str, Any]) -> None:
    """Print the JSON object of the command."""
    global _printed
    _printed = True
    print(json.dumps(content))


def show(
    title: str, content: dict[str, Any], json_: bool, people: dict[str, Any] | None = None
) -> None:
    """Print the JSON object of the command, or names and values: the same, or others for people."""
    if json_:
        print_json(content)
    else:
        print_pairs(standard_output(), title, content if people is None else people)


@contextmanager
def progress(text: str, lasts: waiting.Lasts | None = None) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of long work; yield the function that reports it: done, total."""
    with waiting.waiting(text, lasts) as wait:
        yield wait.move


@contextmanager
def steps(text: str, lasts: waiting.Lasts | None = None) -> Iterator[Callable[[str], None]]:
    """Show the current step of long work; yield the function that sets it; as `waiting`."""
    with waiting.waiting(text, lasts) as wait:
        yield lambda now: wait.step(f"{text}: {now}")
