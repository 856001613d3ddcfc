# SPDX-License-Identifier: Apache-2.0
"""Programs that use an accelerator behind a socket: its server, and openssl.

Also builds of the OpenSSL provider and the PKCS #11 module, and the settings by which programs find
the accelerator.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore.support.paths import REPO_ROOT
from montcore.support.processes import running

SOURCES = REPO_ROOT / "sw" / "provider"
PKCS11_SOURCES = REPO_ROOT / "sw" / "pkcs11"
NAME = "montcore"
#: Time-out in seconds of programs that use an accelerator.
LIMIT_S = 120
#: Time limit for the build of a server's simulator, in seconds.
BUILD_S = 900
#: Time limit for the termination of a process, in seconds.
END_S = 20
_SUMMARY = r"(\d+) sessions?, (\d+) abandoned, (\d+) commands?, (\d+) cycles"
VERSIONS = ("tls1_2", "tls1_3")
#: A word of a command.
Word = str | Path


def build_provider(folder: Path, flags: str = "") -> Path:
    """Build the provider in a folder, with further flags of the compiler, and return its file."""
    return _build(SOURCES, folder / f"{NAME}.so", flags)


def build_pkcs11(folder: Path, flags: str = "") -> Path:
    """Build the PKCS #11 module in a folder, with further flags, and return its file."""
    return _build(PKCS11_SOURCES, folder / f"{NAME}-pkcs11.so", flags)


def _build(sources: Path, file: Path, flags: str) -> Path:
    folder = file.parent
    folder.mkdir(parents=True, exist_ok=True)
    command = ["make", "--no-print-directory", "-C", str(sources), f"OUT={folder.absolute()}"]
    command += [f"CFLAGS={flags}"] if flags else []
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "rror" in line]
        raise CheckFailedError(f"{file.name} cannot be built: {' | '.join(errors[:3])}")
    return file


def environment(socket: Path, **settings: str) -> Mapping[str, str]:
    """Return an environment in which the provider finds the accelerator at a socket."""
    return {**os.environ, "MONTCORE_SOCKET": str(socket), **settings}


