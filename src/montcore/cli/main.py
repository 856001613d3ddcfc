# SPDX-License-Identifier: Apache-2.0
"""The command line: reads what was asked, calls the verb's function and prints its result.

Exit status: 0 done; 1 a check failed; 2 the request was wrong (one sentence on stderr); 130
interrupted. With ``--json`` a command prints exactly one JSON object on stdout: its result, or
``{"error": ...}`` where it ended with status 1 before it had one.

A verb is a module of this package with a function `register`, which adds its commands to the
application, and a number `ORDER`, its place in the help. Other distributions have verbs too, as
entry points in the group `GROUP` that name such modules. Modules import what takes long inside
their commands, since each start of the tool imports all of them.
"""

import errno
import importlib
import os
import pkgutil
import re
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated, Any

import typer

import montcore.cli
from montcore.cli import output
from montcore.cli.options import option
from montcore.support import waiting
from montcore.support.errors import (
    CheckFailedError,
    RequestError,
    TransientError,
    has_room,
    storage_error,
)
from montcore.support.paths import cache_dir

#: Options whose values may be part of a key, and the length up to which they are none.
SECRET_OPTIONS, SHORT = ("--scalar", "--exponent"), 8
#: Group of the entry points with which other distributions bring verbs, for instance ``papers =
#: montcore_lab.cli.papers``.
GROUP = "montcore.verbs"
#: Verbs of distributions of the repository that may not be installed, and the folder of each.
ELSEWHERE = {"papers": "lab", "peers": "lab", "mutate": "lab", "maintain": "lab", "riscv": "riscv"}
#: Exit status after Ctrl-C, as shells have it.
INTERRUPTED = 130


