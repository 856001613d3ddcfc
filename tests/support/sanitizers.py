# SPDX-License-Identifier: Apache-2.0
"""C code under the sanitizers of gcc: flags to compile with, and the environment to run with.

A program that is compiled with the flags needs the environment's options only. A library that a
program without a sanitizer loads (a provider in ``openssl``) needs `preloaded`.
"""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from programs import output_of

#: Address and undefined behaviour go together; threads need a build of their own.
SANITIZERS = {"address": "address,undefined", "thread": "thread"}
#: Exit status of a program in which a sanitizer found something.
FOUND = 86

_OPTIONS = f"exitcode={FOUND}:halt_on_error=1:abort_on_error=0"
_RUNTIMES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}


def flags(sanitizer: str) -> list[str]:
    """Return the options of gcc, for compiling and for linking."""
    return [
        *("-O1", "-g1", "-fno-omit-frame-pointer"),
        f"-fsanitize={SANITIZERS[sanitizer]}",
        "-fno-sanitize-recover=all",
    ]


def environment(leaks: bool = True) -> dict[str, str]:
    """Return the present environment with the options of the sanitizers.

    Args:
        leaks: whether memory that is never freed is a failure.
    """
    return {
        **os.environ,
        "ASAN_OPTIONS": f"{_OPTIONS}:detect_leaks={int(leaks)}:strict_string_checks=1",
        "UBSAN_OPTIONS": f"{_OPTIONS}:print_stacktrace=1",
        "TSAN_OPTIONS": f"{_OPTIONS}:second_deadlock_stack=1",
    }


def preloaded(sanitizer: str) -> dict[str, str]:
    """Return the variable by which a program without a sanitizer can load a library with one."""
    paths = [output_of("gcc", f"-print-file-name={name}").strip() for name in _RUNTIMES[sanitizer]]
    return {"LD_PRELOAD": ":".join(paths)}


def compile_program(
    sanitizer: str, sources: Sequence[Path], program: Path, *options: str
) -> Mapping[str, str]:
    """Compile C sources to a program with a sanitizer, and return the environment to run it.

    Args:
        sanitizer: one of `SANITIZERS`.
        sources: C files; headers are found by `options`.
        program: the file that is made.
        options: further options of gcc, libraries included.
    """
    output_of("gcc", *flags(sanitizer), "-o", program, *sources, *options)
    return environment()
