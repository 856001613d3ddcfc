# SPDX-License-Identifier: Apache-2.0
"""What regenerates pages and pictures of the repository."""
