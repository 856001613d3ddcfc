# SPDX-License-Identifier: Apache-2.0
"""Cost of compiling a simulator, compared with ``verilator --build`` with and without ccache.

``montcore maintain measure compiling`` prints it.

Each time is for a model that is not in any cache. The run-time library is cached where possible, as
it is for every simulator but the first.
"""

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from montcore.cores.core import Core
from montcore.sim.build import (
    HARNESS,
    HARNESS_MODEL,
    LZ4_DIR,
    VERILATOR_FLAGS,
    RtlBuild,
    fast_flags,
)
from montcore.sim.port_checker import FLAGS as CHECKER_FLAGS
from montcore.sim.port_checker import bound_sources
from montcore.sim.toolchain import PRECOMPILED, verilator_root
from montcore.support.errors import CheckFailedError
from montcore.support.paths import cache_in


def compiling(core: Core) -> dict[str, Any]:
    """Return the CPU seconds of compiling a core's simulator, and the compiler's flags.

    With montcore's own build (``own_s``), with ``verilator --build`` (``verilator_s``), and with
    ccache (``ccache_s``, None if it is not installed).

    Raises:
        CheckFailedError: a tool failed.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ccache = shutil.which("ccache")
        return dict(
            core=core.name,
            params=core.params(),
            flags=" ".join(fast_flags()),
            own_s=_own(core, folder / "cache"),
            verilator_s=_verilator(core, folder / "plain", {"OBJCACHE": ""}),
            ccache_s=_with_ccache(core, folder) if ccache else None,
        )


def _own(core: Core, cache: Path) -> float:
    rtl = RtlBuild.of_core(core)
    with cache_in(cache):
        # Keep the run-time library, delete the simulator.
        shutil.rmtree(rtl.executable().parent)
        return _cpu_seconds(rtl.executable)


def _with_ccache(core: Core, folder: Path) -> float:
    environment = {"OBJCACHE": "ccache", "CCACHE_DIR": str(folder / "ccache")}
    # Compile the run-time library once, with a model whose classes have other names.
    _run(core, folder / "first", environment, ["--prefix", "Vother"])
    return _verilator(core, folder / "second", environment)


def _verilator(core: Core, work: Path, environment: dict[str, str]) -> float:
    words = ["--prefix", "Vdut", "--exe", str(HARNESS), str(HARNESS_MODEL)]
    return _cpu_seconds(lambda: _run(core, work, environment, words))


def _run(core: Core, work: Path, environment: dict[str, str], words: Sequence[str]) -> None:
    """Run ``verilator --build`` on a core with the flags of the tool's own simulators."""
    rtl, root = RtlBuild.of_core(core), verilator_root()
    sources = [*rtl.sources, *bound_sources(rtl.checked_ports())]
    command = [str(root / "bin" / "verilator_bin"), *VERILATOR_FLAGS, *CHECKER_FLAGS, "--build"]
    command += [*(f"-G{key}={value}" for key, value in rtl.parameters.items())]
    command += ["--top-module", rtl.top, "--Mdir", str(work), *words]
    command += ["-MAKEFLAGS", PRECOMPILED]
    command += ["-CFLAGS", " ".join((*fast_flags(), f"-I{LZ4_DIR}")), *map(str, sources)]
    done = subprocess.run(
        command,
        env={**os.environ, "VERILATOR_ROOT": str(root), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise CheckFailedError(f"verilator --build failed: {done.stderr.strip()[-300:]}")


def _cpu_seconds(run: Callable[[], object]) -> float:
    """Return the processor time of the programs started by a call."""

    def used() -> float:
        found = resource.getrusage(resource.RUSAGE_CHILDREN)
        return found.ru_utime + found.ru_stime

    before = used()
    run()
    return round(used() - before, 1)
