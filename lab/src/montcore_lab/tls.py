# SPDX-License-Identifier: Apache-2.0
"""TLS with keys of a simulated accelerator; ``make tls`` runs it."""

import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from montcore.support.errors import CheckFailedError
from montcore_lab.clients import (
    LIMIT_S,
    VERSIONS,
    Programs,
    Served,
    TlsServer,
    Word,
    build_provider,
    make_identity,
    run,
    served,
)

MESSAGE = b"Dear reader\n"
CLIENTS = 4
#: Times at which programs are killed during an operation, in seconds.
KILLED_AFTER_S = (0.05, 0.15, 0.25, 0.35)
_NAMES = {"rsa": "RSA-2048", "ec": "P-256"}


@dataclass
class HandshakeRow:
    """A step of the table: what it is, its successful repetitions, and their total seconds."""

    step: str
    done: int
    seconds: float = 0.0


def client_hello() -> bytes:
    """Return the first message of a TLS client; nothing follows it."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    client = context.wrap_bio(incoming, outgoing, server_hostname="localhost")
    with suppress(ssl.SSLWantReadError):
        client.do_handshake()
    return outgoing.read()


def hang_up(server: TlsServer, after_s: float) -> None:
    """Begin a handshake, and close the connection while the server signs."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=LIMIT_S) as connection:
        connection.sendall(client_hello())
        time.sleep(after_s)


