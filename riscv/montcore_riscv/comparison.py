# SPDX-License-Identifier: Apache-2.0
"""Measures other libraries on simulated cores, plain and with this one as their engine."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.words import hint
from montcore_riscv import bearssl, mbedtls
from montcore_riscv.bench import cycles_of
from montcore_riscv.machine import DEFAULT_CPUS, Machine, available_cpu
from montcore_riscv.operations import OperationCell

HOSTS = {"bearssl": bearssl.cases, "mbedtls": mbedtls.cases}


def compare(
    hosts: Sequence[str],
    cpus: Sequence[str] | None = None,
    *,
    seed: int = 0,
    step: Callable[[str], None] = lambda text: None,
) -> list[OperationCell]:
    """Measure libraries on cores; every result is checked.

    Args:
        hosts: names of the libraries.
        cpus: names of cores; by default those that need only Python packages.
        seed: seed of keys and numbers.
        step: called with the description of each step.

    Raises:
        RequestError: a core, a library, the compiler or a library's sources are missing.
        CheckFailedError: a result is wrong.
    """
    for name in hosts:
        if name not in HOSTS:
            raise RequestError(
                f"there is no library '{name}'{hint(name, HOSTS)}; there are {', '.join(HOSTS)}"
            )
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for cpu in map(available_cpu, cpus or DEFAULT_CPUS):
            for host in hosts:
                step(f"{cpu.name}: simulator, and programs of {host}")
                for program, calls in HOSTS[host](cpu.name, Path(folder), seed):
                    machine = Machine(cpu, program=program)
                    for operation, call in calls.items():
                        step(f"{cpu.name}: {operation}")
                        (cycles,) = cycles_of(machine, [call], repeats=1)
                        found.append(OperationCell(cpu.name, operation, cycles))
    return found
