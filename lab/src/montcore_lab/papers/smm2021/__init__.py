# SPDX-License-Identifier: Apache-2.0
"""smm-2021."""
