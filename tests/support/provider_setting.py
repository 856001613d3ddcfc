# SPDX-License-Identifier: Apache-2.0
"""An accelerator with the OpenSSL provider in front of it, for tests of both."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from montcore.support.files import locked
from montcore.support.paths import REPO_ROOT
from montcore_lab import tls as chain
from montcore_lab.clients import (
    Identity,
    Programs,
    Word,
    build_provider,
    make_identity,
    run,
    served,
)

DRIVER = REPO_ROOT / "tests" / "support" / "driver"
SW = REPO_ROOT / "sw"


@dataclass(frozen=True)
class Setting:
    """An accelerator of 2048 bits, curves of 256, with the provider in front of it, and keys.

    Attributes:
        programs: programs that use the provider.
        identity: an RSA key of 2048 bits for TLS, which refuses shorter ones.
        short: an RSA key of 1024 bits, whose signatures are simulated in a fraction of the time.
        curve: a key on P-256.
        folder: place for files.
    """

    programs: Programs
    identity: Identity
    short: Path
    curve: Identity
    folder: Path

    @property
    def key(self) -> str:
        """The name of the short RSA key."""
        return f"montcore:file={self.short}"

    @property
    def letter(self) -> Path:
        path = self.folder / "letter"
        path.write_bytes(chain.MESSAGE)
        return path

    def sign(self, key: str | Path, **settings: str) -> bytes:
        """Sign a letter by ``openssl dgst`` with these settings of the provider."""
        programs = replace(self.programs, settings=settings)
        return programs.openssl("dgst", "-sha256", "-sign", key, self.letter)

    def check(self, signature: bytes, key: Path) -> None:
        """Verify a signature without the provider."""
        path = self.folder / "signature"
        path.write_bytes(signature)
        words: list[Word] = ["openssl", "dgst", "-sha256", "-verify", chain.public_key(key)]
        run([*words, "-signature", path, self.letter])

    def self_signed(self, key: Path) -> Identity:
        """Return a key with a certificate that is its own authority."""
        certificate = key.with_suffix(".crt")
        words: list[Word] = ["openssl", "req", "-x509", "-key", key, "-days", "2"]
        words += ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
        run([*words, "-out", certificate])
        return Identity(key, certificate, certificate)


@cache
def _made() -> tuple[TemporaryDirectory[str], Identity, Identity, Path]:
    """Return a folder, and keys in it: those of all tests of a process."""
    kept = TemporaryDirectory(prefix="montcore-provider-")
    folder = Path(kept.name)
    rsa, curve = (make_identity(folder, kind) for kind in ("rsa", "ec"))
    short = folder / "short.pem"
    run(["openssl", "genrsa", "-out", short, "1024"])
    return kept, rsa, curve, short


@cache
def module(build: Callable[[Path], Path]) -> Path:
    """Return the provider or the PKCS #11 module, built once for all processes."""
    digest = sha256(repr([os.environ.get(name) for name in ("CC", "CFLAGS")]).encode())
    for path in sorted(path for path in SW.glob("[dp]*/*") if path.is_file()):
        digest.update(path.name.encode() + path.read_bytes())
    folder = REPO_ROOT / ".cache" / "tests" / f"{build.__name__}-{digest.hexdigest()[:20]}"
    with locked(folder.with_suffix(".lock")):
        return build(folder)


@contextmanager
def provider_setting(folder: Path) -> Iterator[Setting]:
    """Run an accelerator with the provider in front of it for the duration of the block."""
    _, rsa, curve, short = _made()
    path = folder / "socket"
    with served(path):
        yield Setting(Programs(module(build_provider), path), rsa, short, curve, folder)
