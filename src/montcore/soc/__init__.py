# SPDX-License-Identifier: Apache-2.0
"""The accelerator behind a bus: its registers, its builds, its shells."""
