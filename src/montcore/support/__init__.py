# SPDX-License-Identifier: Apache-2.0
"""What every part uses: files, locks, processes, terminal, text. Imports no other part."""
