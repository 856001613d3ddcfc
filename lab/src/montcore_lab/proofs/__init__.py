# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of `make formal`, and the subset that `make test` runs."""

from montcore_lab.proofs.runner import Proof, ProofVerdict, find_proofs, read_proofs, run_proof

__all__ = ["Proof", "ProofVerdict", "find_proofs", "read_proofs", "run_proof"]
