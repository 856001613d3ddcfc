# SPDX-License-Identifier: Apache-2.0
"""The formal proofs of `make formal`, and the subset that `make test` runs."""
