# SPDX-License-Identifier: Apache-2.0
"""An accelerator in a LiteX system, simulated, with firmware that measures it."""