def make_app() -> typer.Typer:
    """Return the application with the verbs of this package and of other distributions."""
    made = typer.Typer(
        name="montcore",
        help="Montgomery-arithmetic hardware: choose, build, verify and measure it.",
        no_args_is_help=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    made.callback()(_globally)
    names = (info.name for info in pkgutil.iter_modules(montcore.cli.__path__))
    modules = [importlib.import_module(f"montcore.cli.{name}") for name in names if name != "main"]
    others = {}
    for entry in entry_points(group=GROUP):
        try:
            others[entry.name] = entry.load()
        except ModuleNotFoundError as error:
            if error.name != entry.module.partition(".")[0]:
                raise
            # The distribution is installed from a folder that is gone.
    verbs = [module for module in (*modules, *others.values()) if hasattr(module, "register")]
    for module in sorted(verbs, key=lambda module: module.ORDER):
        module.register(made)
    for verb in ELSEWHERE.keys() - others:
        made.command(
            verb,
            hidden=True,
            add_help_option=False,
            context_settings={"ignore_unknown_options": True, "allow_extra_args": True},
        )(_missing(verb))
    return made


def _missing(verb: str) -> Callable[[], None]:

    def say() -> None:
        folder = ELSEWHERE[verb]
        raise RequestError(
            f"the verb {verb} is in montcore-{folder}, which works on a checkout: "
            f"`pip install --editable {folder}` there"
        )

    return say


def _without_types_of_flags() -> None:
    """Let the help name no type of Typer's own flags, such as ``--help``, as of ours."""
    kind: Any = importlib.import_module("typer.core").TyperOption
    if shown := getattr(kind, "display_type_rich", None):
        kind.display_type_rich = lambda self, ctx: "" if self.is_flag else shown(self, ctx)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; every failure is one line on stderr."""
    output.start()
    waiting.switch_on()
    if os.environ.get("NO_COLOR"):
        of_the_help: Any = importlib.import_module("typer.rich_utils")
        of_the_help.COLOR_SYSTEM = None
    as_json = "--json" in arguments
    try:
        status = app(list(arguments), standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except RequestError as error:
        return _refuse(str(error))
    except typer.TyperException as error:
        # The message of the no-arguments case is the help text, which goes to stdout.
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        if arguments and message:
            # The parser's guess as a question, like all others.
            guess = r". Did you mean \1?"
            message = re.sub(r"(valid integer), unable.*", r"\1, one at a time", message)
            return _refuse(re.sub(r"\s*\(Possible options: (.*)\)", guess, message))
        if message:
            print(message)
        return 0
    except CheckFailedError as error:
        return _fail(str(error), as_json)
    except (KeyboardInterrupt, typer.Abort):
        status = INTERRUPTED
    except BrokenPipeError:
        # The reader has closed the pipe; nothing more can be written to stdout.
        sys.stdout = None
        return 1
    except OSError as error:
        _give_up_lost_output()
        known = _storage_error(error)
        refused = isinstance(known, RequestError)
        return _refuse(str(known)) if refused else _fail(str(known), as_json)
    except MemoryError:
        return _fail("no memory is left for this", as_json)
    except Exception as error:
        return _fail(_unexpected(error, arguments), as_json)
    finally:
        waiting.switch_off()
    if status == INTERRUPTED:  # the option parser turns the interruption into this status
        print("montcore: interrupted", file=sys.stderr)
    return status if isinstance(status, int) else 0


def _storage_error(error: OSError) -> RequestError | CheckFailedError:
    if error.errno == errno.EBADF and error.filename is None:
        return CheckFailedError("the output cannot be written: standard output is closed")
    # An error of writing names no file. If the cache has room, the full disk is another one.
    if error.errno == errno.ENOSPC and error.filename is None and has_room(cache_dir()):
        return TransientError("no space is left for the output or a temporary file")
    return storage_error(error, cache_dir())


def _give_up_lost_output() -> None:
    """Give stdout up if it takes nothing more.

    What is left in its buffer would fail again when the interpreter ends, with a status of its own.
    """
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        # From Python 3.14 on it also fails, with a traceback, when the stream is let go.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.stdout = None


def _line(message: str) -> str:
    return " ".join(message.split()).encode(errors="backslashreplace").decode()


def _refuse(message: str) -> int:
    print(f"montcore: {_line(message)}", file=sys.stderr)
    return 2


def _fail(message: str, as_json: bool) -> int:
    line = _line(message)
    print(f"montcore: {line}", file=sys.stderr)
    if as_json and not output.has_printed_json():
        output.print_json({"error": line})
    return 1


def _unexpected(error: Exception, arguments: Sequence[str]) -> str:
    """Write a crash log that only its owner can read; return a sentence that names it."""
    text = "".join(
        (
            f"montcore {montcore.__version__}, Python {sys.version.split()[0]}\n",
            f"montcore {' '.join(_shown(arguments))}\n\n",
            *traceback.format_exception(error),
        )
    )
    what = f"an unexpected error ({type(error).__name__}: {str(error)[:200]})"
    for argument, shown in zip(arguments, _shown(arguments), strict=True):
        if argument != shown:
            secret = argument.rpartition("=")[2]
            text, what = text.replace(secret, "..."), what.replace(secret, "...")
    name = f"crash-{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.log"
    for folder in (cache_dir(), Path(tempfile.gettempdir())):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # A new file: in the common folder another user may have put a link in its place.
            number = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(number, "w", encoding="utf-8", errors="backslashreplace") as log:
                log.write(text)
        except OSError:
            continue
        return f"{what}; please report it with the log {folder / name}"
    return f"{what}; no log could be written"


def _shown(arguments: Sequence[str]) -> list[str]:
    """Return the arguments without values, but short ones, that may be part of a key."""
    shown = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        name, _, value = argument.rpartition("=")
        hides = (name or before) in SECRET_OPTIONS and len(value) > SHORT
        shown.append(argument.removesuffix(value) + "..." if hides else argument)
    return shown


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"montcore {montcore.__version__}")
        raise typer.Exit


def _globally(
    version: Annotated[
        bool,
        option("--version", "Print the version and exit.", callback=_show_version, is_eager=True),
    ] = False,
) -> None:
    """Montgomery-arithmetic hardware: choose, build, verify and measure it."""
    del version


_without_types_of_flags()
app = make_app()
