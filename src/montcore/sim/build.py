# SPDX-License-Identifier: Apache-2.0
"""Compiles a core, or a netlist of one, with Verilator and keeps the executable in a cache.

The cache key covers everything that the executable depends on, so a cached one is never stale.
"""

import hashlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from montcore.cores.core import Core
from montcore.sim.port_checker import FLAGS as CHECKER_FLAGS
from montcore.sim.port_checker import CheckedPort, bound_sources
from montcore.sim.programs import cached_program, digest_file, seal, whole
from montcore.sim.toolchain import (
    COMMON_FLAGS,
    BuildError,
    Tools,
    TransientBuildError,
    cxx,
    toolchain,
    verilator_root,
)
from montcore.support.errors import storage
from montcore.support.files import locked
from montcore.support.paths import cache_dir

#: The simulators' C++ main program for the common port, compiled once; the files compiled with each
#: model; and all files that these consist of.
HARNESS = Path(__file__).parent / "harness" / "main.cpp"
HARNESS_MODEL = HARNESS.with_name("model.cpp")
HARNESS_FILES = (HARNESS, HARNESS_MODEL, *sorted(HARNESS.parent.glob("*.hpp")))
#: Header that the units of a model's fast path include first; precompiled once.
HEADER = HARNESS.parent / "precompiled.hpp"
LZ4_DIR = Path(__file__).with_name("lz4")

#: Part of every key: raise it when the build procedure changes but no flag or source does.
BUILD_FORMAT = 5

VERILATOR_FLAGS = (
    "--cc",
    "-O3",
    "--x-assign",
    "fast",
    "--x-initial",
    "unique",  # registers start with random values from the run's seed, unless reset clears them
    "--noassert",
    "--no-timing",
    "-Wno-fatal",
    "-Werror-USERFATAL",  # parameters that the core rejects
    "-Wno-lint",
    "-Wno-style",
    "--output-split",
    "20000",
)
#: The model's fast path, the harness and Verilator's library are compiled for this machine; the
#: keys include the processor.
FAST_FLAGS = ("-O3", "-march=native")
#: Flags of its slow path, which runs at most once: settling, seeding, waves, saved states.
SLOW_FLAGS = ("-O0",)
#: Environment variable with flags that replace FAST_FLAGS, e.g. ``-Og`` if compilation dominates:
#: the default flags take twice as long to compile and pay off from some million cycles on.
FLAGS_VARIABLE = "MONTCORE_SIM_FLAGS"
#: Size of generated C++ up to which a whole model is compiled as one unit, and size of the units of
#: larger ones: small enough for several processors, large enough that the templates of Verilator's
#: headers, which each unit instantiates again, are instantiated only a few times.
ONE_UNIT_BYTES = 250_000
UNIT_BYTES = 500_000


def fast_flags() -> tuple[str, ...]:
    """Return the compiler flags of a model's fast path."""
    chosen = os.environ.get(FLAGS_VARIABLE)
    return tuple(chosen.split()) if chosen else FAST_FLAGS


@dataclass(frozen=True)
class RtlBuild:
    """Sources of a simulator: a core in one configuration, or a netlist.

    Attributes:
        top: name of the top module; it has the common multiplier port.
        sources: SystemVerilog or Verilog files in compile order. Every file that is read must be
            listed.
        parameters: overrides of the top module's parameters.
        extra_flags: further Verilator flags.
        ports: the modules whose ports are checked; by default the top module.
        savable: support output of the model's whole state in every executable.
    """

    top: str
    sources: tuple[Path, ...]
    parameters: Mapping[str, int] = field(default_factory=dict)
    extra_flags: tuple[str, ...] = ()
    ports: tuple[CheckedPort, ...] | None = None
    savable: bool = False

    @classmethod
    def of_core(cls, core: Core) -> "RtlBuild":
        """Return the build of a registered core's RTL in one configuration."""
        ports = (CheckedPort(core.top, core.top, core.bus_width),)
        return cls(core.top, tuple(core.sources()), core.sv_parameters(), ports=ports)

    def executable(self, *, wave: bool = False, snapshot: bool = False) -> Path:
        """Return the compiled simulator, building it if the cache has none.

        Args:
            wave: support FST files (about half as fast).
            snapshot: support output of the model's whole state.

        Raises:
            BuildError: a tool rejected the sources or is missing.
        """
        flags = [*self.extra_flags, *CHECKER_FLAGS]
        if wave:
            flags += ["--trace-fst", "--trace-structs", "--trace-params"]
        if snapshot or self.savable:
            flags += ["--savable"]
        sources = [*self.sources, *bound_sources(self.checked_ports())]
        return build_simulator(self.top, sources, self.parameters, flags)

    def checked_ports(self) -> tuple[CheckedPort, ...]:
        """Return the ports that `montcore_port_checker` watches in every simulation."""
        return (CheckedPort(self.top, self.top),) if self.ports is None else self.ports


