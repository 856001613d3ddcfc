# SPDX-License-Identifier: Apache-2.0
"""The source checks, shown as a table by `make lint` and run one by one by `make test`."""
