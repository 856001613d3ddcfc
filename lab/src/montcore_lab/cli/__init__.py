# SPDX-License-Identifier: Apache-2.0
"""The verbs of the lab; each module has a function `register`, as in `montcore.cli.main`."""