def run(
    command: Sequence[Word], env: Mapping[str, str] | None = None, *, data: bytes = b""
) -> bytes:
    """Run a program to its end and return its output."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words, env=env, input=data, capture_output=True, timeout=LIMIT_S, check=False
        )
    except subprocess.TimeoutExpired:
        raise CheckFailedError(f"{' '.join(words)} does not end") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip()
        raise CheckFailedError(f"{' '.join(words)}: {said[-600:]}")
    return done.stdout


@contextmanager
def _saying(
    command: Sequence[str], env: Mapping[str, str] | None = None
) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """Run a program for the duration of the block; yield it, and the file of its output."""
    with (
        tempfile.NamedTemporaryFile() as said,
        running(command, env=env, stdin=subprocess.DEVNULL, stdout=said, stderr=said) as process,
    ):
        yield process, Path(said.name)


def _wait_for(
    process: subprocess.Popen[str], said: Path, pattern: str, seconds: float
) -> re.Match[str]:
    """Return the first match in the output of a process, which it writes to a file."""
    end = time.monotonic() + seconds
    while True:
        ended = process.poll() is not None
        text = said.read_text(errors="replace")
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            return found
        if ended or time.monotonic() > end:
            raise CheckFailedError(f"no '{pattern}' in: {text[-600:]}")
        time.sleep(0.02)


@dataclass
class Served:
    """An accelerator served at a socket.

    Attributes:
        socket: its path.
        pid: the server's process.
        sessions: connections that held the accelerator; known at the end, like the rest.
        abandoned: sessions that ended during a command.
        commands: commands of the accelerator.
        cycles: simulated cycles.
    """

    socket: Path
    pid: int
    sessions: int = 0
    abandoned: int = 0
    commands: int = 0
    cycles: int = 0


@contextmanager
def served(socket: Path | None, *options: str) -> Iterator[Served]:
    """Run ``montcore serve`` for the duration of the block; it must end cleanly.

    Args:
        socket: path of the socket; None: the default one.
        options: further options.
    """
    chosen = ["--socket", str(socket)] if socket else []
    command = [sys.executable, "-m", "montcore", "serve", *chosen, *options]
    with _saying(command) as (process, said):
        path = Path(_wait_for(process, said, "^listening on (.*)$", BUILD_S).group(1))
        server = Served(path, process.pid)
        yield server
        process.send_signal(signal.SIGTERM)
        found = _wait_for(process, said, _SUMMARY, END_S)
        numbers = (int(number) for number in found.groups())
        server.sessions, server.abandoned, server.commands, server.cycles = numbers
        if process.wait(END_S) != 0 or path.exists():
            raise CheckFailedError(f"montcore serve ended with {process.returncode}")


@dataclass(frozen=True)
class Identity:
    """A key with a certificate for localhost, and the authority that signed it."""

    key: Path
    certificate: Path
    authority: Path


def make_identity(folder: Path, kind: str = "rsa") -> Identity:
    """Create an authority, and a key (rsa: 2048 bits; ec: P-256) with its certificate."""
    algorithm = {
        "rsa": ["-newkey", "rsa:2048"],
        "ec": ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
    }[kind]
    names = [folder / f"{kind}-{name}.pem" for name in ("ca-key", "ca", "key", "request", "cert")]
    ca_key, authority, key, request, certificate = names
    extension = folder / f"{kind}.cnf"
    extension.write_text("subjectAltName=DNS:localhost,IP:127.0.0.1\n")
    start = ["openssl", "req", "-nodes", *algorithm]
    run([*start, "-x509", "-keyout", ca_key, "-out", authority, "-subj", "/CN=authority"])
    run([*start, "-keyout", key, "-out", request, "-subj", "/CN=localhost"])
    sign: list[Word] = ["openssl", "x509", "-req", "-in", request, "-CA", authority]
    sign += ["-CAkey", ca_key, "-days", "2", "-extfile", extension, "-out", certificate]
    run(sign)
    return Identity(key, certificate, authority)


@dataclass
class Programs:
    """The openssl programs that use the provider and the accelerator at one socket.

    Attributes:
        module: the provider's file.
        socket: path of the accelerator's socket.
        first: whether the provider is named before OpenSSL's own.
        settings: environment variables for the provider.
    """

    module: Path
    socket: Path
    first: bool = True
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """Options with which an openssl command loads the provider."""
        names = [NAME, "default"] if self.first else ["default", NAME]
        loaded = (word for name in names for word in ("-provider", name))
        return ["-provider-path", str(self.module.parent), *loaded]

    @property
    def env(self) -> Mapping[str, str]:
        """The environment in which the command runs."""
        return environment(self.socket, **self.settings)

    def openssl(self, *words: Word, data: bytes = b"") -> bytes:
        """Run an openssl command with the provider; the first word is the command's name."""
        command: list[Word] = ["openssl", words[0], *self.words, *words[1:]]
        return run(command, self.env, data=data)

    @contextmanager
    def tls_server(self, key: str, identity: Identity, *more: str) -> "Iterator[TlsServer]":
        """Run ``openssl s_server`` with further options on a free port of the loopback address."""
        command = ["openssl", "s_server", *self.words, *more, "-accept", "127.0.0.1:0", "-key", key]
        command += ["-cert", str(identity.certificate), "-www", "-naccept", "1000000"]
        with _saying(command, self.env) as (process, said):
            port = _wait_for(process, said, r"^ACCEPT.*:(\d+)$", LIMIT_S).group(1)
            yield TlsServer(int(port), identity)
            if process.poll() is not None:
                raise CheckFailedError(f"s_server ended: {said.read_text()[-600:]}")


@dataclass(frozen=True)
class TlsServer:
    """A TLS server on the loopback address."""

    port: int
    identity: Identity

    def handshake(self, version: str, *options: str) -> float:
        """Connect with ``openssl s_client`` and full verification; return the seconds.

        Args:
            version: one of `VERSIONS`.
            options: further options of the client.
        """
        begin = time.monotonic()
        command = ["openssl", "s_client", f"-{version}", "-connect", f"127.0.0.1:{self.port}"]
        command += ["-servername", "localhost", "-verify_hostname", "localhost"]
        command += ["-CAfile", str(self.identity.authority), "-verify_return_error", *options]
        said = run(command, data=b"Q\n").decode(errors="replace")
        taken = time.monotonic() - begin
        for wanted in ("Verification: OK", f"TLSv1.{version[-1]}"):
            if wanted not in said:
                raise CheckFailedError(f"no '{wanted}' in what s_client says: {said[-600:]}")
        return taken
