# SPDX-License-Identifier: Apache-2.0
"""The verb `serve`: a simulated accelerator behind a local socket."""

from pathlib import Path
from typing import Annotated

import typer

from montcore.cli.options import SetOption, complete_core, configure
from montcore.cli.output import steps

#: Place in the help.
ORDER = 45


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(serve)


def serve(
    socket: Annotated[
        Path, typer.Option("--socket", metavar="PATH", help="The socket; only you may use it.")
    ] = Path("montcore.sock"),
    core: Annotated[
        str,
        typer.Option(
            "--core",
            metavar="CORE",
            help="The multiplier; see `list`. Default: smm with npe = 8 and w = 64.",
            autocompletion=complete_core,
        ),
    ] = "",
    settings: SetOption = None,
    bits: Annotated[int, typer.Option("--bits", metavar="L", help="Built width.")] = 2048,
    key: Annotated[
        Path | None,
        typer.Option("--key", metavar="FILE", help="An RSA key to lock in the accelerator."),
    ] = None,
    passphrase_file: Annotated[
        Path | None,
        typer.Option("--passphrase-file", metavar="FILE", help="Its first line opens the key."),
    ] = None,
    idle: Annotated[
        float,
        typer.Option("--idle", metavar="S", min=0.1, help="A client may be silent so long."),
    ] = 10,
    session: Annotated[
        float,
        typer.Option("--session", metavar="S", min=0.1, help="... and keep others waiting so."),
    ] = 120,
) -> None:
    """Simulate an accelerator that local programs reach through a socket, until interrupted."""
    from montcore.rsa.commands import passphrase
    from montcore.rsa.keys import read_private_key
    from montcore.soc.design import Design
    from montcore.soc.serving import become_server, serving_command, serving_program
    from montcore.support.errors import RequestError

    if not core:
        core, settings = "smm", settings or ["npe=8", "w=64"]
    design = Design(configure(core, settings, bits))
    held = None
    if key is not None:
        held = read_private_key(key, lambda: passphrase(key, passphrase_file))
        if held.n.bit_length() > bits:
            raise RequestError(f"a key of {held.n.bit_length()} bits needs --bits of that or more")
    with steps(f"the simulator of an accelerator over {design.core.name} {design.core.label()}"):
        program = serving_program(design)
    become_server(serving_command(program, socket.absolute(), idle, session), held)
