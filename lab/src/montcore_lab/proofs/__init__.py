# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of `make formal`, and the subset that `make test` runs."""

from montcore_lab.proofs.runner import (
    QUICK,
    Proof,
    ProofVerdict,
    find_proofs,
    read_tasks,
    run_proof,
)

__all__ = ["QUICK", "Proof", "ProofVerdict", "find_proofs", "read_tasks", "run_proof"]
