# SPDX-License-Identifier: Apache-2.0
"""Other libraries built for RISC-V with this one as their engine."""

import hashlib
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT, cache_dir
from montcore_riscv.debian import SourcePackage
from montcore_riscv.elf import ElfProgram, read_program
from montcore_riscv.machine import get_cpu, machine_flags
from montcore_riscv.toolchain import RISCV_DIR, BuildTarget, compiler, library_sources, march

FLAGS = (
    *("-mabi=ilp32", "-O2", "-std=c11", "-ffreestanding", "-fno-pic", "-w"),
    *("-ffunction-sections", "-fdata-sections", "-fno-tree-loop-distribute-patterns"),
)
LINK = ("-nostdlib", "-nostartfiles", "-static", "-Wl,--no-relax", "-Wl,--gc-sections")
SOC = REPO_ROOT / "sw" / "soc"
#: A C library's headers, and the functions of its that are called.
LIBC = (RISCV_DIR / "test" / "libc", SOC / "libc")
_SECONDS = 600


@dataclass(frozen=True)
class HostLibrary:
    """A library that takes this one as its engine.

    Attributes:
        package: its sources.
        parts: those that are compiled.
        headers: folders of headers among them.
        hooks: folder with what stands between it and this library.
        options: options with which it and the programs are compiled.
    """

    package: SourcePackage
    parts: Sequence[str]
    headers: Sequence[str]
    hooks: Path
    options: Sequence[str] = ()

    def _flags(self, arch: str, defines: Sequence[str]) -> list[str]:
        source = self.package.folder()
        folders = [*LIBC, RISCV_DIR / "include", RISCV_DIR / "test", self.hooks]
        folders += [source / name for name in self.headers]
        names = [f"-D{name}" for name in defines]
        return [*march(arch), *FLAGS, *self.options, *names, *(f"-I{one}" for one in folders)]

    def _compile(self, words: Sequence[str | Path], folder: Path) -> None:
        done = subprocess.run(
            [compiler(), *map(str, words)],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            raise CheckFailedError(f"{self.package.title} is not compiled: {done.stderr[-400:]}")

    def _objects(self, arch: str, defines: Sequence[str]) -> Path:
        """Return the library's objects for a processor, in a folder of the cache."""
        source, flags = self.package.folder(), self._flags(arch, defines)
        files = sorted(path for part in self.parts for path in source.glob(part))
        key = hashlib.sha256(repr((flags, [str(path) for path in files])).encode())
        for header in sorted((RISCV_DIR / "test").glob("*.h")):
            key.update(header.read_bytes())
        home = cache_dir() / f"{self.package.package}-objects" / key.hexdigest()[:16]
        if not home.is_dir():
            home.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=home.parent) as work:
                made = Path(work) / "objects"
                made.mkdir()
                self._compile([*flags, "-c", *files], made)
                try:
                    made.rename(home)
                except OSError:  # another process was first
                    if not home.is_dir():
                        raise
        return home

    def build(
        self,
        sources: Sequence[Path],
        arch: str,
        flags: Sequence[str],
        to: Path,
        defines: Sequence[str] = (),
    ) -> None:
        """Link a program of sources, this library, the hooks and the other library.

        Raises:
            RequestError: the compiler or the other library's sources are missing.
            CheckFailedError: something is not compiled.
        """
        own = library_sources(BuildTarget(curves=True, rsa=True))
        everything = [*sources, *own, SOC / "string.c", *sorted(self.hooks.glob("*.c"))]
        everything += sorted(self._objects(arch, defines).glob("*.o"))
        options = [*self._flags(arch, defines), *LINK, *flags]
        self._compile([*options, *everything, "-lgcc", "-o", to], to.parent)

    def machine_program(
        self,
        cpu: str,
        names: Sequence[str],
        defines: Sequence[str],
        folder: Path,
        sources: Sequence[Path] = (),
    ) -> ElfProgram:
        """Return a program for a simulated core in which some names are reached by address."""
        core = get_cpu(cpu)
        flags = [*machine_flags(core), *(f"-Wl,-u,{name}" for name in names)]
        flags += [f"-DMACHINE_{name}" for name in core.defines]
        path = folder / f"{cpu}.elf"
        start = RISCV_DIR / "test" / "machine.S"
        self.build([start, *sources], core.arch, flags, path, defines)
        return read_program(path)
