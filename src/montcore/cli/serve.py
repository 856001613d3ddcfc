# SPDX-License-Identifier: Apache-2.0
"""The verb `serve`: a simulated accelerator behind a local socket."""

from pathlib import Path
from typing import Annotated

import typer

from montcore.cli import options
from montcore.cli.build import CURVE_BITS, CURVES_OVER
from montcore.cli.options import option
from montcore.cli.output import steps
from montcore.support.errors import RequestError

ORDER = 45


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(serve)


def serve(
    socket: Annotated[
        Path | None, option("--socket PATH", "Path of the socket; default: in a folder of yours.")
    ] = None,
    core: Annotated[
        str,
        option(
            "--core CORE",
            "The multiplier; see `list`. Default: smm with npe = 8 and w = 64.",
            autocompletion=options.complete_core,
        ),
    ] = "",
    settings: options.SetOption = None,
    bits: Annotated[int | None, option("--bits L", "Built width (2048; curves alone 256).")] = None,
    units: Annotated[str, option("--units UNITS", "exponentiator, curves, both.")] = "both",
    curves: Annotated[
        str | None, option("--curves CORE[:K=V,...]", "The curve engine's multiplier (smm:npe=8).")
    ] = None,
    curve_bits: Annotated[int | None, option("--curve-bits L", "Its width (256).")] = None,
    key: Annotated[
        Path | None, option("--key FILE", "An RSA or ECDSA key to lock in the accelerator.")
    ] = None,
    passphrase_file: Annotated[
        Path | None, option("--passphrase-file FILE", "Its first line is the key's passphrase.")
    ] = None,
    idle: Annotated[float, option("--idle S", "Time-out of an idle client, in seconds.")] = 10,
    session: Annotated[
        float, option("--session S", "Limit of a session while others wait, in seconds.")
    ] = 120,
    group: Annotated[
        str, option("--group GROUP", "Group whose members can connect, too; needs --socket.")
    ] = "",
    mode: Annotated[
        str, option("--mode OCTAL", "The socket's mode; default: 0600, with --group 0660.")
    ] = "",
) -> None:
    """Serve a simulated accelerator to local programs through a socket, until interrupted."""
    from montcore.rsa.commands import passphrase
    from montcore.soc import serving
    from montcore.soc.design import AcceleratorDesign
    from montcore.soc.held import read_held
    from montcore.soc.wrapper import description

    parts = options.choice("--units", units, options.UNITS)
    if parts == "exponentiator" and (curves, curve_bits) != (None, None):
        raise RequestError("--curves and --curve-bits are for --units curves or both")
    if parts == "curves":
        if core or settings:
            raise RequestError("--core and --set are for the exponentiator; --curves has both")
        if None not in (bits, curve_bits):
            raise RequestError("--units curves takes --bits or --curve-bits, not both")
        curve_bits = bits if curve_bits is None else curve_bits
    if not core:
        core, settings = "smm", settings or ["npe=8", "w=64"]
    bits = 2048 if bits is None else bits
    curve_bits = CURVE_BITS if curve_bits is None else curve_bits
    over = CURVES_OVER if curves is None else curves
    design = AcceleratorDesign(
        options.configure(core, settings, bits) if parts != "curves" else None,
        options.configure_words(over, curve_bits) if parts != "exponentiator" else None,
    )
    access = serving.Access(idle, session, group, mode)
    access.words()
    where = socket.absolute() if socket else serving.default_socket()
    serving.check_socket(where, access)
    held = None
    if key is None and passphrase_file is not None:
        raise RequestError("--passphrase-file is for the key of --key")
    if key is not None:
        serving.forbid_core_dumps()
        held = read_held(key, lambda: passphrase(key, passphrase_file))
        held.check(design)
    with steps(f"the simulator of {description(design)}"):
        program = serving.serving_program(design)
    serving.become_server(serving.serving_command(program, where, access), held)
