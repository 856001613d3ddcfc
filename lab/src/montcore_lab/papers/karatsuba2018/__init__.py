# SPDX-License-Identifier: Apache-2.0
"""karatsuba-2018."""