def build_simulator(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, int],
    extra_flags: Sequence[str] = (),
    *,
    harness: Path = HARNESS_MODEL,
    defines: Sequence[str] = (),
) -> Path:
    """Return the simulator of a module, from the cache or built.

    Args:
        harness: C++ that is compiled with the model, including a main program. The default one has
            none: it is linked with `HARNESS`, which drives the common multiplier port.
    """
    cxx_defines = [f"-D{item}" for item in defines]
    key = _key(top, sources, parameters, [*extra_flags, *cxx_defines], harness)

    def make(work: Path) -> None:
        _build(work, top, sources, parameters, extra_flags, harness, cxx_defines)

    return cached_program(top, key, make)


def _key(
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, int],
    extra_flags: Sequence[str],
    harness: Path,
) -> str:
    digest = hashlib.sha256()

    def add(*parts: str) -> None:
        for part in parts:
            digest.update(part.encode() + b"\0")

    add(str(BUILD_FORMAT), top, toolchain(), *VERILATOR_FLAGS, *fast_flags(), *extra_flags)
    for name, value in sorted(parameters.items()):
        add(f"{name}={value}")
    main = [HARNESS] if harness == HARNESS_MODEL else []
    headers = sorted(harness.parent.glob("*.hpp"))
    for source in (*main, harness, *headers, LZ4_DIR / "lz4.h", *sources):
        # Paths are not in the key, so that a moved checkout finds its simulators.
        try:
            digest.update(hashlib.sha256(source.read_bytes()).digest())
        except OSError as error:
            raise BuildError(f"source {source} cannot be read: {error.strerror}") from None
    return digest.hexdigest()[:20]


def _build(
    work: Path,
    top: str,
    sources: Sequence[Path],
    parameters: Mapping[str, int],
    extra_flags: Sequence[str],
    harness: Path,
    cxx_defines: Sequence[str],
) -> None:
    root = verilator_root()
    generated = work / "generated"
    generated.mkdir()
    tools = Tools(work, {**os.environ, "VERILATOR_ROOT": str(root)})
    # Verilator also finds modules in the current folder by name; hence cwd.
    tools.run(
        [
            str(root / "bin" / "verilator_bin"),
            *VERILATOR_FLAGS,
            *extra_flags,
            *(f"-G{name}={value}" for name, value in parameters.items()),
            "--top-module",
            top,
            "--prefix",
            "Vdut",
            "--Mdir",
            str(generated),
            *(str(source.resolve()) for source in sources),
        ]
    )
    try:
        settings, classes = _read_makefile(generated / "Vdut_classes.mk")
        runtime = classes["VM_GLOBAL_FAST"] + classes["VM_GLOBAL_SLOW"]
        units = _units(generated, classes, harness)
    except (FileNotFoundError, KeyError):
        raise TransientBuildError("Verilator did not write all of its output") from None
    # Only the harness reads whether there are waves, so that they share what all simulators have.
    waves = settings.get("VM_TRACE_FST") == "1"
    shared = {name: value for name, value in settings.items() if not name.startswith("VM_TRACE")}
    defines = [f"-D{name}={value}" for name, value in sorted(shared.items())]
    defines += ["-DVM_SC=0", "-DVERILATOR=1"]
    chosen = ["-DMONTCORE_SNAPSHOT=1"] if "verilated_save" in classes["VM_GLOBAL_FAST"] else []
    chosen += ["-DVM_TRACE_FST=1"] if waves else []
    includes = [f"-I{path}" for path in (root / "include", root / "include" / "vltstd", LZ4_DIR)]
    common = [cxx(), *COMMON_FLAGS, *defines, *cxx_defines, *includes, f"-I{generated}"]

    jobs: list[list[str]] = []
    objects: list[str] = []
    headers = {
        flags: _precompiled_header(flags, defines, includes, tools)
        for flags in dict.fromkeys(flags for _, flags in units)
    }
    for unit, flags in units:
        objects.append(str(generated / f"{unit.stem}.o"))
        first = ["-include", str(headers[flags])]
        jobs.append([*common, *chosen, *flags, *first, "-c", str(unit), "-o", objects[-1]])
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        compiled = [pool.submit(tools.run, job) for job in jobs]
        library = [
            pool.submit(_runtime_object, name, defines, includes, root, tools) for name in runtime
        ]
        if harness == HARNESS_MODEL:
            library.append(pool.submit(main_object, tools))
        try:
            for future in compiled:
                future.result()
            runtime_objects = [str(future.result()) for future in library]
        except BaseException:
            tools.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    linked = [*objects, *runtime_objects, "-lpthread", *(["-lz"] if waves else [])]
    tools.run([cxx(), *fast_flags(), *linked, "-o", str(work / "simulator")])
    shutil.rmtree(generated)


