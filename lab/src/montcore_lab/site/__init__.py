# SPDX-License-Identifier: Apache-2.0
"""The site: pages of docs/site and the datasheets, with computed figures and examples."""