def kill_in_the_middle(programs: Programs, key: str, letter: Path, after_s: float) -> None:
    """Kill a program while the accelerator signs for it."""
    command = ["openssl", "dgst", "-sha256", *programs.words, "-sign", key, str(letter)]
    with subprocess.Popen(
        command, env=dict(programs.env), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        time.sleep(after_s)
        process.kill()


def in_a_row(server: TlsServer, count: int) -> None:
    """Make sequential handshakes, alternating between both versions."""
    for number in range(count):
        server.handshake(VERSIONS[number % 2])


def at_once(servers: list[TlsServer], each: int) -> None:
    """Make parallel handshakes by one client per server, or four clients of a single server."""
    several = servers if len(servers) > 1 else servers * CLIENTS
    with ThreadPoolExecutor(len(several)) as pool:
        for client in [pool.submit(in_a_row, server, each) for server in several]:
            client.result()


def sign_and_verify(programs: Programs, key: str, public: Path, folder: Path, kind: str) -> int:
    """Sign by ``openssl dgst`` and ``pkeyutl``, verify without the provider; return the count."""
    letter, digest, signature = (folder / name for name in ("letter", "digest", "signature"))
    letter.write_bytes(MESSAGE)
    digest.write_bytes(run(["openssl", "dgst", "-sha256", "-binary", letter]))
    pss = ["-sigopt", "rsa_padding_mode:pss", "-sigopt", "rsa_pss_saltlen:digest"]
    ways = [[], pss] if kind == "rsa" else [[]]
    for way in ways:
        for name in ("-sha256", "-sha384"):
            programs.openssl("dgst", name, *way, "-sign", key, "-out", signature, letter)
            check: list[Word] = ["openssl", "dgst", name, *way, "-verify", public]
            check += ["-signature", signature]
            run([*check, letter])
    raw: list[Word] = ["-pkeyopt", "digest:sha256", "-in", digest]
    programs.openssl("pkeyutl", "-sign", "-inkey", key, *raw, "-out", signature)
    run(["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", public, *raw, "-sigfile", signature])
    return 2 * len(ways) + 1


def decrypt(programs: Programs, key: str, public: Path, folder: Path) -> int:
    """Encrypt with OAEP without the provider, decrypt with it; return the count."""
    secret = folder / "secret"
    for name in ("sha1", "sha256"):
        padding = ["-pkeyopt", "rsa_padding_mode:oaep", "-pkeyopt", f"rsa_oaep_md:{name}"]
        words: list[Word] = ["openssl", "pkeyutl", "-encrypt", "-pubin", "-inkey", public]
        secret.write_bytes(run([*words, *padding], data=MESSAGE))
        found = programs.openssl("pkeyutl", "-decrypt", "-inkey", key, *padding, "-in", secret)
        if found != MESSAGE:
            raise CheckFailedError(f"OAEP with {name} gives another message")
    return 2


def public_key(key: Path) -> Path:
    """Write the public key next to a private one."""
    path = key.with_suffix(".public")
    run(["openssl", "pkey", "-in", key, "-pubout", "-out", path])
    return path


class HandshakeTable:
    """The steps so far; each is shown when it begins."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.rows: list[HandshakeRow] = []
        self._say = say

    @contextmanager
    def step(self, text: str, done: int = 1) -> Iterator[HandshakeRow]:
        """Time the block as a step; it may change the number of repetitions of its row."""
        self._say(text)
        row = HandshakeRow(text, done)
        begin = time.monotonic()
        yield row
        row.seconds = round(time.monotonic() - begin, 1)
        self.rows.append(row)


def handshakes(
    handshakes_in_a_row: int, say: Callable[[str], None], kinds: tuple[str, ...] = ("rsa", "ec")
) -> tuple[list[HandshakeRow], Served]:
    """Run all steps; return the table and the accelerator's counts.

    Args:
        handshakes_in_a_row: sequential handshakes for each kind of key.
        say: receives each step as it begins.
        kinds: kinds of keys.
    """
    table = HandshakeTable(say)
    with tempfile.TemporaryDirectory(prefix="montcore-tls.") as name, ExitStack() as stack:
        folder = Path(name)
        with table.step("build the provider"):
            module = build_provider(folder / "provider")
        path = folder / "accelerator"
        with table.step("build and start the accelerator: 2048 bits, curves of 256"):
            server = stack.enter_context(served(path))
        for kind in kinds:
            _with_key(table, Programs(module, path), folder, kind, handshakes_in_a_row)
        identity = make_identity(folder)
        path = folder / "locked"
        with (
            table.step("TLS with a key locked in the accelerator", 2),
            served(path, "--key", str(identity.key)),
            Programs(module, path).tls_server("montcore:locked", identity) as locked,
        ):
            in_a_row(locked, 2)
    return table.rows, server


def _with_key(
    table: HandshakeTable, programs: Programs, folder: Path, kind: str, count: int
) -> None:
    """Run all steps with a key of one kind."""
    identity, title = make_identity(folder, kind), _NAMES[kind]
    public, key = public_key(identity.key), f"montcore:file={identity.key}"
    with table.step(f"{title}: openssl dgst and pkeyutl sign") as row:
        row.done = sign_and_verify(programs, key, public, folder, kind)
    if kind == "rsa":
        with table.step(f"{title}: openssl pkeyutl decrypts OAEP") as row:
            row.done = decrypt(programs, key, public, folder)
    with programs.tls_server(key, identity) as server:
        for version, shown in zip(VERSIONS, ("TLS 1.2", "TLS 1.3"), strict=True):
            with table.step(f"{title}: {shown}"):
                server.handshake(version)
        with table.step(f"{title}: handshakes in a row", count):
            in_a_row(server, count)
        with table.step(f"{title}: {CLIENTS} clients at once, one server", 2 * CLIENTS):
            at_once([server], 2)
        with table.step(f"{title}: clients that hang up", len(KILLED_AFTER_S)):
            for after in KILLED_AFTER_S:
                hang_up(server, after)
            server.handshake(VERSIONS[1])
    with ExitStack() as stack:
        several = [stack.enter_context(programs.tls_server(key, identity)) for _ in range(CLIENTS)]
        with table.step(f"{title}: {CLIENTS} clients at once, {CLIENTS} servers", 2 * CLIENTS):
            at_once(several, 2)
    with table.step(f"{title}: programs killed while they sign", len(KILLED_AFTER_S)):
        for after in KILLED_AFTER_S:
            kill_in_the_middle(programs, key, folder / "letter", after)
        sign_and_verify(programs, key, public, folder, kind)
