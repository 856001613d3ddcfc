# SPDX-License-Identifier: Apache-2.0
"""Programs that use an accelerator behind a socket: its server, openssl and curl."""

import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from montcore.soc.provider import environment, provider_words
from montcore.support.errors import CheckFailedError
from montcore.support.processes import running

#: Time-out in seconds of programs that use an accelerator.
LIMIT_S = 120
#: Time limit for the build of a server's simulator, in seconds.
BUILD_S = 900
#: Time limit for the termination of a process, in seconds.
END_S = 20
_SUMMARY = re.compile(r"(\d+) sessions, (\d+) abandoned, (\d+) commands, (\d+) cycles")
VERSIONS = ("tls1_2", "tls1_3")
#: A word of a command.
Word = str | Path


def run(
    command: Sequence[Word], env: Mapping[str, str] | None = None, *, data: bytes = b""
) -> bytes:
    """Run a program to its end and return its output.

    Raises:
        CheckFailedError: it failed, or did not end within `LIMIT_S`.
    """
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


class Lines:
    """The output of a process, read by a thread so that the process never blocks on output."""

    def __init__(self, stream: IO[str]) -> None:
        self.text: list[str] = []
        self._more = threading.Condition()
        self._ended = False
        self._thread = threading.Thread(target=self._read, args=(stream,), daemon=True)
        self._thread.start()

    def _read(self, stream: IO[str]) -> None:
        for line in stream:
            with self._more:
                self.text.append(line)
                self._more.notify_all()
        with self._more:
            self._ended = True
            self._more.notify_all()

    def wait_for(self, pattern: str, seconds: float) -> re.Match[str]:
        """Return the first match in a line.

        Raises:
            CheckFailedError: the process ended without a match, or the time limit was reached.
        """
        end = time.monotonic() + seconds
        with self._more:
            at = 0
            while True:
                for line in self.text[at:]:
                    found = re.search(pattern, line)
                    if found:
                        return found
                at = len(self.text)
                left = end - time.monotonic()
                if self._ended or left <= 0:
                    raise CheckFailedError(f"no '{pattern}' in: {''.join(self.text)[-600:]}")
                self._more.wait(left)


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

    Raises:
        CheckFailedError: it does not start, or does not clean up.
    """
    chosen = ["--socket", str(socket)] if socket else []
    command = [sys.executable, "-m", "montcore", "serve", *chosen, *options]
    with running(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        lines = Lines(process.stdout)
        path = Path(lines.wait_for("^listening on (.*)$", BUILD_S).group(1))
        server = Served(path, process.pid)
        yield server
        process.send_signal(signal.SIGTERM)
        found = lines.wait_for(_SUMMARY.pattern, END_S)
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
    """Create an authority, and a key (rsa: 2048 bits; ec: P-256) with its certificate.

    Raises:
        CheckFailedError: openssl failed.
    """
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
        return provider_words(self.module, first=self.first)

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
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        with running(command, env=self.env, stdin=subprocess.DEVNULL, **options) as process:
            assert process.stdout is not None
            lines = Lines(process.stdout)
            port = lines.wait_for(r"^ACCEPT.*:(\d+)$", LIMIT_S).group(1)
            yield TlsServer(int(port), identity)
            if process.poll() is not None:
                raise CheckFailedError(f"s_server ended: {''.join(lines.text)[-600:]}")


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

        Raises:
            CheckFailedError: the handshake failed, had another version, or did not end.
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

    def fetch(self, version: str) -> float:
        """Fetch a page with curl and full verification; return the handshake's seconds.

        Raises:
            CheckFailedError: it failed, or did not end.
        """
        number = f"1.{version[-1]}"
        command = ["curl", "--silent", "--show-error", f"--tlsv{number}", "--tls-max", number]
        command += ["--cacert", str(self.identity.authority), "--output", "/dev/null"]
        command += ["--write-out", "%{http_code} %{ssl_verify_result} %{time_appconnect}"]
        said = run([*command, f"https://localhost:{self.port}/"]).decode()
        code, verified, seconds = said.split()
        if (code, verified) != ("200", "0"):
            raise CheckFailedError(f"curl says {said}")
        return float(seconds)
