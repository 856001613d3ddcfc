# SPDX-License-Identifier: Apache-2.0
"""The verb `peers`: other open multipliers in our flow, from a checkout supplied by the user."""

from pathlib import Path
from typing import Annotated

import typer

from montcore.cli.options import JsonOption, option
from montcore.cli.output import print_json, show, steps
from montcore.support.errors import RequestError
from montcore.support.terminal import output, print_pairs

#: Place in the help.
ORDER = 65


def register(app: typer.Typer) -> None:
    """Add the verb to the command line."""
    app.command()(peers)


def peers(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Name of a peer; default: list them.")
    ] = None,
    source: Annotated[Path | None, option("--source DIR", "A checkout of its repository.")] = None,
    bits: Annotated[int, typer.Option("--bits", metavar="L", min=8, max=4096)] = 256,
    reset: Annotated[
        str,
        option(
            "--reset as-is|synchronous",
            "Resets as in the sources, or converted to synchronous ones, like ours.",
        ),
    ] = "as-is",
    wires: Annotated[str | None, option("--wires placed|none", "As for `montcore synth`.")] = None,
    memory: Annotated[
        str | None, option("--memory macro|latch|flops", "As for `montcore synth`.")
    ] = None,
    library: Annotated[
        Path | None, option("--library FILE", "The description of a cell library; default: osu018.")
    ] = None,
    products: Annotated[
        int, option("--products", "Products compared with Python.", min=1, max=100_000)
    ] = 50,
    work: Annotated[Path | None, option("--work DIR", "Keep logs and netlists here.")] = None,
    keep: Annotated[
        bool, option("--keep", "In a checkout of montcore: add the figures to its page.")
    ] = False,
    json_: JsonOption = False,
) -> None:
    """Measure another open multiplier with the flow and models used for our cores.

    montcore contains none of its sources: DIR is your own checkout. Products are compared with
    Python first.
    """
    from montcore.synth.asic.library import cell_library
    from montcore.synth.options import chosen_options
    from montcore.synth.target import add_library, get_target
    from montcore_lab.peers.known import PEERS, get_peer
    from montcore_lab.peers.measure import measure

    if name is None:
        keys = ("name", "title", "home", "licence")
        rows = [{key: getattr(peer, key) for key in keys} for peer in PEERS.values()]
        if json_:
            print_json({"peers": rows})
        else:
            for row in rows:
                print_pairs(output(), row["name"], {key: row[key] for key in keys[1:]})
        return
    peer = get_peer(name)
    if source is None:
        raise RequestError(f"--source takes a checkout of {peer.home}")
    on = get_target(add_library(library) if library else "osu018")
    opts = chosen_options(wires, memory, on.usual)
    on.check(opts)
    with steps(f"measure {name} at {bits} bits") as step:
        result = measure(
            peer,
            source,
            bits,
            opts,
            known=cell_library(library) if library else None,
            reset=reset,
            products=products,
            work=work,
            progress=step,
        )
    if keep:
        from montcore_lab.pages import peers as page

        page.keep(result)
    content = result.to_json()
    show(f"{name}, {bits} bits", content, json_, {**content, "lacks": peer.lacks})
