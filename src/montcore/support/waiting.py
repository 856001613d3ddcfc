# SPDX-License-Identifier: Apache-2.0
"""Progress of long work: a spinner or bar on a terminal, lines on stderr elsewhere.

The command line switches the display on; long operations report themselves with `waiting`. Without
a display (a library user, a worker process) this costs nothing.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from montcore.support import terminal
from montcore.support.paths import cache_dir
from montcore.support.words import duration

PATIENCE_S = 2.0
#: Interval of progress reports of a long wait without a terminal, in seconds.
REPEAT_S = 20.0
_POLL_S = 0.2


class Lasts(NamedTuple):
    """How long a wait takes: in words, and in seconds, 0 if that is not known."""

    words: str
    seconds: float = 0.0


@dataclass
class Wait:
    """One long operation; `step` and `move` may be called from any thread.

    Attributes:
        total: total work, 0 if unknown.
        left_s: time that the rest takes, 0 if only the pace so far tells.
        since: time at which the text was set.
        nested_s: time of waits inside of this one, which do not come each time.
    """

    text: str
    lasts: Lasts | None = None
    done: int = 0
    total: int = 0
    left_s: float = 0.0
    since: float = field(default_factory=time.monotonic)
    began: float = field(default_factory=time.monotonic)
    nested_s: float = 0.0

    def step(self, text: str) -> None:
        """Report the current step."""
        self.text, self.since = text, time.monotonic()

    def move(self, done: int, total: int, left_s: float = 0.0) -> None:
        """Report the progress, and how long the rest takes if that is known."""
        self.done, self.total, self.left_s = done, total, left_s

    def words(self) -> str:
        """Return the text and how long it takes; if a share is completed, how long the rest."""
        gone, (lasts, seconds) = time.monotonic() - self.began, self.lasts or ("time not known", 0)
        if self.total and self.done:
            left = f"at this pace {duration(gone / self.done * (self.total - self.done))}"
            if self.left_s:
                left = f"about {duration(self.left_s)}"
            return f"{self.text}: {self.done:,} of {self.total:,} ({left} left)"
        late = "; today it takes longer" if 0 < seconds < gone else ""
        return f"{self.text} ({lasts}{late})"


class _Display:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waits: list[Wait] = []
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None
        self.bar: Progress | None = None
        self._task = TaskID(0)

    @contextmanager
    def showing(self, wait: Wait) -> Iterator[None]:
        with self._lock:
            self._waits.append(wait)
            if len(self._waits) == 1:
                self._start()
        try:
            yield
        finally:
            with self._lock:
                self._waits = [item for item in self._waits if item is not wait]
                if self._waits:
                    self._waits[-1].since = time.monotonic()
                    self._waits[-1].nested_s += time.monotonic() - wait.began
                else:
                    self._stop()

    def _start(self) -> None:
        console = terminal.new_console(stderr=True)
        self._ended = threading.Event()
        if console.is_terminal:
            self.bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TimeElapsedColumn(),
                console=console,
                transient=True,
            )
            self._task = self.bar.add_task(self._waits[0].text, total=None)
            self.bar.start()
        arguments = (self._ended, self.bar)
        self._thread = threading.Thread(target=self._watch, args=arguments, daemon=True)
        self._thread.start()

    def _stop(self) -> None:
        self._ended.set()
        if self.bar is not None:
            self.bar.stop()
            self.bar = None

    def _watch(self, ended: threading.Event, bar: Progress | None) -> None:
        said, said_at = "", 0.0
        while not ended.wait(_POLL_S):
            waits = self._waits
            if not waits:
                return
            wait, now = waits[-1], time.monotonic()
            if bar is not None:
                done, total = (wait.done, wait.total) if wait.total else (0, None)
                bar.update(self._task, description=wait.words(), completed=done, total=total)
            elif wait.text != said and now - wait.since >= PATIENCE_S:
                said, said_at = wait.text, now
                print(f"montcore: {wait.words()}", file=sys.stderr, flush=True)
            elif wait.text == said and now - said_at >= REPEAT_S:
                said_at = now
                so_far = f", {now - wait.since:.0f} s so far"
                print(f"montcore: {wait.words()}{so_far}", file=sys.stderr, flush=True)

    def say(self, line: str, style: str) -> None:
        console = self.bar.console if self.bar is not None else terminal.new_console(stderr=True)
        terminal.print_words(console, line, style)


_display: _Display | None = None


def switch_on() -> None:
    """Switch the display of waits on."""
    global _display
    _display = _Display()


def switch_off() -> None:
    """Switch the display off, e.g. in a worker process, whose parent shows its own waits."""
    global _display
    _display = None


def _numbers() -> dict[str, float]:
    try:
        found = json.loads((cache_dir() / "times.json").read_text(encoding="utf-8")).items()
        return {name: number for name, number in found if isinstance(number, float)}
    except (OSError, ValueError, AttributeError):
        return {}


def remembered(name: str, otherwise: float) -> float:
    """Return a number of this machine, such as the seconds that a wait took the last time."""
    return _numbers().get(name, otherwise)


def remember(name: str, number: float) -> None:
    """Keep a number of this machine."""
    with suppress(OSError):
        cache_dir().mkdir(parents=True, exist_ok=True)
        part = cache_dir() / f"times-{os.getpid()}.json"
        part.write_text(json.dumps({**_numbers(), name: round(float(number), 3)}))
        part.replace(cache_dir() / "times.json")


@contextmanager
def paused() -> Iterator[None]:
    """Show no bar during the block, which asks something at the terminal."""
    bar = _display and _display.bar
    if bar:
        bar.stop()
    try:
        yield
    finally:
        if bar:
            bar.start()


@contextmanager
def waiting(text: str, lasts: Lasts | None = None) -> Iterator[Wait]:
    """Show a text while the block runs, with how long it `lasts` or took before; yield the wait."""
    display, wait = _display, Wait(text)
    if display is None:
        yield wait
        return
    last = remembered(text, 0.0)
    wait.lasts = lasts or (Lasts(f"{duration(last)} the last time", last) if last else None)
    with display.showing(wait):
        yield wait
    gone = time.monotonic() - wait.began - wait.nested_s
    if not lasts and gone >= PATIENCE_S:
        remember(text, gone)


def say(line: str, style: str = "") -> None:
    """Print a line on stderr, above a bar if there is one."""
    (_display or _Display()).say(line, style)
