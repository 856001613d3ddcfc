# SPDX-License-Identifier: Apache-2.0
"""RSA by the simulated hardware: keys, paddings, and the operations with blinding and checks."""
