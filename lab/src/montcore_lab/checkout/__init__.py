# SPDX-License-Identifier: Apache-2.0
"""The files of the repository: their names, the modules in them, Markdown."""