def _units(
    generated: Path, classes: Mapping[str, Sequence[str]], harness: Path
) -> list[tuple[Path, tuple[str, ...]]]:
    """Return the units to compile, with their flags.

    Compiling a small model mostly consists of instantiating the templates of Verilator's headers,
    so it becomes one unit. A large one is split, and its slow part is optimised less. Flags other
    than FAST_FLAGS optimise little anyway, so that models of up to one full unit are not split.
    """

    def files(speed: str) -> list[Path]:
        names = [*classes[f"VM_CLASSES_{speed}"], *classes[f"VM_SUPPORT_{speed}"]]
        return [generated / f"{name}.cpp" for name in names]

    def size(parts: Iterable[Path]) -> int:
        return sum(part.stat().st_size for part in parts)

    def units(name: str, parts: Sequence[Path]) -> Iterator[Path]:
        # An empty unit takes a quarter of a second to compile, so small parts are combined,
        # wherever Verilator lists them.
        packed: list[list[Path]] = []
        for part in sorted(parts, key=lambda part: -part.stat().st_size):
            room = (group for group in packed if size([*group, part]) <= UNIT_BYTES)
            group = next(room, None)
            if group is None:
                packed.append([part])
            else:
                group.append(part)
        for number, group in enumerate(packed):
            path = generated / f"unit_{name}_{number}.cpp"
            path.write_text("".join(f'#include "{part}"\n' for part in group))
            yield path

    fast, slow = files("FAST"), files("SLOW")
    if size([*fast, *slow]) <= (ONE_UNIT_BYTES if fast_flags() == FAST_FLAGS else UNIT_BYTES):
        fast, slow = [*fast, *slow], []
    flags = _unsanitized()
    beside, apart = (fast, []) if flags == fast_flags() else ([], fast)
    return [
        *((unit, fast_flags()) for unit in units("fast", [*beside, harness])),
        *((unit, flags) for unit in units("model", apart)),
        *((unit, SLOW_FLAGS) for unit in units("slow", slow)),
    ]


def _unsanitized() -> tuple[str, ...]:
    """Return the flags of what no sanitizer is to examine: Verilator's library and its output."""
    return tuple(flag for flag in fast_flags() if "sanitize" not in flag)


def _runtime_object(
    name: str,
    defines: Sequence[str],
    includes: Sequence[str],
    root: Path,
    tools: "Tools",
) -> Path:
    flags = _unsanitized()
    compiler = [cxx(), *COMMON_FLAGS, *flags, *defines, *includes]
    text = "\0".join((str(BUILD_FORMAT), name, toolchain(), *flags, *sorted(defines)))

    def compiled(partial: Path) -> None:
        tools.run([*compiler, "-c", str(root / "include" / f"{name}.cpp"), "-o", str(partial)])

    return _shared_file(name, text, ".o", compiled)


def main_object(tools: "Tools") -> Path:
    """Return the compiled main program of the common port (`HARNESS`); all simulators share it."""
    flags = (*COMMON_FLAGS, *fast_flags())
    contents = [file.read_text() for file in HARNESS_FILES]
    text = "\0".join((str(BUILD_FORMAT), *contents, toolchain(), *flags))

    def compiled(partial: Path) -> None:
        tools.run([cxx(), *flags, "-c", str(HARNESS), "-o", str(partial)])

    return _shared_file("main", text, ".o", compiled)


def _precompiled_header(
    flags: Sequence[str], defines: Sequence[str], includes: Sequence[str], tools: "Tools"
) -> Path:
    """Return a copy of `HEADER` with its precompiled form for these flags next to it.

    Units include the copy; a compiler that cannot use the compiled form reads the copy itself.
    """
    text = "\0".join((str(BUILD_FORMAT), HEADER.read_text(), toolchain(), *flags, *sorted(defines)))

    def compiled(partial: Path) -> None:
        header = [*flags, *defines, *includes, "-x", "c++-header", str(HEADER)]
        tools.run([cxx(), *COMMON_FLAGS, *header, "-o", str(partial)])
        copy = Path(shutil.copyfile(HEADER, partial.with_suffix("")))
        copy.replace(partial.parent.parent / copy.name)

    return _shared_file("precompiled", text, ".hpp.gch", compiled).with_suffix("")


def _shared_file(name: str, text: str, suffix: str, make: Callable[[Path], None]) -> Path:
    """Return a file shared by all simulators with the same `text`; create it if not cached."""
    key = hashlib.sha256(text.encode()).hexdigest()[:20]
    folder = cache_dir() / "sim" / "runtime"
    target = folder / f"{name}-{key}{suffix}"
    if whole(target):
        return target
    with locked(folder / f"{name}-{key}.lock"), storage(folder):
        if not whole(target):
            with tempfile.TemporaryDirectory(prefix=f"{name}-{key}.", dir=folder) as work:
                partial = Path(work) / target.name
                make(partial)
                seal(partial)
                digest_file(partial).replace(digest_file(target))
                partial.replace(target)
    return target


def _read_makefile(path: Path) -> tuple[dict[str, str], dict[str, list[str]]]:
    text = path.read_text().replace("\\\n", " ")
    settings = dict(re.findall(r"^(VM_\w+) = (\d+)\s*$", text, re.M))
    # How Verilator's makefile would split the model. No C++ reads it, and in the flags it would
    # duplicate each shared file.
    settings.pop("VM_PARALLEL_BUILDS", None)
    classes = {name: value.split() for name, value in re.findall(r"^(VM_\w+) \+=(.*)$", text, re.M)}
    return settings, classes
