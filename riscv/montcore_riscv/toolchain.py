# SPDX-License-Identifier: Apache-2.0
"""Builds the RISC-V library with a bare-metal GCC and keeps the programs in the cache."""

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from montcore.support.errors import CheckFailedError, RequestError
from montcore.support.needed import system_remedy
from montcore.support.paths import REPO_ROOT, cache_dir
from montcore_riscv.elf import ElfProgram, read_program

RISCV_DIR = Path(__file__).parents[1]
COMPILER = "riscv64-unknown-elf-gcc"
TIMEOUT_SECONDS = 120

#: The schedules, the small build of the second among them, and the macro that selects each.
SCHEDULES = {
    "iterative": ("-DMONT_SCHEDULE_ITERATIVE",),
    "pipelined": (),
    "small": ("-DMONT_SMALL",),
}

#: Sources of the curves in the order in which they are linked: point.c to x25519.c are what takes
#: the time, and fit into a cache of 4 KB where nothing stands between them.
CURVE_SOURCES = (
    *("constants.c", "ecdsa.c", "multiply.c", "divsteps.c"),
    *("point.c", "p256.S", "product.S", "f25519.S", "x25519.c"),
    "ed25519.c",
)

#: Sources of RSA; its blinding takes the inverses of the curves.
RSA_SOURCES = (
    *("rsa/private.c", "rsa/division.c", "rsa/state.c", "rsa/signature.c"),
    "curves/divsteps.c",
)

FLAGS = (
    *("-mabi=ilp32", "-O2", "-std=c11", "-Wall", "-Wextra", "-Werror", "-ffreestanding"),
    *("-nostdlib", "-nostartfiles", "-static", "-fno-pic", "-ffunction-sections"),
    *("-fno-tree-loop-distribute-patterns", "-Wl,--build-id=none", "-Wl,--no-relax"),
)
#: Where code begins. Without an option -T, newer compilers link as their C library asks.
USUAL_PLACE = ("-Ttext=0x11000",)


@dataclass(frozen=True)
class BuildTarget:
    """Build target of a program.

    Attributes:
        arch: its -march.
        schedule: one of `SCHEDULES`.
        defines: further macros.
        extensions: also build the routines that use the instructions of riscv/rtl.
        curves: also build the curves, and a source of numbers for their tests.
        rsa: also build RSA, a source of numbers and a hash function for its tests.
    """

    arch: str = "rv32imac"
    schedule: str = "pipelined"
    defines: tuple[str, ...] = ()
    extensions: bool = False
    curves: bool = False
    rsa: bool = False


def library_sources(target: BuildTarget = BuildTarget()) -> list[Path]:
    """Return the sources of the library.

    Assembly comes first, so that what is measured lies within a way of Rocket's instruction cache.
    """
    found = sorted(RISCV_DIR.glob("src/*.S"))
    named = [f"curves/{name}" for name in CURVE_SOURCES] if target.curves else []
    named += ["test/sha512.c"] if target.curves else []
    if target.rsa:
        named += [*(name for name in RSA_SOURCES if name not in named), "test/sha256.c"]
    if named:
        found += [RISCV_DIR / name for name in (*named, "test/random.c")]
    else:
        found += sorted(RISCV_DIR.glob("src/compare/*.S"))
    if target.extensions:
        found += sorted(RISCV_DIR.glob("src/rvx/*.S"))
    return found + sorted(RISCV_DIR.glob("src/*.c"))


def march(arch: str) -> list[str]:
    """Return the options of an architecture; GCC 12 has no libgcc of 32 bits with Zicsr's name."""
    base = arch.removesuffix("_zicsr")
    return [f"-march={base}", *([f"-Wa,-march={arch}"] if base != arch else [])]


def compiler() -> str:
    """Return the cross compiler.

    Raises:
        RequestError: it is not installed.
    """
    found = shutil.which(os.environ.get("MONTCORE_RISCV_CC") or COMPILER)
    if found is None:
        raise RequestError(
            f"{COMPILER} is not installed, without which no RISC-V program can be built: "
            f"{system_remedy('gcc-riscv64-unknown-elf')}"
        )
    return found


@cache
def _compiler_version(path: str) -> str:
    done = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.partition("\n")[0]


def build_program(
    sources: Sequence[Path], target: BuildTarget, flags: Sequence[str] = USUAL_PLACE
) -> tuple[Path, ElfProgram]:
    """Return a linked program of the given sources and the library, from the cache or built.

    Args:
        sources: start-up code and main program.
        target: the build target.
        flags: further compiler and linker flags.

    Raises:
        RequestError: there is no compiler.
        CheckFailedError: it rejected the sources.
    """
    gcc = compiler()
    sources = [*sources, *library_sources(target)]
    command = [gcc, *march(target.arch), *FLAGS, *SCHEDULES[target.schedule]]
    command += [f"-D{name}" for name in target.defines]
    command += [*flags, f"-I{RISCV_DIR / 'include'}"]
    digest = hashlib.sha256(_compiler_version(gcc).encode())
    read = [*sources, *sorted(RISCV_DIR.glob("**/*.inc")), *sorted(RISCV_DIR.glob("**/*.h"))]
    for item in (*command[1:-1], *(str(path.relative_to(REPO_ROOT)) for path in sources)):
        digest.update(item.replace(str(REPO_ROOT), "").encode() + b"\0")
    for path in (*read, *sorted(RISCV_DIR.glob("**/*.ld"))):
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    folder = cache_dir() / "riscv"
    folder.mkdir(parents=True, exist_ok=True)
    home = folder / f"{digest.hexdigest()[:20]}.elf"
    if not home.is_file():
        with tempfile.TemporaryDirectory(dir=folder) as work:
            made = Path(work) / "program.elf"
            done = subprocess.run(
                [*command, *(str(path) for path in sources), "-o", str(made), "-lgcc"],
                capture_output=True,
                text=True,
                timeout=TIMEOUT_SECONDS,
                check=False,
            )
            if done.returncode != 0:
                lines = [line for line in done.stderr.splitlines() if "rror" in line]
                said = " | ".join(lines[:4]) or done.stderr
                raise CheckFailedError(f"{COMPILER} failed: {said}")
            made.rename(home)
    return home, read_program(home)
