# SPDX-License-Identifier: Apache-2.0
"""Theorems and formal proofs as a table, for ``montcore maintain prove`` and `make formal`."""

import signal
import sys
from collections.abc import Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from montcore.support.errors import CheckFailedError, RequestError
from montcore_lab.proofs.runner import find_proofs, run_proof
from montcore_lab.proofs.theorems import check_theorems

_THEOREMS = "theorems"


def show(console: Console, names: Sequence[str], quick: bool, again: bool = False) -> int:
    """Check the theorems, run proofs one after the other, print a table, return the exit status.

    Folders and logs are in the cache, under formal/.

    Args:
        console: the console.
        names: parts of labels such as ``smm/smm_fast_sequencer:r2``, or ``theorems``; all of both
            if there are none.
        quick: run only those that `make test` also runs.
        again: also run those that ended as expected with the same files and tools.

    Raises:
        RequestError: there is no such proof, or theorems are to be checked and Coq is missing.
    """
    # As an exception, so that a running proof and its solvers are terminated.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    proofs = [proof for proof in find_proofs(list(names)) if not quick or proof.quick]
    theorems = not names or _THEOREMS in names
    if not proofs and not theorems:
        raise RequestError("there is no such proof")
    table = Table("proof", "expected", "seconds", "result", title="Formal proofs")
    failed = 0
    if theorems:
        try:
            number, seconds = check_theorems()
            result = f"[green]{number} theorems, no assumption[/]"
        except CheckFailedError as error:
            failed, seconds, result = 1, 0.0, f"[red]{escape(str(error))}[/]"
        table.add_row(_THEOREMS, "to hold", f"{seconds:.1f}", result)
    for number, proof in enumerate(proofs, start=1):
        console.print(f"[{number}/{len(proofs)}] {proof.label}", markup=False, highlight=False)
        verdict = run_proof(proof, again=again)
        failed += not verdict.passed
        expected = "to fail" if proof.mutant else "to hold"
        result = f"[green]{verdict.text}[/]" if verdict.passed else f"[red]{verdict.text}[/]"
        table.add_row(proof.label, expected, f"{verdict.seconds:.1f}", result)
    console.print(table)
    console.print(f"proofs: {len(proofs) + theorems - failed} as expected, {failed} not")
    return 1 if failed else 0
